/** Mechanisms of bodies and joints from event to event, under each formulation. */
import { describe, expect, it } from 'vitest';
import type { TypedElement } from '@engine/document/types';
import type { ConstraintSettings } from '@engine/event-driven/joints/formulation';
import { JointSystem } from '@engine/event-driven/joints/joint-system';
import { IndexReduced } from '../oracles/planar/index-reduced';
import { DEFAULT_PARTITION, Partition } from '@engine/multibody/partition';
import { Projection } from '@engine/multibody/consistency';
import { ReducedAccelerations } from '@engine/multibody/reduced';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { exactPendulum } from '../multibody/support/exact-pendulum';
import { body, G, joint } from '../support/bodies';
import { buildSound } from '../support/built';
import { example, model } from '../support/models';
import { seeded } from '../support/random';
import { ofKind, simulateEvents } from './support';

const FORMULATIONS: readonly ConstraintSettings[] = [
  { type: 'Projection' },
  { type: 'Direct' },
  { type: 'Baumgarte', alpha: 5, beta: 5 },
  { type: 'SimplePartitioning' },
  { type: 'FullPartitioning' },
];
const rod: TypedElement = { type: 'Distance', length: 1 };

const pendulum = (): NonSmoothDynamicalSystem =>
  buildSound(model([body('bob', [1, 0, 0])], [joint('rod', ['bob'], rod)])).model;
const built = (name: string): NonSmoothDynamicalSystem => buildSound(example(name)).model;

/** Kinetic energy and that of weight, J, of bodies in rows of the result. */
function energy({ systems }: NonSmoothDynamicalSystem, row: Float64Array): number {
  const ndof = 3 * systems.length;
  return systems.reduce((sum, { form }, s) => {
    if (form.order !== 2) throw new Error('a body is a Lagrangian system');
    const mass = new Float64Array(9);
    form.mass(form.q0, mass);
    const [q, v] = [1 + 3 * s, 1 + ndof + 3 * s];
    for (let k = 0; k < 3; k++) sum += 0.5 * mass[4 * k] * row[v + k] ** 2;
    return sum + mass[0] * G * row[q + 1];
  }, 0);
}

