/** The cam-follower of the Siconos developer's notes §11 by exact arcs. */
import { describe, expect, it } from 'vitest';
import { cam, CamFollower, flight, OMEGA_SQUARED, RESTITUTION, STEEPEST } from './cam-driver';
import { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import { settings, system } from '../smooth/support';
import { impactsByBisection } from './cam-oracle';

/** (t, v_rel just before) of the first two impacts, as the specification prints them. */
const PRINTED = [
  { rpm: 358, first: [0.0311581, -17.81019], second: [0.1041964, -18.99117] },
  { rpm: 660, first: [0.0396494, -10.54653], second: [0.0767799, -3.14736] },
  { rpm: 700, first: [0.0404996, -14.05064], second: [0.0978327, -22.74805] },
] as const;

const started = (rpm: number, revolutions: number, sort: 'moving' | 'general' = 'moving'): CamFollower => {
  const made = new CamFollower(rpm, sort);
  made.start(0, 0.4, 0.4);
  made.turn(0, revolutions);
  return made;
};

describe.each(PRINTED)('the cam-follower at $rpm rpm', ({ rpm, first, second }) => {
  it('has the impacts of the specification', () => {
    const { impacts } = started(rpm, 2);
    [first, second].forEach(([t, speed], k) => {
      expect(Math.abs(impacts[k].t - t)).toBeLessThan(5.1e-8);
      // A unit of the last digit: the first at 660 rpm is −10.5465246, which rounds to −10.54652.
      expect(Math.abs(impacts[k].speed - speed)).toBeLessThan(1e-5);
    });
  });

  it.each(['moving', 'general'] as const)('has the impacts of bisection to 1e-10, %s', (sort) => {
    const { impacts } = started(rpm, 6, sort);
    const exact = impactsByBisection(rpm, (6 * 60) / rpm);
    expect(impacts).toHaveLength(exact.length);
    expect(exact.length).toBeGreaterThan(4);
    impacts.forEach(({ t, speed }, k) => {
      expect(Math.abs(t - exact[k].t)).toBeLessThan(1e-10);
      expect(Math.abs(speed - exact[k].speed)).toBeLessThan(1e-8);
    });
  });

  it('has the impacts of the general integrator at tolerance 1e-12', () => {
    const general = new CamFollower(rpm, 'general', (events) => {
      const ode = system(2, (_t, x, out) => {
        out[0] = x[1];
        out[1] = -OMEGA_SQUARED * x[0];
      });
      return new SmoothIntegrator(ode, settings(flight.size, 1e-12), events);
    });
    general.start(0, 0.4, 0.4);
    general.turn(0, 4);
    const { impacts, peaks } = started(rpm, 4);
    expect(impacts).toHaveLength(general.impacts.length);
    expect(peaks).toHaveLength(general.peaks.length);
    impacts.forEach(({ t }, k) => expect(Math.abs(t - general.impacts[k].t)).toBeLessThan(1e-9));
  });
});

describe('the bound of the second derivative of the lift', () => {
  it('holds, and is not far from it', () => {
    let largest = 0;
    for (let beta = 0; beta < 2 * Math.PI; beta += 1e-4) {
      largest = Math.max(largest, Math.abs(cam(beta + 1e-5).slope - cam(beta).slope) / 1e-5);
    }
    expect(largest).toBeLessThan(STEEPEST);
    expect(largest).toBeGreaterThan(STEEPEST - 0.01);
  });
});

describe('published motions', () => {
  it('has the transient peaks at 660 rpm', () => {
    const { peaks } = started(660, 25);
    const printed = [0.7315, 0.7183, 0.5778, 0.4661, 0.3777, 0.308, 1.019, 1.1552, 1.0006];
    // The first three flights, lower ones, are before the part that the figure shows.
    const later = peaks.slice(3, 3 + printed.length).map(({ u }) => u);
    later.forEach((u, k) => expect(Math.abs(u - printed[k])).toBeLessThan(1e-4));
    expect(later).toHaveLength(printed.length);
  });

  it('repeats every three revolutions with eight impacts at 358 rpm', () => {
    const { impacts, peaks } = started(358, 120);
    const from = (117 * 60) / 358 - 1e-9;
    expect(impacts.filter(({ t }) => t > from)).toHaveLength(8);
    const last = peaks.filter(({ t }) => t > from).map(({ u }) => u);
    expect(last).toHaveLength(8);
    const printed = [0.501256, 0.405469, 0.442476, 0.35903, 0.293424, 0.27985, 0.231781, 0.19489];
    // The printed orbit begins with its highest flight.
    const begin = last.indexOf(Math.max(...last));
    printed.forEach((u, k) => expect(Math.abs(last[(begin + k) % 8] - u)).toBeLessThan(1e-6));
  });

  it('repeats every revolution at 700 rpm', () => {
    const { impacts } = started(700, 300);
    const { t, speed } = impacts[impacts.length - 1];
    const turns = (t * 700) / 60;
    expect(Math.abs(turns - Math.floor(turns) - 0.1813991)).toBeLessThan(5.1e-8);
    expect(Math.abs(speed - -90.948596)).toBeLessThan(5.1e-7);
    expect(impacts.filter((impact) => impact.t > (290 * 60) / 700)).toHaveLength(10);
  });
});

describe('multipliers of the periodic motions', () => {
  /**
   * Trace and determinant of the map over some revolutions of (û, v̂), by central differences about its fixed
   * point.
   */
  function multipliers(rpm: number, revolutions: number): { trace: number; determinant: number } {
    const settled = started(rpm, 300);
    const [gap, rate] = settled.relative;
    const image = (du: number, dv: number): readonly [number, number] => {
      const made = new CamFollower(rpm);
      made.start(0, gap + du, rate + dv);
      made.turn(0, revolutions);
      return made.relative;
    };
    const step = 1e-6;
    const columns = [
      [step, 0],
      [0, 34 * step],
    ].map(([du, dv]) => {
      const plus = image(du, dv);
      const minus = image(-du, -dv);
      const size = 2 * (du + dv);
      return [(plus[0] - minus[0]) / size, (plus[1] - minus[1]) / size];
    });
    const [[a, c], [b, d]] = columns;
    return { trace: a + d, determinant: a * d - b * c };
  }

  it('are .27527 and .10225 over three revolutions at 358 rpm', () => {
    const { trace, determinant } = multipliers(358, 3);
    const root = Math.sqrt(trace * trace - 4 * determinant);
    expect(Math.abs((trace + root) / 2 - 0.27527)).toBeLessThan(1e-5);
    expect(Math.abs((trace - root) / 2 - 0.10225)).toBeLessThan(1e-5);
    // Each of the eight impacts shrinks areas by e², and the flights do not change them.
    expect(Math.abs(determinant - RESTITUTION ** 16)).toBeLessThan(1e-7);
  });

  it('are .301361 ± .741068 i at 700 rpm', () => {
    const { trace, determinant } = multipliers(700, 1);
    expect(Math.abs(trace / 2 - 0.301361)).toBeLessThan(2e-6);
    expect(Math.abs(Math.sqrt(determinant - (trace / 2) ** 2) - 0.741068)).toBeLessThan(2e-6);
    expect(Math.abs(determinant - RESTITUTION ** 2)).toBeLessThan(1e-7);
  });
});
