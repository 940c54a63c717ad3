/** Problems of the benchmark `friction`: read from files, generated, and handed to the comparison program. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { measureFriction, type SolveOutcome, toMeasurements } from '@cli/bench/friction';
import { readFrictionProblems, frictionBytes } from '@cli/bench/friction-data';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { sweepGrowth, triedIn } from '@cli/bench/friction-growth';
import { spherePile } from '@cli/bench/sphere-pile';
import { UsageError } from '@cli/command';
import { moreau } from './support';

// The comparison program is compiled where it can be, which takes longer than all of this.
vi.mock('@cli/bench/siconos/toolchain', () => ({
  findToolchain: () => ({ ok: false, reason: 'Siconos is left out' }),
  build: () => undefined,
}));

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'friction-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const plane = {
  name: 'two in the plane',
  dimension: 2,
  contacts: 2,
  mu: [0.3, 0.4],
  q: [-1, 0.5, -2, 0.25],
  W: {
    format: 'bsr',
    blockSize: 2,
    rowptr: [0, 1, 3],
    colind: [0, 0, 1],
    blocks: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
      [
        [9, 10],
        [11, 12],
      ],
    ],
  },
};

describe('friction-contact problems from files', () => {
  it('are read compressed or not, with their diagonal blocks found', () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(plane));
    writeFileSync(join(folder, 'b.json.gz'), gzipSync(JSON.stringify({ ...plane, name: 'again' })));
    const [{ problem }, again] = readFrictionProblems(folder);
    expect(again.name).toBe('again');
    expect([...problem.W.diagonal]).toEqual([0, 2]);
    expect([...problem.W.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect([problem.count, problem.W.rows, problem.dimension]).toEqual([2, 2, 2]);
  });

  it.each([
    ['no JSON', '{'],
    ['a dimension of four', JSON.stringify({ ...plane, dimension: 4 })],
    ['a coefficient too few', JSON.stringify({ ...plane, mu: [0.3] })],
    ['no diagonal block', JSON.stringify({ ...plane, W: { ...plane.W, colind: [1, 0, 1] } })],
  ])('are refused by name with %s', (_, text) => {
    writeFileSync(join(folder, 'bad.json'), text);
    expect(() => readFrictionProblems(folder)).toThrow(UsageError);
    expect(() => readFrictionProblems(folder)).toThrow('bad.json');
  });

  it('are missed when there are none', () => {
    expect(() => readFrictionProblems(folder)).toThrow('has no .json');
    expect(() => readFrictionProblems(join(folder, 'none'))).toThrow('cannot be read');
  });

  it('reach the comparison program as they are', () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(plane));
    const bytes = frictionBytes(readFrictionProblems(folder)[0].problem);
    const integers = Array.from({ length: 9 }, (_, k) => bytes.readInt32LE(4 * k));
    expect(integers).toEqual([2, 2, 3, 0, 1, 3, 0, 0, 1]);
    const doubles = Array.from({ length: 18 }, (_, k) => bytes.readDoubleLE(36 + 8 * k));
    expect(doubles).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, 0.5, -2, 0.25, 0.3, 0.4]);
  });

  it('writes problems of hundreds of thousands of blocks', () => {
    const blocks = 400_000;
    const problem = new FrictionContactProblem(3, 1, blocks);
    problem.count = 1;
    problem.W.rowStart[1] = blocks;
    expect(frictionBytes(problem)).toHaveLength(4 * (3 + 2 + blocks) + 8 * (9 * blocks + 3 + 1));
  });
});

describe('a pile of spheres', () => {
  it('has the number of contacts that was asked for, and an operator that is symmetric', () => {
    const { W, count } = spherePile(150);
    expect(count).toBe(150);
    const entries = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
        for (let e = 0; e < 9; e++) {
          const [row, column] = [3 * i + Math.floor(e / 3), 3 * W.columns[k] + (e % 3)];
          entries.set(`${row} ${column}`, W.values[9 * k + e]);
        }
      }
    }
    for (const [place, value] of entries) {
      expect(entries.get(place.split(' ').reverse().join(' '))).toBe(value);
    }
  });

  it('has the mobility of a sphere on a plane: 1 along the normal, 1 + r² m/I along tangents', () => {
    const { W } = spherePile(1);
    expect([...W.values]).toEqual([1, 0, 0, 0, 3.5, 0, 0, 0, 3.5]);
  });

  it('has the mobility of a sphere on a sphere twice over, and the coupling of two in a column', () => {
    // Of a cube of two: contact 0 is below sphere 0, contact 8 below the sphere on top of it.
    const { W } = spherePile(9);
    const block = (i: number, j: number): number[] => {
      for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
        if (W.columns[k] === j) return [...W.values.subarray(9 * k, 9 * k + 9)];
      }
      return [];
    };
    expect(block(8, 8)).toEqual([2, 0, 0, 0, 7, 0, 0, 0, 7]);
    // Pushed up at its foot a sphere approaches the one above; rolled at its foot it slips the other way at
    // its top.
    expect(block(0, 8)).toEqual([-1, 0, 0, 0, 1.5, 0, 0, 0, 1.5]);
    expect(block(0, 7)).toEqual([]);
  });

  it('is the same one for the same seed only', () => {
    expect(spherePile(50).q).toEqual(spherePile(50).q);
    expect(spherePile(50, 0.5, 2).q).not.toEqual(spherePile(50).q);
  });
});

describe('what is said of a problem', () => {
  const outcome = (solver: string, reason?: string): SolveOutcome => ({
    ns: 1e6,
    failure: null,
    iterations: 20,
    residual: 1e-9,
    solver,
    ...(reason === undefined ? {} : { reason }),
  });
  const reason =
    'W is not symmetric, only solvers that take it: NSGS: residual 2.0e-3 after 1500; Faceted+Proximal: residual 1.0e-9 after 20';

  it('includes which solvers the automatic choice tried, and why it went on, as words of the engine', () => {
    const rows = toMeasurements(
      'pile',
      new Map([
        ['auto', { times: [1e6], last: outcome('Faceted+Proximal', reason) }],
        ['NSGS', { times: [2e6], last: outcome('NSGS') }],
      ]),
    );
    expect(rows.find(({ quantity }) => quantity === 'pile: auto (Faceted+Proximal)')?.value).toBe(1);
    const tried = rows.filter(({ quantity }) => quantity.includes('tried'));
    expect(tried).toEqual([
      { quantity: 'pile: auto tried', value: null, unit: '', note: 'NSGS, then Faceted+Proximal', reason },
    ]);
  });

  it('gives ratios without a note, and says who failed where there is none', () => {
    const failed: SolveOutcome = { ...outcome('nsgs'), failure: 'not solved in 9 iterations' };
    const ratiosOf = (nsgs: SolveOutcome): unknown =>
      toMeasurements(
        'pile',
        new Map([
          ['auto', { times: [1e6], last: outcome('NSGS') }],
          ['NSGS', { times: [2e6], last: outcome('NSGS') }],
          ['Siconos nsgs', { times: [6e6], last: nsgs }],
        ]),
      ).filter(({ quantity }) => quantity.includes(' / '));
    const parts = { quantity: 'pile: auto / best of its parts here', value: 0.5, unit: '' };
    const sweeps = { quantity: 'pile: Siconos NSGS / NSGS here', unit: '' };
    const best = { quantity: 'pile: best of Siconos / auto here', unit: '' };
    expect(ratiosOf(outcome('nsgs'))).toEqual([parts, { ...sweeps, value: 3 }, { ...best, value: 6 }]);
    const note = 'not solved by Siconos';
    expect(ratiosOf(failed)).toEqual([
      parts,
      { ...sweeps, value: null, note },
      { ...best, value: null, note },
    ]);
  });

  it('says where the automatic choice or all of its parts failed', () => {
    const failed: SolveOutcome = { ...outcome('auto'), failure: 'maxIterations' };
    const noteOf = (auto: SolveOutcome, nsgs: SolveOutcome): string | undefined =>
      toMeasurements(
        'pile',
        new Map([
          ['auto', { times: [1e6], last: auto }],
          ['NSGS', { times: [2e6], last: nsgs }],
        ]),
      ).find(({ quantity }) => quantity === 'pile: auto / best of its parts here')?.note;
    expect(noteOf(failed, outcome('NSGS'))).toBe('not solved by auto');
    expect(noteOf(outcome('auto'), failed)).toBe('solved by none of its parts alone');
    expect(noteOf(failed, failed)).toBe('solved by none');
    expect(noteOf(outcome('auto'), outcome('NSGS'))).toBeUndefined();
  });

  it('names the one solver that was enough', () => {
    expect(triedIn('NSGS: residual 1.0e-9 after 20')).toBe('NSGS');
  });
});

describe('a measurement that is ended', () => {
  const lone = { ...plane, contacts: 1, mu: [0.3], q: [-1, 0.5] };
  const W = {
    ...plane.W,
    rowptr: [0, 1],
    colind: [0],
    blocks: [
      [2, 0],
      [0, 3],
    ],
  };

  it('keeps the rows of the problems that were measured by then', async () => {
    for (const name of ['a', 'b'])
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...lone, name, W }));
    const seen: string[] = [];
    const isEnded = (): boolean => seen.includes('a: residual of auto');
    for await (const { quantity } of measureFriction({ problems: folder, isEnded })) seen.push(quantity);
    expect(seen).toContain('a: residual of auto');
    expect(seen.filter((quantity) => quantity.startsWith('b:'))).toEqual([]);
  });

  it('says which problem comes before it is measured', async () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...lone, name: 'a', W }));
    let isAsked = false;
    const rows = measureFriction({ problems: folder, isEnded: () => (isAsked = true) });
    const first = await rows.next();
    expect(first.value).toEqual({ quantity: 'a: contacts', value: 1, unit: '' });
    expect(isAsked).toBe(false);
    expect((await rows.next()).value).not.toMatchObject({ quantity: 'a: contacts' });
  });

  it('ends the command with 4, and what was measured is printed', async () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...lone, name: 'a', W }));
    const { code, out, notes } = await moreau(['bench', 'friction', '--problems', folder, '--json'], {
      interruptAtOnce: true,
    });
    expect(code).toBe(4);
    expect((JSON.parse(out) as { benchmarks: unknown[] }).benchmarks).toHaveLength(1);
    expect(notes).toContain('Ended');
  });
});

describe('the cost of a sweep over contacts', () => {
  it('is the exponent of each family of piles', () => {
    const costs = [10, 100, 1000].flatMap((contacts) => [
      { name: `tall-wall-${contacts}`, contacts, time: 5 * contacts },
      { name: `stack-${contacts}`, contacts, time: contacts ** 1.5 },
    ]);
    const [wall, stack, ...others] = sweepGrowth([...costs, { name: 'spheres-10', contacts: 10, time: 1 }]);
    expect(others).toEqual([]);
    expect(wall.quantity).toBe('tall-wall: p in ns/sweep ~ N^p, N = 10 … 1000');
    expect(wall.value).toBeCloseTo(1, 12);
    expect(stack.value).toBeCloseTo(1.5, 12);
  });
});
