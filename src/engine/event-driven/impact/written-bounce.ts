/**
 * A contact without friction that is hit alone and bounces off, written out (ADR 0015): what `bouncesPlainly`
 * and `bounce` of `EventHandling` do.
 */
import type { StepWriter } from '../../straight-line/writer';
import type { EventState } from '../event-state';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { RowLaws } from '../rows/row-laws';
import { AT_REST, RESTING, type WrittenOutputs } from '../rows/row-state';
import type { EventLog } from '../event-log';
import type { Impact } from './impact';
import type { ZenoDetector } from './zeno';

/**
 * What rounding may leave of a gap at its root, relative to the lengths at hand, where nothing else is
 * close.
 */
export const PLAINLY_CLOSED = 1e-12;

export class WrittenBounce {
  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    private readonly steps: {
      readonly impact: Impact;
      readonly zeno: ZenoDetector;
      readonly events: EventLog;
    },
    private readonly smallestBounce: number,
  ) {}

  /**
   * Writes `bouncesPlainly`.
   * @param otherwise where that is not so
   */
  writePlain(
    w: StepWriter,
    row: number,
    { y, speed }: WrittenOutputs,
    curvature: string,
    otherwise: string,
  ): void {
    const { length, speed: fastest } = this.event.outputs.written(w, row);
    const after = w.constant(`-${w.literal(this.laws.restitution[row])} * ${speed[row]}`);
    const bend = `-4 * ${curvature} * ${w.literal(this.smallestBounce)} * ${length}`;
    w.line(`if (!(${after} > ${w.literal(RESTING)} * (${w.literal(AT_REST)} * ${fastest}))) ${otherwise}`);
    w.line(`if (!(abs(${y[row]}) <= ${w.literal(PLAINLY_CLOSED)} * ${length})) ${otherwise}`);
    w.line(`if (!(${curvature} >= 0 || ${after} * ${after} > ${bend})) ${otherwise}`);
  }

  /** What is the same of all events that are written out. */
  begin(): void {
    const { event } = this;
    event.isStart = false;
    event.isTimed = false;
    event.isPlastic.fill(0);
    event.isCandidate.fill(0);
    event.phaseCount = 0;
    event.impactCount = 1;
    event.end();
  }

  /**
   * Writes `bounce`, without what nothing reads before the next event.
   * @param x names of the components of the state, which are replaced where they change
   * @returns name of P, and names of ẏ behind
   */
  writeBounce(
    w: StepWriter,
    row: number,
    clock: Float64Array,
    { walls, speed }: WrittenOutputs,
    x: string[],
  ): { readonly impulse: string; readonly after: readonly string[] } {
    const { event } = this;
    const { impact, zeno, events } = this.steps;
    const impulse = impact.writeAlone(w, row, speed[row], x);
    const after = this.flow.rows.writeSpeeds(w, walls, x);
    event.outputs.writeSpeedsNoted(w, after, x);
    const time = `${w.bind(clock)}[0]`;
    events.write(w, row, { time, before: speed[row], after: after[row], impulse });
    w.line(`${w.bind(zeno)}.add(${row}, ${w.bind(clock)});`);
    return { impulse, after };
  }

  /** Writes what observers read of an event. */
  writeSeen(w: StepWriter, row: number, { speed }: WrittenOutputs, impulse: string): void {
    const { event } = this;
    const [impulses, before] = [w.bind(event.impulse), w.bind(event.speedBefore)];
    speed.forEach((name, r) => {
      w.line(`${before}[${r}] = ${name}; ${impulses}[${r}] = ${r === row ? impulse : '0'};`);
    });
  }
}
