/** What `moreau run` says, prints and leaves behind when something goes wrong. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitOf, exitOfRun } from '@cli/exit-code';
import { summarise, summaryText } from '@cli/run-summary';
import type { RunInfo } from '@contract/methods';
import { bouncingBall, misbehavingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

interface Failed {
  status: string;
  steps: number;
  signals: unknown[];
  error: { code: string; message: string; remedy?: string };
}
const parse = (out: string): Failed => JSON.parse(out) as Failed;
const recordings = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`) && name.startsWith('moreau-'));

describe('a data file that cannot be written', () => {
  it.each<[string, (path: string) => string, string, RegExp]>([
    [
      'its folder is missing',
      (path) => join(path, 'no/run.csv'),
      'folder-missing',
      /folder .*no does not exist/,
    ],
    ['a folder has its name', (path) => join(path, 'taken.csv'), 'file-is-folder', /is a folder, not a file/],
  ])('is refused before the computation when %s', async (_what, place, code, words) => {
    mkdirSync(join(folder.path, 'taken.csv'));
    const model = modelFile(
      folder.path,
      bouncingBall({ force: ["console.log('computing'); out[0] = -p.g;"] }),
    );
    const outcome = await moreau(['run', model, '--json', '--out', place(folder.path)]);
    expect(outcome.code).toBe(2);
    expect(outcome.notes).toMatch(words);
    expect(outcome.notes).not.toContain('computing');
    expect(parse(outcome.out)).toMatchObject({ status: 'failed', steps: 0, error: { code } });
    expect(parse(outcome.out).error.remedy).toEqual(expect.any(String));
    expect(readdirSync(folder.path).sort()).toEqual(['model.moreau.json', 'taken.csv']);
  });

  it.each([true, false])(
    'does not take the outcome with it when it fails at the end (JSON: %s)',
    async (json) => {
      const target = join(folder.path, 'results');
      mkdirSync(target);
      const model = modelFile(
        folder.path,
        bouncingBall({ force: ['out[0] = -p.g;', "if (t > 1 && t < 1.002) console.log('halfway');"] }),
      );
      const argv = ['run', model, '--out', join(target, 'run.csv'), ...(json ? ['--json'] : [])];
      const { code, out, notes } = await moreau(argv, {
        onNote: (text) => {
          if (text.includes('halfway')) rmSync(target, { recursive: true, force: true });
        },
      });
      expect(code).toBe(1);
      expect(notes).toContain('Nothing was written.');
      if (!json) {
        expect(out).toMatch(/status +done/);
        expect(out).toMatch(/error +run\.csv could not be written/);
        return;
      }
      expect(parse(out)).toMatchObject({ status: 'done', steps: 2000, error: { code: 'folder-missing' } });
      expect(parse(out).signals.length).toBeGreaterThan(3);
    },
  );

  it('is a warning beside the reason why the run itself failed', () => {
    const reason = { code: 'solver-ray', message: 'The ray.' };
    const certificate = { complementarity: 0, coneViolation: 0, dynamics: 0 };
    const run = { state: 'failed', error: reason, warnings: [], signals: [], statistics: { certificate } };
    const summary = summarise(run as unknown as RunInfo, [], { code: 'disk-full', message: 'The disk.' });
    expect(summary).toMatchObject({ error: reason, warnings: ['The disk.'] });
  });
});

describe('a run whose control blocks are not certified', () => {
  const summary = (kind: string, known = true) => {
    const defect = {
      kind,
      block: 'pid',
      signal: 'pid.u',
      time: 0.3,
      ...(known ? { expected: 1.2, found: 1.4 } : {}),
    };
    const certificate = {
      ...{ complementarity: 0, coneViolation: 0, dynamics: 0 },
      blocks: { worst: 0.1, samples: 30, defect: kind === '' ? null : defect },
    };
    const statistics = {
      certificate,
      stepsPerSecond: 1,
      simulatedTime: 1,
      wallSeconds: 1,
      energyDrift: null,
    };
    const run = { title: 'Run', state: 'done', warnings: [], signals: [], statistics } as unknown as RunInfo;
    return { run, ...summarise(run, []) };
  };

  it('says which block is wrong, and where', () => {
    const found = summary('value');
    expect(found).toMatchObject({ certified: false, worstResidual: 0.1, blocks: { samples: 30 } });
    expect(exitOfRun(found.run)).toBe(5);
    const line = (kind: string): string | undefined =>
      /control blocks +(.*)/.exec(summaryText(summary(kind).run, summary(kind)))?.[1];
    expect(line('value')).toBe(
      'NOT SATISFIED: at the sample at t = 0.3 s pid.u is 1.4, where 1.2 is expected',
    );
    expect(line('held')).toContain('at t = 0.3 s, between two samples, pid.u becomes 1.4');
    expect(line('missing')).toBe('NOT SATISFIED: “pid” has no sample at t = 0.3 s');
    expect(line('driving')).toContain('from t = 0.3 s on pid.u drives fields by 1.4');
    expect(line('')).toBe('30 samples, each as its law gives it');
  });
});

describe('a document nested too deeply', () => {
  const deep = '['.repeat(100_000);
  it.each([
    [
      'valid JSON',
      JSON.stringify(bouncingBall()).replace('{', `{"description":${deep}${']'.repeat(100_000)},`),
    ],
    ['broken JSON', `{"formatVersion":1,"title":${deep}`],
  ])('is answered with 2: %s', async (_what, text) => {
    const model = modelFile(folder.path, text);
    const { code, out, notes } = await moreau(['run', model, '--json']);
    expect(code).toBe(2);
    expect(notes).toMatch(/levels deep\. \(at line 1, column \d+ of the text\)/);
    expect(parse(out).error.code).toBe('invalid-document');
    expect((await moreau(['validate', model])).code).toBe(2);
  });
});

describe('exit codes', () => {
  it.each([
    ['at the start', bouncingBall({ force: ["throw new Error('the spring broke');"] }), 'script-error'],
    ['later', misbehavingBall("throw new Error('the spring broke');"), 'script-error'],
    ['at the start', bouncingBall({ force: ['out[0] = NaN;'] }), 'script-not-finite'],
    ['later', misbehavingBall('out[0] = NaN;'), 'script-not-finite'],
  ])('are 3 for a script that fails %s', async (_when, document, code) => {
    const outcome = await moreau(['run', modelFile(folder.path, document), '--json']);
    expect(outcome.code).toBe(3);
    expect(parse(outcome.out)).toMatchObject({ status: 'failed', error: { code } });
  });

  it('tell failures of the computation, of the model and of the machine apart', () => {
    const codes = (...names: string[]) => names.map((code) => exitOf({ code, message: '' }));
    expect(codes('iteration-matrix-singular', 'not-finite', 'solver-ray', 'out-of-memory')).toEqual([
      3, 3, 3, 3,
    ]);
    expect(codes('invalid-document', 'invalid-arguments', 'unknown-signal', 'too-many-steps')).toEqual([
      2, 2, 2, 2,
    ]);
    expect(codes('internal', 'worker-crashed', 'recording-failed')).toEqual([1, 1, 1]);
    expect(codes('disk-full')).toEqual([3]);
    expect(codes('orbit-not-found', 'not-periodic', 'section-not-met')).toEqual([3, 3, 3]);
    const failed = (code: string) => exitOfRun({ state: 'failed', error: { code, message: '' } } as RunInfo);
    expect(['solver-ray', 'any-other', 'recording-failed'].map(failed)).toEqual([3, 3, 1]);
  });

  it('tell a run that is done but not certified from one that is: exit code 5', () => {
    const done = (complementarity: number, limit?: number): number => {
      const certificate = {
        complementarity,
        coneViolation: 0,
        dynamics: 1e-14,
        ...(limit !== undefined && { limit }),
      };
      return exitOfRun({ state: 'done', statistics: { certificate } } as RunInfo);
    };
    expect([1e-12, 0.3, NaN].map((figure) => done(figure))).toEqual([0, 5, 5]);
    const gains = (share: number): number => {
      const certificate = { complementarity: 0, coneViolation: 0, dynamics: 0 };
      const statistics = { certificate, energyGain: { share, limit: 0.02 } };
      return exitOfRun({ state: 'done', statistics } as RunInfo);
    };
    expect([-0.9, 0.02, 0.021, NaN].map(gains)).toEqual([0, 0, 5, 5]);
    // What the solver was asked for is no violation.
    expect([done(1e-5, 1e-4), done(1e-3, 1e-4)]).toEqual([0, 5]);
  });
});

describe('the line on equations', () => {
  const line = (state: 'done' | 'failed', complementarity: number): string | undefined => {
    const certificate = {
      complementarity,
      coneViolation: 0,
      dynamics: 0,
      worstElement: 'circuit.D1',
      worstTime: 0.25,
    };
    const statistics = {
      certificate,
      stepsPerSecond: 1,
      simulatedTime: 1,
      wallSeconds: 1,
      energyDrift: null,
    };
    const run = { title: 'Run', state, warnings: [], signals: [], statistics } as unknown as RunInfo;
    expect(summarise(run, []).certified).toBe(state === 'done' && complementarity < 1e-8);
    return /equations +(.*)/.exec(summaryText(run, summarise(run, [])))?.[1];
  };

  it('says where they are not satisfied, and is no verdict on what has failed', () => {
    expect(line('done', 0.5)).toMatch(
      /^NOT SATISFIED: worst residual 5\.00e-1 at “circuit\.D1”, t = 0\.25 s/,
    );
    expect(line('done', 1e-12)).toMatch(/^solved, worst residual 1\.00e-12/);
    expect(line('failed', 1e-12)).toBe('worst residual 1.00e-12 up to there');
  });
});

describe('arguments that are wrong', () => {
  it.each<[string, string[], RegExp]>([
    ['a step that is no number', ['--h', 'small'], /needs a number/],
    ['an unknown format', ['--out', 'a.xlsx'], /\.xlsx/],
    ['a parameter without value', ['--set', 'g'], /NAME=VALUE/],
    ['a prototype for a name', ['--set', '__proto__=1'], /“__proto__” cannot be the name/],
    ['a name that is none', ['--set', '2g=1'], /“2g” cannot be the name/],
    ['a parameter given twice', ['--set', 'g=1', '--set', 'g=2'], /gives g twice/],
  ])('are reported as JSON too: %s', async (_what, flags, words) => {
    const { code, out, notes } = await moreau(['run', 'example:bouncing-ball', '--json', ...flags]);
    expect(code).toBe(2);
    expect(notes).toMatch(words);
    expect(parse(out)).toMatchObject({ status: 'failed', steps: 0 });
    expect(parse(out).error.message).toMatch(words);
  });

  it.each([
    ['run', 'example:Bouncing Ball', /named “Bouncing Ball”/],
    ['run', 'example:', /The examples are: .*bouncing-ball/],
    ['validate', 'example:bouncing-bal', /Did you mean bouncing-ball\?/],
    ['run', 'example:../package', /The examples are: /],
  ])('%s %s: the examples are named', async (command, model, words) => {
    const { code, notes } = await moreau([command, model]);
    expect(code).toBe(2);
    expect(notes).toMatch(words);
    expect(notes).not.toContain('regex');
  });

  it('a device is no model', async () => {
    const { code, notes } = await moreau(['run', '/dev/zero']);
    expect(code).toBe(2);
    expect(notes).toContain('not a file');
  });
});

describe('an interrupt', () => {
  it('before the computation ends with 4 and leaves nothing behind', async () => {
    writeFileSync(join(folder.path, 'old.csv'), 'kept');
    const argv = ['run', 'example:bouncing-ball', '--json', '--out', join(folder.path, 'old.csv')];
    const { code, out } = await moreau(argv, { interruptAtOnce: true });
    expect(code).toBe(4);
    expect(parse(out)).toMatchObject({ status: 'cancelled', steps: 0 });
    expect(readdirSync(folder.path)).toEqual(['old.csv']);
    expect(recordings()).toEqual([]);
  });

  it('while a builder script does not return ends with 4', async () => {
    const builder = ["export default () => { console.log('building'); for (;;); };"];
    const model = modelFile(folder.path, bouncingBall({ builder }));
    const { code } = await moreau(['run', model, '--json'], { interruptAt: 'building' });
    expect(code).toBe(4);
    expect(recordings()).toEqual([]);
  });
});
