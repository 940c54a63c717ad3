import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closest } from '@engine/closest';
import { duration, ProgressDisplay } from '@cli/progress';
import type { RunInfo } from '@contract/methods';
import { ballOnCurve, bouncingBall, misbehavingBall } from '../main/models';
import { ROOT, temporaryFolder } from '../main/support';
import { modelFile as writeModel, moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const modelFile = (document: unknown): string => writeModel(folder.path, document);

const KEYS = [
  ...['status', 'scheme', 'steps', 'rejectedSteps', 'factorisations', 'newtonIterations', 'solverIterations'],
  ...['events', 'simulatedTime', 'wallSeconds', 'stepsPerSecond'],
  ...[
    'worstResidual',
    'certified',
    'energyDrift',
    'energyGain',
    'complete',
    'accuracy',
    'warnings',
    'signals',
  ],
];

describe('moreau run', () => {
  it('computes a model and prints exactly the keys of its contract', async () => {
    const { code, out } = await moreau(['run', modelFile(bouncingBall()), '--json']);
    expect(code).toBe(0);
    const summary = JSON.parse(out) as Record<string, unknown>;
    expect(Object.keys(summary)).toEqual(KEYS);
    expect(summary).toMatchObject({ status: 'done', scheme: 'time-stepping', steps: 2000, warnings: [] });
    expect(summary.worstResidual).toBeLessThan(1e-9);
    expect(summary.certified).toBe(true);
    expect(summary.signals).toContainEqual({ name: 't', unit: 's', last: 2 });
  });

  it('computes from event to event, and tells where impacts accumulate', async () => {
    const { code, out } = await moreau([
      'run',
      'example:bouncing-ball',
      '--scheme',
      'event-driven',
      '--json',
    ]);
    expect(code).toBe(0);
    const summary = JSON.parse(out) as {
      zeno: { element: string; time: number; error: number }[];
      eventList: { time: number; kind: string; element: string; before: number; after: number }[];
      energyDrift: number;
    };
    expect(Object.keys(summary)).toEqual(
      KEYS.filter((key) => key !== 'energyGain').flatMap((key) =>
        key === 'events' ? [key, 'zeno', 'eventList'] : [key],
      ),
    );
    // The first fall from 0.9 m.
    const [first] = summary.eventList;
    expect(first).toMatchObject({ kind: 'impact', element: 'floor' });
    expect(first.time).toBeCloseTo(Math.sqrt(1.8 / 9.81), 10);
    expect(first.after).toBeCloseTo(-0.9 * first.before, 10);
    expect(summary.energyDrift).toBeLessThan(1e-13);
    expect(summary).toMatchObject({ status: 'done', scheme: 'event-driven', steps: 10_000 });
    expect(summary.zeno).toMatchObject([{ element: 'floor' }]);
    expect(summary.zeno[0].time).toBeCloseTo(8.138705801, 8);
    expect(summary.zeno[0].error).toBeLessThan(1e-9);
  });

  it('ends with an error that names the scheme of a run that it cannot begin', async () => {
    const { code, out, notes } = await moreau([
      'run',
      'example:gene-network',
      '--scheme',
      'event-driven',
      '--json',
    ]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      status: 'failed',
      scheme: 'event-driven',
      error: { where: 'steps' },
    });
    expect(notes).toContain('cannot simulate “steps”');
  });

  it('prints a table for people', async () => {
    const { code, out } = await moreau(['run', 'example:bouncing-ball', '--t-end', '0.5']);
    expect(code).toBe(0);
    for (const word of ['status', 'done', 'equations', 'worst residual', 'last values', 'ball.q'])
      expect(out).toContain(word);
  });

  it('replaces parameters, also by expressions, step and end time', async () => {
    const file = join(folder.path, 'run.json');
    const argv = [
      'run',
      modelFile(bouncingBall()),
      '--set',
      'g=2*0.81',
      '--h=0.01',
      '--t-end',
      '1',
      '--out',
      file,
    ];
    const { code, notes } = await moreau([...argv, '--signals', 't, ball.q']);
    expect(code).toBe(0);
    expect(notes).toContain('101 rows of 2 signals');
    const content = JSON.parse(readFileSync(file, 'utf8')) as { parameters: { g: number }; rows: number[][] };
    expect(content.parameters.g).toBeCloseTo(1.62, 12);
    expect(content.rows.at(-1)?.[1]).toBeCloseTo(1 - 1.62 / 2, 2);
  });

  it('exports a span of time and every n-th row, in CSV with what made it where that is asked for', async () => {
    const file = join(folder.path, 'part.csv');
    const model = modelFile(bouncingBall({ tEnd: 1 }));
    const span = ['--from', '0.2', '--until', '0.4', '--every', '50'];
    const { code, notes } = await moreau(['run', model, '--out', file, ...span]);
    expect(code).toBe(0);
    expect(notes).toContain('5 rows');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^t \[s\],/);
    lines.slice(1).forEach((line, k) => expect(Number(line.split(',')[0])).toBeCloseTo(0.2 + 0.05 * k, 9));
    await moreau(['run', model, '--out', file, ...span, '--comments']);
    const commented = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(commented.slice(-lines.length)).toEqual(lines);
    expect(commented[0]).toBe('# program: "Moreau"');
    // Nothing was recorded there: the outcome is reported, and no file is left from it.
    const empty = join(folder.path, 'empty.csv');
    const late = await moreau(['run', model, '--out', empty, '--from', '5', '--until', '6']);
    expect(late.code).toBe(1);
    expect(late.notes).toContain('Nothing has been recorded from 5 s to 6 s');
    expect(existsSync(empty)).toBe(false);
  });

  it('ends with 3 when a script fails, and still writes what was computed', async () => {
    const file = join(folder.path, 'run.csv');
    const model = modelFile(misbehavingBall("throw new Error('the spring broke');"));
    const { code, out, notes } = await moreau(['run', model, '--json', '--out', file]);
    expect(code).toBe(3);
    const summary = JSON.parse(out) as { status: string; error: Record<string, unknown> };
    expect(summary.status).toBe('failed');
    expect(summary.error).toMatchObject({ code: 'script-error' });
    expect(summary.error.message).toContain('the spring broke');
    expect(summary.error.time).toBeCloseTo(1, 2);
    expect(summary.error.script).toMatchObject({ name: 'forces.ts', line: 4 });
    expect(summary.error.remedy).toEqual(expect.any(String));
    expect(notes).toContain('line 4');
    expect(readFileSync(file, 'utf8').split('\r\n').length).toBeGreaterThan(900);
  });

  it('ends with 4 when it is interrupted, and writes what was computed', async () => {
    const file = join(folder.path, 'run.csv');
    const model = modelFile(
      bouncingBall({ tEnd: 1e6, force: ['out[0] = -p.g;', "if (t > 0.5 && t < 0.52) console.log('now');"] }),
    );
    const { code, out } = await moreau(['run', model, '--json', '--out', file], { interruptAt: 'now' });
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ status: 'cancelled' });
    expect(readFileSync(file, 'utf8').split('\r\n').length).toBeGreaterThan(500);
  });

  it.each<[string, string[], RegExp]>([
    ['no model', ['run'], /needs MODEL/],
    ['two models', ['run', 'a', 'b'], /does not know what to do with “b”/],
    ['an unknown flag', ['run', 'a', '--signal', 't'], /Did you mean --signals\?/],
    ['a flag without its value', ['run', 'a', '--h'], /--h needs a value/],
    ['a flag given twice', ['run', 'a', '--h', '1', '--h', '2'], /only once/],
    ['a value for a switch', ['run', 'a', '--json=yes'], /takes no value/],
    ['a step that is no number', ['run', 'a', '--h', 'small'], /needs a number/],
    ['a negative step', ['run', 'a', '--h', '-0.1'], /greater than zero/],
    ['a parameter without value', ['run', 'a', '--set', 'g'], /NAME=VALUE/],
    ['a scheme that is not there', ['run', 'a', '--scheme', 'leapfrog'], /“leapfrog”.*event-driven/],
    ['a format that is not there', ['run', 'a', '--out', 'a.xlsx'], /\.csv .* or \.json/s],
    ['a span without a file', ['run', 'a', '--from', '1'], /--from goes with --out/],
    [
      'a span that ends before it begins',
      ['run', 'a', '--out', 'a.csv', '--from', '2', '--until', '1'],
      /earlier/,
    ],
    ['half a row', ['run', 'a', '--out', 'a.csv', '--every', '1.5'], /whole number/],
    ['comments where there are none', ['run', 'a', '--out', 'a.h5', '--comments'], /FILE\.csv/],
    ['a format of no file', ['bench', 'export', '--format', 'npz'], /“npz”.*\.npz/],
    ['a table of no rows', ['bench', 'export', '--rows', '0'], /whole number above 0/],
    ['a file that is not there', ['run', '/no/such.moreau.json'], /does not exist/],
    ['an example that is not there', ['run', 'example:no-such'], /bouncing-ball/],
    ['a parameter that is not there', ['run', 'example:bouncing-ball', '--set', 'nope=1'], /“nope”/],
    ['a signal that is not there', ['run', 'example:bouncing-ball', '--signals', 'nope'], /“nope”/],
  ])('ends with 2 for %s', async (_what, argv, words) => {
    const { code, out, notes } = await moreau(argv);
    expect(code).toBe(2);
    expect(notes).toMatch(words);
    expect(out).toBe('');
  });

  it('says as JSON why a model was refused', async () => {
    const { code, out } = await moreau(['run', modelFile({ ...bouncingBall(), systems: [] }), '--json']);
    expect(code).toBe(2);
    const summary = JSON.parse(out) as Record<string, unknown>;
    expect(summary).toMatchObject({ status: 'failed', error: { code: 'invalid-document', where: 'table' } });
  });

  it('leaves no recording behind', async () => {
    const before = readdirSync(join(folder.path));
    await moreau(['run', 'example:bouncing-ball', '--t-end', '0.1']);
    expect(readdirSync(folder.path)).toEqual(before);
  });
});

