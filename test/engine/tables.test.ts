/** Tables of data in documents: values against closed forms, kinks as events, defects at their places. */
import { describe, expect, it } from 'vitest';
import { compileExpression, evaluateExpression } from '@engine/document/expressions';
import { rateText } from '@engine/document/rates';
import { tablesIn, tablesOf } from '@engine/document/tables';
import type { ModelDocument, TableDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { exportNetlist } from '@engine/netlist/export';
import { importNetlist } from '@engine/netlist/import';
import { reportDocument } from '@engine/preparation/report';
import { withScriptFunctions } from '@engine/script/generated';
import { createSandbox } from '@engine/script/sandbox';
import { siconosScript } from '@engine/siconos/script';
import { drawn, type Part } from './components/drawn';
import { run, type Run } from './support/run';
import { seeded } from './support/random';

const DRIVE: TableDocument = { id: 'drive', t: [0, 1e-3, 1e-3, 3e-3], y: [0, 4, -2, 2] };

const at = (text: string, t: number, tables: readonly TableDocument[] = [DRIVE]): number =>
  evaluateExpression(
    compileExpression(text, () => 0, { tables: tablesOf(tables) }),
    Float64Array.of(t),
  );

describe('a table', () => {
  it('is straight from point to point, jumps at two of one place, and lasts outside', () => {
    expect([-1, 0, 0.25e-3, 1e-3, 2e-3, 3e-3, 9].map((t) => at('table(drive, t)', t))).toEqual([
      0, 0, 1, -2, 0, 2, 2,
    ]);
    expect([-1, 0, 1e-3, 3e-3].map((t) => at('slope(drive, t)', t))).toEqual([0, 4000, 2000, 0]);
    expect(at('2*table(drive, t - 1e-3)', 1.25e-3)).toBeCloseTo(2, 12);
  });

  it('repeats with its period, straight back to the first value', () => {
    const periodic = [{ ...DRIVE, id: 'p', t: [0, 1, 2], y: [0, 4, 1], period: 2.5 }];
    expect(at('table(p, t)', 2.25, periodic)).toBe(0.5);
    const random = seeded(7);
    for (let k = 0; k < 200; k++) {
      const t = random.uniform(0, 2.5);
      expect(at('table(p, t)', t - 25, periodic)).toBeCloseTo(at('table(p, t)', t, periodic), 12);
    }
  });

  it('has a rate, and names that are found', () => {
    expect(rateText('3*table(drive, 2*t)')).toContain('slope(drive, 2 * t)');
    expect(tablesIn('table(a, t) + slope( b, 2) + stable(c, t)')).toEqual(['a', 'b']);
  });

  it.each([
    ['table(none, t)', '“none” is no table of this model; known are drive'],
    ['table(1, t)', 'takes the name of a table first'],
    ['table(drive)', 'takes 2 arguments'],
  ])('%s is refused', (text, message) => {
    expect(() => at(text, 0)).toThrow(message);
  });
});

const RL: readonly Part[] = [
  ['V1', 'TableVoltage', ['in', '0'], { table: 'drive', factor: 3 }],
  ['R1', 'Resistor', ['in', 'out'], { resistance: 2 }],
  ['L1', 'Inductor', ['out', '0'], { inductance: 1e-3 }],
];

const circuit = (tables: TableDocument[], parts = RL, times = { h: 1e-5, tEnd: 4e-3 }): ModelDocument => ({
  ...drawn(parts, times),
  tables,
});

const ran = (document: ModelDocument, scheme: 'event-driven' | 'time-stepping'): Run =>
  run(document, { sandbox: createSandbox, scheme });

/** L i′ + R i = a + b t from i0. */
function ramped(i0: number, a: number, b: number, t: number): number {
  const [R, L] = [2, 1e-3];
  const particular = (s: number): number => a / R + (b * s) / R - (b * L) / R ** 2;
  return particular(t) + (i0 - particular(0)) * Math.exp((-R * t) / L);
}

describe('a source that follows a table', () => {
  const first = ramped(0, 0, 12e3, 1e-3);
  const second = ramped(first, -6, 6e3, 2e-3);
  const third = ramped(second, 6, 0, 1e-3);

  it('is integrated from kink to kink', () => {
    const result = ran(circuit([DRIVE]), 'event-driven');
    const [times, current] = [result.column('t'), result.column('L1.i')];
    const near = (t: number): number => current[times.findLastIndex((one) => one <= t + 1e-12)];
    expect(near(1e-3)).toBeCloseTo(first, 9);
    expect(near(3e-3)).toBeCloseTo(second, 9);
    expect(current.at(-1)).toBeCloseTo(third, 9);
    // A row stands at the jump itself, with what is behind it.
    const voltage = result.column('V1.v');
    expect(voltage[times.findIndex((t) => Math.abs(t - 1e-3) < 1e-15)]).toBeCloseTo(-6, 9);
  });

  it('is stepped', () => {
    const end =
      ran(circuit([DRIVE]), 'time-stepping')
        .column('L1.i')
        .at(-1) ?? NaN;
    expect(Math.abs(end - third)).toBeLessThan(0.02);
  });

  it('is the same as conditions written by hand, to the bit', () => {
    const value =
      't < 0 ? 0 : (t < 1e-3 ? 0 + (t/1e-3)*4 : (t < 3e-3 ? -2 + ((t - 1e-3)/(3e-3 - 1e-3))*4 : 2))';
    const twin = RL.map((part): Part =>
      part[0] === 'V1' ? ['V1', 'VoltageSource', ['in', '0'], { voltage: `3*(${value})` }] : part,
    );
    for (const scheme of ['event-driven', 'time-stepping'] as const) {
      const [a, b] = [ran(circuit([DRIVE]), scheme), ran(circuit([], twin), scheme)];
      expect(a.column('L1.i')).toEqual(b.column('L1.i'));
    }
  });

  it('with a period drives for ever, and with thousands of points', () => {
    const n = 4000;
    const t = Array.from({ length: n }, (_, k) => (k * 1e-3) / n);
    const y = t.map((s) => Math.sin(2 * Math.PI * 1e3 * s));
    const sine = { id: 'drive', t, y, period: 1e-3 };
    const end = ran(circuit([sine], RL, { h: 1e-6, tEnd: 2.3e-3 }), 'time-stepping')
      .column('L1.i')
      .at(-1);
    const twin = RL.map((part): Part =>
      part[0] === 'V1' ? ['V1', 'SineVoltage', ['in', '0'], { amplitude: 3, frequency: 1e3 }] : part,
    );
    const exact = ran(circuit([], twin, { h: 1e-6, tEnd: 2.3e-3 }), 'time-stepping')
      .column('L1.i')
      .at(-1);
    expect(Math.abs((end ?? NaN) - (exact ?? NaN))).toBeLessThan(1e-6);
  });

  it('opens and closes gates when it passes zero', () => {
    const parts: readonly Part[] = [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }],
      ['S1', 'Switch', ['in', 'out'], { gate: 'table(drive, t)' }],
      ['R1', 'Resistor', ['out', '0'], { resistance: 5 }],
      ['L1', 'Inductor', ['out', '0'], { inductance: 1 }],
    ];
    const result = ran(circuit([DRIVE], parts, { h: 1e-4, tEnd: 4e-3 }), 'event-driven');
    const [times, v] = [result.column('t'), result.column('R1.v')];
    const changes = Array.from(times).filter((_, k) => k > 0 && v[k - 1] > 5 !== v[k] > 5);
    expect(changes.length).toBeGreaterThanOrEqual(2);
    expect(changes.at(-1)).toBeCloseTo(2e-3, 12);
    expect(changes.some((t) => Math.abs(t - 1e-3) < 1e-12)).toBe(true);
  });

  it('is recorded, observed and exported', () => {
    const document: ModelDocument = {
      ...circuit([DRIVE]),
      observables: [{ name: 'wanted', expression: '3*table(drive, t)' }],
    };
    const result = ran(document, 'time-stepping');
    expect(result.column('wanted')).toEqual(result.column('V1.v'));
    const plain = withScriptFunctions({
      ...circuit([DRIVE]),
      components: [],
      wires: [],
      systems: [{ id: 's', type: 'FirstOrderLinear', n: 1, x0: [0], b: ['table(drive, t)'] }],
    });
    expect(plain.scripts[0].source.join('\n')).toContain('const table_drive = (u) => {');
    expect(() => siconosScript(plain)).not.toThrow();
  });
});

