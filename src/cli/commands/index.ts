/**
 * The commands, in the order of the help: a new one is a file and a line here. Each is loaded when it is
 * asked for, with what it needs and no more.
 */
import type { CliCommand } from '../command';

export const commands: Readonly<Record<string, () => Promise<CliCommand>>> = {
  run: async () => (await import('./run')).runCommand,
  measure: async () => (await import('./measure')).measureCommand,
  compare: async () => (await import('./compare')).compareCommand,
  sweep: async () => (await import('./sweep')).sweepCommand,
  worker: async () => (await import('./worker')).workerCommand,
  analyse: async () => (await import('./analyse')).analyseCommand,
  validate: async () => (await import('./validate')).validateCommand,
  export: async () => (await import('./export')).exportCommand,
  import: async () => (await import('./import')).importCommand,
  examples: async () => (await import('./examples')).examplesCommand,
  bench: async () => (await import('./bench')).benchCommand,
  serve: async () => (await import('./serve')).serveCommand,
};

/** All of them, for the overview. */
export const allCommands = (): Promise<CliCommand[]> =>
  Promise.all(Object.values(commands).map((load) => load()));