describe('moreau validate', () => {
  it('ends with 0 for a valid model', async () => {
    const { code, out } = await moreau(['validate', modelFile(bouncingBall())]);
    expect([code, out]).toEqual([0, 'The model is valid.\n']);
  });

  it('says which entry of a given Jacobian is wrong, and that the model can run', async () => {
    const { code, out } = await moreau(['validate', modelFile(ballOnCurve(['out[0] = 3 * q[0];']))]);
    expect(code).toBe(0);
    expect(out).toContain(
      'warning: /interactions/0/relation/jacobian (table): Your Jacobian “slope” of “gap”',
    );
    expect(out).toContain('entry (0, 0) at the initial state: 3 instead of 2, a difference of 1.');
    expect(out).toContain('The model is valid.');
  });

  it('lists every error with pointer, element and remedy, and ends with 2', async () => {
    const ball = bouncingBall();
    const document = { ...ball, interactions: [{ ...ball.interactions[0], systems: ['absent'] }] };
    const { code, out } = await moreau(['validate', modelFile(document), '--json']);
    expect(code).toBe(2);
    const { valid, issues } = JSON.parse(out) as { valid: boolean; issues: Record<string, unknown>[] };
    expect(valid).toBe(false);
    expect(issues).toContainEqual(expect.objectContaining({ severity: 'error', element: 'table' }));
    for (const issue of issues)
      expect([issue.pointer, issue.message, issue.remedy].every(Boolean)).toBe(true);
    const text = await moreau(['validate', modelFile(document)]);
    expect(text.out).toContain('absent');
    expect(text.code).toBe(2);
  });

  it('says where a text is not JSON', async () => {
    const { code, out } = await moreau(['validate', modelFile('{\n  "title": oops\n}')]);
    expect(code).toBe(2);
    expect(out).toContain('line 2');
  });

  it('lists defects of scripts at their line', async () => {
    const { code, out } = await moreau(['validate', modelFile(bouncingBall({ force: ['out[0] = ((;'] }))]);
    expect(code).toBe(2);
    expect(out).toMatch(/forces\.ts, line \d+/);
  });
});

