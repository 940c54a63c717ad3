/** What sets a run apart from the one before it. */
import type { RunInfo } from '@contract/methods';

/** A parameter with the value a run used. */
export interface ParameterDifference {
  name: string;
  value: number;
}

/**
 * Parameters of `run` that are new or have another value than in the run of the same model before it.
 * @param runs all runs, oldest first
 */
export function parameterChanges(run: RunInfo, runs: readonly RunInfo[]): ParameterDifference[] {
  const index = runs.findIndex((other) => other.runId === run.runId);
  const before = runs.slice(0, Math.max(0, index)).findLast((other) => other.title === run.title);
  if (before === undefined) return [];
  return Object.entries(run.parameters)
    .filter(([name, value]) => !Object.is(before.parameters[name], value))
    .map(([name, value]) => ({ name, value }));
}
