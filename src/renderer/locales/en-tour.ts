/** Texts of the tour of the window. */
export const enTour = {
  tour: {
    command: 'Five-minute tour',
    label: 'Tour of the window',
    place: '{step} of {count}',
    back: 'Back',
    next: 'Next',
    skip: 'End the tour',
    done: 'Done',
    step: {
      model: {
        title: 'A model is systems and interactions',
        text: 'This is a ball over a floor. Boxes are what moves, round ones what acts between: click one, and its equations and values stand below. “Add” puts new ones here; drag from port to port to link them.',
      },
      parameters: {
        title: 'Numbers have names',
        text: 'Type a value or drag a slider. With the switch on, the model runs again as you drag. Any field of the model takes an expression of these names.',
      },
      run: {
        title: 'Run it',
        text: 'The arrow beside the button has more: start paused, run with other settings, slow motion. The square ends a run at once, whatever a script does.',
      },
      plots: {
        title: 'Look at it',
        text: 'The wheel zooms, dragging moves, a double click shows all again, a click puts the cursor of all plots there. “Add plot” has phase portraits, Poincaré sections, spectra, energy, animations and more.',
      },
      certificate: {
        title: 'Know that it is right',
        text: 'Each run is checked by code that knows nothing of the solver: whether its equations hold, whether an event was missed, and how accurate each signal is. Click it for the figures.',
      },
      script: {
        title: 'Write what cannot be drawn',
        text: 'Forces, laws, controls and whole models in TypeScript, with completion and with derivatives found by themselves. “Text” is the same model as JSON. All three are views of one model, and undo works in each.',
      },
      analyses: {
        title: 'Measure its dynamics',
        text: 'Bifurcation diagrams, basins, periodic orbits, Floquet multipliers and Lyapunov exponents across impacts go on here while you work.',
      },
      everything: {
        title: 'Everything else',
        text: 'Each command has a name and is found here; most have keys. “Export figure” and “Export data” take the results away. Help has tutorials, how-to pages and the theory, also without a network.',
      },
    },
  },
};