describe('defects of tables', () => {
  const issueOf = (tables: unknown, parts = RL): { code: string; pointer: string; remedy: string }[] =>
    reportDocument({ ...circuit([]), ...drawn(parts), tables } as ModelDocument).issues.filter(
      ({ severity }) => severity === 'error',
    );
  it.each([
    [{ ...DRIVE, y: [1, 2] }, 'table-points', '/tables/0/y'],
    [{ ...DRIVE, t: [0, 2, 1, 3] }, 'table-points', '/tables/0/t/2'],
    [{ ...DRIVE, t: [0, 1, 1, 1] }, 'table-points', '/tables/0/t/3'],
    [{ ...DRIVE, period: 1e-3 }, 'table-points', '/tables/0/period'],
    [{ ...DRIVE, period: -1 }, 'wrong-value', '/tables/0/period'],
    [{ ...DRIVE, y: [0, null, 1, 2] }, 'wrong-value', '/tables/0/y/1'],
    [{ ...DRIVE, id: '9' }, 'bad-name', '/tables/0/id'],
  ])('%o', (table, code, pointer) => {
    const [issue, ...more] = issueOf([table]);
    expect(more).toEqual([]);
    expect(issue).toMatchObject({ code, pointer });
    expect(issue.remedy.length).toBeGreaterThan(5);
  });

  it('two of one name, and none of the name that a source gives', () => {
    expect(issueOf([DRIVE, DRIVE])).toMatchObject([{ code: 'duplicate-id', pointer: '/tables/1/id' }]);
    expect(issueOf([])).toMatchObject([{ code: 'unknown-table', pointer: '/components/0/table' }]);
    const text: readonly Part[] = [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 'table(x, t)' }],
      ...RL.slice(1),
    ];
    expect(issueOf([DRIVE], text)).toMatchObject([
      { code: 'unknown-table', pointer: '/components/0/voltage' },
    ]);
  });
});

