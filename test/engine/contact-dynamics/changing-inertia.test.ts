/**
 * Bodies whose inertia is a function of time: balance of momentum, order, energy, contacts; against Runge and
 * Kutta, and formulas.
 */
import { describe, expect, it } from 'vitest';
import { box } from '@engine/model/shapes/box';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { ENERGIES, ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SchemeSettings } from '@engine/contact-dynamics/schemes/registry';
import { rotate } from '@engine/spatial/quaternion';
import type { InertiaLaw } from '@engine/spatial/bodies/rigid-body';
import { maximum, observedOrder } from '../support/order';
import { certified, detected, dry, G, simulate, weight } from './worlds';

/** Three different moments and a product that all change. */
const breathing: InertiaLaw = ([t], out) => {
  const wave = Math.sin(3 * t);
  out[0] = 0.3 + 0.1 * wave;
  out[4] = 0.5 - 0.15 * wave;
  out[8] = 0.6 + 0.2 * Math.cos(2 * t);
  out[1] = out[3] = 0.05 * wave;
};

const SPIN = [0.8, 1.5, -0.6] as const;
const MOMENT = [0.1, -0.2, 0.15] as const;
const END = 2;

/** (Q, Ω) at the end of (I Ω)˙ = M − Ω×I Ω, Q̇ = ½ Q ∘ (0, Ω), by Runge and Kutta. */
function reference(
  moment: readonly number[],
  steps = 4000,
): { q: number[]; momentum: number[]; omega: number[] } {
  const spinOf = (t: number, p: readonly number[]): number[] => {
    const i = new Float64Array(9);
    breathing(Float64Array.of(t), i);
    // Cramer's rule.
    const det = (a: ArrayLike<number>): number =>
      a[0] * (a[4] * a[8] - a[5] * a[7]) -
      a[1] * (a[3] * a[8] - a[5] * a[6]) +
      a[2] * (a[3] * a[7] - a[4] * a[6]);
    return [0, 1, 2].map(
      (column) => det(i.map((x, k) => (k % 3 === column ? p[Math.floor(k / 3)] : x))) / det(i),
    );
  };
  const rate = (t: number, y: readonly number[]): number[] => {
    const [w, x, yy, z, ...p] = y;
    const [a, b, c] = spinOf(t, p);
    return [
      0.5 * (-x * a - yy * b - z * c),
      0.5 * (w * a + yy * c - z * b),
      0.5 * (w * b + z * a - x * c),
      0.5 * (w * c + x * b - yy * a),
      moment[0] - (b * p[2] - c * p[1]),
      moment[1] - (c * p[0] - a * p[2]),
      moment[2] - (a * p[1] - b * p[0]),
    ];
  };
  const start = new Float64Array(9);
  breathing(Float64Array.of(0), start);
  let y = [
    1,
    0,
    0,
    0,
    ...[0, 3, 6].map((r) => start[r] * SPIN[0] + start[r + 1] * SPIN[1] + start[r + 2] * SPIN[2]),
  ];
  const h = END / steps;
  const plus = (a: readonly number[], b: readonly number[], s: number): number[] =>
    a.map((x, k) => x + s * b[k]);
  for (let k = 0; k < steps; k++) {
    const t = k * h;
    const k1 = rate(t, y);
    const k2 = rate(t + h / 2, plus(y, k1, h / 2));
    const k3 = rate(t + h / 2, plus(y, k2, h / 2));
    const k4 = rate(t + h, plus(y, k3, h));
    y = y.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return { q: y.slice(0, 4), momentum: y.slice(4), omega: spinOf(END, y.slice(4)) };
}

const body = {
  id: 'body',
  mass: 2,
  inertia: [1, 1, 1],
  inertiaLaw: breathing,
  position: [0, 0, 0],
  spin: SPIN,
};

const SCHEMES: readonly (readonly [string, SchemeSettings, number])[] = [
  ['half steps, conserving', { gyroscopic: 'conserving' }, 2],
  ['half steps, implicit', { gyroscopic: 'implicit' }, 2],
  ['half steps, explicit', { gyroscopic: 'explicit' }, 1],
  ['Moreau–Jean θ = ½, conserving', { theta: 0.5, forecast: 0.5, gyroscopic: 'conserving' }, 2],
  ['Moreau–Jean θ = ½, implicit', { theta: 0.5, forecast: 0.5, gyroscopic: 'implicit' }, 2],
  ['Moreau–Jean θ = 1, implicit', { theta: 1, forecast: 0.5, gyroscopic: 'implicit' }, 1],
];

describe('a body whose inertia changes', () => {
  it.each(SCHEMES)('moves as its equations say: %s', (_, motion, order) => {
    const { q, omega } = reference(MOMENT);
    const steps = [8e-3, 4e-3, 2e-3, 1e-3];
    const errors = steps.map((h) => {
      const dynamics = simulate(
        {
          bodies: [body],
          loads: [
            { type: 'wrench', id: 'm', on: { body: 'body' }, frame: 'body', value: [0, 0, 0, ...MOMENT] },
          ],
        },
        { h, motion },
      );
      for (let k = 0; k < Math.round(END / h); k++) expect(dynamics.advance()).toBe('ok');
      return maximum([
        ...q.map((x, i) => x - dynamics.q[3 + i]),
        ...omega.map((x, i) => x - dynamics.u[3 + i]),
      ]);
    });
    expect(errors[errors.length - 1]).toBeLessThan(order === 2 ? 1e-5 : 1e-2);
    expect(observedOrder(steps, errors)).toBeGreaterThan(order - 0.15);
  });

  it.each([SCHEMES[0], SCHEMES[3]])('keeps its moment of momentum without moments: %s', (_, motion) => {
    const dynamics = simulate({ bodies: [body] }, { h: 1e-2, motion });
    const momentum = (): Float64Array => {
      const [inertia, out] = [new Float64Array(9), new Float64Array(3)];
      breathing(dynamics.clock, inertia);
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) out[i] += inertia[3 * i + j] * dynamics.u[3 + j];
      rotate(dynamics.q, 3, out, 0, out, 0);
      return out;
    };
    const start = momentum();
    for (let k = 0; k < 1000; k++) expect(dynamics.advance()).toBe('ok');
    expect(maximum(momentum().map((x, i) => x - start[i]))).toBeLessThan(1e-12);
  });

  it.each(SCHEMES)(
    'has a ledger that closes in every step, and knows what the changes do: %s',
    (_, motion) => {
      const dynamics = simulate({ bodies: [body] }, { h: 2e-3, motion });
      const { system } = dynamics;
      let before = system.kineticEnergy(dynamics.u);
      for (let k = 0; k < 500; k++) {
        expect(dynamics.advance()).toBe('ok');
        const now = system.kineticEnergy(dynamics.u);
        let work = 0;
        for (let e = ENERGY.loads; e < ENERGIES; e++) work += dynamics.energy[e];
        expect(Math.abs(now - before - work)).toBeLessThan(1e-13);
        before = now;
      }
      const { totalEnergy } = dynamics;
      // −∫ ½ Ω·İ Ω dt is a work that is done; what the gyroscopic term does is none.
      expect(Math.abs(totalEnergy[ENERGY.inertia])).toBeGreaterThan(0.05);
      expect(Math.abs(totalEnergy[ENERGY.gyroscopic])).toBeLessThan(
        0.05 * Math.abs(totalEnergy[ENERGY.inertia]),
      );
    },
  );

  it('turns faster as I(0) Ω(0) / I(t) about a principal axis, to rounding', () => {
    const skater: InertiaLaw = ([t], out) => out.set([3, 0, 0, 0, 3, 0, 0, 0, 2 / (1 + t)]);
    const dynamics = simulate({ bodies: [{ ...body, inertiaLaw: skater, spin: [0, 0, 3] }] }, { h: 1e-2 });
    for (let k = 0; k < 300; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.u[5]).toBeCloseTo(3 * (1 + dynamics.time), 11);
  });

  it('slides on a plane with certified contacts, friction and a ledger that closes', () => {
    const inertiaLaw: InertiaLaw = ([t], out) =>
      out.set([0.4, 0, 0, 0, 0.5, 0, 0, 0, 0.6 + 0.3 * Math.sin(5 * t)]);
    const model = {
      bodies: [{ ...body, inertiaLaw, position: [0, 0, 0.3], velocity: [1, 0, 0], spin: [0, 0, 4] }],
      loads: [weight(0, 0, -G)],
    };
    const dynamics = simulate(model, {}, detected([box(0.5, 0.4, 0.3)]), dry(0.1));
    const { system } = dynamics;
    const energy = (): number =>
      system.kineticEnergy(dynamics.u) + system.potentialEnergy(dynamics.clock, dynamics.q);
    let before = energy();
    certified(dynamics, 500, dry(0.1), () => {
      const now = energy();
      let work = 0;
      for (let e = ENERGY.loads; e < ENERGIES; e++) work += dynamics.energy[e];
      expect(Math.abs(now - before - work)).toBeLessThan(1e-12);
      before = now;
    });
    expect(dynamics.activeCount).toBe(4);
    expect(dynamics.totalEnergy[ENERGY.contactTangent]).toBeLessThan(-0.5);
  });
});

