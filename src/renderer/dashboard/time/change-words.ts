/** Changes of parameters in words. */
import type { ChangeMark, ValueWords } from '@figures/change-marks';
import { formatNumber } from '../../components/numbers';
import { text } from '../../i18n';

/** What a mark says in full. */
export const changeWords = (
  { t, changes }: ChangeMark,
  words: ValueWords = (_name, value) => formatNumber(value),
): string =>
  changes
    .map(({ name, from, to }) =>
      text('plot.changeAt', {
        name,
        time: formatNumber(t),
        from: words(name, from),
        to: words(name, to),
      }),
    )
    .join(' ');