describe('the pendulum released from the horizontal', () => {
  const exact = exactPendulum(10, G);

  it.each(FORMULATIONS)('is where it is known to be after 10 s: $type', (constraints) => {
    const simulation = simulateEvents(pendulum(), { tEnd: 10, constraints });
    simulation.run();
    expect(Math.abs(simulation.state[1] - exact.x)).toBeLessThan(2e-9);
    expect(Math.abs(simulation.state[2] - exact.y)).toBeLessThan(2e-9);
    expect(exact.x).toBeCloseTo(0.27508746, 7);
  });

  const loose = (constraints: ConstraintSettings): ReturnType<typeof simulateEvents> => {
    const tolerances = { relativeTolerance: 1e-6, absoluteTolerance: 1e-7 };
    const simulation = simulateEvents(pendulum(), { tEnd: 10, constraints, ...tolerances });
    simulation.run();
    return simulation;
  };

  it('drifts off its rod without control, less with stabilisation, and not at all with partitioning', () => {
    const drift = Object.fromEntries(
      FORMULATIONS.map((constraints) => [constraints.type, loose(constraints).drift.worst[0]]),
    );
    expect(drift['Direct']).toBeGreaterThan(1e-5);
    expect(drift['Baumgarte']).toBeLessThan(0.5 * drift['Direct']);
    expect(drift['Baumgarte']).toBeGreaterThan(1e-7);
    expect(drift['Projection']).toBeLessThan(1e-7);
    expect(drift['SimplePartitioning']).toBeLessThan(1e-15);
    expect(drift['FullPartitioning']).toBeLessThan(1e-15);
  });

  it('drifts as a polynomial under direct integration: what is off at the start stays so', () => {
    const document = model([body('bob', [1 + 9e-10, 0, 0])], [joint('rod', ['bob'], rod)]);
    const run = (constraints: ConstraintSettings): Float64Array => {
      const simulation = simulateEvents(buildSound(document).model, { tEnd: 5, constraints });
      simulation.run();
      return simulation.state;
    };
    const y = 7;
    expect(Math.abs(run({ type: 'Direct' })[y] - 9e-10)).toBeLessThan(3e-10);
    expect(Math.abs(run({ type: 'Projection' })[y])).toBeLessThan(1e-12);
    // Both ends of e^(−αt)(1 + αt) with α = β = 5 after 5 s.
    expect(Math.abs(run({ type: 'Baumgarte', alpha: 5, beta: 5 })[y])).toBeLessThan(1e-11);
  });

  it('is projected at every n-th point of the discretisation, beyond a tolerance', () => {
    const often = loose({ type: 'Projection' }).drift.worst[0];
    const seldom = loose({ type: 'Projection', every: 100 }).drift.worst[0];
    const never = loose({ type: 'Projection', tolerance: 1 });
    expect(seldom).toBeGreaterThan(3 * often);
    expect(never.drift.worst[0]).toBeCloseTo(loose({ type: 'Direct' }).drift.worst[0], 12);
  });

  it.each(['SimplePartitioning', 'FullPartitioning'] as const)(
    'changes its dependent coordinate 17 times, as events with the condition: %s',
    (type) => {
      const simulation = simulateEvents(pendulum(), { tEnd: 10, constraints: { type } });
      simulation.run();
      const changes = ofKind(simulation, 'partition');
      expect(changes).toHaveLength(17);
      changes.forEach(({ partition, element }, k) => {
        expect(element).toBe('');
        const [x, y] = [['bob.q[0]'], ['bob.q[1]']];
        expect([partition?.before, partition?.after]).toEqual(k % 2 === 0 ? [x, y] : [y, x]);
        // One constraint: its block is a number.
        expect([partition?.conditionBefore, partition?.conditionAfter]).toEqual([1, 1]);
      });
    },
  );

  it('stops where the choice as printed, which looks at no entry of a last row, is singular', () => {
    const simulation = simulateEvents(pendulum(), {
      tEnd: 10,
      constraints: { type: 'SimplePartitioning', pivoting: 'printed' },
    });
    expect(() => {
      simulation.run();
    }).toThrow(/the dependent coordinates no longer follow/);
    // The first lowest point, where the x of the bob no longer follows from its y.
    expect(simulation.state[0]).toBeLessThan(0.6);
  });

  it('goes on from a state with the same bits', () => {
    const settings = { tEnd: 3, constraints: { type: 'FullPartitioning' } as const };
    const first = simulateEvents(pendulum(), settings);
    while (first.manager.current[0] < 150) first.computeOneStep();
    const state = first.exportState();
    first.run();
    const second = simulateEvents(pendulum(), settings);
    second.loadState(state);
    second.run();
    expect([...second.state]).toEqual([...first.state]);
    expect(second.events.length).toBeGreaterThan(0);
  });
});

