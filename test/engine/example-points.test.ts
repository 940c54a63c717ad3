/** What examples of the gallery are there to show, and what their observables are called. */
import { describe, expect, it } from 'vitest';
import { runExample } from './support/example';

/**
 * Time to rest of ẍ = −G (sgn x + β sgn ẋ) from x = ẋ = 1 with G = 2, β = ½, in closed form: braked by 3,
 * then driven back by 1 through x = 0. From there on speeds at x = 0 fall by the factor 1/√3, and a swing
 * that begins with v takes v/3 outwards and v/√3 back.
 */
const turn = 1 / 3;
const speed = Math.sqrt(2 * (1 + 1 / 6));
const REST = turn + speed + (speed * (1 / 3 + 1 / Math.sqrt(3))) / (1 - 1 / Math.sqrt(3));

const largest = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
/** Number of changes of sign. */
const jumps = (values: Float64Array): number =>
  values.reduce((count, value, i) => (i > 0 && value * values[i - 1] < 0 ? count + 1 : count), 0);
/** The values from a time on. */
const from = (time: Float64Array, t: number, values: Float64Array): Float64Array =>
  values.slice(time.findIndex((value) => value >= t));

describe('the twisting controller', () => {
  const { column } = runExample('twisting-controller');
  const t = column('t');

  it('is at rest after the time known in closed form, without control, and the example shows that', () => {
    expect(REST).toBeCloseTo(5.15, 2);
    expect(t.at(-1)).toBeGreaterThan(REST + 2);
    const speeds = column('plant.x[1]');
    expect(largest(from(t, REST - 0.2, speeds))).toBeGreaterThan(0.05);
    for (const signal of ['plant.x[0]', 'plant.x[1]', 'u'])
      expect(largest(from(t, REST + 0.05, column(signal)))).toBeLessThan(1e-9);
  });

  it('chatters for ever when it is sampled explicitly, and does not when it is taken implicitly', () => {
    const { column: sampled } = runExample('twisting-controller-sampled');
    const time = sampled('t');
    const after = (signal: string): Float64Array => from(time, REST + 1, sampled(signal));
    expect(largest(after('uImplicit'))).toBeLessThan(1e-9);
    expect(largest(after('implicit.x[1]'))).toBeLessThan(1e-9);
    // The explicit control is never less than G (1 − β) where both signs are defined, and has not ceased to
    // jump.
    const control = after('uExplicit');
    expect(jumps(control)).toBeGreaterThan(control.length / 10);
    expect(jumps(control.slice(-50))).toBeGreaterThan(5);
    expect(largest(after('explicit.x[1]'))).toBeGreaterThan(0.01);
  });
});

describe('the cradle', () => {
  it('divides its energy into that of its balls', () => {
    const { column } = runExample('newtons-cradle');
    const [kinetic, potential, sum] = ['energy.kinetic', 'energy.potential', 'E'].map(column);
    expect(largest(sum.map((value, i) => value - kinetic[i] - potential[i]))).toBeLessThan(1e-14);
    // The first ball begins with all of it, and the last has nearly all after the first swing.
    expect(column('E0')[0]).toBe(sum[0]);
    expect(largest(column('E4')) / sum[0]).toBeGreaterThan(0.85);
  });
});

describe('the power supply', () => {
  it('rectifies the current of the source, each half-wave through two diodes', () => {
    const { column } = runExample('four-diode-power-supply');
    const source = column('iSource');
    const rectified = column('iLoad');
    const scale = largest(source);
    expect(Math.min(...source)).toBeLessThan(-scale / 4);
    expect(largest(rectified.map((value, i) => value - Math.abs(source[i]))) / scale).toBeLessThan(1e-9);
    const currents = ['iD1', 'iD2', 'iD3', 'iD4'].map(column);
    // The source's current is that of one leg less that of the other.
    expect(largest(source.map((i, k) => i - (currents[0][k] - currents[2][k]))) / scale).toBeLessThan(1e-9);
    for (const current of currents) {
      expect(Math.min(...current) / scale).toBeGreaterThan(-1e-9);
      expect(largest(current) / scale).toBeGreaterThan(0.25);
    }
  });
});

describe('the sled', () => {
  it('slips by 4.35 mm once and by 13.05 mm to and fro, and does not creep in between', () => {
    const { column } = runExample('drag-sled');
    const t = column('t');
    const x = column('sled.q[0]');
    const at = (time: number): number => from(t, time, x)[0];
    expect(at(2)).toBeCloseTo(0.00434857, 6);
    expect(at(5)).toBeCloseTo(0.00434857 - 0.013045737, 6);
    expect(at(8)).toBeCloseTo(0.00434857, 5);
    expect(at(2.9)).toBeCloseTo(at(0.4), 15);
    const used = column('usedFriction');
    expect(largest(used)).toBeCloseTo(1, 12);
    // Friction pushes back while it slips forwards.
    expect(from(t, 0.1, used)[0]).toBeCloseTo(-1, 12);
  });
});

describe('the stack of boxes', () => {
  it('loses its uppermost one when the push exceeds the friction under it, and nothing else moves', () => {
    const { column } = runExample('box-stack');
    const t = column('t');
    const limit = column('largestFriction')[0];
    expect(limit).toBeCloseTo(0.2 * 9.81, 14);
    // m v̇ = t − μ m g from t = μ m g on
    const since = t[t.length - 1] - limit;
    expect(column('box9.v[0]').at(-1)).toBeCloseTo(since ** 2 / 2, 6);
    expect(largest(column('box9.v[0]').slice(0, Math.floor(limit / 1e-3)))).toBeLessThan(1e-13);
    for (let k = 0; k < 9; k++) expect(largest(column(`box${k}.q[0]`))).toBeLessThan(1e-12);
  });
});
