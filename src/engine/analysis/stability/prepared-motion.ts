/** The motion of a model that is ready to run, for analyses that follow its disturbances. */
import { EngineError } from '../../errors';
import { readRowLaws } from '../../event-driven/rows/row-laws';
import type { PreparedModel } from '../../preparation/prepare';
import { eventSettings } from '../../run/schemes/event-driven';
import { MotionModel } from './motion-model';

/** @throws {EngineError} `not-analysed` for a model whose disturbances are not followed */
export function preparedMotion({ model, layout, settings, space }: PreparedModel): MotionModel {
  if (space !== null)
    throw notAnalysed(
      'This model has bodies in space, which the event-driven scheme does not simulate.',
      'Sweeps analyse it by time-stepping.',
    );
  const { impacts } = eventSettings(settings, settings.tEnd);
  if (readRowLaws(model, impacts?.type ?? 'Newton').kind.includes('joint'))
    throw notAnalysed(
      'This model has joints: disturbances along them are not followed.',
      'Describe it in coordinates that need no joints, or analyse it by sweeps.',
    );
  const { t0: _, tEnd: __, ...motionSettings } = eventSettings(settings, settings.tEnd);
  return new MotionModel(model, layout, motionSettings);
}

const notAnalysed = (message: string, remedy: string): EngineError =>
  new EngineError({ code: 'not-analysed', message, remedy });