describe('the double pendulum', () => {
  it.each(FORMULATIONS)('keeps its energy: $type', (constraints) => {
    const mechanism = built('double-pendulum');
    const simulation = simulateEvents(mechanism, { tEnd: 3, constraints });
    const start = energy(mechanism, simulation.state);
    let worst = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      worst = Math.max(worst, Math.abs(energy(mechanism, simulation.state) - start));
    }
    expect(worst).toBeLessThan(2e-8);
    const spread = Math.max(...simulation.state.subarray(2, 3)) - start;
    expect(Math.abs(spread)).toBeGreaterThan(0.1);
  });

  it('has the same accelerations from the index-reduced and the reduced equations, from forces and from free motion', () => {
    const joints = new JointSystem(built('double-pendulum'), 1e-4);
    const clock = Float64Array.of(0);
    const random = seeded(3);
    for (let k = 0; k < 20; k++) {
      const [one, two] = [random.uniform(-3, 3), random.uniform(-3, 3)];
      const bar = (angle: number): [number, number] => [0.5 * Math.cos(angle), 0.5 * Math.sin(angle)];
      const [upper, lower] = [bar(one), bar(two)];
      const q = Float64Array.of(...upper, one, 2 * upper[0] + lower[0], 2 * upper[1] + lower[1], two);
      const v = Float64Array.from({ length: 6 }, () => random.uniform(-3, 3));
      expect(new Projection(joints).velocity(clock, q, v)).toBe('ok');
      const partition = new Partition(joints, DEFAULT_PARTITION);
      expect(partition.begin(clock, q)).toBe('ok');
      const reduced = new ReducedAccelerations(joints, partition);
      const [a, b] = [new Float64Array(6), new Float64Array(6)];
      const [lambda, mu] = [new Float64Array(4), new Float64Array(4)];
      expect(new IndexReduced(joints).solve(clock, q, v, a, lambda)).toBe('ok');
      expect(reduced.solve(clock, q, v, b, mu)).toBe('ok');
      const free = new Float64Array(6);
      const mass = new Float64Array(36);
      joints.force(clock, q, v, free);
      joints.mass(clock, q, mass);
      for (let i = 0; i < 6; i++) free[i] /= mass[7 * i];
      expect(reduced.constrain(clock, q, v, free)).toBe('ok');
      const scale = Math.max(...a.map(Math.abs));
      for (let i = 0; i < 6; i++) {
        expect(Math.abs(a[i] - b[i])).toBeLessThan(1e-12 * scale);
        expect(Math.abs(a[i] - free[i])).toBeLessThan(1e-12 * scale);
      }
    }
  });
});

describe('the web cutter', () => {
  it.each(FORMULATIONS)(
    'stays assembled, and its motor gives the power that its energy takes: $type',
    (constraints) => {
      const mechanism = built('four-bar-web-cutter');
      const simulation = simulateEvents(mechanism, { tEnd: 1, h: 0.005, constraints });
      const places = { lambda: 1 + 18 + 18 };
      const rows: { t: number; energy: number; power: number }[] = [];
      while (simulation.hasNextEvent) {
        simulation.computeOneStep();
        const { state } = simulation;
        // The motor’s row is the last; its multiplier is the moment on the crank.
        const power = state[places.lambda + 8] * 2 * Math.PI;
        rows.push({ t: state[0], energy: energy(mechanism, state), power });
        expect(Math.abs(state[3] - ((85.5 * Math.PI) / 180 + 2 * Math.PI * state[0]))).toBeLessThan(1e-9);
      }
      // Simpson’s rule for the work of one turn, step by step; after a full turn nothing is left.
      let work = 0;
      for (let k = 2; k < rows.length; k += 2)
        work += (0.005 / 3) * (rows[k - 2].power + 4 * rows[k - 1].power + rows[k].power);
      const last = rows.length % 2 === 1 ? rows.length - 1 : rows.length - 2;
      const most = Math.max(...rows.map(({ energy: e }) => e)) - Math.min(...rows.map(({ energy: e }) => e));
      expect(most).toBeGreaterThan(0.1);
      expect(Math.abs(work - (rows[last].energy - rows[0].energy))).toBeLessThan(1e-5 * most);
    },
  );
});

