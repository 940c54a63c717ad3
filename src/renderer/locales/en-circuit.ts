/** English texts of drawn circuits. */
export const enCircuit = {
  circuit: {
    components: '{number} component | {number} components',
    pin: '{end}: {label}. Drag from here to draw a wire.',
    wire: 'Wire {name}. Double-click to name it.',
    wireName: 'Name of the wire',
    values: 'Values of {name}',
    component: 'Component',
    net: 'Wire',
    joins: 'Joins',
    noEnds: 'No pins are joined.',
    removeEnd: 'Take {end} off the wire',
    noOthers: 'There is none in the drawing.',
    wireFrom: 'Draw a wire from {id}',
    wireHint: 'Search pins, such as {id}.{pin}',
    edit: {
      wire: 'Wire {from} to {to}',
      turn: 'Rotate {name}',
      mirror: 'Mirror {name}',
      cut: 'Cut {name}',
      lay: 'Lay {name}',
      insert: 'Insert {name} into {wire}',
    },
    command: {
      turn: 'Rotate components',
      mirror: 'Mirror components',
    },
  },
} as const;
