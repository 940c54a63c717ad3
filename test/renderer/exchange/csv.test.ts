import { describe, expect, it } from 'vitest';
import { dataScript, type DataScriptPlan, isPossible } from '@renderer/exchange/csv/data-script';
import { nameOfFile } from '@figures/data/data-table';
import { seriesOf } from '@figures/data/series';
import { monotoneSlopes } from '@renderer/exchange/csv/slopes';
import { nameAndUnit, readTable } from '@figures/data/table';
import { thin } from '@figures/data/thin';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import type { ModelDocument, ScriptDocument } from '@engine/document/types';

describe('tables of data', () => {
  it.each([
    ['plain', 't,F\n0,1\n1,2\n', ',', '.'],
    ['byte order mark and CRLF', '\uFEFFt,F\r\n0,1\r\n1,2\r\n', ',', '.'],
    ['semicolons and decimal commas', 'Zeit;Kraft\n0;1,0\n1,0;2\n', ';', ','],
    ['tabs', 't\tF\n0\t1\n1\t2', '\t', '.'],
    ['spaces', '  t   F\n 0   1\n 1   2\n', ' ', '.'],
    ['quotes', '"t [s]","F, measured"\n"0","1"\n"1","2"\n', ',', '.'],
    ['comments and empty lines', '# device 7\n\nt,F\n0,1\n1,2\n\n\n', ',', '.'],
    ['no header', '0,1\n1,2\n', ',', '.'],
  ])('with %s', (_, text, separator, decimal) => {
    const table = readTable(text);
    expect([table.separator, table.decimal]).toEqual([separator, decimal]);
    const { series, problems } = seriesOf(table, 0, [1]);
    expect(problems).toEqual([]);
    expect(Array.from(series?.t ?? [])).toEqual([0, 1]);
    expect(Array.from(series?.values[0] ?? [])).toEqual([1, 2]);
  });

  it('names the row and the column of what is missing or no number, and leaves the row out', () => {
    const table = readTable('t,F\n0,1\n1,\n2,many\n3,4\n');
    const { series, problems } = seriesOf(table, 0, [1]);
    expect(problems).toEqual([
      { kind: 'cell', row: 3, column: 'F', cell: '' },
      { kind: 'cell', row: 4, column: 'F', cell: 'many' },
    ]);
    expect(Array.from(series?.t ?? [])).toEqual([0, 3]);
  });

  it('refuses times that do not increase, with the row', () => {
    const { series, problems } = seriesOf(readTable('t,F\n0,1\n2,1\n1,1\n3,1\n'), 0, [1]);
    expect(series).toBeNull();
    expect(problems).toEqual([{ kind: 'order', row: 4, time: 1, before: 2 }]);
    expect(seriesOf(readTable('t,F\n0,1\n'), 0, [1]).series).toBeNull();
  });

  it('takes names and units of columns apart', () => {
    expect(nameAndUnit('force [N]')).toEqual({ name: 'force', unit: 'N' });
    expect(nameAndUnit('x (mm)')).toEqual({ name: 'x', unit: 'mm' });
    expect(nameAndUnit('plain')).toEqual({ name: 'plain', unit: '' });
    expect(nameOfFile('Test run-07.csv')).toBe('testRun07');
    expect(nameOfFile('7.csv')).toBe('data7');
  });

  it('thins a hundred thousand rows and keeps a single spike', () => {
    const count = 100_000;
    const t = Float64Array.from({ length: count }, (_, i) => i / count);
    const y = t.map((time, i) => Math.sin(6 * time) + (i === 54_321 ? 3 : 0));
    const kept = thin({ t, values: [y] }, 500);
    expect(kept.t.length).toBeLessThanOrEqual(500);
    expect(Math.max(...kept.values[0])).toBe(Math.max(...y));
    expect(kept.deviation).toBeLessThan(1e-4);
  });

  it('has slopes that overshoot nowhere', () => {
    expect(Array.from(monotoneSlopes(Float64Array.of(0, 1, 2, 3), Float64Array.of(0, 0, 1, 1)))).toEqual([
      0, 0, 0, 0,
    ]);
    const line = monotoneSlopes(Float64Array.of(0, 1, 3), Float64Array.of(0, 2, 6));
    expect(Array.from(line)).toEqual([2, 2, 2]);
  });
});

const sampled = (count: number, plan: Partial<DataScriptPlan> = {}): ScriptDocument => {
  const t = Float64Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / (count - 1));
  return dataScript(
    {
      fileName: 'sine.csv',
      name: 'sine',
      role: 'prescribedMotion',
      interpolation: 'cubic',
      extrapolation: 'hold',
      columns: [{ name: 'x', unit: 'm' }],
      series: { t, values: [t.map(Math.sin)] },
      ...plan,
    },
    'data-sine.ts',
  );
};

