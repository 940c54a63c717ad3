/** A failed call of a script function in words. */
import type { RemoteError } from '@contract/errors';
import { formatNumber } from '../components/numbers';
import { text } from '../i18n';

/** `“push” of “ball” · step 51 · t = 0.5 s` */
export function callHeadline({ call, time }: RemoteError): string {
  if (call === undefined) return '';
  const of = { name: call.function, element: call.element };
  return [
    text(call.isDerivative ? 'failure.derivative' : 'failure.call', of),
    ...(call.step === undefined ? [] : [text('failure.step', { step: call.step })]),
    ...(time === undefined ? [] : [text('failure.time', { time: formatNumber(time) })]),
  ].join(' · ');
}
