/** How accurate a run is, measured by finer ones once it is over. */
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { CliContext, CommandArguments, FlagDefinition } from './command';
import type { Interruption } from './interruption';
import { detailsOf, failureText } from './report';

export const ACCURACY_FLAGS = {
  accuracy: { type: 'boolean', help: 'measure the accuracy of a long run, too' },
  'no-accuracy': { type: 'boolean', help: 'do not measure how accurate the run is' },
} as const satisfies Record<string, FlagDefinition>;

/** The run with what finer ones tell, which an interrupt ends. */
export async function withAccuracy(
  host: Dispatcher,
  run: RunInfo,
  args: CommandArguments,
  context: CliContext,
  interruption: Interruption,
): Promise<RunInfo> {
  if (run.state !== 'done' || args.has('no-accuracy') || interruption.asked) return run;
  const given = new Promise<RunInfo>((resolve) => interruption.react(() => resolve(run)));
  try {
    const known = host.dispatch('run.accuracy', { runId: run.runId, long: args.has('accuracy') });
    return await Promise.race([known, given]);
  } catch (error) {
    context.note(failureText(detailsOf(error)));
    return run;
  } finally {
    interruption.react(() => undefined);
  }
}
