/** What a command of the command line is. */
import type { Worker } from 'node:worker_threads';
import type { Installation } from '@main/installation';

export interface FlagDefinition {
  type: 'string' | 'boolean';
  /** may be given more than once */
  multiple?: boolean;
  /** stands for the value in the help, e.g. `FILE` */
  value?: string;
  help: string;
}

export interface PositionalDefinition {
  name: string;
  help: string;
  required: boolean;
  repeated?: boolean;
}

/** Flags and positionals as given; definitions guarantee names, kinds and counts. */
export interface CommandArguments {
  text(flag: string): string | undefined;
  texts(flag: string): string[];
  has(flag: string): boolean;
  /** names of those that are given */
  readonly flags: readonly string[];
  positionals: string[];
}

/** The world of a command, so that it can be tested without a process. */
export interface CliContext {
  place: Installation;
  /** a thread that has begun to load the engine, for a command that computes */
  engineThread?: Worker;
  /** results */
  out: (text: string) => void;
  /** progress and errors */
  note: (text: string) => void;
  /** whether notes go to a terminal, on which a bar can be redrawn */
  terminal: boolean;
  /** calls back at the first SIGINT or SIGTERM; @returns a function that ends it */
  onInterrupt(action: () => void): () => void;
}

export interface CliCommand {
  name: string;
  summary: string;
  positionals: readonly PositionalDefinition[];
  flags: Readonly<Record<string, FlagDefinition>>;
  /** further paragraphs of the help; a function where they need what only this command loads */
  notes?: readonly string[] | (() => Promise<readonly string[]>);
  /** @returns the exit code */
  run(args: CommandArguments, context: CliContext): Promise<number>;
}

/** Exit codes; they are a contract. */
export const EXIT = { done: 0, unexpected: 1, invalid: 2, failed: 3, cancelled: 4, notCertified: 5 } as const;

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
