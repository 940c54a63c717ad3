/** English texts of the start page and of recent files. */
export const enStart = {
  start: {
    command: 'Start page',
    title: 'Model non-smooth dynamics',
    lead: 'Impacts, friction, ideal diodes and switches. Draw or script a model, run it, and check every number.',
    begin: 'Begin',
    recent: 'Recent files',
    openRecent: 'Open recent',
    noRecent: 'Files that you open or save appear here.',
    clearRecent: 'Clear list',
    unsaved: 'Unsaved models',
    unsavedFound: '{number} model was left unsaved. | {number} models were left unsaved.',
    look: 'Review them…',
    examples: 'Examples',
    allExamples: 'All examples…',
    tutorials: 'Tutorials',
    onStart: 'On start',
    back: 'Back to the model',
  },
};
