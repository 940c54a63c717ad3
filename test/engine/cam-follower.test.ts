/** The cam-follower of the Siconos developer's notes §11 in both formulations. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { transpileScript } from '@engine/script/transpile';
import { example } from './support/models';
import { maximum, observedOrder } from './support/order';
import { type Run, run } from './support/run';

const H = 1e-5;
const E = 0.8;
const MU = 1.221;
const KAPPA = 1430.8;
/** ω_n = 34.23195 rad/s */
const OMEGA_N = Math.sqrt(KAPPA / MU);

/** (t, v_rel just before) of the first two impacts from the listed start, by exact flight arcs. */
const FIRST_IMPACTS = {
  358: [
    { t: 0.0311581, v: -17.81019 },
    { t: 0.1041964, v: -18.99117 },
  ],
  660: [
    { t: 0.0396494, v: -10.54653 },
    { t: 0.0767799, v: -3.14736 },
  ],
  700: [
    { t: 0.0404996, v: -14.05064 },
    { t: 0.0978327, v: -22.74805 },
  ],
} as const;

/** Ends of the steps in which the contact begins to push, with the gap velocity at their start. */
function impacts({ column }: Run): { t: number; v: number }[] {
  const impulse = column('cam.impulse');
  const speed = column('cam.gapVelocity');
  const t = column('t');
  const found: { t: number; v: number }[] = [];
  for (let k = 1; k < impulse.length; k++) {
    if (impulse[k] > 0 && impulse[k - 1] === 0) found.push({ t: t[k], v: speed[k - 1] });
  }
  return found;
}

describe.each(['', 'relative-'])('cam-follower %s', (form) => {
  it.each([358, 660, 700] as const)('has the first two impacts at %i rpm', (rpm) => {
    const [first, second] = impacts(
      run(example(`cam-follower-${form}${rpm}`), { sandbox: createSandbox, h: H, tEnd: 0.12 }),
    );
    const [exactFirst, exactSecond] = FIRST_IMPACTS[rpm];
    // A step that starts at t_k is active when y + h ẏ/2 ≤ 0, so it ends between h/2 and 3h/2 after the true
    // impact.
    expect(first.t - exactFirst.t).toBeGreaterThan(0.5 * H - 1e-7);
    expect(first.t - exactFirst.t).toBeLessThan(1.5 * H + 1e-7);
    // The first error shifts the second flight by (1+e)|v₁| 3h/2 in height, hence the second impact by that
    // over |v₂|. Factor 2 for how far neighbouring flights spread on the way; at 660 rpm |v₂| is small, and
    // this is 21 h.
    const spread = 3 * H * (1 + ((1 + E) * exactFirst.v) / exactSecond.v);
    expect(Math.abs(second.t - exactSecond.t)).toBeLessThan(rpm === 358 ? 2 * H : spread);
    // The relative acceleration over the few steps by which the time is off; measured below 0.035 m/s.
    expect(Math.abs(first.v - exactFirst.v)).toBeLessThan(0.05);
    expect(Math.abs(second.v - exactSecond.v)).toBeLessThan(0.05);
  });
});

describe('absolute and relative coordinates', () => {
  it.each([358, 660, 700])('give the same steps at %i rpm', (rpm) => {
    const options = { sandbox: createSandbox, h: H, tEnd: 0.5 };
    const absolute = run(example(`cam-follower-${rpm}`), options);
    const relative = run(example(`cam-follower-relative-${rpm}`), options);
    const worst = (a: Float64Array, b: Float64Array): number => maximum(a.map((x, k) => x - b[k]));
    expect(worst(absolute.column('cam.gap'), relative.column('follower.q'))).toBeLessThan(1e-9);
    expect(worst(absolute.column('cam.gapVelocity'), relative.column('follower.v'))).toBeLessThan(1e-9);
    expect(worst(absolute.column('follower.q'), relative.column('height'))).toBeLessThan(1e-9);
    expect(absolute.session.events).toBe(relative.session.events);
    expect(absolute.session.events).toBeGreaterThan(5);
  });
});

describe('free flight before the first impact', () => {
  /** Largest error of the follower's position against A cos ω_n t + B sin ω_n t over 0.03 s. */
  function flightError(h: number, theta: number): number {
    const document = example('cam-follower-358');
    document.simulation.integrators[0].theta = theta;
    const { column } = run(document, { sandbox: createSandbox, h, tEnd: 0.03 });
    const t = column('t');
    // u(0) = 0.4 + 0.1 above the base, u̇(0) = 0.4
    const exact = t.map((s) => 0.5 * Math.cos(OMEGA_N * s) + (0.4 / OMEGA_N) * Math.sin(OMEGA_N * s));
    return maximum(column('follower.q').map((u, k) => u - exact[k]));
  }
  const steps = [1e-3, 5e-4, 2.5e-4, 1.25e-4];

  it('has order 2 at θ = ½', () => {
    const errors = steps.map((h) => flightError(h, 0.5));
    expect(Math.abs(observedOrder(steps, errors) - 2)).toBeLessThan(0.05);
  });

  it('has order 1 at θ = 1', () => {
    const errors = steps.map((h) => flightError(h, 1));
    expect(Math.abs(observedOrder(steps, errors) - 1)).toBeLessThan(0.05);
  });
});

