/** What scripts say on the console. */

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error';

/** A line as a script says it. */
export interface ConsoleLine {
  readonly script: string;
  readonly level: ConsoleLevel;
  readonly text: string;
  /** 1-based line of the call; to be asked for at once, null where it cannot be told */
  readonly line: () => number | null;
}

/** A line as it is kept and shown. */
export interface ConsoleMessage {
  script: string;
  level: ConsoleLevel;
  text: string;
  /** 1-based line of the call in the script */
  line: number | null;
  /** end of the last complete step when it was said, s; null before a run has begun */
  time: number | null;
}
