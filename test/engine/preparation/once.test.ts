/**
 * How often a scripted model is read, checked and built: counted by the engine's own JavaScript machine, call
 * by call.
 */
import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import type { ModelDocument } from '@engine/document/types';
import { examine } from '@engine/inspection/examine';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun, type RunSession } from '@engine/run/session';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';

/** Functions on the way from a document to a model, by the folder of their file. */
const ON_THE_WAY = {
  checkStructure: '/document/',
  evaluateParameters: '/document/',
  buildModel: '/document/',
  buildSettings: '/document/',
  readScripts: '/script/',
  transpileScript: '/script/',
  layoutState: '/preparation/',
  layoutSpace: '/preparation/',
  compileSpace: '/preparation/',
  evaluate: '/script/sandbox',
  compareAll: '/preparation/',
} as const;
/** Where the engine is loaded from: its sources, or what is built of them for tests. */
const ENGINE = ['/src/engine', '/out/test-engine'];
type Counts = Partial<Record<keyof typeof ON_THE_WAY, number>>;

/** Calls of those functions, of those that were called at all. */
function callsDuring(action: () => void): Counts {
  const session = new Session();
  session.connect();
  const counts: Counts = {};
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    action();
    session.post(
      'Profiler.takePreciseCoverage',
      (error, { result }: Profiler.TakePreciseCoverageReturnType) => {
        if (error !== null) throw error;
        for (const { url, functions } of result)
          for (const { functionName, ranges } of functions) {
            const name = functionName as keyof typeof ON_THE_WAY;
            if (!Object.hasOwn(ON_THE_WAY, name) || !ENGINE.some((at) => url.includes(at + ON_THE_WAY[name])))
              continue;
            if (ranges[0].count > 0) counts[name] = (counts[name] ?? 0) + ranges[0].count;
          }
      },
    );
  } finally {
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
  return counts;
}

const example = (name: string): ModelDocument =>
  JSON.parse(readFileSync(`resources/examples/${name}.moreau.json`, 'utf8')) as ModelDocument;

function start(document: ModelDocument): RunSession {
  const run = prepareRun({ document }, { sandbox: () => createSandbox(), sink: new MemoryChunks() });
  if (!run.ok) throw new Error(run.error.message);
  return run.session;
}

function change(session: RunSession, { parameters }: ModelDocument): void {
  const [{ name, value }] = parameters.filter((parameter) => typeof parameter.value === 'number');
  expect(session.change({ [name]: value })).toBeNull();
}

function check(document: ModelDocument): void {
  const environment = { sandbox: () => createSandbox(), begin: () => true };
  const { report, check: execute } = examine(document, undefined);
  expect([...report.issues, ...execute(environment)].filter(({ severity }) => severity === 'error')).toEqual(
    [],
  );
}

const ONCE = { evaluateParameters: 1, buildModel: 1, buildSettings: 1 };
const READ = { checkStructure: 1, readScripts: 1, transpileScript: 1 };

describe('a scripted model', () => {
  it('is read, checked and built once for a start, and built once for other parameters', () => {
    const document = example('cam-follower-event-driven-660');
    expect(callsDuring(() => start(document))).toEqual({ ...READ, ...ONCE, layoutState: 1, evaluate: 1 });
    const session = start(document);
    expect(callsDuring(() => change(session, document))).toEqual({ ...ONCE, layoutState: 1, evaluate: 1 });
  });

  it('is built and evaluated a second time only with conditions that can be held, where steps follow them', () => {
    const document = example('cam-follower-660');
    const twice = { ...ONCE, buildModel: 2, layoutState: 1, evaluate: 2 };
    expect(callsDuring(() => start(document))).toEqual({ ...READ, ...twice });
    const session = start(document);
    expect(callsDuring(() => change(session, document))).toEqual(twice);
  });

  it('is checked once more with what its builder has added', () => {
    const document = example('watch-escapement');
    const scripts = document.scripts.length;
    const space = { layoutSpace: 1, compileSpace: 1 };
    const all = { ...ONCE, ...space, evaluate: scripts };
    expect(callsDuring(() => start(document))).toEqual({
      ...all,
      checkStructure: 2,
      readScripts: 1,
      transpileScript: scripts,
    });
    const session = start(document);
    expect(callsDuring(() => change(session, document))).toEqual({ ...all, checkStructure: 1 });
  });

  it('is read, checked and built once for a report with its checks of Jacobians and initial states', () => {
    const document = example('cam-follower-660');
    expect(callsDuring(() => check(document))).toEqual({
      ...READ,
      ...ONCE,
      layoutState: 1,
      evaluate: 1,
      compareAll: 1,
    });
  });
});
