/** Signals over time. */
import { z } from 'zod';
import {
  type Annotation,
  type CurveStyle,
  type LegendPlace,
  type PlotAxis,
  type ViewHead,
  annotations,
  curveStyles,
  head,
  legendPlace,
  plotAxes,
  signals,
} from '../../engine/document/views/common';

export interface TimeSeriesView extends ViewHead<'time-series'> {
  signals: string[];
  /** the first at the left; signals that none names stand where their unit is */
  axes?: PlotAxis[];
  /** default above */
  legend?: LegendPlace;
  styles?: CurveStyle[];
  annotations?: Annotation[];
  /**
   * whether the errors of signals are drawn around their curves, where the accuracy of the run is measured
   */
  hasErrorBand?: boolean;
}

export const timeSeries = z.strictObject({
  ...head<TimeSeriesView>('time-series'),
  signals,
  axes: plotAxes,
  legend: legendPlace,
  styles: curveStyles,
  annotations,
  hasErrorBand: z
    .boolean()
    .optional()
    .describe(
      'Whether the errors of signals are drawn as bands around their curves, where the accuracy of the run is measured.',
    ),
});
