/** What a run is refused for at its start is said before it, by the same function. */
import { describe, expect, it } from 'vitest';
import { examine } from '@engine/inspection/examine';
import type { DocumentIssue, ModelDocument, SystemDocument } from '@engine/document/types';
import type { EngineErrorDetails } from '@engine/errors';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import { needsBuilder } from '@engine/document/builder-scripts';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { isProving, part, sample } from '../../support/prove';
import { allSmallest } from '../support/combinations';
import { expectComplete } from '../support/issues';
import { EXAMPLES, contact, example, model, particle, withFunctions } from '../support/models';
import { gallery, mutating } from '../support/mutated';
import { drawn } from '../components/drawn';
import { seeded } from '../support/random';

const sandbox = (): ReturnType<typeof createSandbox> => createSandbox(() => undefined);

/** Errors that are said of a document before it is run. */
function told(document: ModelDocument): DocumentIssue[] {
  const built = needsBuilder(document) ? runBuilder(document, sandbox(), undefined, false) : null;
  const { report, check } = examine(document, built?.ok === true ? built.built : undefined);
  return [...report.issues, ...check({ sandbox, begin: () => true })].filter(
    ({ severity }) => severity === 'error',
  );
}

interface Outcome {
  readonly issues: readonly DocumentIssue[];
  /** null where the run begins */
  readonly refused: EngineErrorDetails | null;
  /** what is different; null where nothing is */
  readonly difference: string | null;
}

/** Joints whose positions do not fit are named before a run in other words, and all of them. */
const OF_JOINTS = 'initial-position-inconsistent';

function compare(document: ModelDocument): Outcome {
  const run = prepareRun({ document }, { sandbox, sink: new MemoryChunks() });
  const issues = told(document);
  if (run.ok) {
    const [first] = issues;
    const difference = first === undefined ? null : `only told: ${first.code}: ${first.message}`;
    return { issues, refused: null, difference };
  }
  const refused = run.error;
  const isSame =
    refused.code === 'invalid-document'
      ? issues.length > 0
      : issues.some(
          ({ code, message, element }) =>
            message === refused.message ||
            (refused.code === 'inconsistent-start' && code === OF_JOINTS && element === refused.where),
        );
  const said = issues.map(({ code, message }) => `${code}: ${message}`).join(' ') || 'nothing';
  return {
    issues,
    refused,
    difference: isSame ? null : `refused by ${refused.code}: ${refused.message}; told: ${said}`,
  };
}

const SCHEMES = ['time-stepping', 'event-driven'] as const;

