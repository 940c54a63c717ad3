/**
 * What a simulation from event to event must satisfy and a slip must break: each check throws when it does
 * not hold.
 */
import type { ConstraintSettings } from '@engine/event-driven/joints/formulation';
import type { AnalyticTerm } from '@engine/model/analytic-function';
import { termAt } from '@engine/model/analytic-function';
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { PresenceRule } from '@engine/model/settings/presences';
import { exactPendulum } from '../../multibody/support/exact-pendulum';
import { body, joint } from '../../support/bodies';
import { buildSound } from '../../support/built';
import {
  complementarity,
  equality,
  graph,
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  system,
} from '../../support/forms';
import { model } from '../../support/models';
import { coulomb, curved } from '../friction-support';
import { ball, G, ofKind, simulateEvents } from '../support';

/** Fails unless each value is within the bound of what it should be. NaN fails. */
function demand(found: Iterable<number>, wanted: readonly number[], bound: number, what: string): void {
  const values = [...found];
  const worst = Math.max(...wanted.map((value, k) => Math.abs(values[k] - value)));
  if (!(worst <= bound)) throw new Error(`${what}: ${values.join(', ')}, not ${wanted.join(', ')}`);
}

/** gap y, slip x of q = (x, y) */
const FLOOR = lagrangianRelation([
  [0, 1],
  [1, 0],
]);
const UNIT = [
  [1, 0],
  [0, 1],
];

/**
 * A block that slides on the floor, in either direction, loses μ g of its speed in each second, and stops.
 */
function slidingBlock(): void {
  for (const speed of [3, -3]) {
    const block = system('block', linearLagrangian([0, 0], [speed, 0], UNIT, { force: [0, -G] }));
    const floor = interaction('floor', [0], FLOOR, coulomb(0.4));
    const simulation = simulateEvents({ systems: [block], interactions: [floor] }, { tEnd: 0.5 });
    simulation.run();
    const [, x, , v] = simulation.state;
    const loss = Math.sign(speed) * 0.4 * G * 0.5;
    demand([x, v], [(speed - loss / 2) * 0.5, speed - loss], 1e-12, 'place and speed');
  }
}

const [SINE, COSINE] = [Math.sin(1), Math.cos(1)];
/**
 * W_nn and W_nt of the tip of a rod of length 2 and mass 1 at one radian, about which the relation is linear.
 */
const W = [1 + 3 * COSINE * COSINE, -3 * SINE * COSINE];

const rod = (v: readonly number[], mu: number, e: number): NonSmoothDynamicalSystem => {
  const mass = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1 / 3],
  ];
  const tip = lagrangianRelation([
    [0, 1, -COSINE],
    [1, 0, SINE],
  ]);
  return {
    systems: [system('rod', linearLagrangian([0, 0, 0], v, mass, { force: [0, -G, 0] }))],
    interactions: [interaction('tip', [0], tip, coulomb(mu, e))],
  };
};

/** A rod that slides on its tip: λ_n = g/(W_nn + f W_nt), λ_t = f λ_n. */
function slidingRod(): void {
  for (const speed of [-1, 1]) {
    const simulation = simulateEvents(rod([speed, 0, 0], 0.5, 0), { h: 1e-3 });
    simulation.computeOneStep();
    const f = -Math.sign(speed) * 0.5;
    const lambda = G / (W[0] + f * W[1]);
    demand(simulation.state.subarray(11, 13), [lambda, f * lambda], 1e-9, 'forces');
  }
}

/** A disc of mass 1, radius 1 and inertia 0.4 on the plane; the slip is ẋ + θ̇. */
const disc = (v: readonly number[], law: LawForm): NonSmoothDynamicalSystem => ({
  systems: [
    system(
      'disc',
      linearLagrangian(
        [0, 1, 0],
        v,
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 0.4],
        ],
        { force: [0, -G, 0] },
      ),
    ),
  ],
  interactions: [
    interaction(
      'plane',
      [0],
      lagrangianRelation(
        [
          [0, 1, 0],
          [1, 0, 1],
        ],
        [-1, 0],
      ),
      law,
    ),
  ],
});

/**
 * P_n = (1 + e) |ẏ|; with W_tt = 3.5, P_t = −(1 + e_t) ẏ_t/3.5 inside the cone, as of a ball that turns its
 * spin round.
 */
function spinThatTurnsRound(): void {
  const simulation = simulateEvents(disc([1, -2, 0], coulomb(2, 0.5, { et: 0.8 })));
  demand(simulation.impulses, [3, -1.8 / 3.5], 1e-13, 'impulses');
}

/**
 * Outside the cone P_t = ∓μ P_n, against the slip, in both directions; at rest and inside the cone the slip
 * ends.
 */
