/** The texts of the view. */
export const phasePortraitWords = {
  title: 'Phase portrait',
  label: 'Phase portrait: {y} against {x}. Arrow keys pan, plus and minus zoom, 0 shows all.',
} as const;
