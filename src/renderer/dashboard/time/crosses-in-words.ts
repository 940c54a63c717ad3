/** The label of a chart with its crosses in words, for those who do not see them. */
import { counted } from '../../i18n';

/** @param crosses points that a verdict fails of */
export const withCrosses = (label: string, crosses: number): string =>
  crosses === 0 ? label : `${label} ${counted('analysis.crosses', crosses)}`;