function obliqueImpacts(): void {
  for (const slip of [3, -3]) {
    const sliding = simulateEvents(disc([slip, -2, 0], coulomb(0.1, 0.5)));
    demand(sliding.impulses, [3, -Math.sign(slip) * 0.3], 1e-13, 'impulses while it slides');
    const sticking = simulateEvents(disc([slip, -2, 0], coulomb(2, 0.5)));
    demand(sticking.impulses, [3, -slip / 3.5], 1e-13, 'impulses where it sticks');
    // With what friction does to the normal velocity: P_n = (1 + e) |ẏ_n|/(W_nn + f W_nt)
    const coupled = simulateEvents(rod([slip, -2, 0], 0.1, 0.5));
    const f = -Math.sign(slip) * 0.1;
    const P = 3 / (W[0] + f * W[1]);
    demand(coupled.impulses, [P, f * P], 1e-13, 'impulses of a rod');
  }
}

/** Sliding ends where W_nn − μ W_nt vanishes: λ_n = g/(1 − x) grows without bound at x = 1. */
function growingFriction(): void {
  const wedge = curved(
    2,
    2,
    (q, out) => {
      out[0] = q[1];
      out[1] = q[0] + (q[0] * q[1]) / 2;
    },
    (q, out) => {
      out.set([0, 1, 1 + q[1] / 2, q[0] / 2]);
    },
  );
  const fast = system('body', linearLagrangian([0, 0], [100, 0], UNIT, { force: [0, -G] }));
  const contact = interaction('wedge', [0], wedge, coulomb(2));
  let message = 'nothing';
  const simulation = simulateEvents({ systems: [fast], interactions: [contact] }, { h: 1e-3, tEnd: 0.1 });
  try {
    simulation.run();
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  if (!/friction/.test(message)) throw new Error(`the run ended with: ${message}`);
  demand([simulation.state[1]], [1], 0.15, 'place of the last row');
}

const pendulum = (q0: number[], v0?: number[]): NonSmoothDynamicalSystem =>
  buildSound(model([body('bob', q0, v0)], [joint('rod', ['bob'], { type: 'Distance', length: 1 })])).model;

/** The pendulum released from the horizontal is where it is known to be. */
function swingingPendulum(): void {
  const { x, y } = exactPendulum(2, G);
  const simulation = simulateEvents(pendulum([1, 0, 0]), { tEnd: 2, constraints: { type: 'Direct' } });
  simulation.run();
  demand([simulation.state[1], simulation.state[2]], [x, y], 1e-8, 'place');
}

/** With α = β a violation decays as (1 + αt) e^(−αt). */
function criticalDecay(): void {
  const off = 9e-10;
  const constraints: ConstraintSettings = { type: 'Baumgarte', alpha: 3, beta: 3 };
  const settings = { tEnd: 1, constraints, relativeTolerance: 1e-13, absoluteTolerance: 1e-15 };
  const simulation = simulateEvents(pendulum([0, -1 - off, 0]), settings);
  simulation.run();
  demand([simulation.state[7]], [off * 4 * Math.exp(-3)], 0.02 * off, 'output');
}

/** A pendulum that goes round changes its dependent coordinate at each diagonal, and no integration fails. */
function turningPendulum(): void {
  for (const type of ['SimplePartitioning', 'FullPartitioning'] as const) {
    const settings = { tEnd: 2, constraints: { type } };
    const simulation = simulateEvents(pendulum([0, -1, 0], [8, 0, 0]), settings);
    simulation.run();
    const [, x, y, , vx, vy] = simulation.state;
    demand([Math.hypot(x, y), (vx ** 2 + vy ** 2) / 2 + G * y], [1, 32 - G], 1e-8, 'length and energy');
    const changes = ofKind(simulation, 'partition');
    if (changes.length < 4) throw new Error(`${changes.length} changes`);
    for (const { partition } of changes) {
      if (partition?.before[0] === partition?.after[0]) throw new Error('no change');
    }
    // The first rod is upright: y is its dependent coordinate.
    if (changes[0].partition?.before[0] !== 'bob.q[1]') throw new Error('not the best choice at the start');
  }
}

/** Masses under sines, polynomials and constants: where two integrations lead, on exact arcs. */
function forcedMasses(): void {
  const term = (parts: Partial<AnalyticTerm>): AnalyticTerm => ({
    ...{ power: 0, rate: 0, frequency: 0, cosine: 0, sine: 0 },
    ...parts,
  });
  const entries = [
    [term({ frequency: 2, sine: 1 }), term({ cosine: 7 })],
    [term({ frequency: 2, sine: -3 })],
    [term({ power: 2, cosine: 1 })],
  ];
  const zero = [0, 0, 0];
  const mass = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const steady = linearLagrangian(zero, zero, mass);
  const force = (clock: Float64Array, out: Float64Array): void => {
    entries.forEach((terms, i) => {
      out[i] = terms.reduce((sum, part) => sum + termAt(part, clock[0]), 0);
    });
  };
  const form = {
    ...steady,
    linear: steady.linear && { ...steady.linear, force },
    force: (clock: Float64Array, _q: Float64Array, _v: Float64Array, out: Float64Array): void => {
      force(clock, out);
    },
    analytic: { entries, steady },
  };
  const settings = { tEnd: 1, h: 0.1, flights: 'exact' } as const;
  const simulation = simulateEvents({ systems: [system('masses', form)], interactions: [] }, settings);
  simulation.run();
  // ∫∫ sin 2t = t/2 − sin(2t)/4
  const sine = 0.5 - Math.sin(2) / 4;
  demand(simulation.state.subarray(1, 4), [sine + 3.5, -3 * sine, 1 / 12], 1e-13, 'places');
}

/** An oscillator under a constant force over many radians in one step, without anything that watches it. */
function longFlight(): void {
  const form = linearLagrangian([1], [0], [[1]], { stiffness: [[400]], force: [100] });
  const settings = { tEnd: 1, h: 0.5, flights: 'exact' } as const;
  const simulation = simulateEvents({ systems: [system('mass', form)], interactions: [] }, settings);
  simulation.run();
  const [, q, v] = simulation.state;
  demand([q, v], [0.25 + 0.75 * Math.cos(20), -15 * Math.sin(20)], 1e-12, 'place and speed');
}

/** A ball that touches a ceiling loses no energy, and no work is counted twice. */
function energyAtATouch(): void {
  const ceiling = interaction('ceiling', [0], lagrangianRelation([[-1]], [G / 2]), impact(0.5));
  const thrown = system('ball', linearLagrangian([0], [G], [[1]], { force: [-G] }));
  const touching = { systems: [thrown], interactions: [ceiling] };
  const simulation = simulateEvents(touching, { tEnd: 1.5, h: 0.125 });
  simulation.run();
  demand([simulation.energyDrift ?? NaN], [0], 1e-13, 'drift');
}

/** What a ball loses at its impacts is the work of their impulses. */
function energyOfImpacts(): void {
  const simulation = simulateEvents(ball(0.9, 0.5), { tEnd: 1 });
  simulation.run();
  demand([simulation.energyDrift ?? NaN], [0], 1e-13, 'drift');
}

/**
 * A block on a belt of speed 1/2, at 5/4: friction of 2 less the slip stops it at ln 1.6, and it rides on.
 */
function weakeningFriction(): void {
  const law = graph(
    [
      [-0.5, 1],
      [0.5, 2],
      [0.5, -2],
      [1.5, -1],
    ],
    [1, 0],
    [1, 0],
  );
  const block: NonSmoothDynamicalSystem = {
    systems: [system('block', linearLagrangian([0], [1.25], [[1]]))],
    interactions: [interaction('belt', [0], lagrangianRelation([[1]]), { ...law, level: 'velocity' })],
  };
  const simulation = simulateEvents(block, { tEnd: 2 });
  simulation.run();
  const stop = Math.log(1.6);
  const times = simulation.events.map(({ time }) => time);
  demand([times.length, times[0], simulation.x[0]], [1, stop, 2 * stop + 0.25], 1e-9, 'stop and place');
}

/** Dry and viscous friction in one graph, pulled by t: it holds up to t = 1, and then ẋ = t − 1 − x. */
function leavingAVerticalPiece(): void {
  const law = graph(
    [
      [0, 1],
      [0, -1],
    ],
    [1, -3],
    [1, -1],
  );
  const pulled: NonSmoothDynamicalSystem = {
    systems: [system('x', linearFirstOrder([[0]], [0], { source: (t) => [t] }))],
    interactions: [interaction('law', [0], linearRelation([[1]], [[1]]), law)],
  };
  const simulation = simulateEvents(pulled, { tEnd: 2 });
  simulation.run();
  const times = simulation.events.map(({ time }) => time);
  demand([times.length, times[0], simulation.x[0]], [1, 1, Math.exp(-1)], 1e-9, 'start and place');
}

/** A diode that stays open, and a switched resistance: x = e^(−2t) up to t = ½, then it falls by e^(−t). */
function partsOfALaw(): void {
  const relation = linearRelation([[1], [1]], [[1, 1]], { D: UNIT, e: [-0.2, 0] });
  const law: LawForm = {
    ...complementarity(),
    size: 2,
    rows: [...complementarity().rows, ...equality().rows],
  };
  const rule: PresenceRule = {
    id: 'law',
    name: 'law.S',
    interaction: 0,
    first: 1,
    end: 2,
    hysteresis: 0,
    isAtStart: true,
    latch: null,
    unless: -1,
    lawSignal: null,
    timed: null,
    affine: { constant: 0.5, rate: -1, terms: [] },
    evaluate: (row, out) => {
      out[0] = 0.5 - row[0];
    },
  };
  const simulation = simulateEvents(
    {
      systems: [system('x', linearFirstOrder([[-1]], [1]))],
      interactions: [interaction('law', [0], relation, law)],
    },
    { tEnd: 1, presence: [rule] },
  );
  simulation.run();
  demand([simulation.x[0]], [Math.exp(-1.5)], 1e-9, 'state');
}

export const checks = {
  partsOfALaw,
  weakeningFriction,
  leavingAVerticalPiece,
  slidingBlock,
  slidingRod,
  spinThatTurnsRound,
  obliqueImpacts,
  growingFriction,
  swingingPendulum,
  criticalDecay,
  turningPendulum,
  forcedMasses,
  longFlight,
  energyAtATouch,
  energyOfImpacts,
} as const;
