/** What figures are drawn of. */
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { DisplayUnits } from '@figures/display-units';
import type { PlotTheme } from '@figures/palette';

export interface FigureSources {
  readonly dispatcher: Dispatcher;
  readonly run: RunInfo;
  /** runs that are drawn behind it, dashed */
  readonly compared: readonly RunInfo[];
  /** in which values are shown */
  readonly units: DisplayUnits;
  readonly theme: PlotTheme;
  /** of the chart, px */
  readonly width: number;
  readonly height: number;
  /** visible span of time, s; all where it is left out */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** moment that animations show, s; the end of what is visible where it is left out */
  readonly time?: number | undefined;
}
