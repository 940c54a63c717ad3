/** The outcome of `moreau compare` as one JSON object. Keys are a contract. */
import type { RemoteError } from '@contract/errors';
import { isCertified, worstOf } from '@contract/verdict';
import type { Completeness } from '@engine/run/schemes/scheme';
import type { CompareResult, ContactDifference, RunInfo, StepLengthOrders } from '@contract/methods';

export interface ComparedRunSummary {
  scheme: string;
  /** s; of the event-driven run, the distance of its rows */
  h: number;
  status: 'done' | 'failed' | 'cancelled';
  steps: number;
  /** by time-stepping, contacts that closed */
  events: number;
  wallSeconds: number;
  stepsPerSecond: number;
  worstResidual: number;
  /** whether the equations of the scheme hold in what was computed */
  certified: boolean;
  /** whether no event was missed, or the resolution, s, at which some were looked for */
  complete?: Completeness;
  warnings: string[];
}

type ContactSummary = Omit<ContactDifference, 'pairs'> & { pairs: { reference: number[]; other: number[] } };
type DifferenceSummary = Omit<
  CompareResult['others'][number],
  'runId' | 'name' | 'solved' | 'complete' | 'contacts'
> & {
  contacts: ContactSummary[];
};
type OrderSummary = Omit<StepLengthOrders, 'coarse' | 'fine'> & { hCoarse: number; hFine: number };

/** Differences from the event-driven run. */
export interface DifferencesSummary {
  from: number;
  to: number;
  signals: CompareResult['signals'];
  /** by step length, as in `runs` */
  differences: DifferenceSummary[];
  orders: OrderSummary[];
}

export interface ComparisonSummary {
  status: 'done' | 'failed' | 'cancelled';
  title: string;
  /** the event-driven run first, then time-stepping with h, h/2, …; those that never began are missing */
  runs: ComparedRunSummary[];
  /** over the whole time; null unless all runs are done */
  whole: DifferencesSummary | null;
  /** over the time until the runs separate; null where they do not */
  together: DifferencesSummary | null;
  error?: RemoteError;
}

export function runSummary(run: RunInfo): ComparedRunSummary {
  const { steps, events, wallSeconds, stepsPerSecond, certificate, complete } = run.statistics;
  return {
    scheme: run.scheme,
    h: run.h,
    status: run.state === 'done' || run.state === 'failed' ? run.state : 'cancelled',
    steps,
    events,
    wallSeconds,
    stepsPerSecond,
    worstResidual: worstOf(certificate),
    certified: isCertified(certificate),
    ...(complete !== undefined && { complete }),
    warnings: run.warnings,
  };
}

export function differencesSummary({ from, to, signals, others, orders }: CompareResult): DifferencesSummary {
  return {
    from,
    to,
    signals,
    // What each run is worth stands in `runs`.
    differences: others.map(({ scheme, h, rows, interpolated, signals: compared, contacts }) => ({
      scheme,
      h,
      rows,
      interpolated,
      signals: compared,
      contacts: contacts.map(({ pairs, ...contact }) => ({
        ...contact,
        pairs: { reference: [...pairs.reference], other: [...pairs.other] },
      })),
    })),
    orders: orders.map(({ coarse, fine, ...rest }) => ({
      hCoarse: others[coarse].h ?? 0,
      hFine: others[fine].h ?? 0,
      ...rest,
    })),
  };
}
