import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { RelationForm } from '@engine/model/forms';
import { describe, expect, it } from 'vitest';
import { impact, interaction, linearLagrangian, system } from '../support/forms';
import { kinds, ofKind, simulateEvents } from './support';

const MU = 1.221;
const KAPPA = 1430.8;
const E = 0.8;
const BETA_1 = Math.PI / 2 + 1.050328174371336;
const BETA_2 = Math.PI / 2 + 1.22173047639603;
const [K1, RHO1, K2, RHO3] = [0.45, 0.85, 0.40393320723821, 0.15];

const mirrored = (angle: number): number => (angle > Math.PI ? 2 * Math.PI - angle : angle);

function lift(angle: number): number {
  const beta = mirrored(angle);
  if (beta < Math.PI / 2) return 0.1;
  if (beta < BETA_1) return -K1 * Math.sin(beta) + Math.sqrt(RHO1 ** 2 - (K1 * Math.cos(beta)) ** 2) - 0.3;
  const x = beta + Math.PI / 9;
  if (beta < BETA_2) return -K2 * Math.cos(x) + Math.sqrt(RHO3 ** 2 - (K2 * Math.sin(x)) ** 2) - 0.3;
  return K2 + RHO3 - 0.3;
}

function slope(angle: number): number {
  const beta = mirrored(angle);
  let d = 0;
  if (beta >= Math.PI / 2 && beta < BETA_1) {
    const c = K1 * Math.cos(beta);
    d = -c + (c * K1 * Math.sin(beta)) / Math.sqrt(RHO1 ** 2 - c * c);
  } else if (beta >= BETA_1 && beta < BETA_2) {
    const s = K2 * Math.sin(beta + Math.PI / 9);
    d = s - (s * K2 * Math.cos(beta + Math.PI / 9)) / Math.sqrt(RHO3 ** 2 - s * s);
  }
  return angle > Math.PI ? -d : d;
}

/** c_ββ of each piece, by differentiation of the above. */
function curvature(angle: number): number {
  const beta = mirrored(angle);
  const arc = (k: number, rho: number, x: number): number => {
    // d²/dx² of √(ρ² − k² sin² x)
    const root = Math.sqrt(rho ** 2 - (k * Math.sin(x)) ** 2);
    const first = -(k ** 2 * Math.sin(2 * x)) / (2 * root);
    return -(k ** 2 * Math.cos(2 * x) + first ** 2) / root;
  };
  if (beta < Math.PI / 2 || beta >= BETA_2) return 0;
  if (beta < BETA_1) return K1 * Math.sin(beta) + arc(K1, RHO1, beta + Math.PI / 2);
  const x = beta + Math.PI / 9;
  return K2 * Math.cos(x) + arc(K2, RHO3, x);
}

const angleAt = (t: number, rpm: number): number => {
  const turns = (rpm / 60) * t + 0.25;
  return 2 * Math.PI * (turns - Math.floor(turns));
};

/**
 * @param hasCurvature whether the relation gives c̈ itself, with its jumps, so that nothing is taken from
 *   differences
 */
function follower(
  rpm: number,
  height: number,
  speed: number,
  hasCurvature = false,
): NonSmoothDynamicalSystem {
  const omega = (2 * Math.PI * rpm) / 60;
  const relation: RelationForm = {
    order: 2,
    size: 1,
    columns: 1,
    C: Float64Array.of(1),
    D: null,
    B: null,
    hasFeedthrough: false,
    hasStateInput: false,
    isAffine: true,
    isTimeDependent: true,
    output: (clock, q, _lambda, out) => (out[0] = q[0] - lift(angleAt(clock[0], rpm))),
    outputJacobians: (_clock, _q, _lambda, outC) => (outC[0] = 1),
    timeDerivative: (clock, _q, out) => (out[0] = -slope(angleAt(clock[0], rpm)) * omega),
    ...(hasCurvature && {
      curvature: (clock, _q, _v, out) => (out[0] = -curvature(angleAt(clock[0], rpm)) * omega ** 2),
    }),
    input: () => undefined,
    inputJacobians: () => undefined,
  };
  return {
    systems: [
      system('follower', linearLagrangian([0.1 + height], [speed], [[MU]], { stiffness: [[KAPPA]] })),
    ],
    interactions: [interaction('cam', [0], relation, impact(E))],
  };
}

