/**
 * The woodpecker toy: a sleeve that hangs on a pole by friction, a bird on a spring at the sleeve, and a
 * beak. The sleeve sticks where it jams, and comes down a little with each peck.
 *
 * Figures, geometry and equations: Glocker 1995; Pfeiffer and Glocker 1996; Leine, Glocker and van Campen
 * 2001.
 */
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { coulomb } from './friction-support';
import { G, simulateEvents } from './support';

/** sleeve M, bird S: masses in kg, moments of inertia in kg m² */
const [mM, JM, mS, JS] = [3e-4, 5e-9, 4.5e-3, 7e-7];
/**
 * stiffness of the spring, N m; radii of pole and sleeve, half its height, its arm, those of the bird, the
 * beak, m
 */
const [c, r0, rM, hM, lM, lG, hS, lS] = [5.6e-3, 2.5e-3, 3.1e-3, 5.8e-3, 1e-2, 1.5e-2, 2e-2, 2.01e-2];
const MU = 0.3;

/** q = (y, φ_M, φ_S): height and angle of the sleeve, angle of the bird */
const woodpecker = (q0: readonly number[], v0: readonly number[]): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'toy',
      linearLagrangian(
        q0,
        v0,
        [
          [mS + mM, mS * lM, mS * lG],
          [mS * lM, JM + mS * lM * lM, mS * lM * lG],
          [mS * lG, mS * lM * lG, JS + mS * lG * lG],
        ],
        {
          stiffness: [
            [0, 0, 0],
            [0, c, -c],
            [0, -c, c],
          ],
          force: [-(mS + mM) * G, -mS * G * lM, -mS * G * lG],
        },
      ),
    ),
  ],
  interactions: [
    interaction(
      'beak',
      [0],
      lagrangianRelation(
        [
          [0, 0, -hS],
          [1, lM, lG - lS],
        ],
        [lM + lG - lS - r0, 0],
      ),
      coulomb(MU, 0.5, { hypothesis: 'poisson' }),
    ),
    ...[hM, -hM].map((h, k) =>
      interaction(
        k === 0 ? 'lower' : 'upper',
        [0],
        lagrangianRelation(
          [
            [0, h, 0],
            [1, rM, 0],
          ],
          [rM - r0, 0],
        ),
        coulomb(MU, 0, { hypothesis: 'poisson' }),
      ),
    ),
  ],
});

const START = { q: [0, -(rM - r0) / hM, -0.2788], v: [-0.3411, 0, -7.4583] } as const;

/**
 * The same by Moreau's time-stepping, written out: impulses of each step by projected Gauss–Seidel iteration.
 * @returns times of pecks
 */
function byTimeStepping(h: number, tEnd: number): number[] {
  const a = [mS + mM, mS * lM, mS * lG, JM + mS * lM * lM, mS * lM * lG, JS + mS * lG * lG];
  const solve = (f: readonly number[]): number[] => {
    // Cramer's rule for the symmetric 3 × 3 mass matrix
    const [m00, m01, m02, m11, m12, m22] = a;
    const c00 = m11 * m22 - m12 * m12;
    const c01 = m02 * m12 - m01 * m22;
    const c02 = m01 * m12 - m02 * m11;
    const det = m00 * c00 + m01 * c01 + m02 * c02;
    const c11 = m00 * m22 - m02 * m02;
    const c12 = m01 * m02 - m00 * m12;
    const c22 = m00 * m11 - m01 * m01;
    return [
      (c00 * f[0] + c01 * f[1] + c02 * f[2]) / det,
      (c01 * f[0] + c11 * f[1] + c12 * f[2]) / det,
      (c02 * f[0] + c12 * f[1] + c22 * f[2]) / det,
    ];
  };
  const dot = (x: readonly number[], y: readonly number[]): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const contacts = [
    { n: [0, 0, -hS], t: [1, lM, lG - lS], gap: lM + lG - lS - r0, e: 0.5 },
    { n: [0, hM, 0], t: [1, rM, 0], gap: rM - r0, e: 0 },
    { n: [0, -hM, 0], t: [1, rM, 0], gap: rM - r0, e: 0 },
  ].map((contact) => ({ ...contact, rn: solve(contact.n), rt: solve(contact.t) }));
  const q: number[] = [...START.q];
  let u: number[] = [...START.v];
  const pecks: number[] = [];
  for (let k = 0; k * h < tEnd; k++) {
    for (let i = 0; i < 3; i++) q[i] += (h / 2) * u[i];
    const spring = c * (q[1] - q[2]);
    const rate = solve([-(mS + mM) * G, -spring - mS * G * lM, spring - mS * G * lG]);
    const v = u.map((value, i) => value + h * rate[i]);
    const active = contacts
      .filter(({ n, gap }) => gap + dot(n, q) <= 0)
      .map((contact) => ({ ...contact, P: [0, 0] }));
    for (let sweep = 0, change = 1; sweep < 2000 && change > 1e-14; sweep++) {
      change = 0;
      for (const { n, t, e, rn, rt, P } of active) {
        const Pn = Math.max(0, P[0] - (dot(n, v) + e * dot(n, u)) / dot(n, rn));
        for (let i = 0; i < 3; i++) v[i] += rn[i] * (Pn - P[0]);
        const Pt = Math.max(-MU * Pn, Math.min(MU * Pn, P[1] - dot(t, v) / dot(t, rt)));
        for (let i = 0; i < 3; i++) v[i] += rt[i] * (Pt - P[1]);
        change = Math.max(change, Math.abs(Pn - P[0]), Math.abs(Pt - P[1]));
        P[0] = Pn;
        P[1] = Pt;
      }
    }
    if (active.some(({ n, P }) => n[1] === 0 && P[0] > 1e-7)) pecks.push((k + 0.5) * h);
    for (let i = 0; i < 3; i++) q[i] += (h / 2) * v[i];
    u = v;
  }
  return pecks;
}

