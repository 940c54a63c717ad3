/** The texts of the view. */
export const attractorWords = {
  title: 'Attractor',
  label:
    'Trajectory in the space of {x}, {y} and {z}. Arrow keys rotate it, plus and minus zoom, 0 restores the initial view.',
  curveHelp:
    'One row in this many is drawn: those where the curve enters a new cell of space, finer than a pixel. No part of the curve is left out.',
  camera: 'Camera',
  axis: 'Axis {axis}',
  axisIs: 'Axis {axis}: {name}',
} as const;
