/** The texts of the view. */
export const sectionWords = {
  label: 'Poincaré section {section}: {y} against {x}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  startOnClick: 'Click to start a trajectory there. When off, a click moves the cursor to the nearest point',
  startOnClickShort: 'Start on click',
  startAt: 'Start a trajectory at given values…',
  distance: 'Hausdorff distance from the compared runs',
  distanceIs: 'Hausdorff distance from {run}: {distance} of the extents ({there} there, {back} back).',
} as const;
