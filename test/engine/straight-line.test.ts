/**
 * A step written out as straight-line code and the general loop give the same numbers: every recorded value
 * of every example, the certificate, and the counters.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { type SimulationState, originOf } from '@engine/time-stepping/state';
import { TimeStepping } from '@engine/time-stepping/time-stepping';
import { StepWriter } from '@engine/straight-line/writer';
import { compile } from './support/compiled';
import { start, type Run } from './support/run';

const FOLDER = fileURLToPath(new URL('../../resources/examples/', import.meta.url));
const STEPS = 2000;

/** Examples whose steps are written out: small, linear, with constant matrices. */
const WRITTEN = [
  'bouncing-ball',
  'buck-converter',
  'diode-bridge',
  'newtons-cradle',
  'coupled-complementarity',
];

const read = (name: string): ModelDocument => {
  const { document } = readDocument(readFileSync(`${FOLDER}${name}.moreau.json`, 'utf8'));
  if (document === null) throw new Error('it cannot be opened');
  return document;
};

/** Examples of the other scheme are models of this one as well. */
const byStepping = { sandbox: createSandbox, scheme: 'time-stepping' } as const;

/** Values at all steps of all signals. */
function values({ session, column }: Run): Float64Array[] {
  session.advance(STEPS);
  expect(session.error).toBeNull();
  return session.signals.map(({ name }) => column(name));
}

/** A state as text, in which zero has no sign. */
const unsigned = (state: SimulationState): unknown =>
  JSON.parse(JSON.stringify(state, (_key, value: unknown) => (value === Infinity ? 'infinite' : value)));

/** Examples that time-stepping does not simulate. */
const EVENT_DRIVEN_ONLY = ['woodpecker', 'ball-chain', 'ball-chain-drawn'];

/** 3D bodies have a core of their own, with one loop. */
const isInSpace = ({ systems }: ModelDocument): boolean =>
  systems.some(({ type }) => type === 'RigidBody' || type === 'FixedBody');

const names = readdirSync(FOLDER).flatMap((file) => {
  const name = file.replace('.moreau.json', '');
  if (!file.endsWith('.moreau.json') || EVENT_DRIVEN_ONLY.includes(name)) return [];
  return isInSpace(read(name)) ? [] : [name];
});

describe('a step written out and the general loop', () => {
  const written: string[] = [];

  it.each(names)('give the same numbers for %s', (name) => {
    const document = read(name);
    const own = start(document, { ...byStepping, loop: 'straight-line' });
    const general = start(document, { ...byStepping, loop: 'general' });
    const ours = values(own);
    if (own.session.path === 'straight-line') written.push(name);
    // ≡ but for the sign of zero, which a sum without its zero terms may change.
    values(general).forEach((column, i) => {
      const differs = column.findIndex(
        (x, k) => x !== ours[i][k] && !(Number.isNaN(x) && Number.isNaN(ours[i][k])),
      );
      expect(differs, own.session.signals[i].name).toBe(-1);
    });
    expect(general.session.path).toBe('general');
    expect(own.session.certificate).toEqual(general.session.certificate);
    expect(own.session.counters).toEqual(general.session.counters);
    expect(own.session.events).toBe(general.session.events);
    expect(own.session.energyDrift).toBe(general.session.energyDrift);
  });

  it('change over without a trace in the middle of a run', () => {
    const document = read('newtons-cradle');
    const own = start(document);
    const loops = Array.from({ length: 4 }, () => {
      own.session.advance(STEPS / 4);
      return own.session.path;
    });
    expect(new Set(loops)).toEqual(new Set(['general', 'straight-line']));
    const general = start(document, { loop: 'general' });
    const expected = values(general);
    own.session.signals.forEach(({ name }, i) => expect(own.column(name)).toEqual(expected[i]));
  });

  it.each(['bouncing-ball', 'diode-bridge', 'buck-converter'])(
    'record the same rows of %s, of which some are left out, in slices',
    (name) => {
      const document = read(name);
      const recording = { ...document.simulation.recording, every: 7 };
      const sparse = { ...document, simulation: { ...document.simulation, recording } };
      const [own, general] = (['straight-line', 'general'] as const).map((loop) => {
        const begun = start(sparse, { ...byStepping, loop });
        for (const count of [1, 2, 5, 100, 3, 7, 1000]) begun.session.advance(count);
        begun.session.advance(1000, begun.session.time + 20.5 * begun.session.h);
        return begun;
      });
      expect(own.session.path).toBe('straight-line');
      expect(own.session.rows).toBe(1 + Math.floor((1118 + 21) / 7));
      expect(own.session.time).toBe(general.session.time);
      own.session.signals.forEach((signal) => {
        expect(own.column(signal.name)).toEqual(general.column(signal.name));
      });
    },
  );

  it.each(['bouncing-ball', 'newtons-cradle', 'diode-bridge', 'buck-converter'])(
    'leave the same state behind, from which %s goes on alike',
    (name) => {
      const { model, layout, settings } = compile(read(name));
      const states = (['straight-line', 'general'] as const).map((loop) => {
        const simulation = new TimeStepping(model, layout, { ...settings, loop });
        for (let k = 0; k < STEPS; k++) simulation.advance();
        expect(simulation.loop).toBe(loop);
        return simulation.exportState();
      });
      expect(unsigned(states[0])).toEqual(unsigned(states[1]));
      const ends = states.map((state, i) => {
        // Each goes on the other way.
        const loop = (['general', 'straight-line'] as const)[i];
        const simulation = new TimeStepping(model, layout, { ...settings, loop }, originOf(model, state));
        for (let k = 0; k < 200; k++) simulation.advance();
        return simulation.exportState();
      });
      expect(unsigned(ends[0])).toEqual(unsigned(ends[1]));
    },
  );

  it('is written out for the small linear examples', () => {
    expect(written).toEqual(expect.arrayContaining(WRITTEN));
  });
});

