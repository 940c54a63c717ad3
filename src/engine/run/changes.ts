/** Parameters that change while a run goes on. */
import type { EngineErrorDetails } from '../errors';
import type { CompiledRun } from './compile-run';

/** What a change did to one parameter. */
export interface ParameterChange {
  /** s */
  readonly time: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Parameters whose values differ. */
export const differences = (
  time: number,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): ParameterChange[] =>
  Object.entries(after)
    .filter(([name, to]) => !Object.is(before[name], to))
    .map(([name, to]) => ({ time, name, from: before[name], to }));

/** Why a run cannot go on with other numbers; null when it can. */
export function changeRefusal(
  before: CompiledRun,
  after: CompiledRun,
  time: number,
): EngineErrorDetails | null {
  const was = before.prepared;
  const is = after.prepared;
  const refuse = (code: string, message: string): EngineErrorDetails => ({
    code,
    message,
    time,
    remedy: 'Start a run with the new value.',
  });
  const names = ({ prepared: { layout }, selected }: CompiledRun): string =>
    selected.map((i) => layout.signals[i].name).join('\n');
  if (was.layout.size !== is.layout.size || names(before) !== names(after))
    return refuse(
      'change-alters-sizes',
      'With these values the model has other elements or sizes, so that this run cannot go on.',
    );
  if (was.settings.h !== is.settings.h || was.settings.t0 !== is.settings.t0)
    return refuse(
      'change-alters-grid',
      'The time step or the start time depends on these parameters, and both are fixed while a run goes on.',
    );
  if (is.settings.tEnd <= time)
    return refuse('change-alters-grid', `With these values the run would have ended before t = ${time} s.`);
  return null;
}
