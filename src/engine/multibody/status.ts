/** Outcomes of the motion of constrained bodies. They are values: a numerical outcome never throws. */
export type MotionStatus =
  'ok' | 'singularConstraints' | 'singularDependentBlock' | 'positionNotConverged' | 'notFinite';

/** What each status means and what a user can do about it. */
export const MOTION_STATUS_HELP: Readonly<Record<MotionStatus, { message: string; remedy: string }>> = {
  ok: { message: 'solved', remedy: '' },
  singularConstraints: {
    message:
      'the constraints have become dependent on one another, so that accelerations and joint forces are not determined',
    remedy:
      'The mechanism passes a dead point, or two constraints say the same. Start elsewhere, remove the redundant constraint, or choose other dimensions.',
  },
  singularDependentBlock: {
    message:
      'the dependent coordinates no longer follow from the independent ones, and no other choice of them does better',
    remedy: 'Reduce the time step, or choose projection or Baumgarte stabilisation, which need no partition.',
  },
  positionNotConverged: {
    message: "Newton's method found no positions that satisfy the constraints",
    remedy:
      'Reduce the time step. If that does not help, the mechanism cannot be assembled in the position asked for: look at lengths and drivers.',
  },
  notFinite: {
    message: 'positions, velocities or forces are no longer finite',
    remedy: 'Reduce the time step, and check forces and drivers.',
  },
};
