/** Branches of periodic orbits against closed forms of where they are born, double and graze. */
import { followBranch, type ForcedMotion } from '@engine/analysis/continuation/continuation';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import type { RelationForm } from '@engine/model/forms';
import { placeState } from '@engine/simulation/layout';
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

describe('the orbit of a forced oscillator that does not touch its wall', () => {
  const [ZETA, OMEGA] = [0.05, 1.3];
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
      interactions: [interaction('wall', [0], lagrangianRelation([[-1]], [distance]), impact(0.8))],
    };
    return { motion: new MotionModel(model, placeState(model), { h: 0.05 }), period: T, t0: 0 };
  };

  it('grazes at the distance 1.424218, to 1e-8', () => {
    expect(amplitude).toBeCloseTo(1.424218, 6);
    const { motion } = at(2);
    const orbit = findOrbit(motion, Float64Array.of(-1, 0.2), { t0: 0, period: T, isAutonomous: false });
    if (orbit.status !== 'converged') throw new Error(orbit.status);
    expect(orbit.nearest.gap).toBeCloseTo(2 - amplitude, 9);
    const branch = followBranch(at, { p: 2, x: orbit.x }, { from: 1, to: 2.1, direction: -1 });
    expect(branch.end).toBe('grazing');
    const [graze] = branch.special;
    expect(graze.kind).toBe('grazing');
    expect(Math.abs(graze.p - amplitude)).toBeLessThan(1e-8);
  });
});