describe('the text of a step', () => {
  /** Runs a text once for which an entry is set. */
  const once = (write: (w: StepWriter, out: Float64Array) => void): Float64Array => {
    const w = new StepWriter();
    const out = new Float64Array(2);
    write(w, out);
    w.compileSteps('', 'false')!.one();
    return out;
  };

  it.each([0, -0, 1, -1.5, 0.1, 1e-300, -5e-324, 1.7976931348623157e308, Infinity, -Infinity, NaN])(
    'reads %d back as the same bits',
    (x) => {
      expect(once((w, out) => w.set(out, 0, w.literal(x)))[0]).toBe(x);
      expect(once((w, out) => w.set(out, 0, w.seldom(x)))[0]).toBe(x);
    },
  );

  it('adds from left to right and leaves zeros out', () => {
    const w = new StepWriter();
    const text = w.sum([
      [2, 'a'],
      [0, 'b'],
      [1, 'c'],
      [-0.5, 'd'],
      [2, 'e'],
    ]);
    expect(text).toBe('number0 * a + c + number1 * d + number0 * e');
    expect(w.sum([])).toBe('0');
  });

  it('is one for models of one structure, each with its own numbers', () => {
    const scaled = (factor: number): { one: () => void; x: Float64Array } => {
      const w = new StepWriter();
      const x = Float64Array.of(3);
      w.set(x, 0, w.sum([[factor, w.get(x, 0)]]));
      return { ...w.compileSteps('', 'false')!, x };
    };
    const [twice, thrice] = [scaled(2), scaled(3)];
    for (const { one } of [twice, thrice, twice]) one();
    expect([twice.x[0], thrice.x[0]]).toEqual([12, 9]);
    expect(twice.one.toString()).toBe(thrice.one.toString());
  });

  it('carries entries from step to step and stores them after the last one', () => {
    const w = new StepWriter();
    const x = Float64Array.of(1, 1, 0, 7);
    // Fibonacci, with the number of steps beside it; the last entry is only read.
    const [a, b] = [w.get(x, 0), w.get(x, 1)];
    w.set(x, 0, b);
    w.set(x, 1, `${a} + ${b} * ${w.get(x, 3)}`);
    const steps = w.set(x, 2, `${w.get(x, 2)} + 1`);
    const run = w.compileSteps('count', `${steps} < count`)!;
    run.many(3);
    expect([...x]).toEqual([57, 407, 3, 7]);
    run.one(3);
    expect([...x]).toEqual([407, 57 + 7 * 407, 4, 7]);
  });

  it('loads an entry once, and again after something else has written', () => {
    const w = new StepWriter();
    const x = Float64Array.of(1, 2);
    const seen: number[] = [];
    const change = (): void => {
      seen.push(...x);
      x[0] += 10;
    };
    w.set(x, 1, `${w.get(x, 0)} + ${w.get(x, 0)}`);
    w.call(`${w.bind(change)}();`, x);
    const out = new Float64Array(2);
    w.set(out, 0, `${w.get(x, 0)} + ${w.get(x, 1)}`);
    const steps = w.set(out, 1, `${w.get(out, 1)} + 1`);
    w.compileSteps('count', `${steps} < count`)!.many(2);
    expect(seen).toEqual([1, 2, 11, 22]);
    expect([...x, out[0]]).toEqual([21, 22, 43]);
  });

  it('stores for a branch what earlier steps have left in variables', () => {
    const w = new StepWriter();
    const x = Float64Array.of(0, 5, 6);
    const seen: number[][] = [];
    const look = (): void => void seen.push([...x]);
    const before = w.get(x, 0);
    w.branch(`${before} !== 1`, `${w.bind(look)}();`);
    const now = w.set(x, 0, `${before} + 1`);
    w.branch(`${now} === 2`, `${w.bind(look)}();`);
    w.set(x, 1, `2 * ${now}`);
    w.set(x, 2, `3 * ${now}`);
    const run = w.compileSteps('count', `${now} < count`)!;
    run.many(3);
    expect(seen).toEqual([
      [0, 5, 6],
      [2, 2, 3],
      [2, 4, 6],
    ]);
    expect([...x]).toEqual([3, 6, 9]);
    x.fill(1);
    run.one(3);
    expect(seen.at(-1)).toEqual([2, 1, 1]);
    expect([...x]).toEqual([2, 4, 6]);
  });

  it('is refused when it is too long', () => {
    const w = new StepWriter();
    for (let i = 0; i < 2000; i++) w.constant(w.literal(i));
    expect(w.compileSteps('', 'false')).toBeNull();
  });
});
