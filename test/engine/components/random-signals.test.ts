/**
 * Random graphs of signals: integrators whose rates are sums of themselves, of a sine, of limits and dead
 * zones of such sums, of a relay with hysteresis, and of a sum that is sampled and held. The drawing is
 * compared with the equations integrated directly, Runge's and Kutta's method of order 4 in small steps that
 * end where the relay switches and at samples.
 */
import { expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';
import { type Random, seeded } from '../support/random';
import { sample } from '../../support/prove';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const OMEGA = 3;
const T_END = 2;

/** Weights of what is known so far: the sine, the states, the blocks before, the relay, the samples. */
type Weights = readonly number[];

interface Graph {
  readonly states: readonly { readonly start: number; readonly rate: Weights }[];
  readonly blocks: readonly {
    readonly type: 'Limiter' | 'DeadZone';
    readonly lower: number;
    readonly upper: number;
    readonly input: Weights;
  }[];
  readonly relay: { readonly off: number; readonly on: number; readonly input: Weights } | null;
  readonly sampler: { readonly period: number; readonly input: Weights } | null;
}

function randomGraph(random: Random): Graph {
  const n = random.integer(1, 3);
  const m = random.integer(0, 3);
  const weights = (count: number): number[] =>
    Array.from({ length: count }, () => (random.chance(0.6) ? random.uniform(-2, 2) : 0));
  return {
    states: Array.from({ length: n }, () => ({
      start: random.uniform(-1, 1),
      rate: weights(1 + n + m + 2),
    })),
    blocks: Array.from({ length: m }, (_, k) => ({
      type: random.chance(0.5) ? ('Limiter' as const) : ('DeadZone' as const),
      lower: random.uniform(-1, -0.1),
      upper: random.uniform(0.1, 1),
      input: weights(1 + n + k),
    })),
    relay: random.chance(0.6)
      ? { off: random.uniform(-0.6, -0.1), on: random.uniform(0.1, 0.6), input: weights(1 + n) }
      : null,
    sampler: random.chance(0.5) ? { period: random.uniform(0.05, 0.3), input: weights(1 + n) } : null,
  };
}

/** The graph drawn: a gain for each weight, and sums of two. */
function drawingOf({ states, blocks, relay, sampler }: Graph): Part[] {
  const parts: Part[] = [['W', 'SineSignal', ['w'], { amplitude: 1, frequency: OMEGA / (2 * Math.PI) }]];
  const known = ['w', ...states.map((_, k) => `x${k}`), ...blocks.map((_, k) => `b${k}`), 'r', 's'];
  const sum = (name: string, weights: Weights): string => {
    let total = `${name}_zero`;
    parts.push([`${name}_Z`, 'Signal', [total], { value: 0 }]);
    weights.forEach((weight, k) => {
      const isAbsent = (known[k] === 'r' && relay === null) || (known[k] === 's' && sampler === null);
      if (weight === 0 || isAbsent) return;
      const [gained, next] = [`${name}_g${k}`, `${name}_s${k}`];
      parts.push([`${name}_G${k}`, 'Gain', [known[k], gained], { gain: weight }]);
      parts.push([`${name}_S${k}`, 'Sum', [total, NONE, gained, next]]);
      total = next;
    });
    return total;
  };
  blocks.forEach(({ type, lower, upper, input }, k) => {
    parts.push([`B${k}`, type, [sum(`in${k}`, input), `b${k}`], { lower, upper }]);
  });
  if (relay !== null)
    parts.push([
      'R',
      'HysteresisRelay',
      [sum('inr', relay.input), 'r'],
      { off: relay.off, on: relay.on, low: -1 },
    ]);
  if (sampler !== null)
    parts.push(['H', 'Sampler', [sum('ins', sampler.input), 's'], { period: sampler.period }]);
  states.forEach(({ start, rate }, k) => {
    parts.push([`I${k}`, 'Integrator', [sum(`rate${k}`, rate), `x${k}`], { start }]);
  });
  return parts;
}

const dot = (weights: Weights, values: readonly number[]): number =>
  weights.reduce((total, weight, k) => total + weight * (values[k] ?? 0), 0);

/** States at the end, integrated directly. */
function integrated({ states, blocks, relay, sampler }: Graph): number[] {
  let r = -1;
  let s = 0;
  let samples = 0;
  const relayInput = (t: number, x: readonly number[]): number =>
    relay === null ? 0 : dot(relay.input, [Math.sin(OMEGA * t), ...x]);
  const rates = (t: number, x: readonly number[]): number[] => {
    const values = [Math.sin(OMEGA * t), ...x];
    for (const { type, lower, upper, input } of blocks) {
      const u = dot(input, values);
      const limited = Math.min(Math.max(u, lower), upper);
      values.push(type === 'Limiter' ? limited : u - limited);
    }
    values.push(relay === null ? 0 : r, s);
    return states.map(({ rate }) => dot(rate, values));
  };
  const step = (t: number, x: readonly number[], h: number): number[] => {
    const add = (k: readonly number[], f: number): number[] => x.map((value, i) => value + f * k[i]);
    const k1 = rates(t, x);
    const k2 = rates(t + h / 2, add(k1, h / 2));
    const k3 = rates(t + h / 2, add(k2, h / 2));
    const k4 = rates(t + h, add(k3, h));
    return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  };
  let x = states.map(({ start }) => start);
  if (relay !== null && relayInput(0, x) > relay.on) r = 1;
  const switches = (t: number, at: readonly number[]): boolean =>
    relay !== null && (r < 0 ? relayInput(t, at) > relay.on : relayInput(t, at) < relay.off);
  const h = 1e-4;
  for (let t = 0; t < T_END - 1e-12;) {
    const next = sampler === null ? Infinity : samples * sampler.period;
    if (sampler !== null && t >= next - 1e-12) {
      s = dot(sampler.input, [Math.sin(OMEGA * t), ...x]);
      samples++;
      continue;
    }
    let length = Math.min(h, T_END - t, next - t);
    if (switches(t + length, step(t, x, length))) {
      let [from, to] = [0, length];
      for (let k = 0; k < 50; k++) {
        const middle = (from + to) / 2;
        if (switches(t + middle, step(t, x, middle))) to = middle;
        else from = middle;
      }
      length = to;
      x = step(t, x, length);
      r = -r;
    } else x = step(t, x, length);
    t += length;
  }
  return x;
}

it('random graphs move as their equations, event-driven and in steps', { timeout: 600_000 }, () => {
  const random = seeded(4711);
  const count = sample(12, 1000);
  for (let k = 0; k < count; k++) {
    const graph = randomGraph(random);
    const expected = integrated(graph);
    const parts = drawingOf(graph);
    const size = Math.max(1, ...expected.map(Math.abs));
    const errorOf = (scheme: 'event-driven' | 'time-stepping', h: number): number => {
      const { column } = run(drawn(parts, { h, tEnd: T_END }), { sandbox: createSandbox, scheme });
      return Math.max(
        ...expected.map((value, i) => Math.abs((column(`x${i}.value`).at(-1) ?? Number.NaN) - value) / size),
      );
    };
    const what = `graph ${k}: ${JSON.stringify(graph)}`;
    expect(errorOf('event-driven', 0.01), what).toBeLessThan(2e-6);
    // Of order 1 in h, and more where a relay switches late; then with shorter steps.
    const inSteps = errorOf('time-stepping', 5e-4);
    if (!(inSteps < 0.05)) expect(errorOf('time-stepping', 2e-5), what).toBeLessThan(0.1 * inSteps + 1e-3);
  }
});
