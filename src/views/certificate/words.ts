/** What stands in the legend. */
export const certificateWords = {
  residuals: {
    dynamics: 'equations of motion',
    complementarity: 'laws',
    coneViolation: 'cones',
    energyDrift: 'energy balance',
    limit: 'limit',
  },
} as const;