describe('the slider-crank with clearance', () => {
  const [r, l, c, omega] = [0.05, 0.12, 0.0005, (5000 * Math.PI) / 30];
  const [mass, inertia] = [0.21, 0.00025];
  /** x of the slider without clearance */
  const end = (t: number): number =>
    r * Math.cos(omega * t) + Math.sqrt(l ** 2 - (r * Math.sin(omega * t)) ** 2);

  /**
   * Time of the first impact. Until then the slider rests at r + l, and the rod is a pendulum without weight
   * on the crank pin a(t) = r (cos ωt, sin ωt), (I + m l²/4) θ̈ = −½ m l (−sin θ, cos θ)·ä, integrated by the
   * classical method.
   */
  function firstImpact(): number {
    const h = 0.001 / 4000;
    const factor = (0.5 * mass * l * omega * omega * r) / (inertia + 0.25 * mass * l * l);
    const acceleration = (t: number, angle: number): number => factor * Math.sin(omega * t - angle);
    const gap = (t: number, angle: number): number => {
      const x = r * Math.cos(omega * t) + l * Math.cos(angle) - r - l;
      return c - Math.hypot(x, r * Math.sin(omega * t) + l * Math.sin(angle));
    };
    let [theta, rate] = [0, (-omega * r) / l];
    for (let k = 0; ; k++) {
      const t = k * h;
      const a1 = acceleration(t, theta);
      const a2 = acceleration(t + h / 2, theta + (h / 2) * rate);
      const a3 = acceleration(t + h / 2, theta + (h / 2) * rate + ((h * h) / 4) * a1);
      const a4 = acceleration(t + h, theta + h * rate + ((h * h) / 2) * a2);
      const next = theta + h * rate + ((h * h) / 6) * (a1 + a2 + a3);
      if (gap(t + h, next) < 0) {
        // Within the step, to third order of its length.
        const within = (s: number): number =>
          theta + s * rate + ((s * s) / 2) * (a1 + ((a4 - a1) / h) * (s / 3));
        let [low, high] = [0, h];
        for (let i = 0; i < 60; i++) {
          const s = (low + high) / 2;
          if (gap(t + s, within(s)) > 0) low = s;
          else high = s;
        }
        return t + low;
      }
      theta = next;
      rate += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }

  it.each(FORMULATIONS)(
    'hits the wall of the hole for the first time when the free rod does: $type',
    (constraints) => {
      const simulation = simulateEvents(built('slider-crank-clearance'), {
        tEnd: 0.012,
        h: 1e-4,
        constraints,
      });
      simulation.run();
      const [first] = ofKind(simulation, 'impact').filter(({ element }) => element === 'pin');
      expect(Math.abs(first.time - firstImpact())).toBeLessThan(1e-11);
      expect(first.after).toBeCloseTo(-0.5 * first.before, 12);
      expect(ofKind(simulation, 'zeno').length).toBeGreaterThan(0);
      // The slider never leaves the clearance about the place that it has without.
      expect(Math.abs(simulation.state[7] - end(0.012))).toBeLessThan(1.001 * c);
      const { penetration, impact, law, energy: balance } = simulation.certificate.worst;
      expect(penetration).toBeLessThan(1e-9 * c);
      expect(Math.max(impact, law, balance)).toBeLessThan(1e-9);
    },
  );

  it('gives the same motion under every formulation', () => {
    const places = FORMULATIONS.map((constraints) => {
      const simulation = simulateEvents(built('slider-crank-clearance'), {
        tEnd: 0.012,
        h: 1e-4,
        constraints,
      });
      simulation.run();
      return { x: simulation.state[7], impacts: ofKind(simulation, 'impact').length };
    });
    for (const { x, impacts } of places) {
      expect(Math.abs(x - places[0].x)).toBeLessThan(1e-9);
      expect(impacts).toBe(places[0].impacts);
    }
    expect(places[0].impacts).toBeGreaterThan(50);
  });
});

describe('joints and friction', () => {
  it('a disc that is let go on a slope rolls with two thirds of the acceleration, or slides where friction is too small', () => {
    const slope = -0.5;
    const start = [-0.2 * Math.sin(slope), 0.2 * Math.cos(slope), 0];
    const rolling = (mu: number): number => {
      const floor = { type: 'PointOnPlane', axis: slope, radius: 0.2, rows: 'gapAndSlip' };
      const law = { type: 'NewtonImpactFriction', mu, e: 0 };
      const document = model(
        [body('disc', start, [0, 0, 0], { mass: 2, inertia: '2*0.2^2/2' })],
        [joint('slope', ['disc'], floor, law)],
      );
      const simulation = simulateEvents(buildSound(document).model, { tEnd: 1 });
      simulation.run();
      return Math.hypot(simulation.state[1] - start[0], simulation.state[2] - start[1]);
    };
    const gravity = G * Math.sin(-slope);
    expect(rolling(0.5)).toBeCloseTo((2 / 3) * 0.5 * gravity, 9);
    expect(rolling(0.1)).toBeCloseTo(0.5 * (gravity - 0.1 * G * Math.cos(slope)), 9);
  });
});