describe('the cam-follower of the Siconos developer’s notes §11, from û = v̂ = 0.4', () => {
  /** (t, v_rel just before) of the first two impacts, by exact flight arcs. */
  const exact = {
    358: [0.0311581, -17.81019, 0.1041964, -18.99117],
    660: [0.0396494, -10.54653, 0.0767799, -3.14736],
    700: [0.0404996, -14.05064, 0.0978327, -22.74805],
  } as const;

  /**
   * The same by Newton’s method on the arcs A cos ωt + B sin ωt, with brackets from the figures above: to
   * rounding.
   */
  function arcs(rpm: number, brackets: readonly number[]): { t: number; v: number }[] {
    const omega = Math.sqrt(KAPPA / MU);
    const rate = (2 * Math.PI * rpm) / 60;
    let [start, q, v] = [0, 0.5, 0.4];
    return brackets.map((near) => {
      const at = (t: number): readonly [number, number] => {
        const s = omega * (t - start);
        return [q * Math.cos(s) + (v / omega) * Math.sin(s), -q * omega * Math.sin(s) + v * Math.cos(s)];
      };
      let t = near;
      for (let k = 0; k < 20; k++) {
        const angle = angleAt(t, rpm);
        t -= (at(t)[0] - lift(angle)) / (at(t)[1] - slope(angle) * rate);
      }
      const surface = slope(angleAt(t, rpm)) * rate;
      const relative = at(t)[1] - surface;
      q = at(t)[0];
      v = surface - E * relative;
      start = t;
      return { t, v: relative };
    });
  }

  it.each([358, 660, 700] as const)('has the first impacts at %i rpm', (rpm) => {
    const [t1, v1, t2, v2] = exact[rpm];
    const reference = arcs(rpm, [t1, t2]);
    expect(reference[0].t).toBeCloseTo(t1, 6);
    expect(reference[0].v).toBeCloseTo(v1, 4);
    expect(reference[1].v).toBeCloseTo(v2, 4);
    const simulation = simulateEvents(follower(rpm, 0.4, 0.4), { tEnd: 0.12, h: 1e-3 });
    simulation.run();
    const impacts = ofKind(simulation, 'impact');
    reference.forEach(({ t, v }, k) => {
      expect(Math.abs(impacts[k].time - t)).toBeLessThan(1e-11);
      expect(Math.abs(impacts[k].before - v)).toBeLessThan(1e-8);
      expect(Math.abs(impacts[k].after + E * v)).toBeLessThan(1e-8);
    });
  });

  it('has the published peaks of the 660 rpm transient', () => {
    const simulation = simulateEvents(follower(660, 0.4, 0.4), { tEnd: 0.8, h: 5e-4 });
    const q: number[] = [];
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      if (simulation.rowsAtEvent === 1) q.push(simulation.state[1]);
    }
    const peaks = q.filter((value, k) => k > 0 && k < q.length - 1 && value > q[k - 1] && value >= q[k + 1]);
    const published = [0.7315, 0.7183, 0.5778, 0.4661, 0.3777, 0.308, 1.019, 1.1552, 1.0006];
    const large = peaks.filter((peak) => peak > 0.3);
    published.forEach((peak) => {
      expect(Math.min(...large.map((value) => Math.abs(value - peak)))).toBeLessThan(1e-3);
    });
  });
});

describe('the follower on the cam below the detachment speed', () => {
  it('pushes with κc + μc̈, to 1e-10', () => {
    const rpm = 100;
    const omega = (2 * Math.PI * rpm) / 60;
    const h = 1e-3;
    const simulation = simulateEvents(follower(rpm, 0, 0), { tEnd: 0.6, h });
    let worst = 0;
    let compared = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const t = simulation.state[0];
      const angle = angleAt(t, rpm);
      // c̈ jumps at the ends of the pieces, and differences are blurred there.
      const ends = [Math.PI / 2, BETA_1, BETA_2];
      if (ends.some((end) => Math.abs(mirrored(angle) - end) < omega * h)) continue;
      const force = KAPPA * lift(angle) + MU * curvature(angle) * omega ** 2;
      worst = Math.max(worst, Math.abs(simulation.state[5] / force - 1));
      compared++;
    }
    expect(kinds(simulation.events)).toEqual([]);
    expect(compared).toBeGreaterThan(500);
    expect(worst).toBeLessThan(1e-10);
  });

  it('detaches from 114.979 rpm on', () => {
    const run = (rpm: number): string[] => {
      const simulation = simulateEvents(follower(rpm, 0, 0), { tEnd: 0.45, h: 1e-3 });
      simulation.run();
      return kinds(simulation.events);
    };
    expect(run(114.9)).toEqual([]);
    expect(run(115.1)).toContain('takeOff');
  });
});

describe('the follower that rides into a jump of c̈', () => {
  it.each([350, 500])('leaves the cam there and goes on, at %i rpm', (rpm) => {
    const simulation = simulateEvents(follower(rpm, 0.4, 0.4, true), { tEnd: 20, h: 1e-3 });
    simulation.run();
    const leaving = ofKind(simulation, 'takeOff');
    // Accumulations end before the jump at β₁, where c̈ becomes negative and the force with it.
    const isAtJump = leaving.some(({ time }) => Math.abs(mirrored(angleAt(time, rpm)) - BETA_1) < 1e-12);
    expect(isAtJump).toBe(true);
    expect(simulation.state[0]).toBeCloseTo(20, 9);
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-9);
    // At the jump the force is that of the contact that is about to open, not what would have to pull behind
    // it.
    expect(simulation.certificate.report.coneViolation).toBeLessThan(1e-10);
  });
});
