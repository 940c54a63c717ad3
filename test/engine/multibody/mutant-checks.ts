/** What the multibody engine must satisfy and a slip must break: each check throws when it does not hold. */
import { constrainedAccelerations } from './support/accelerations';
import { FullPivoting } from '@engine/linalg/full-pivoting';
import { SingularValues } from '@engine/linalg/singular-values';
import { uniformMotion } from '@engine/multibody/rows';
import { compile, doublePendulum } from './support/mechanisms';
import { energy, run, start } from './support/motion';
import { JACOBIAN } from './support/web-cutter-tables';

function demand(value: number, bound: number, what: string): void {
  if (!(value <= bound)) throw new Error(`${what}: ${value}`);
}

/** x = (53/30, −7/10, −1/6). */
function worked3by3(): void {
  const elimination = new FullPivoting(3, 3);
  elimination.eliminate(Float64Array.of(4, 2, -2, 1, 3, 4, 2, 1, 5), Float64Array.of(6, -1, 2), 'full');
  const x = new Float64Array(3);
  elimination.backSubstitute(x);
  demand(Math.hypot(x[0] - 53 / 30, x[1] + 0.7, x[2] + 1 / 6), 1e-14, 'solution');
}

/** The dependent block of the web cutter has the condition 34.2. */
function bestCondition(): void {
  const jacobian = Float64Array.from(JACOBIAN.slice(0, 8).flat());
  const elimination = new FullPivoting(8, 9);
  elimination.eliminate(jacobian, null, 'full');
  const values = new SingularValues(72);
  values.measure(jacobian, 8, 9, elimination.columnOrder.subarray(0, 8));
  demand(values.extremes[0] / values.extremes[1], 34.3, 'condition');
}

/** A double pendulum in direct integration keeps its energy. */
function barEnergy(): void {
  const system = doublePendulum([2, 2.5]);
  const motion = start(system, { type: 'direct' }, 1e-3);
  const before = energy(system, motion);
  run(motion, 1e-3, 1);
  demand(Math.abs(energy(system, motion) - before), 1e-6, 'energy');
}

/** A bob on a rod that grows evenly, without weight, keeps its moment of momentum: L² ω is constant. */
function telescope(): void {
  const system = compile(
    [{ id: 'bob', mass: 1, inertia: 1, position: [1, 0, 0], velocity: [0.5, 2, 0] }],
    [
      {
        type: 'distance',
        id: 'rod',
        first: { body: 'ground' },
        second: { body: 'bob' },
        length: uniformMotion(1, 0.5),
      },
    ],
    [],
  );
  for (const type of ['direct', 'simplePartitioning'] as const) {
    const motion = start(system, { type }, 1e-3);
    run(motion, 1e-3, 1);
    const { q, v } = motion;
    demand(Math.abs(q[0] * v[1] - q[1] * v[0] - 2), 1e-9, 'moment of momentum');
    demand(Math.abs(Math.hypot(q[0], q[1]) - 1.5), 1e-9, 'length');
    // θ̇ = 2/L², so θ = 4 (1 − 1/L)
    demand(Math.abs(Math.atan2(q[1], q[0]) - 4 / 3), 1e-9, 'angle');
  }
}

/** With α = β a violation decays as (1 + αt) e^(−αt). */
function criticalDecay(): void {
  const system = compile(
    [{ id: 'slider', mass: 1, inertia: 1, position: [0, 0, 0] }],
    [
      {
        type: 'driver',
        id: 'guide',
        driven: { body: 'slider' },
        coordinate: 'x',
        motion: uniformMotion(0, 0),
      },
    ],
    [],
  );
  const motion = start(system, { type: 'baumgarte', alpha: 3, beta: 3 }, 1e-3);
  const shifted = motion.exportState();
  shifted.q[0] = 1e-3;
  motion.importState(shifted);
  run(motion, 1e-3, 1);
  demand(Math.abs(motion.q[0] - 1e-3 * 4 * Math.exp(-3)), 1e-12, 'decay');
}

/** Accelerations of both partitionings are the same in a moving double pendulum. */
function partitioningsAgree(): void {
  const system = doublePendulum([2, 2.5]);
  const motion = start(system, { type: 'projection' }, 1e-2);
  run(motion, 1e-2, 0.5);
  const [simple, full] = constrainedAccelerations(system, motion);
  demand(Math.max(...simple.map((x, i) => Math.abs(x - full[i]))), 1e-10, 'difference');
}

export const checks = {
  worked3by3,
  bestCondition,
  barEnergy,
  telescope,
  criticalDecay,
  partitioningsAgree,
} as const;
