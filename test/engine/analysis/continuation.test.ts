/** Branches of periodic orbits against closed forms of where they are born, double and graze. */
import type { BranchPoint, ForcedMotion } from '@engine/analysis/continuation/branch';
import { followBranch } from '@engine/analysis/continuation/continuation';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import type { RelationForm } from '@engine/model/forms';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { forced } from '../event-driven/friction-support';

describe('the orbit of one impact of a ball on a vibrating table', () => {
  const [G, OMEGA, E] = [9.81, 20, 0.5];
  const T = (2 * Math.PI) / OMEGA;
  /** Γ at which the orbit is born, and at which its period doubles. */
  const born = (Math.PI * (1 - E)) / (1 + E);
  const doubles = Math.sqrt(born ** 2 + 4 * ((1 + E ** 2) / (1 + E) ** 2) ** 2);

  const at = (gamma: number): ForcedMotion => {
    const A = (gamma * G) / OMEGA ** 2;
    const table: RelationForm = {
      ...lagrangianRelation([[1]]),
      isTimeDependent: true,
      output: (clock, q, _lambda, out) => (out[0] = q[0] - A * Math.sin(OMEGA * clock[0])),
      timeDerivative: (clock, _q, out) => (out[0] = -A * OMEGA * Math.cos(OMEGA * clock[0])),
      curvature: (clock, _q, _v, out) => (out[0] = A * OMEGA ** 2 * Math.sin(OMEGA * clock[0])),
    };
    const model = {
      systems: [system('ball', linearLagrangian([1], [0], [[1]], { force: [-G] }))],
      interactions: [interaction('table', [0], table, impact(E))],
    };
    return { motion: new MotionModel(model, placeState(model), { h: 2e-3 }), period: T, t0: 0.5 * T };
  };

  const orbitAt = (gamma: number): Float64Array => {
    const phase = Math.acos(born / gamma);
    const A = (gamma * G) / OMEGA ** 2;
    const up = (G * T) / 2;
    const s = 0.5 * T - phase / OMEGA;
    return Float64Array.of(A * Math.sin(phase) + up * s - (G / 2) * s ** 2, up - G * s);
  };

  it('is born at Γ = 1.047198 and doubles at 1.526824 for e = 0.5, to 1e-6', () => {
    expect([born, doubles]).toEqual([expect.closeTo(1.047198, 6), expect.closeTo(1.526824, 6)]);
    const start = { p: 1.2, x: orbitAt(1.2) };
    const range = { from: 1, to: 1.6 };
    const up = followBranch(at, start, { ...range, direction: 1 });
    expect(up.end).toBe('range');
    expect(up.special.map(({ kind }) => kind)).toEqual(['periodDoubling']);
    expect(Math.abs(up.special[0].p - doubles)).toBeLessThan(1e-9);
    for (const point of up.points) expect(point.isStable).toBe(point.p < doubles);
    const down = followBranch(at, start, { ...range, direction: -1, maxPoints: 200 });
    const [fold] = down.special;
    expect(fold.kind).toBe('fold');
    expect(Math.abs(fold.p - born)).toBeLessThan(1e-9);
    // Behind the fold the branch goes on with the orbit that is a saddle.
    const behind = down.points.slice(down.points.findIndex(({ p }) => p < born + 0.002) + 8);
    expect(behind.length).toBeGreaterThan(3);
    expect(behind.at(-1)?.isStable).toBe(false);
  });
});

