/** What was measured of the script functions of a run, in words. */
import type { FunctionFigures } from '@contract/methods';
import { formatNumber } from '../components/numbers';
import { text } from '../i18n';

const rounded = (value: number): string => formatNumber(Number(value.toPrecision(2)));

/** `38 ns per call · 2.1e6 calls · 12 % of the run` */
export function figuresText({ nanoseconds, callsPerStep, calls, share }: FunctionFigures): string {
  return [
    text('scripting.nanoseconds', { value: rounded(nanoseconds) }),
    text('scripting.callsEach', { value: rounded(callsPerStep) }),
    text('scripting.calls', { value: rounded(calls) }),
    ...(share === null ? [] : [text('scripting.share', { value: rounded(100 * share) })]),
  ].join(' · ');
}
