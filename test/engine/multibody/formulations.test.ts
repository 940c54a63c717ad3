/**
 * The formulations against each other, against minimal coordinates and conservation laws, and where they must
 * fail.
 */
import { describe, expect, it } from 'vitest';
import { compileMultibody } from '../oracles/planar/compile';
import { ConstrainedMotion, motionFailure } from '../oracles/planar/constrained-motion';
import { createFormulation, formulationDefinitions } from '../oracles/planar/formulations/registry';
import { constantMotion } from '@engine/multibody/rows';
import { Projection } from '@engine/multibody/consistency';
import { compile, doublePendulum, G, pendulum, sliderCrank, webCutterModel } from './support/mechanisms';
import { drift, energy, FORMULATIONS, run, start } from './support/motion';

/** Two hanging bars in their angles, by Lagrange's equations: an independent computation. */
function minimalDoublePendulum(angles: readonly [number, number], tEnd: number, h: number): number[] {
  const [m1, m2, l] = [1, 2, 1];
  const rate = ([a, b, p, r]: number[]): number[] => {
    const cosine = Math.cos(a - b);
    const sine = Math.sin(a - b);
    const m11 = (m1 / 3 + m2) * l * l;
    const m12 = 0.5 * m2 * l * l * cosine;
    const m22 = (m2 / 3) * l * l;
    const f1 = -0.5 * m2 * l * l * sine * r * r - (0.5 * m1 + m2) * G * l * Math.sin(a);
    const f2 = 0.5 * m2 * l * l * sine * p * p - 0.5 * m2 * G * l * Math.sin(b);
    const determinant = m11 * m22 - m12 * m12;
    return [p, r, (m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant];
  };
  const plus = (x: number[], factor: number, k: number[]): number[] =>
    x.map((value, i) => value + factor * k[i]);
  let x = [...angles, 0, 0];
  for (let n = Math.round(tEnd / h); n > 0; n--) {
    const k1 = rate(x);
    const k2 = rate(plus(x, h / 2, k1));
    const k3 = rate(plus(x, h / 2, k2));
    const k4 = rate(plus(x, h, k3));
    x = x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return x;
}

describe('a double pendulum', () => {
  const angles = [2, 2.5] as const;
  const reference = minimalDoublePendulum(angles, 2, 1e-4);

  it.each(FORMULATIONS)('moves as in its two angles: $type', (formulation) => {
    const motion = start(doublePendulum(angles), formulation, 5e-4);
    run(motion, 5e-4, 2);
    expect(motion.q[2]).toBeCloseTo(reference[0], 7);
    expect(motion.q[5]).toBeCloseTo(reference[1], 7);
    expect(motion.v[2]).toBeCloseTo(reference[2], 6);
    expect(motion.v[5]).toBeCloseTo(reference[3], 6);
  });

  it.each(FORMULATIONS)('keeps its energy to the order of the integrator: $type', (formulation) => {
    const loss = (h: number): number => {
      const system = doublePendulum(angles);
      const motion = start(system, formulation, h);
      const before = energy(system, motion);
      run(motion, h, 2);
      return Math.abs(energy(system, motion) - before) / 20;
    };
    const [coarse, fine] = [loss(0.004), loss(0.002)];
    expect(fine).toBeLessThan(2e-6);
    expect(coarse / fine).toBeGreaterThan(10);
  });

  it('has the same accelerations and multipliers in simple and full partitioning', () => {
    const system = doublePendulum(angles);
    const motions = [{ type: 'simplePartitioning' }, { type: 'fullPartitioning' }] as const;
    const [simple, full] = motions.map((formulation) => start(system, formulation, 0.002));
    for (let k = 0; k < 500; k++) {
      expect(simple.advance()).toBe('ok');
      expect(full.advance()).toBe('ok');
      expect(simple.dynamics()).toBe('ok');
      expect(full.dynamics()).toBe('ok');
      for (let i = 0; i < 6; i++) {
        expect(Math.abs(simple.q[i] - full.q[i])).toBeLessThan(1e-11);
        expect(Math.abs(simple.acceleration[i] - full.acceleration[i])).toBeLessThan(1e-9);
      }
      for (let r = 0; r < 4; r++)
        expect(Math.abs(simple.multipliers[r] - full.multipliers[r])).toBeLessThan(1e-8);
    }
    expect(full.switches).toEqual(
      simple.switches.map((change) => ({
        ...change,
        conditionBefore: expect.closeTo(change.conditionBefore, 6) as number,
        conditionAfter: expect.closeTo(change.conditionAfter, 6) as number,
      })),
    );
  });
});

describe('a free slider-crank', () => {
  it.each(FORMULATIONS)('goes round, and its energy stays: $type', (formulation) => {
    const system = sliderCrank();
    const motion = start(system, formulation, 1e-3);
    const before = energy(system, motion);
    const turn = motion.q[2];
    let worst = 0;
    run(motion, 1e-3, 3, () => {
      worst = Math.max(worst, drift(motion));
    });
    expect(motion.q[2] - turn).toBeGreaterThan(2 * Math.PI);
    expect(Math.abs(energy(system, motion) - before)).toBeLessThan(1e-6);
    expect(worst).toBeLessThan(
      formulation.type === 'direct' ? 1e-6 : formulation.type === 'baumgarte' ? 1e-7 : 1e-14,
    );
  });
});

describe('the web cutter, driven by its speed', () => {
  /** At 60 rpm and free. */
  function cutter() {
    const driven = compileMultibody(webCutterModel(true));
    const q = driven.initialPositions();
    const v = driven.initialVelocities();
    expect(new Projection(driven).velocity(Float64Array.of(0), q, v)).toBe('ok');
    return { system: compileMultibody(webCutterModel(false)), q, v };
  }

  it.each(FORMULATIONS)('keeps its energy: $type', (formulation) => {
    const { system, q, v } = cutter();
    const motion = new ConstrainedMotion(system, q, v, { formulation, h: 5e-4 });
    const before = energy(system, motion);
    run(motion, 5e-4, 2);
    expect(Math.abs(energy(system, motion) - before) / system.kineticEnergy(v)).toBeLessThan(1e-7);
  });

  it('changes its partition on the way and reports each change', () => {
    const { system, q, v } = cutter();
    const motion = new ConstrainedMotion(system, q, v, {
      formulation: { type: 'fullPartitioning' },
      h: 1e-3,
    });
    run(motion, 1e-3, 2);
    expect(motion.switches.length).toBeGreaterThan(3);
    let time = 0;
    let before: readonly number[] | null = null;
    for (const change of motion.switches) {
      expect(change.time).toBeGreaterThan(time);
      expect(change.before).toHaveLength(8);
      expect(change.after).not.toEqual(change.before);
      if (before !== null) expect(change.before).toEqual(before);
      expect(change.conditionAfter).toBeLessThan(100);
      time = change.time;
      before = change.after;
    }
    expect([...motion.formulation.partition!.dependent]).toEqual(before);
  });
});

describe('a motion', () => {
  it('gives the same bits again, and after an interruption', () => {
    for (const formulation of [
      ...FORMULATIONS,
      { type: 'simplePartitioning', policy: 'whenNeeded', limit: 2 } as const,
    ]) {
      const whole = start(pendulum(), formulation, 0.01);
      run(whole, 0.01, 3);
      const first = start(pendulum(), formulation, 0.01);
      run(first, 0.01, 1.7);
      const second = start(pendulum(), formulation, 0.01);
      expect(second.importState(first.exportState())).toBe('ok');
      for (let k = 0; k < 130; k++) second.advance();
      expect(second.clock).toEqual(whole.clock);
      expect(second.q).toEqual(whole.q);
      expect(second.v).toEqual(whole.v);
    }
  });

  it('without constraints is free flight', () => {
    const system = compile(
      [{ id: 'ball', mass: 2, inertia: 1, position: [0, 0, 0], velocity: [3, 4, 5] }],
      [],
    );
    for (const formulation of FORMULATIONS) {
      const motion = start(system, formulation, 0.125);
      run(motion, 0.125, 1);
      expect(motion.q[0]).toBeCloseTo(3, 13);
      expect(motion.q[1]).toBeCloseTo(4 - G / 2, 13);
      expect(motion.q[2]).toBeCloseTo(5, 13);
    }
  });

  it('takes another partition where the present one fails within a step', () => {
    // From the horizontal, x has to be dependent; a choice of y is one that fails at once.
    const system = pendulum();
    const motion = start(system, { type: 'simplePartitioning', policy: 'whenNeeded', limit: 1e300 }, 0.01);
    const wrong = { ...motion.exportState(), dependent: [1] };
    expect(motion.importState(wrong)).toBe('ok');
    expect(motion.advance()).toBe('ok');
    expect(motion.switches).toHaveLength(1);
    expect(motion.switches[0].time).toBe(0);
    expect(motion.switches[0].after).toEqual([0]);
    expect(motion.switches[0].conditionAfter).toBe(1);
  });

  it('says why it stops, and keeps time and state', () => {
    // The rod shrinks through zero: from there on there are no positions.
    const shrinking = compile(
      [{ id: 'bob', mass: 1, inertia: 1, position: [1, 0, 0], velocity: [-1, 0, 0] }],
      [
        {
          type: 'distance',
          id: 'rope',
          first: { body: 'ground' },
          second: { body: 'bob' },
          length: (clock, out) => {
            out[0] = clock[0] < 0.5 ? 1 - clock[0] : Number.NaN;
            out[1] = -1;
            out[2] = 0;
          },
        },
      ],
    );
    for (const formulation of FORMULATIONS) {
      const motion = start(shrinking, formulation, 0.01);
      let status = motion.advance();
      while (status === 'ok') {
        expect(motion.clock[0]).toBeLessThan(0.51);
        status = motion.advance();
      }
      expect(status).toBe('notFinite');
      expect(motion.clock[0]).toBeCloseTo(0.49, 12);
      expect([...motion.q, ...motion.v].every(Number.isFinite)).toBe(true);
      expect(motion.advance()).toBe('notFinite');
      const { details } = motionFailure(status, motion.clock[0]);
      expect(details.code).toBe('motion-notFinite');
      expect(details.message).toContain('t = 0.49');
      expect(details.remedy).not.toBe('');
    }
  });

  it('reports positions that do not exist', () => {
    // A driver lifts the bob of a pendulum out of the circle.
    const system = compile(
      [{ id: 'bob', mass: 1, inertia: 1, position: [Math.SQRT1_2, Math.SQRT1_2, 0], velocity: [-1, 1, 0] }],
      [
        { type: 'distance', id: 'rod', first: { body: 'ground' }, second: { body: 'bob' }, length: 1 },
        {
          type: 'driver',
          id: 'lift',
          driven: { body: 'bob' },
          coordinate: 'y',
          motion: (clock, out) => {
            out[0] = Math.SQRT1_2 + clock[0];
            out[1] = 1;
            out[2] = 0;
          },
        },
      ],
    );
    const motion = start(system, { type: 'simplePartitioning' }, 0.1);
    let status = motion.advance();
    while (status === 'ok' && motion.steps < 10) status = motion.advance();
    expect(status).toBe('positionNotConverged');
    // 1 − √½ = 0.293
    expect(motion.clock[0]).toBeCloseTo(0.2, 12);
  });

  it('stops where the mechanism locks', () => {
    // Two rods that are stretched to their common length by a rail: at full stretch they say the same.
    const system = compile(
      [{ id: 'bead', mass: 1, inertia: 1, position: [1, 0, 0] }],
      [
        { type: 'distance', id: 'rod', first: { body: 'ground' }, second: { body: 'bead' }, length: 1 },
        {
          type: 'driver',
          id: 'rail',
          driven: { body: 'bead' },
          coordinate: 'y',
          motion: constantMotion(0),
        },
      ],
    );
    const formulation = createFormulation(system, { type: 'direct' });
    const x = Float64Array.of(0, 1, 0, 0, 0, 0);
    const out = new Float64Array(6);
    expect(formulation.rate(Float64Array.of(0), x, out)).toBe('singularConstraints');
    expect(out.every(Number.isNaN)).toBe(true);
  });

  it('does not begin where no coordinates are dependent on the others, or nothing is finite', () => {
    // With the rod's two ends in one place its row is zero.
    const system = pendulum();
    for (const type of ['simplePartitioning', 'fullPartitioning'] as const) {
      const formulation = createFormulation(system, { type });
      const x = new Float64Array(4);
      const v = new Float64Array(3);
      const begin = (...q: number[]): string =>
        formulation.begin(Float64Array.of(0), Float64Array.from(q), v, x);
      expect(begin(0, 0, 0)).toBe('singularConstraints');
      expect(begin(Number.NaN, 0, 0)).toBe('notFinite');
      expect(begin(0, 1, 0)).toBe('ok');
    }
  });

  it('stops with a projection that fails', () => {
    // With the bob on its pivot the rod has no direction.
    const system = pendulum();
    const formulation = createFormulation(system, { type: 'projection' });
    const q = new Float64Array(3).fill(7);
    const v = new Float64Array(3).fill(8);
    expect(formulation.accept(Float64Array.of(0), new Float64Array(6), q, v)).toBe('singularConstraints');
    expect([...q, ...v]).toEqual([7, 7, 7, 8, 8, 8]);
    expect(formulation.revision).toBe(0);
    expect(formulation.accept(Float64Array.of(0), Float64Array.of(2, 0, 0, 1, 1, 0), q, v)).toBe('ok');
    [1, 0, 0, 0, 1, 0].forEach((value, i) => expect([...q, ...v][i]).toBeCloseTo(value, 13));
    expect(formulation.revision).toBe(1);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the step %s', (h) => {
    expect(() => start(pendulum(), { type: 'direct' }, h)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ code: 'step-not-positive' }) as unknown,
      }) as Error,
    );
  });
});

it('each formulation is described', () => {
  const types = formulationDefinitions.map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(FORMULATIONS.map(({ type }) => type)));
});
