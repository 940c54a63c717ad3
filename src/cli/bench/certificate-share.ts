/**
 * What of a step is its certificate: the same steps with and without, in turn. Without it nothing is judged,
 * which only a measurement may do.
 */
import { MoreauError } from '@contract/errors';
import type { ModelDocument } from '@engine/document/types';
import { compileRun } from '@engine/run/compile-run';
import { createSandbox } from '@engine/script/sandbox';
import { TimeStepping } from '@engine/time-stepping/time-stepping';
import { type Measurement, median, seconds } from './benchmark';
import type { StepModel } from './step-run';
import { alternately } from './twin';

/** Odd, so that the median is one of them. */
const RUNS = 7;
/** Until both are compiled: time of steps without certificate, s, and most runs. */
const WARM_UP_TIME = 1;
const MOST_WARM_UPS = 3000;

/** @throws {MoreauError} when the model is refused */
export function certificateShare(model: StepModel, document: ModelDocument): Measurement {
  const { parameters, h, warmUp, steps } = model;
  const tEnd = h * (warmUp + steps);
  const compiled = compileRun({ document, h, tEnd }, parameters, () => createSandbox());
  if (!compiled.ok) throw new MoreauError(compiled.error);
  const { prepared } = compiled;
  const time = (isCertified: boolean): number => {
    const settings = { ...prepared.settings, loop: 'straight-line' as const };
    const simulation = new TimeStepping(prepared.model, prepared.layout, settings);
    if (!isCertified) {
      simulation.certificate.check = () => true;
      simulation.certificate.write = () => 'true';
    }
    const advance = (count: number): void => {
      for (const end = simulation.step + count; simulation.step < end;)
        simulation.stride(end - simulation.step, Infinity);
    };
    advance(warmUp);
    return seconds(() => {
      advance(steps);
    });
  };
  for (let spent = 0; spent < WARM_UP_TIME;) {
    time(true);
    spent += Math.max(time(false), WARM_UP_TIME / MOST_WARM_UPS);
  }
  const [whole, blind] = alternately(
    () => time(true),
    () => time(false),
    RUNS,
  );
  return { quantity: 'certificate, part of a step', value: 1 - median(blind) / median(whole), unit: '' };
}
