/** Motions for the tests: a system from its own start, run for a while. */
import { ConstrainedMotion } from '../../oracles/planar/constrained-motion';
import type { FormulationSettings } from '../../oracles/planar/formulations/registry';
import type { MultibodySystem } from '../../oracles/planar/system';

export const FORMULATIONS: readonly FormulationSettings[] = [
  { type: 'direct' },
  { type: 'baumgarte', alpha: 5, beta: 5 },
  { type: 'projection' },
  { type: 'simplePartitioning' },
  { type: 'fullPartitioning' },
];

export const start = (
  system: MultibodySystem,
  formulation: FormulationSettings,
  h: number,
): ConstrainedMotion =>
  new ConstrainedMotion(system, system.initialPositions(), system.initialVelocities(), { formulation, h });

/** Advances to the step nearest to `tEnd`. @throws when a step fails */
export function run(motion: ConstrainedMotion, h: number, tEnd: number, each?: () => void): void {
  for (let k = Math.round(tEnd / h); k > 0; k--) {
    const status = motion.advance();
    if (status !== 'ok') throw new Error(`${status} at t = ${motion.clock[0]}`);
    each?.();
  }
}

/** Largest |Φ| at the motion's present state. */
export function drift({ system, clock, q }: ConstrainedMotion): number {
  const residual = new Float64Array(system.rows);
  system.position(clock, q, residual);
  return Math.max(0, ...residual.map(Math.abs));
}

/** Kinetic and potential energy, J. */
export const energy = (system: MultibodySystem, { clock, q, v }: ConstrainedMotion): number =>
  system.kineticEnergy(v) + system.potentialEnergy(clock, q);