describe('the motion at 358 rpm', () => {
  it('repeats every three revolutions with the published peaks', () => {
    const turn = 60 / 358;
    const { column } = run(example('cam-follower-358'), {
      sandbox: createSandbox,
      h: H,
      tEnd: 18 * turn,
      signals: ['follower.q'],
    });
    const q = column('follower.q');
    const t = column('t');
    const peaks: number[] = [];
    for (let k = 1; k < q.length - 1; k++) {
      if (t[k] > 15 * turn && q[k] > q[k - 1] && q[k] >= q[k + 1]) peaks.push(q[k]);
    }
    // Exact peaks of the period-3 orbit; from the listed start and at this step the run is within 1e-3 of
    // them.
    const published = [0.501256, 0.442476, 0.405469, 0.35903, 0.293424, 0.27985, 0.231781, 0.19489];
    expect(peaks).toHaveLength(8);
    const sorted = [...peaks].sort((a, b) => b - a);
    sorted.forEach((peak, k) => expect(Math.abs(peak - published[k])).toBeLessThan(1.5e-3));
  });
});

describe('the cam profile of the script', () => {
  const [script] = example('cam-follower-358').scripts;
  const transpiled = transpileScript(script, 0);
  if (!transpiled.ok) throw new Error(transpiled.issue.message);
  const functions = createSandbox().evaluate(transpiled.script) as {
    camLift: (t: number, q: Float64Array, v: Float64Array, p: object) => number;
    camGapRate: (t: number, q: Float64Array, out: Float64Array, p: object) => void;
  };
  const none = new Float64Array(1);
  // At 60 rpm the cam turns by β = 2π (t + ¼), so that the functions of time are functions of the angle.
  const timeOf = (beta: number): number => beta / (2 * Math.PI) - 0.25;
  const lift = (beta: number): number => functions.camLift(timeOf(beta), none, none, { rpm: 60 });
  const slope = (beta: number): number => {
    const out = new Float64Array(1);
    functions.camGapRate(timeOf(beta), none, out, { rpm: 60 });
    return -out[0] / (2 * Math.PI);
  };
  /** One-sided derivative of second order; `step` says the side. */
  const derivative = (f: (beta: number) => number, beta: number, step: number): number =>
    (-3 * f(beta) + 4 * f(beta + step) - f(beta + 2 * step)) / (2 * step);
  // Just off the border on each side, because the border itself belongs to one piece.
  const OFF = 1e-9;
  const leftOf = (f: (beta: number) => number, beta: number): number => derivative(f, beta - OFF, -1e-5);
  const rightOf = (f: (beta: number) => number, beta: number): number => derivative(f, beta + OFF, 1e-5);

  const BETA_1 = Math.PI / 2 + 1.050328174371336;
  const BETA_2 = Math.PI / 2 + 1.22173047639603;
  const borders = [
    Math.PI / 2,
    BETA_1,
    BETA_2,
    2 * Math.PI - BETA_2,
    2 * Math.PI - BETA_1,
    (3 * Math.PI) / 2,
  ];

  it.each(borders)('is once continuously differentiable at β = %f', (beta) => {
    // OFF shifts each side by 1e-9 rad; the second derivative is below 8.
    expect(Math.abs(lift(beta + OFF) - lift(beta - OFF))).toBeLessThan(2e-9);
    expect(Math.abs(rightOf(lift, beta) - leftOf(lift, beta))).toBeLessThan(1e-7);
    expect(Math.abs(slope(beta + OFF) - slope(beta - OFF))).toBeLessThan(1e-7);
  });

  it('has a slope function that is the derivative of its lift', () => {
    for (let beta = 0.05; beta < 2 * Math.PI; beta += 0.1) {
      const central = (lift(beta + 1e-6) - lift(beta - 1e-6)) / 2e-6;
      expect(Math.abs(central - slope(beta))).toBeLessThan(1e-8);
    }
  });

  it('has the second derivative jump from +0.3416 to −1.8692 at β₁', () => {
    expect(leftOf(slope, BETA_1)).toBeCloseTo(0.3416, 3);
    expect(rightOf(slope, BETA_1)).toBeCloseTo(-1.8692, 3);
  });

  it('lets the follower detach from 114.979 rpm on, first at β₁ = 2.62112', () => {
    // κ c = μ ω² |c_ββ| where c_ββ is most negative against the lift
    const threshold = (beta: number): number =>
      (60 / (2 * Math.PI)) * Math.sqrt((KAPPA * lift(beta)) / (MU * -rightOf(slope, beta)));
    expect(BETA_1).toBeCloseTo(2.62112, 5);
    expect(threshold(BETA_1)).toBeCloseTo(114.979, 2);
    for (let beta = BETA_1 + 0.01; beta < BETA_2 - 1e-3; beta += 0.01) {
      const speed = threshold(beta);
      if (Number.isFinite(speed)) expect(speed).toBeGreaterThan(114.979);
    }
  });
});