describe.each([
  [1.3, 1.424218, 'back'],
  [2.2, 0.25999, 'on'],
] as const)('a forced oscillator with a wall, ω = %f', (OMEGA, figure, side) => {
  const ZETA = 0.05;
  const T = (2 * Math.PI) / OMEGA;
  const amplitude = 1 / Math.sqrt((1 - OMEGA ** 2) ** 2 + (2 * ZETA * OMEGA) ** 2);

  const at = (distance: number): ForcedMotion => {
    const form = forced([0], [0], [[1]], (t, q, v, out) => {
      out[0] = Math.cos(OMEGA * t) - q[0] - 2 * ZETA * v[0];
    });
    const model = {
      systems: [
        system('mass', {
          ...form,
          forceJacobians: (_c, _q, _v, outQ, outV) => {
            outQ[0] = -1;
            outV[0] = -2 * ZETA;
          },
        }),
      ],
      interactions: [interaction('wall', [0], lagrangianRelation([[-1]], [distance]), impact(E))],
    };
    return { motion: new MotionModel(model, placeState(model), { h: 0.05 }), period: T, t0: 0 };
  };

  const E = 0.8;
  const phase = Math.atan2(2 * ZETA * OMEGA, 1 - OMEGA ** 2);
  const forcedPart = (t: number): [number, number] => [
    amplitude * Math.cos(OMEGA * t - phase),
    -amplitude * OMEGA * Math.sin(OMEGA * t - phase),
  ];
  /** The free oscillation from (q, v) after the time s. */
  const free = (s: number, [q, v]: readonly [number, number]): [number, number] => {
    const w = Math.sqrt(1 - ZETA ** 2);
    const [c, d] = [Math.cos(w * s), Math.sin(w * s) / w];
    const decay = Math.exp(-ZETA * s);
    return [decay * (q * (c + ZETA * d) + v * d), decay * (v * (c - ZETA * d) - q * d)];
  };
  /*
   * One impact a period, with speed v before it (Shaw and Holmes 1983): with Φ the free oscillation over T, h
   * the free part after the impact and X the forced one,
   *
   *     (Φ − 1) h = (0, (1 + e) v),    X(τ) = d − h₁,    Ẋ(τ) = −e v − h₂,
   *
   * so that h = v (a, b), and (d − a v)² + ((e + b) v/Ω)² = amplitude².
   */
  const [a, b] = ((): [number, number] => {
    const [p11, p21] = free(T, [1, 0]);
    const [p12, p22] = free(T, [0, 1]);
    const det = (p11 - 1) * (p22 - 1) - p12 * p21;
    return [(-p12 * (1 + E)) / det, ((p11 - 1) * (1 + E)) / det];
  })();

  /** Points whose one impact obeys the closed form, in time, speed and state. */
  const expectClosedForm = ({ p, x, events }: BranchPoint): number => {
    expect(events.map(({ kind }) => kind)).toEqual(['impact']);
    const tau = events[0].time;
    const [X, dX] = forcedPart(tau);
    const v = (p - X) / a;
    expect(v).toBeGreaterThan(0);
    expect(dX + (E + b) * v).toBeCloseTo(0, 8);
    const [q, u] = free(T - tau, [a * v, b * v]);
    const [q0, u0] = forcedPart(T);
    expect([x[0] - q0 - q, x[1] - u0 - u]).toEqual([expect.closeTo(0, 8), expect.closeTo(0, 8)]);
    return v;
  };

  const start = (distance: number): { p: number; x: Float64Array } => {
    const { motion } = at(distance);
    const orbit = findOrbit(
      motion,
      Float64Array.from(forcedPart(0), (value) => 1.05 * value),
      { t0: 0, period: T, isAutonomous: false },
    );
    if (orbit.status !== 'converged') throw new Error(orbit.status);
    expect(orbit.nearest.gap).toBeCloseTo(distance - amplitude, 9);
    return { p: distance, x: orbit.x };
  };
  const [near, far] = [0.9 * amplitude, 1.4 * amplitude];
  const count = ({ events }: BranchPoint): number => events.length;

  it(`grazes at the distance ${figure}, to 1e-8, and goes on ${side} with the orbits of one impact`, () => {
    expect(amplitude).toBeCloseTo(figure, 6);
    const branch = followBranch(at, start(far), { from: near, to: 1.5 * amplitude, direction: -1 });
    const [graze] = branch.special;
    expect(graze.kind).toBe('grazing');
    expect(Math.abs(graze.p - amplitude)).toBeLessThan(1e-8);
    expect(branch.end).toBe('range');
    const crossing = branch.points.findIndex((point) => count(point) === 1);
    const [before, beyond] = [branch.points.slice(0, crossing), branch.points.slice(crossing)];
    expect(before.map(count)).toEqual(before.map(() => 0));
    const speeds = beyond.map(expectClosedForm);
    // From a touch on, without a gap between the two parts, and to the end of the range.
    expect(speeds[0]).toBeLessThan(2e-3);
    expect(speeds).toEqual([...speeds].sort((one, other) => one - other));
    for (const { p } of beyond) expect(p > amplitude).toBe(side === 'back');
    expect(Math.abs((beyond.at(-1)?.p ?? NaN) - amplitude)).toBeGreaterThan(0.1 * amplitude);
  });

  it(`comes from the orbits of one impact to the same graze, and goes on without`, () => {
    const there = followBranch(at, start(far), { from: near, to: 1.5 * amplitude, direction: -1 });
    const own = there.points.findLast((point) => count(point) === 1 && Math.abs(point.p - amplitude) < 0.2);
    if (own === undefined) throw new Error('no orbit with an impact');
    const branch = followBranch(at, own, {
      from: near,
      to: 1.5 * amplitude,
      direction: side === 'back' ? -1 : 1,
    });
    const graze = branch.special.find(({ kind }) => kind === 'grazing');
    expect(Math.abs((graze?.p ?? NaN) - amplitude)).toBeLessThan(1e-8);
    expect(branch.end).toBe('range');
    const last = branch.points.at(-1);
    if (last === undefined) throw new Error('no points');
    expect(last.p).toBeGreaterThan(1.5 * amplitude);
    expect(count(last)).toBe(0);
    // The forced motion alone.
    const [q, v] = forcedPart(0);
    expect([last.x[0] - q, last.x[1] - v]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
  });
});
