/** The three verdicts on a run in words: solved, complete, accurate. */
import type { RunInfo, SignalAccuracy } from '@contract/methods';
import {
  decisiveSignal,
  gainsEnergy,
  type Judgement,
  type Verdict,
  verdictOf,
  worstOf,
} from '@contract/verdict';
import type { ShownUnitOf } from '@figures/shown-units';
import { formatResidual } from '../components/numbers';
import { text } from '../i18n';
import { toShown } from '../units/shown';
import { formatNumber } from '../components/numbers';

/** One verdict, for the badge and for the panel behind it. */
export interface VerdictWords {
  key: 'solved' | 'complete' | 'accurate';
  judgement: Judgement;
  /** a few words, such as “accurate to 3 mm, order 1” */
  words: string;
  /** what it says, and what may be done */
  explanation: string;
}

/** Prefixes of a thousand, from 10⁻¹² on. */
const PREFIXES = ['p', 'n', 'µ', 'm', '', 'k', 'M', 'G'] as const;
const NO_PREFIX = 4;
/** Units that take a prefix, alone or before a slash, such as m/s. */
const PREFIXED = /^(m|s|V|A|N|J|W|rad|C|F|H|Wb|Pa|Hz)(?=$|[ /·])/;

/** One digit is all that an estimate is worth, of values that begin with 1 two. */
const digitsOf = (value: number): number => (value.toExponential().startsWith('1') ? 2 : 1);

/** An error with its unit, 0.003 m as 3 mm. */
export function errorWords(value: number, unit: string, shownUnitOf: ShownUnitOf): string {
  const shown = shownUnitOf(unit);
  const scaled = toShown(value, shown);
  if (shown.factor !== 1 || !PREFIXED.test(unit) || !(scaled > 0))
    return `${formatNumber(scaled, digitsOf(scaled))} ${shown.unit}`.trim();
  const place = Math.floor(Math.log10(scaled) / 3);
  const prefix = PREFIXES[place + NO_PREFIX];
  if (prefix === undefined) return `${formatNumber(scaled, digitsOf(scaled))} ${unit}`;
  return `${formatNumber(scaled / 1000 ** place, digitsOf(scaled))} ${prefix}${unit}`;
}

const percentWords = (share: number): string => `${formatNumber(100 * share, 2)} %`;

/** @param shownUnitOf how values are shown in the window */
export function verdictWords(run: RunInfo, shownUnitOf: ShownUnitOf): VerdictWords[] {
  const verdict = verdictOf(run);
  return [solvedWords(run, verdict), completeWords(run, verdict), accurateWords(run, verdict, shownUnitOf)];
}

function solvedWords({ statistics }: RunInfo, { solved }: Verdict): VerdictWords {
  const residual = formatResidual(worstOf(statistics.certificate));
  return {
    key: 'solved',
    judgement: solved,
    words: text(solved === 'holds' ? 'verdict.solved' : 'verdict.notSolved', { residual }),
    explanation: text(solved === 'holds' ? 'verdict.solvedHelp' : 'verdict.notSolvedHelp'),
  };
}

function completeWords({ statistics, scheme }: RunInfo, { complete }: Verdict): VerdictWords {
  const known = statistics.complete;
  const key = 'complete';
  if (complete === 'fails')
    return {
      key,
      judgement: complete,
      words: text('verdict.missed'),
      explanation: text(scheme === 'time-stepping' ? 'verdict.passedHelp' : 'verdict.missedHelp'),
    };
  if (typeof known === 'object') {
    const resolution = formatResidual(known.resolution);
    return {
      key,
      judgement: complete,
      words: text('verdict.sampled', { resolution }),
      explanation: text('verdict.sampledHelp', { resolution }),
    };
  }
  if (known === undefined)
    return { key, judgement: complete, words: text('verdict.completeUnknown'), explanation: '' };
  const help = scheme === 'event-driven' ? 'verdict.completeHelp' : 'verdict.completeSteps';
  return { key, judgement: complete, words: text('verdict.complete'), explanation: text(help) };
}

function accurateWords(run: RunInfo, { accurate }: Verdict, shownUnitOf: ShownUnitOf): VerdictWords {
  const known = run.accuracy;
  const words = (said: string, explanation: string): VerdictWords => ({
    key: 'accurate',
    judgement: accurate,
    words: said,
    explanation,
  });
  const gain = run.statistics.energyGain ?? null;
  if (gain !== null && gainsEnergy(run.statistics)) {
    const figures = { share: percentWords(gain.share), limit: percentWords(gain.limit) };
    return words(text('verdict.gains', figures), text('verdict.gainsHelp', figures));
  }
  if (known === undefined) return words(text('verdict.notMeasured'), text('verdict.notMeasuredHelp'));
  if (known.state === 'measuring') return words(text('verdict.measuring'), text('verdict.measuringHelp'));
  if (known.state === 'unknown') return words(text('verdict.notMeasured'), known.message);
  const { until, parts, order } = known.accuracy;
  if (parts) {
    const time = formatNumber(until, 4);
    return words(text('verdict.parts', { time }), text('verdict.partsHelp', { time }));
  }
  const signal = decisiveSignal(known);
  if (signal === null || accurate === 'unknown')
    return words(text('verdict.noSignal'), text('verdict.noSignalHelp'));
  const { error, limit, unit } = signal;
  const figures = {
    name: signal.drawn ?? signal.name,
    error: errorWords(error ?? NaN, unit, shownUnitOf),
    limit: errorWords(limit, unit, shownUnitOf),
  };
  // A model without a state is as right in one step as in many.
  if (accurate === 'holds' && error === 0) return words(text('verdict.exact'), text('verdict.exactHelp'));
  const ofOrder = order === null ? '' : text('verdict.order', { order: formatNumber(order, 2) });
  return accurate === 'holds'
    ? words(text('verdict.accurate', figures) + ofOrder, text('verdict.accurateHelp', figures))
    : words(
        text('verdict.inaccurate', figures) + ofOrder,
        text(
          order === null && run.scheme === 'time-stepping' ? 'verdict.noOrderHelp' : 'verdict.inaccurateHelp',
          figures,
        ),
      );
}

/** Signals by how much of what they may be off they are, the worst first. */
export const worstFirst = (signals: readonly SignalAccuracy[]): SignalAccuracy[] =>
  [...signals].sort((a, b) => (b.error ?? 0) / (b.limit || 1) - (a.error ?? 0) / (a.limit || 1));