describe('a box at rest whose inertia changes', () => {
  /** The moment about y grows threefold in half a second. */
  const growing: InertiaLaw = ([t], out) => out.set([0.05, 0, 0, 0, 0.05 * (1 + 4 * t), 0, 0, 0, 0.05]);
  const pushed = (
    moment: (time: number) => number,
    inertiaLaw: InertiaLaw | null,
  ): ReturnType<typeof simulate> =>
    simulate(
      {
        bodies: [{ id: 'box', mass: 8, inertia: [0.05, 0.05, 0.05], inertiaLaw, position: [0, 0, 0.1] }],
        loads: [
          weight(0, 0, -G),
          {
            type: 'bodyForce',
            id: 'm',
            on: 'box',
            value: ([t], _, __, out) => {
              out.fill(0);
              out[4] = moment(t);
            },
          },
        ],
      },
      {},
      detected([box(0.1, 0.1, 0.1)]),
      dry(0.5),
    );

  it('is held by contacts that balance the moment, with the W of each step', () => {
    const dynamics = pushed(() => 1.5, growing);
    certified(dynamics, 500, dry(0.5), () => {
      const { contacts, active, activeCount, impulses, h } = dynamics;
      let moment = 0;
      for (let row = 0; row < activeCount; row++)
        moment += (contacts?.geometry[GEOMETRY * active[row]] ?? 0) * (impulses[3 * row] / h);
      // About y, from the forces at the corners; friction has no share.
      expect(moment).toBeCloseTo(1.5, 6);
    });
    expect(dynamics.u.every((value) => value === 0)).toBe(true);
  });

  it('tips under a moment above m g a that comes when its inertia has grown', () => {
    for (const law of [null, growing]) {
      const dynamics = pushed((t) => (t > 0.5 ? 8.5 : 0), law);
      for (let k = 0; k < 700; k++) expect(dynamics.advance()).toBe('ok');
      expect(dynamics.u[4]).toBeGreaterThan(0.1);
    }
  });
});

describe('an inertia that no body has', () => {
  const law =
    (from: number, wrong: readonly number[]): InertiaLaw =>
    ([t], out) =>
      out.set(t >= from ? wrong : [1, 0, 0, 0, 1, 0, 0, 0, 1]);

  it.each([
    ['negative', [-1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['not symmetric', [1, 0.1, 0, 0, 1, 0, 0, 0, 1]],
    ['not finite', [1, 0, 0, 0, Number.NaN, 0, 0, 0, 1]],
    ['indefinite', [1, 2, 0, 2, 1, 0, 0, 0, 1]],
  ])('ends the run and names the body: %s', (_, wrong) => {
    const dynamics = simulate({ bodies: [{ ...body, inertiaLaw: law(0.0045, wrong) }] });
    for (let k = 0; k < 4; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.advance()).toBe('inertiaNotPositive');
    expect(dynamics.unfit?.id).toBe('body');
    expect(() => simulate({ bodies: [{ ...body, inertiaLaw: law(0, wrong) }] })).toThrow(
      /“body”.*no body has/,
    );
  });
});
