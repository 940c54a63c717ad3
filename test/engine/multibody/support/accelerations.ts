/** Accelerations of a state by the index-reduced and by the reduced equations. */
import type { ConstrainedMotion } from '../../oracles/planar/constrained-motion';
import { createFormulation } from '../../oracles/planar/formulations/registry';
import type { MultibodySystem } from '../../oracles/planar/system';

export function constrainedAccelerations(
  system: MultibodySystem,
  { clock, q, v }: ConstrainedMotion,
): number[][] {
  return (['simplePartitioning', 'fullPartitioning'] as const).map((type) => {
    const formulation = createFormulation(system, { type });
    const acceleration = new Float64Array(system.size);
    const multipliers = new Float64Array(system.rows);
    formulation.begin(clock, q, v, new Float64Array(formulation.size));
    const status = formulation.accelerations(clock, q, v, acceleration, multipliers);
    if (status !== 'ok') throw new Error(status);
    return [...acceleration];
  });
}
