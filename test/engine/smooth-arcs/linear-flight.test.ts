/** Changes of the system under way, and the stretches of motion that flights report. */
import { FALLING } from '@engine/smooth/event-functions';
import { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import { ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import { type FlightIntegrator, LinearFlight } from '@engine/smooth-arcs/linear-flight';
import type { LinearSystem } from '@engine/smooth-arcs/linear-system';
import { describe, expect, it } from 'vitest';
import { form, settings, system } from '../smooth/support';

/** u̇̇ = −ω² u + a */
const oscillator = (omega: number, a = 0): LinearSystem => ({
  size: 2,
  matrix: Float64Array.of(0, 1, -omega * omega, 0),
  constant: Float64Array.of(0, a),
});

describe('a change of the system', () => {
  it('goes on from the present state, with the event functions of the new one', () => {
    const events = {
      count: 1,
      linear: () => form([1, 0], 10),
      value: () => undefined,
      watch: Int8Array.of(FALLING),
    };
    const arcs = new ExactArcs(oscillator(3), { maxSteps: 1000 }, events);
    arcs.x.set([1, 0]);
    arcs.start(0);
    expect(arcs.advance(0.4)).toBe('reached');
    const [u, v] = [Math.cos(1.2), -3 * Math.sin(1.2)];
    expect(Math.abs(arcs.x[0] - u)).toBeLessThan(1e-15);
    // Free fall from there on, with its own function, the height above −2.
    arcs.change(new LinearFlight(oscillator(0, -9.81), [form([1, 0], 2)]));
    arcs.restart();
    expect(arcs.advance(10)).toBe('root');
    const flight = (v + Math.sqrt(v * v + 2 * 9.81 * (u + 2))) / 9.81;
    expect(Math.abs(arcs.clock[0] - 0.4 - flight)).toBeLessThan(1e-14);
    expect(Math.abs(arcs.x[0] + 2)).toBeLessThan(1e-14);
    // Back to the oscillator, whose function is far from zero.
    arcs.change(new LinearFlight(oscillator(3)));
    arcs.restart();
    expect(arcs.advance(20)).toBe('reached');
  });
});

describe.each<[string, (watch: boolean) => FlightIntegrator]>([
  [
    'exact arcs',
    (watch) =>
      new ExactArcs(
        oscillator(3),
        { maxSteps: 1000 },
        {
          count: watch ? 1 : 0,
          linear: () => form([1, 0], 0.5),
          value: () => undefined,
          watch: Int8Array.of(FALLING),
        },
      ),
  ],
  [
    'the general integration',
    (watch) => {
      const ode = system(2, (_t, x, out) => {
        out[0] = x[1];
        out[1] = -9 * x[0];
      });
      return new SmoothIntegrator(ode, settings(2, 1e-12), {
        count: watch ? 1 : 0,
        linear: () => form([1, 0], 0.5),
        value: () => undefined,
        watch: Int8Array.of(FALLING),
      });
    },
  ],
])('stretches of %s', (_name, make) => {
  it.each([true, false])('cover the motion without gaps, with a function watched: %s', (watch) => {
    const flight = make(watch);
    const covered: [number, number][] = [];
    const out = new Float64Array(2);
    const note = (): void => {
      const { stretch } = flight;
      for (const part of [0, 0.3, 1]) {
        flight.sample(Float64Array.of(part * stretch[1]), out);
        const t = stretch[0] + part * stretch[1];
        expect(Math.abs(out[0] - Math.cos(3 * t))).toBeLessThan(1e-10);
        expect(Math.abs(out[1] + 3 * Math.sin(3 * t))).toBeLessThan(3e-10);
      }
      covered.push([stretch[0], stretch[0] + stretch[1]]);
    };
    flight.x.set([1, 0]);
    flight.start(0);
    expect(flight.stretch[1]).toBe(0);
    flight.whenDone = note;
    let status = 'reached';
    for (let k = 1; k <= 40 && status === 'reached'; k++) status = flight.advance(0.1 * k);
    // cos 3t = −1/2
    expect(status).toBe(watch ? 'root' : 'reached');
    expect(Math.abs(flight.clock[0] - (watch ? (2 * Math.PI) / 9 : 4))).toBeLessThan(1e-11);
    note();
    flight.restart();
    expect(flight.stretch[1]).toBe(0);
    expect(covered.length).toBeGreaterThan(1);
    expect(covered[0][0]).toBe(0);
    covered.slice(1).forEach(([start], k) => expect(Math.abs(start - covered[k][1])).toBeLessThan(1e-14));
    expect(Math.abs(covered.at(-1)![1] - flight.clock[0])).toBeLessThan(1e-14);
  });
});
