/** `moreau run --continue-from`: a run that begins where another one stood. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelDocument } from '@engine/document/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { modelFile as writeModel, moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

const inFolder = (name: string): string => join(folder.path, name);
const rowsOf = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\r\n');

interface Halves {
  readonly model: string;
  readonly state: string;
  readonly whole: string[];
}

const known = new Map<string, Promise<Halves>>();

/** A run that has saved its state at half of its time, and the table of one that never stopped. */
function halves(scheme = 'time-stepping'): Promise<Halves> {
  let made = known.get(scheme);
  if (made === undefined) known.set(scheme, (made = computed(scheme)));
  return made;
}

async function computed(scheme: string): Promise<Halves> {
  const model = writeModel(folder.path, bouncingBall());
  const [state, table] = [inFolder(`${scheme}.moreau-state`), inFolder(`${scheme}.csv`)];
  const run = ['run', model, '--scheme', scheme, '--no-accuracy'];
  const saved = await moreau([...run, '--t-end', '0.5', '--save-state', state]);
  expect(saved.code).toBe(0);
  expect(saved.notes).toContain(`state at t = 0.5 s written to ${state}`);
  const whole = await moreau([...run, '--t-end', '1', '--out', table]);
  expect(whole.code).toBe(0);
  return { model, state, whole: rowsOf(table) };
}