describe('what a run is refused for at its start is an error of the model', () => {
  it('in all of the gallery, by either scheme', () => {
    let refusals = 0;
    sample(40, EXAMPLES.length);
    for (const name of part(EXAMPLES, 40))
      for (const scheme of SCHEMES) {
        const document = example(name);
        const { issues, refused, difference } = compare({
          ...document,
          simulation: { ...document.simulation, scheme },
        });
        expect(difference, `${name}, ${scheme}`).toBeNull();
        if (refused === null) continue;
        refusals++;
        expectComplete(issues);
        for (const { pointer } of issues) expect(pointer, name).not.toBe('/simulation');
      }
    expect(refusals).toBeGreaterThan(isProving ? 15 : 2);
  });

  it('in every cell of the tables of laws and relations, and nothing more is refused in a step', () => {
    const all = allSmallest();
    let refusals = 0;
    sample(150, all.length);
    for (const { what, document } of part(all, 150)) {
      const { issues, refused, difference } = compare(document);
      expect(difference, what).toBeNull();
      if (refused === null) {
        const run = prepareRun({ document }, { sandbox, sink: new MemoryChunks() });
        while (run.ok && run.session.advance(100) === 'running');
        expect(run.ok && run.session.error, what).toBeNull();
        continue;
      }
      refusals++;
      for (const { pointer } of issues)
        expect(pointer, what).toMatch(/^\/(interactions|systems|simulation)\/\d/);
    }
    expect(refusals).toBeGreaterThan(20);
  });

  it('in mutated models', () => {
    const [random, mutated] = [seeded(31), mutating(gallery)];
    let refusals = 0;
    const differences: string[] = [];
    const count = sample(60, 4000);
    // One in two hundred is refused at its start alone: until there has been one.
    for (let k = 0; k < count || (refusals === 0 && k < 2000); k++) {
      const { document, what } = mutated(random);
      const { refused, difference } = compare(document);
      if (difference !== null) differences.push(`${what}: ${difference}`);
      if (refused !== null && refused.code !== 'invalid-document') refusals++;
    }
    expect(differences).toEqual([]);
    expect(refusals).toBeGreaterThanOrEqual(isProving ? 15 : 1);
  });

  it('where positions do not fit joints from event to event: each of them, and no more', () => {
    const fits = example('double-pendulum');
    const outcome = (scheme: (typeof SCHEMES)[number], start: Partial<SystemDocument>): Outcome => {
      const systems = fits.systems.map((system, k) => (k === 0 ? { ...system, ...start } : system));
      const found = compare({ ...fits, systems, simulation: { ...fits.simulation, scheme } });
      expect(found.difference, scheme).toBeNull();
      return found;
    };
    const moved = outcome('event-driven', { q0: ['length/2 + 0.1', 0, 0] });
    expect(moved.refused).toMatchObject({ code: 'inconsistent-start', where: 'pin' });
    expect(moved.issues.map(({ code, element }) => [code, element])).toEqual([
      [OF_JOINTS, 'elbow'],
      [OF_JOINTS, 'pin'],
    ]);
    // By steps joints stay apart, and velocities are brought onto them by an impact.
    expect(outcome('time-stepping', { q0: ['length/2 + 0.1', 0, 0] }).refused).toBeNull();
    for (const scheme of SCHEMES) expect(outcome(scheme, { v0: [0, 1, 0] }).refused).toBeNull();
  });

  it('with the line of a script that fails there', () => {
    const document = withFunctions(
      model([particle('m', 0, 0, { fExt: { function: 'pull' } })], [contact('floor', ['m'], [[1]], 0)]),
      'export const pull = (t, out) => { const pulls = [1]; out[0] = pulls[3].size; };',
    );
    const [issue, ...others] = told({
      ...document,
      simulation: { ...document.simulation, scheme: 'event-driven' },
    });
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      severity: 'error',
      element: 'm',
      pointer: '/systems/0',
      script: { line: 1 },
    });
  });
});

describe('steps and ends of sampled controllers are said before a run as the run says them', () => {
  it.each(SCHEMES)('%s', (scheme) => {
    const random = seeded(12);
    const open = undefined as unknown as string;
    for (let k = 0; k < sample(12, 200); k++) {
      const period = random.uniform(1e-3, 1e-1);
      const h = period * [0.25, 0.5, 0.7, 1, 1.001, 1.5, 3][random.integer(0, 6)];
      const tEnd = random.chance(0.5) ? 12 * h : random.uniform(5, 12) * h;
      const drawing = drawn(
        [
          ['R', 'StepSignal', ['r'], { after: 1, time: 2 * period }],
          ['S', 'Sum', ['r', 'x', open, 'e']],
          ['C', 'DigitalPID', ['e', 'u'], { Kp: 2, Ki: 3, period }],
          ['P', 'TransferFunction', ['u', 'x'], { numerator: [1], denominator: [period, 1] }],
        ],
        { h, tEnd },
      );
      const document = { ...drawing, simulation: { ...drawing.simulation, scheme } };
      const { report, check } = examine(document, undefined);
      const said = [...report.issues, ...check({ sandbox, begin: () => true })];
      const run = prepareRun({ document }, { sandbox, sink: new MemoryChunks() });
      const isTooLong = scheme === 'time-stepping' && h > period * (1 + 1e-9);
      expect(run.ok, `${k}`).toBe(!isTooLong);
      expect(said.map(({ code }) => code).includes('reset-step'), `${k}`).toBe(isTooLong);
      const ends = run.ok ? run.session.warnings.filter((words) => words.includes('the run ends at')) : [];
      const moves = said.filter(({ code }) => code === 'end-moves');
      expect(moves.map(({ message }) => message)).toEqual(ends);
      moves.forEach((issue) => {
        expect(issue).toMatchObject({ severity: 'warning', pointer: '/simulation/tEnd' });
      });
      // Both kinds occur.
      if (!isTooLong)
        expect(ends.length, `${k}`).toBe(Math.abs(tEnd / h - Math.round(tEnd / h)) > 1e-6 ? 1 : 0);
    }
  });
});
