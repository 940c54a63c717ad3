/**
 * A non-smooth event: what it is decided from, and what each step leaves for the next. Every field is written
 * in one place, in this order, and read by whatever comes behind it:
 *
 *     the end of a flight  time, isStart, isTimed, isFlagged, isJump             `event-driven.ts`
 *     resets               isReset                                               `impact/event-resets.ts`
 *     the motion before    xBefore, modesBefore, speedBefore                     `begin`
 *     impacts              impulse, impactCount, energyChange, phases, isPlastic `impact/`
 *     candidates           isCandidate                                           `impact/event-handling.ts`
 *     modes                isTie, carries, zeroForce                             `decision/mode-decision.ts`
 *     flights not seen     returns                                               `impact/event-handling.ts`
 *
 * The state x itself is the flight's, modes and multipliers λ are those of the flow (`flow/smooth-flow.ts`),
 * before the event and then behind it; `outputs` has y and ẏ of the state read last.
 */
import type { RowState } from './rows/row-state';

/** One problem of an impact and what it has come to, by row. */
export interface ImpactStage {
  /** ẏ before and after it */
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly impulse: Float64Array;
  /** 1 for contacts whose restitution is taken for 0 */
  readonly isPlastic: Uint8Array;
  kind: PhaseKind;
}

/** `end`: without restitution, of a sequence that may be infinite. */
export type PhaseKind = 'newton' | 'compression' | 'expansion' | 'end';

export class EventState {
  /** [0] time of the event, s; the state is that just behind it where something jumps at a known time */
  readonly time = new Float64Array(1);
  /** whether there is nothing before, so that modes before the event are of no interest */
  isStart = false;
  /**
   * whether the event is at a given time, the same for all motions nearby: only jumps of functions of time
   * have made it
   */
  isTimed = false;
  /** whether states have jumped by resets: what was kept at zero may be elsewhere, which is no drift */
  isReset = false;
  /** 1 for rows of interactions that are absent behind the event */
  readonly isAbsent: Uint8Array;
  /** 1 for rows of which an event function has passed zero */
  readonly isFlagged: Uint8Array;
  /** 1 for those whose function jumped across zero */
  readonly isJump: Uint8Array;

  /** x before the event, the modes, and ẏ by row */
  readonly xBefore: Float64Array;
  readonly modesBefore: Int8Array;
  readonly speedBefore: Float64Array;

  /** P of all impacts of the event, by row */
  readonly impulse: Float64Array;
  /** impacts of the event: more than one where impulses have turned contacts round */
  impactCount = 0;
  /** T⁺ − T⁻ that the law of impacts asks for, J; NaN where it says nothing of energy */
  energyChange = Number.NaN;
  /** problems of the impacts, by Newton's law or Poisson's; `phaseCount` of them are valid */
  readonly phases: ImpactStage[] = [];
  phaseCount = 0;
  /** 1 for contacts whose bounce is left out because it is negligible, by row */
  readonly isPlastic: Uint8Array;

  /** 1 for rows that may be ACTIVE behind the event */
  readonly isCandidate: Uint8Array;

  /** 1 for candidates whose λ starts at a bound because a tie remained */
  readonly isTie: Uint8Array;
  /** 1 for ACTIVE rows whose λ is inside its bounds, so that it can follow the motion both ways */
  readonly carries: Uint8Array;
  /** magnitude of what counts as zero in λ of each candidate */
  readonly zeroForce: Float64Array;

  /**
   * Times at which contacts come back that have been pushed off without an impulse of their own, lower than
   * roots of the gap can be told from rounding; NaN of others. To take such a speed away at once would take
   * momentum away.
   */
  readonly returns: Float64Array;

  /**
   * @param outputs y and ẏ at the state read last, with their magnitudes
   * @param count number of rows
   * @param size length of x
   */
  constructor(
    readonly outputs: RowState,
    count: number,
    size: number,
  ) {
    this.isAbsent = new Uint8Array(count);
    this.isFlagged = new Uint8Array(count);
    this.isJump = new Uint8Array(count);
    this.xBefore = new Float64Array(size);
    this.modesBefore = new Int8Array(count);
    this.speedBefore = new Float64Array(count);
    this.impulse = new Float64Array(count);
    this.isPlastic = new Uint8Array(count);
    this.isCandidate = new Uint8Array(count);
    this.isTie = new Uint8Array(count);
    this.carries = new Uint8Array(count);
    this.zeroForce = new Float64Array(count);
    this.returns = new Float64Array(count).fill(NaN);
  }

  /** An event function of a row has passed zero. @param jump 1 where it jumped across */
  flag(row: number, jump: number): void {
    this.isFlagged[row] = 1;
    this.isJump[row] = jump;
  }

  /**
   * Whether what happens is only what functions of time do at a given time.
   * @param happens whether something does
   */
  isOnlyTimed(happens: boolean): boolean {
    const { isFlagged, isJump } = this;
    let isTimed = happens;
    for (let row = 0; row < isFlagged.length; row++)
      if (isFlagged[row] === 1 && isJump[row] === 0) isTimed = false;
    return isTimed;
  }

  /**
   * Takes note of the motion before the event, of which nothing has happened yet.
   * @param modes of the flow
   */
  begin(x: Float64Array, modes: Int8Array): void {
    this.xBefore.set(x);
    this.modesBefore.set(modes);
    this.speedBefore.set(this.outputs.speed);
    this.isPlastic.fill(0);
    this.impulse.fill(0);
  }

  /** The event is over: functions that have passed zero are those of the next one. */
  end(): void {
    this.isFlagged.fill(0);
    this.isJump.fill(0);
    this.isReset = false;
  }

  /** As before the first event. */
  clear(): void {
    this.end();
    this.isCandidate.fill(0);
    this.impulse.fill(0);
  }
}