/** State, and events of the beak. */
function peck(simulation: EventDriven): { pecks: number[]; returns: number[][] } {
  const pecks: number[] = [];
  const returns: number[][] = [];
  let seen = 0;
  let last: number[] = [];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    const now = [...simulation.state.subarray(0, 7)];
    for (; seen < simulation.events.length; seen++) {
      const { kind, element, time } = simulation.events[seen];
      if (kind === 'impact' && element === 'beak') pecks.push(time);
    }
    // φ_S falls through that of the start
    if (last.length > 0 && last[3] > START.q[2] && now[3] <= START.q[2]) {
      const part = (last[3] - START.q[2]) / (last[3] - now[3]);
      returns.push(now.map((value, i) => last[i] + part * (value - last[i])));
    }
    last = now;
  }
  return { pecks, returns };
}

describe('the woodpecker toy', () => {
  const simulation = simulateEvents(woodpecker(START.q, START.v), { tEnd: 3, h: 0.0005 });
  const { pecks, returns } = peck(simulation);

  it('pecks when time-stepping says so', () => {
    const others = byTimeStepping(2e-5, 0.6);
    expect(others).toHaveLength(4);
    others.forEach((t, k) => {
      expect(Math.abs(pecks[k] - t)).toBeLessThan(2e-4 * (k + 1));
    });
  });

  it('has a limit cycle through the state that is published for it', () => {
    const periods = pecks.map((t, k) => t - (pecks[k - 1] ?? NaN));
    for (const period of periods.slice(-6)) expect(Math.abs(period - 0.14598)).toBeLessThan(5e-5);
    for (const [, , phiM, , vy, wM, wS] of returns.slice(-6)) {
      expect(phiM).toBeCloseTo(START.q[1], 10);
      expect(Math.abs(wM)).toBeLessThan(1e-9);
      // The published figures are of four digits, and their angle of the sleeve is not quite that of the
      // contact.
      expect(Math.abs(vy / START.v[0] - 1)).toBeLessThan(1e-2);
      expect(Math.abs(wS / START.v[2] - 1)).toBeLessThan(5e-3);
    }
  });

  it('has sticking, sliding and impacts of all three contacts in each period', () => {
    const [from, to] = pecks.slice(-3, -1);
    const cycle = simulation.events.filter(({ time }) => time > from && time <= to);
    expect(cycle.map(({ kind, element }) => `${element} ${kind}`)).toEqual([
      'upper impact',
      'upper closing',
      'upper takeOff',
      'lower impact',
      'lower impact',
      'lower closing',
      'lower stick',
      'lower slip',
      'lower takeOff',
      'upper impact',
      'beak impact',
    ]);
  });

  it('is certified', () => {
    const { worst } = simulation.certificate;
    expect(worst.gain).toBe(0);
    expect(worst.impact).toBeLessThan(1e-10);
    expect(worst.law).toBeLessThan(1e-9);
    expect(worst.energy).toBeLessThan(1e-11);
    // forces are up to half a newton
    expect(Math.max(worst.cone, worst.slip, worst.pull)).toBeLessThan(1e-8);
  });
});
