/** A run that goes on from a saved state, as it is asked for with a document of its own. */
import { MoreauError } from '@contract/errors';
import type { MethodParams } from '@contract/methods';
import { EngineError } from '@engine/errors';
import { changedParameters, continuedRun, readState } from '@engine/run/continuation';
import type { RunSpecification } from '@engine/run/session';

type Start = MethodParams<'run.start'>;
type Asked = Pick<Start, 'document' | 'set' | 'h' | 'tEnd' | 'scheme' | 'project' | 'signals' | 'every'>;

/** What is wrong with a state, as an error of the host. */
export async function asMoreauErrors<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof EngineError ? new MoreauError(error.details) : error;
  }
}

/**
 * @param version of this program
 * @throws {MoreauError} why it cannot go on from that state
 */
export function continuedFrom(
  { state, file, time }: NonNullable<Start['from']>,
  { document, set = {}, h, tEnd, scheme, project, signals, every }: Asked,
  version: string,
): RunSpecification {
  try {
    const saved = readState(state, version, file);
    const { specification } = saved;
    const own = specification.scheme ?? specification.document.simulation.scheme;
    if (h !== undefined && h !== saved.h) throw otherSetting('/simulation/h', `${saved.h} s`, `${h} s`);
    if (scheme !== undefined && scheme !== own) throw otherSetting('/simulation/scheme', own, scheme);
    if (project === true)
      throw new MoreauError({
        code: 'state-of-other-model',
        message: 'A run that goes on from another one has no initial state to be projected onto joints.',
        remedy: 'Leave the projection out.',
      });
    const values = { ...changedParameters(specification.document, document), ...set };
    const continued = continuedRun(saved, { time, tEnd, set: values });
    return {
      ...continued,
      ...(signals === undefined ? {} : { signals }),
      ...(every === undefined ? {} : { every }),
    };
  } catch (error) {
    throw error instanceof EngineError ? new MoreauError(error.details) : error;
  }
}

const otherSetting = (pointer: string, before: string, now: string): MoreauError =>
  new MoreauError({
    code: 'state-of-other-model',
    message: `The state was computed with ${before}, and the run is to have ${now}: what a simulation remembers belongs to its scheme and its step.`,
    where: pointer,
    remedy: `Go on with ${before}, or start a run from the positions and velocities of the state.`,
  });
