/** Texts of the dialog that makes figures of plots. */
export const enFigure = {
  figure: {
    command: 'Export figure…',
    commandOf: 'Export figure: {name}…',
    commandPane: 'Export chart of the analysis or comparison…',
    noPaneFigure: 'No chart of an analysis or a comparison is shown.',
    orbit: 'Periodic orbit',
    multipliers: 'Multipliers',
    exponents: 'Lyapunov exponents',
    diagram: 'Diagram of {y}',
    convergence: 'Convergence',
    commandDashboard: 'Export dashboard figure…',
    title: 'Export figure',
    export: 'Export',
    subject: 'Figure of',
    dashboard: 'The whole dashboard',
    format: 'Format',
    style: 'Style',
    styles: {
      publication: 'Publication',
      screen: 'As on the screen',
    },
    styleHelp: {
      publication:
        'Black on white, drawn anew from the recorded rows, as moreau export --figure does. Time series, portraits and sections keep what they are zoomed to.',
      screen: 'Colours of the theme, units and zoom as they are shown.',
    },
    width: 'Width, mm',
    height: 'Height, mm',
    dpi: 'Resolution, dots per inch',
    sizeHelp: 'Width and height lie between 0 and {most} mm.',
    dpiHelp: 'The resolution lies between 0 and {most} dots per inch.',
    tooLarge: 'The picture would have too many pixels. Lower its size or its resolution.',
    needsRun: 'No run is shown. Run the model first, or choose the style of the screen.',
    pixels: '{width} × {height} pixels',
  },
};
