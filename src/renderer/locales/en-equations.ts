/** English texts of the equations of a drawing. */
export const enEquations = {
  equations: {
    title: 'Equations',
    none: 'Nothing is drawn. Components become equations here.',
    broken: 'The drawing has errors: see Problems. Its equations are here once they are mended.',
    copy: 'Copy as LaTeX',
    copied: 'The equations are in the clipboard, as LaTeX.',
    row: 'Row',
    law: 'Law',
    while: 'While',
    always: 'always',
    plain: 'Turn into plain elements',
    edit: { plain: 'Turn the drawing into plain elements' },
    more: 'and {number} more entries',
  },
} as const;
