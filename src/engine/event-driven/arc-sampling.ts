/**
 * Samples of the motion between two events for the certificate: five states about the middle of the stretch ahead, taken from
 * the continuous extension of the integration, which does not notice.
 */
import type { SmoothIntegrator } from '../smooth/smooth-integrator';
import type { SmoothStatus } from '../smooth/status';
import { type EventCertificate, SAMPLES } from './certificate';
import type { RowWriter } from './row-writer';

/** Distance of the samples as a part of the stretch. */
const DISTANCE = 1 / 8;
/** The sample whose equation of motion is judged; of the others only the motion is needed. */
const MIDDLE = (SAMPLES - 1) / 2;
/** Stretches shorter than this many units of rounding of the time are not sampled: differences would be all rounding. */
const SHORTEST = 2 ** 20 * Number.EPSILON;

export class ArcSampling {
  readonly #samples: readonly Float64Array[];
  /** [0] distance of the samples */
  readonly #distance = new Float64Array(1);

  constructor(
    private readonly integrator: SmoothIntegrator,
    private readonly writer: RowWriter,
    private readonly certificate: EventCertificate,
    size: number,
  ) {
    this.#samples = Array.from({ length: SAMPLES }, () => new Float64Array(size));
  }

  /** @returns `reached` when all samples were taken or none was to be, otherwise what ended the integration */
  advance(target: number, horizon: number): SmoothStatus {
    const { clock, x } = this.integrator;
    const start = clock[0];
    const stretch = target - start;
    if (!(stretch > SHORTEST * Math.max(1, Math.abs(target)))) return 'reached';
    const distance = DISTANCE * stretch;
    for (let k = 0; k < SAMPLES; k++) {
      const time = start + 0.5 * stretch + (k - MIDDLE) * distance;
      const status = this.integrator.advance(time, horizon);
      if (status !== 'reached') return status;
      if (k === MIDDLE) this.writer.write(clock, x, this.#samples[k]);
      else this.writer.writeMotion(clock, x, this.#samples[k]);
    }
    this.#distance[0] = distance;
    this.certificate.arc(this.#samples, this.#distance);
    return 'reached';
  }
}