type Filling = (t: number, out: Float64Array) => void;
/** The functions of a script, as the engine has them. */
function loaded(script: ScriptDocument): (name: string, t: number) => number {
  const scripts = new FunctionScripts({ scripts: [script], simulation: {} as ModelDocument['simulation'] });
  const { functions } = scripts.evaluate(createSandbox(() => undefined));
  return (name, t) => {
    const out = new Float64Array(1);
    (functions(name) as unknown as Filling)(t, out);
    return out[0];
  };
}

describe('scripts of data', () => {
  it('interpolate a sine and its rate to the error of the interpolation', () => {
    const at = loaded(sampled(401));
    for (let t = 0.01; t < 6.28; t += 0.37) {
      expect(Math.abs(at('sine', t) - Math.sin(t))).toBeLessThan(5e-6);
      expect(Math.abs(at('sineRate', t) - Math.cos(t))).toBeLessThan(1e-3);
    }
    const linear = loaded(sampled(401, { interpolation: 'linear' }));
    expect(Math.abs(linear('sine', 1) - Math.sin(1))).toBeLessThan(4e-5);
  });

  it('extrapolate as asked', () => {
    const plan = {
      interpolation: 'linear',
      series: { t: Float64Array.of(0, 1, 2), values: [Float64Array.of(1, 3, 2)] },
    } as const;
    const at = (extrapolation: DataScriptPlan['extrapolation']) =>
      loaded(sampled(3, { ...plan, extrapolation }));
    expect([at('hold')('sine', -1), at('hold')('sine', 9), at('hold')('sineRate', 9)]).toEqual([1, 2, 0]);
    expect([at('zero')('sine', -1), at('zero')('sine', 9)]).toEqual([0, 0]);
    expect(at('periodic')('sine', 2.5)).toBeCloseTo(2, 12);
    expect(() => at('error')('sine', 9)).toThrow('the data have no value at t = 9 s');
    expect([at('hold')('sine', 0.5), at('hold')('sineRate', 0.5), at('hold')('sine', 2)]).toEqual([2, 2, 2]);
  });

  it('hold values between rows where they are constant, but never as a motion', () => {
    const at = loaded(
      sampled(3, {
        role: 'timeVector',
        interpolation: 'constant',
        series: { t: Float64Array.of(0, 1, 2), values: [Float64Array.of(1, 3, 2)] },
      }),
    );
    expect([at('sine', 0.99), at('sine', 1), at('sine', 2)]).toEqual([1, 3, 2]);
    expect(isPossible('prescribedMotion', 'constant')).toBe(false);
    expect(isPossible('externalForce', 'constant')).toBe(true);
  });

  it('can be differentiated by the engine', () => {
    for (const interpolation of ['linear', 'cubic'] as const) {
      for (const extrapolation of ['hold', 'zero', 'periodic', 'error'] as const) {
        const scripts = new FunctionScripts({
          scripts: [sampled(9, { role: 'constraint', interpolation, extrapolation })],
          simulation: {} as ModelDocument['simulation'],
        });
        const result = scripts.request({
          function: 'sine',
          arguments: 4,
          argument: 1,
          shape: 'vector',
          result: 2,
        });
        expect([extrapolation, result.ok]).toEqual([extrapolation, true]);
      }
    }
  });

  it('force a mass as the formula does', () => {
    const forced = (script: ScriptDocument): number => {
      const document: ModelDocument = {
        formatVersion: 3,
        title: 'forced',
        parameters: [],
        systems: [
          {
            id: 'mass',
            type: 'LagrangianLinearTI',
            ndof: 1,
            mass: [[1]],
            stiffness: [[4]],
            q0: [0],
            v0: [0],
            fExt: { function: 'sine' },
          },
        ],
        interactions: [],
        simulation: {
          scheme: 'time-stepping',
          t0: 0,
          tEnd: 5,
          h: 0.001,
          integrators: [],
          problem: { type: 'auto' },
          solver: { type: 'auto' },
        },
        observables: [],
        scripts: [script],
        views: [],
        layout: { nodes: {} },
      };
      const sink = new MemoryChunks();
      const run = prepareRun({ document }, { sandbox: () => createSandbox(() => undefined), sink });
      if (!run.ok) throw new Error(run.issues.map(({ message }) => message).join());
      run.session.advance(Infinity);
      const column = run.session.signals.findIndex(({ name }) => name === 'mass.q');
      const rows = sink.rows();
      const { rowsPerChunk } = sink.layout;
      return sink.column(Math.floor((rows - 1) / rowsPerChunk), column)[(rows - 1) % rowsPerChunk];
    };
    const formula = forced({
      name: 'f.ts',
      role: 'functions',
      source: ['export const sine: ExternalForce = (t, out) => { out[0] = Math.sin(t); };'],
    });
    const data = forced(sampled(401, { role: 'externalForce' }));
    expect(Math.abs(formula)).toBeGreaterThan(0.01);
    expect(Math.abs(data - formula)).toBeLessThan(1e-6);
  });
});