describe('moreau run --continue-from', () => {
  it.each(['time-stepping', 'event-driven'])(
    'has the bits of a run that never stopped: %s',
    async (scheme) => {
      const { model, state, whole } = await halves(scheme);
      const file = inFolder('rest.csv');
      const { code, out } = await moreau([
        'run',
        model,
        '--continue-from',
        state,
        '--t-end',
        '1',
        '--out',
        file,
        '--json',
        '--scheme',
        scheme,
      ]);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ status: 'done', certified: true, simulatedTime: 1 });
      const rest = rowsOf(file).slice(1);
      expect(rest.length).toBeGreaterThan(400);
      expect(rest[0]).toMatch(/^0\.5,/);
      expect(rest).toEqual(whole.slice(whole.length - rest.length));
    },
  );

  it('begins at a time before the end of that run, and goes on for as long as that', async () => {
    const { model, state, whole } = await halves();
    const file = inFolder('rest.csv');
    const { code } = await moreau([
      'run',
      model,
      '--continue-from',
      state,
      '--at',
      '0.25',
      '--t-end',
      '1',
      '--out',
      file,
    ]);
    expect(code).toBe(0);
    const rest = rowsOf(file).slice(1);
    expect(rest[0]).toMatch(/^0\.25,/);
    expect(rest).toEqual(whole.slice(whole.length - rest.length));
    const { out } = await moreau(['run', model, '--continue-from', state, '--json']);
    expect(JSON.parse(out)).toMatchObject({ simulatedTime: 1, steps: 500 });
  });

  it('takes other values of parameters from there on', async () => {
    const { model, state } = await halves();
    const file = inFolder('rest.csv');
    const { code } = await moreau(['run', model, '--continue-from', state, '--set', 'g=0', '--out', file]);
    expect(code).toBe(0);
    const [names, first, ...rest] = rowsOf(file);
    const column = names.split(',').findIndex((name) => name.startsWith('ball.v'));
    const speed = (row: string): number => Number(row.split(',')[column]);
    expect(rest.every((row) => speed(row) === speed(first))).toBe(true);
    const wrong = await moreau(['run', model, '--continue-from', state, '--set', 'x=0']);
    expect(wrong.code).toBe(2);
    expect(wrong.notes).toContain('x');
  });

  it('begins with positions and velocities of a table, and says what is not in it', async () => {
    const { model, whole } = await halves();
    const file = inFolder('rest.csv');
    const run = [
      'run',
      model,
      '--continue-from',
      inFolder('time-stepping.csv'),
      '--at',
      '0.25',
      '--t-end',
      '1',
    ];
    const { code, out } = await moreau([...run, '--out', file, '--json']);
    expect(code).toBe(0);
    const { warnings } = JSON.parse(out) as { warnings: string[] };
    expect(warnings[0]).toContain(
      'begins at t = 0.25 s with the positions and velocities of time-stepping.csv',
    );
    const rest = rowsOf(file).slice(1);
    expect(rest[0]).toMatch(/^0\.25,/);
    const heights = (row: string): number => Number(row.split(',')[1]);
    expect(heights(rest[0])).toBe(heights(whole[251]));
    expect(heights(rest[rest.length - 1])).toBeCloseTo(heights(whole[whole.length - 1]), 6);
  });

  it('ends a run from a table where the model ends', async () => {
    const { model } = await halves();
    const file = inFolder('end.csv');
    const { simulation } = JSON.parse(readFileSync(model, 'utf8')) as ModelDocument;
    const run = ['run', model, '--continue-from', inFolder('time-stepping.csv'), '--at', '0.25'];
    expect((await moreau([...run, '--no-accuracy', '--out', file])).code).toBe(0);
    const times = rowsOf(file)
      .slice(1)
      .map((row) => Number(row.split(',')[0]));
    expect(times.at(-1)).toBeCloseTo(Number(simulation.tEnd), 9);
  });

  it.each([
    ['no such file', () => 'missing.moreau-state', [], 'file-missing'],
    ['a folder', () => '.', [], 'file-is-folder'],
    ['a file that is no state', () => 'other.txt', [], 'no-state-file'],
    ['a file that is cut off', () => 'cut.moreau-state', [], 'state-damaged'],
    ['a table without a time', () => 'other.csv', [], 'no-table'],
    ['a table without the state', () => 'few.csv', [], 'state-not-recorded'],
    ['another model', () => 'time-stepping.moreau-state', ['example:three-balls'], 'state-of-other-model'],
    ['another step', () => 'time-stepping.moreau-state', ['', '--h', '1e-5'], 'state-of-other-model'],
    [
      'another scheme',
      () => 'time-stepping.moreau-state',
      ['', '--scheme', 'event-driven'],
      'state-of-other-model',
    ],
    ['a time behind its end', () => 'time-stepping.moreau-state', ['', '--at', '0.7'], 'state-time-outside'],
    ['a time outside of a table', () => 'time-stepping.csv', ['', '--at', '7'], 'state-time-outside'],
    ['an end before it', () => 'time-stepping.moreau-state', ['', '--t-end', '0.1'], 'state-time-outside'],
  ])('refuses %s, with the place and a remedy', async (_, name, [other = '', ...more], wanted) => {
    const { model, state } = await halves();
    writeFileSync(inFolder('other.txt'), 'hello');
    writeFileSync(inFolder('cut.moreau-state'), readFileSync(state, 'utf8').slice(0, 400));
    writeFileSync(inFolder('other.csv'), 'a,b\n1,2\n');
    writeFileSync(inFolder('few.csv'), 't [s],ball.q [m]\n0.25,1\n');
    const args = [
      'run',
      other === '' ? model : other,
      '--continue-from',
      inFolder(name()),
      ...more,
      '--json',
    ];
    const { code, out } = await moreau(args);
    expect(code).toBe(2);
    const { error } = JSON.parse(out) as { error: { code: string; where?: string; remedy: string } };
    expect(error.code).toBe(wanted);
    expect(error.remedy).not.toBe('');
  });

  it.each([
    [['--at', '1'], '--at goes with --continue-from'],
    [['--continue-from', 'run.h5'], 'not .h5'],
    [['--save-state', 'state.json'], 'give --save-state another ending'],
    [['--save-state', 'state.CSV'], 'takes .csv for a table of results'],
  ])('refuses %j', async (more, words) => {
    const { code, notes } = await moreau(['run', 'example:bouncing-ball', ...more]);
    expect(code).toBe(2);
    expect(notes).toContain(words);
  });

  it('says before it computes that a state cannot be written', async () => {
    const file = inFolder('none/a.moreau-state');
    const { code, out } = await moreau(['run', 'example:bouncing-ball', '--save-state', file, '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'folder-missing' }, steps: 0 });
    expect(existsSync(file)).toBe(false);
  });
});
