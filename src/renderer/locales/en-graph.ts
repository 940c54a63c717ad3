/** English texts of the graph editor. */
export const enGraph = {
  graphEditor: {
    stage: 'Drawing. Type to add an element; arrow keys move, Alt with arrow keys follows links.',
    nodes: '{number} node | {number} nodes',
    selectedNode: '{node}, selected',
    edge: 'Link of {interaction} and {system}',
    missingEdge: 'Broken link of {interaction}: {system} does not exist',
    missing: 'missing: {system}',
    missingWhy:
      '{interaction} links “{system}”, which does not exist. Click to open {interaction}; unlink it there, or add a system of that name.',
    port: 'Port of {id}: {port}. Drag from here to link.',
    arranging: 'Arranging the graph…',
    portBody: 'body',
    portSystem: 'system',
    stopArranging: 'Stop, and use a grid',
    expand: 'Draw them all',
    align: {
      left: 'Align left edges',
      centre: 'Align centres',
      right: 'Align right edges',
      top: 'Align top edges',
      middle: 'Align middles',
      bottom: 'Align bottom edges',
    },
    distribute: { x: 'Distribute horizontally', y: 'Distribute vertically' },
    command: {
      fit: 'Fit graph',
      zoomSelection: 'Zoom to selection',
      selectAll: 'Select all nodes',
      delete: 'Delete selection',
    },
  },
} as const;
