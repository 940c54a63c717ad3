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
        'Black on white, redrawn from the recorded rows, as by moreau export --figure. Time series, portraits and sections keep their zoom.',
      screen: 'Colours, units and zoom as shown in the window.',
    },
    width: 'Width, mm',
    height: 'Height, mm',
    dpi: 'Resolution, dots per inch',
    sizeHelp: 'Width and height must be between 0 and {most} mm.',
    dpiHelp: 'The resolution must be between 0 and {most} dots per inch.',
    tooLarge: 'The picture would have too many pixels. Reduce its size or resolution.',
    needsRun: 'No run is shown. Run the model first, or choose the screen style.',
    pixels: '{width} × {height} pixels',
  },
};
