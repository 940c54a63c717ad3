/** Outcomes of the motion of 3D bodies. They are values: a numerical outcome never throws. */
export type SpatialStatus =
  | 'ok'
  | 'rotationNotConverged'
  | 'loadsNotConverged'
  | 'inverted'
  | 'inertiaNotPositive'
  | 'singularConstraints'
  | 'drivesContradict'
  | 'projectionNotConverged'
  | 'projectionUnsolved'
  | 'velocitiesNotConverged'
  | 'rowsNotConverged'
  | 'contactsLost'
  | 'overlapUnsolved'
  | 'notFinite';

/** What each status means and what a user can do about it. */
export const SPATIAL_STATUS_HELP: Readonly<Record<SpatialStatus, { message: string; remedy: string }>> = {
  ok: { message: 'solved', remedy: '' },
  rotationNotConverged: {
    message: "Newton's method found no angular velocity at the end of the step",
    remedy: 'Reduce the time step: a body should turn by much less than a radian in a step.',
  },
  loadsNotConverged: {
    message:
      'loads and spin at the end of the step, and the velocities that follow from them, were not found',
    remedy:
      'Reduce the time step: bodies should turn by less than a radian in it, and loads change their velocities by less than a half. Half steps take loads as they find them.',
  },
  inverted: {
    message: 'a pseudo-rigid body has become flat or inside out',
    remedy:
      'Reduce the time step. If that does not help, it is hit harder than its material can bear: make it stiffer, or slow down what hits it.',
  },
  inertiaNotPositive: {
    message: 'a function of time gives an inertia that no body has',
    remedy:
      'Let it fill the nine entries of a symmetric positive definite matrix at all times; of bodies that move in a plane without products with z.',
  },
  singularConstraints: {
    message:
      'the joints have become dependent on one another, so that accelerations and joint forces are not determined',
    remedy: 'Two joints say the same, or the mechanism passes a dead point. Remove the redundant joint.',
  },
  drivesContradict: {
    message: 'these joints do not allow the speeds that the motors prescribe',
    remedy: 'Give the motors a limit, or remove the one that another joint or motor contradicts.',
  },
  projectionNotConverged: {
    message: 'the projection found no positions that satisfy joints and limits',
    remedy:
      'Reduce the time step. If that does not help, the mechanism cannot be assembled: look at lengths.',
  },
  projectionUnsolved: {
    message: 'the linearised conditions of joints and limits contradict each other',
    remedy: 'Look for limits that leave the joints no room, or choose another solver.',
  },
  velocitiesNotConverged: {
    message: 'no velocities were found that satisfy the joints where the step ends',
    remedy:
      'Reduce the time step: joints should turn by much less than a radian in it. Projection of the positions alone needs no such velocities.',
  },
  rowsNotConverged: {
    message: 'no end of the step was found at whose positions joints act as its velocities have it',
    remedy:
      'Reduce the time step: joints should turn by much less than a radian in it. Rows of joints at the predicted position need no iteration.',
  },
  contactsLost: {
    message: 'bodies touch at the projected positions that were not near one another in the step',
    remedy:
      'Reduce the time step: bodies should move by less than their size in it, and start without deep overlaps.',
  },
  overlapUnsolved: {
    message: 'no displacement was found that takes the bodies out of one another',
    remedy: 'Let overlaps stay, or look for bodies that are wedged between others.',
  },
  notFinite: {
    message: 'positions, velocities or forces are no longer finite',
    remedy: 'Reduce the time step, and check forces.',
  },
};
