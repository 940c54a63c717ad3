/**
 * What the fake host says of event-driven runs and of comparisons: figures made up so that a test knows them.
 */
import type { CompareResult, RunEvent, RunInfo } from '@contract/methods';
import { isCertified } from '@contract/verdict';

/** Events of the fake come this many steps after each other. */
export const STEPS_PER_EVENT = 900;

/**
 * Every tenth event is a take-off of `stop`, and event 7 an accumulation; the others are impacts of `cam`.
 */
export function fakeEvent(index: number, h: number): RunEvent {
  const isTakeOff = index % 10 === 9;
  const isZeno = index === 7;
  const time = (index + 1) * STEPS_PER_EVENT * h;
  const isImpact = !isTakeOff && !isZeno;
  return {
    time,
    kind: isTakeOff ? 'takeOff' : isZeno ? 'zeno' : 'impact',
    element: isTakeOff ? 'stop' : 'cam',
    row: isTakeOff ? 1 : 0,
    before: isImpact ? -1 - index : 0,
    after: isImpact ? (1 + index) / 2 : 0,
    impulse: isImpact ? 1.5 * (1 + index) : 0,
    accumulation: isZeno ? { time: time + 1 / 3, error: 2e-9 } : null,
  };
}

export const fakeEvents = (count: number, h: number): RunEvent[] =>
  Array.from({ length: count }, (_, index) => fakeEvent(index, h));

const contact = (
  h: number,
): Pick<
  CompareResult['others'][number]['contacts'][number],
  'signal' | 'element' | 'largest' | 'largestTime' | 'mean'
> => ({
  signal: 'cam.impulse',
  element: 'cam',
  largest: h / 2,
  largestTime: 0.5,
  mean: h / 4,
});

/** Where the runs of the fake separate, s. */
const AGREES_UNTIL = 1.5;

/**
 * Positions with an error of 2 h, velocities with one of 3 h², impact times with one of h/2.
 * @param to where the comparison ends, s
 */
export function fakeComparison(
  reference: RunInfo,
  others: readonly RunInfo[],
  to = reference.tEnd,
): CompareResult {
  const named = ({ runId, name, scheme, h, statistics }: RunInfo): CompareResult['reference'] => ({
    runId,
    name,
    scheme,
    h,
    solved: isCertified(statistics.certificate),
    complete: true,
  });
  const difference = (name: string, error: number): CompareResult['others'][number]['signals'][number] => ({
    name,
    maximum: 10 * error,
    maximumTime: 1,
    awayMaximum: 5 * error,
    awayMaximumTime: 1,
    mean: error,
    agreesUntil: Math.min(to, AGREES_UNTIL),
    notFinite: 0,
  });
  return {
    reference: named(reference),
    from: 0,
    to,
    endedBy: null,
    signals: [
      { name: 'follower.q', unit: 'm', kind: 'position', scale: 0.5 },
      { name: 'follower.v', unit: 'm/s', kind: 'velocity', scale: 4 },
    ],
    others: others.map((other) => ({
      ...named(other),
      rows: 100,
      interpolated: 0,
      signals: [difference('follower.q', 2 * other.h), difference('follower.v', 3 * other.h ** 2)],
      contacts: [
        {
          ...contact(other.h),
          referenceImpacts: 12,
          impacts: 11,
          isolated: 10,
          matched: 9,
          missed: 1,
          extra: 0,
          pairs: { reference: new Float64Array(0), other: new Float64Array(0) },
          lookedUntil: to,
        },
      ],
    })),
    orders: others.slice(1).map((_, k) => ({
      coarse: k,
      fine: k + 1,
      signals: [
        { name: 'follower.q', mean: 1, maximum: 0.9 },
        { name: 'follower.v', mean: 2, maximum: 1.9 },
      ],
      contacts: [{ signal: 'cam.impulse', element: 'cam', impacts: 9, mean: 1, maximum: 1 }],
    })),
  };
}
