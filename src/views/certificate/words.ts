/** The texts of the view, in the window and in files. */
export const certificateWords = {
  title: 'Certificate over time',
  label: 'Worst residuals over time. Arrow keys pan, plus and minus zoom, 0 shows all.',
  stretches: 'The worst step of each stretch is drawn, so no peak is lost.',
  unavailable:
    'The certificate over time is not available: the run was interrupted, or saved by an earlier version.',
  residuals: {
    dynamics: 'equations of motion',
    complementarity: 'laws',
    coneViolation: 'cones',
    energyDrift: 'energy balance',
    limit: 'limit',
  },
  residualHelp: {
    dynamics: 'Residual of the equations of motion, relative to the largest of their terms so far',
    complementarity: 'Violation of complementarity and of other laws, relative to the largest values so far',
    coneViolation: 'How far gaps, forces and impulses lie outside the admissible set, relative',
    energyDrift: 'Imbalance of energy, relative to the largest energy so far',
  },
} as const;