describe('points of a netlist', () => {
  const points = Array.from({ length: 40 }, (_, k) => `${k}u ${(k * 7) % 5}`);
  const text = `Points\nV1 in 0 PWL(${points.join(' ')})\nR1 in 0 1k\n.tran 1u 60u\n.end\n`;

  it('become a table where they are many, and points again', () => {
    const { document, issues } = importNetlist(text, 'points.cir', {});
    expect(issues).toEqual([]);
    if (document === null) throw new Error('no model');
    expect(document.components?.[0]).toMatchObject({ id: 'V1', type: 'TableVoltage', table: 'points1' });
    expect(document.tables?.[0].y).toEqual(Array.from({ length: 40 }, (_, k) => (k * 7) % 5));
    const result = ran(document, 'time-stepping');
    const v = result.column('V1.v');
    result.column('t').forEach((t, k) => {
      expect(v[k]).toBe(at('table(points1, t)', t, document.tables));
    });
    const exported = exportNetlist(document);
    if (!exported.ok) throw new Error(exported.message);
    const again = importNetlist(exported.text, 'again.cir', {}).document;
    expect(again?.tables?.[0].y).toEqual(document.tables?.[0].y);
  });

  it('are written out for each period', () => {
    const saw = { id: 'drive', t: [0, 1e-3, 1e-3, 2e-3], y: [0, 1, 0, 0], period: 2e-3 };
    const exported = exportNetlist(circuit([saw], RL, { h: 1e-5, tEnd: 4e-3 }));
    if (!exported.ok) throw new Error(exported.message);
    expect(exported.text).toMatch(/PWL\(0 0 0.001 3 0.00100000000[34]\S* 0 0.002 0 /);
    expect(exported.warnings.join(' ')).toContain('Jumps of “V1”');
  });
});

it('is written as it was read', () => {
  const text = writeDocument(circuit([{ ...DRIVE, unit: 'V', period: 3e-3 }]));
  expect(writeDocument(JSON.parse(text) as ModelDocument)).toBe(text);
  expect(text).toContain('"t": [0, 0.001, 0.001, 0.003]');
});