describe('moreau examples', () => {
  it('lists names and titles', async () => {
    const { code, out } = await moreau(['examples']);
    expect(code).toBe(0);
    expect(out).toMatch(/^bouncing-ball +Bouncing ball$/m);
  });

  it('copies one, but never over a file', async () => {
    const argv = ['examples', '--copy', 'bouncing-ball', folder.path];
    expect((await moreau(argv)).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder.path, 'bouncing-ball.moreau.json'), 'utf8'))).toMatchObject({
      formatVersion: 3,
    });
    const again = await moreau(argv);
    expect(again.code).toBe(2);
    expect(again.notes).toContain('already exists');
    expect((await moreau(['examples', '--copy', 'bouncing-ball'])).code).toBe(2);
  });
});

describe('moreau itself', () => {
  // Six processes one after another take their time on a busy machine.
  it('has help for itself and for each command', async () => {
    const { code, out } = await moreau(['--help']);
    expect(code).toBe(0);
    const names = ['run', 'validate', 'examples', 'bench', 'serve'];
    for (const name of names) {
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
      const help = await moreau([name, '--help']);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: moreau ${name}`);
    }
  });

  it('prints its version', async () => {
    expect(await moreau(['--version'])).toEqual({ code: 0, out: '0.0.0-test\n', notes: '' });
  });

  it.each([
    [['runn'], 'Did you mean moreau run?'],
    [['--verison'], 'There is no flag'],
    [['frobnicate'], 'moreau --help'],
    [['bench', 'bouncing-bal'], 'Did you mean bouncing-ball?'],
    [['serve', '--port', 'http'], '--port needs a number'],
  ])('suggests what may be meant by %j', async (argv, words) => {
    const { code, notes } = await moreau(argv);
    expect(code).toBe(2);
    expect(notes).toContain(words);
  });

  it('shows its help and ends with 2 when it is given nothing', async () => {
    const { code, notes } = await moreau([]);
    expect(code).toBe(2);
    expect(notes).toContain('Usage: moreau');
  });

  it('starts by its file, with an exit code of its own', () => {
    const outcome = spawnSync(process.execPath, [join(ROOT, 'bin/moreau.mjs'), 'runn'], { encoding: 'utf8' });
    // Before the first build there is nothing to start, and it says so.
    expect([1, 2]).toContain(outcome.status);
    expect(outcome.stderr).toMatch(outcome.status === 2 ? /Did you mean moreau run/ : /npm run build/);
  });
});

describe('suggestions', () => {
  it.each([
    ['sigals', 'signals'],
    ['t-ned', 't-end'],
    ['sch', 'scheme'],
    ['xyz', null],
  ])('for %s: %s', (given, meant) => {
    expect(closest(given, ['set', 'scheme', 'h', 't-end', 'signals', 'out', 'json'])).toBe(meant);
  });
});

describe('progress', () => {
  const run = (steps: number, secondsToGo: number | null, warnings: string[] = []): RunInfo =>
    ({
      t0: 0,
      tEnd: 1,
      statistics: { steps, simulatedTime: steps / 1000, secondsToGo },
      warnings,
    }) as unknown as RunInfo;

  it('is at most one line a second where there is no terminal', () => {
    let now = 0;
    const lines: string[] = [];
    const display = new ProgressDisplay(
      (text) => lines.push(text),
      false,
      () => now,
    );
    for (; now < 3500; now += 100) display.show(run(now / 10, 12));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('10 %  t = 0.100000 s, 12 s to go\n');
  });

  it('is a bar that is drawn over on a terminal, and removed', () => {
    let screen = '';
    const display = new ProgressDisplay(
      (text) => (screen += text),
      true,
      () => 0,
    );
    display.show(run(500, null));
    expect(screen).toContain(`[${'#'.repeat(15)}${' '.repeat(15)}] 50 %`);
    display.clear();
    expect(screen.endsWith('\r')).toBe(true);
  });

  it('writes durations as people say them', () => {
    expect([0.2, 59, 61, 3599, 3661, 90_000].map(duration)).toEqual([
      '0 s',
      '59 s',
      '1 min 1 s',
      '59 min 59 s',
      '1 h 1 min',
      '25 h 0 min',
    ]);
  });
});
