/** Where the points of sections are recorded, and what readers know them by. */

/** File of a section beside the recording of its run. @param index of the section in the run */
export const sectionFile = (recording: string, index: number): string =>
  `${recording.replace(/\.rows$/, '')}.section-${index}.rows`;

/** What the reader knows the recording of a section by. No run has such an id. */
export const sectionKey = (runId: string, index: number): string => `${runId}/section-${index}`;
