/** Recovery of unsaved documents. */
export const enRecovery = {
  recovery: {
    title: 'Unsaved models of an earlier session',
    what: 'The window or the program ended before these changes were saved. Recovered models open in tabs of their own; nothing is written to their files until you save.',
    noFile: 'Never saved to a file',
    last: 'Last change {time} · {edits}',
    edits: '{number} edit | {number} edits',
    later: 'Later',
    recover: 'Recover {number} model | Recover {number} models',
    discardTitle: 'Discard the changes of {number} model? | Discard the changes of {number} models?',
    discardMessage: 'This cannot be undone. Files on disk are not changed.',
    none: 'There is nothing to recover.',
    command: 'Recover unsaved models…',
  },
};
