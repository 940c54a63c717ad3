/** Which of the mutants of a bundle is on, and which places have been executed. */
export const fault: { number: number; hits: Uint8Array } = { number: -1, hits: new Uint8Array(0) };
