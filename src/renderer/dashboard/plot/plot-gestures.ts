/** What pointer, wheel and keys mean to a plot. */

/** New visible part, as fractions of the present one; y counts from the bottom. */
export interface RangeChange {
  x: [number, number];
  y: [number, number];
  /** the vertical axis that is meant; absent: all of them */
  axis?: number;
}

/** Position of the pointer in the plotting area, as fractions; y counts from the bottom. */
export interface PlotPointer {
  x: number;
  y: number;
}
