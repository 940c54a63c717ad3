/** Properties of `PlotPanel`, from what asks and draws. */
import type { Margins } from '@figures/axes';
import type { EChartsOption } from 'echarts';
import type { Ref } from 'vue';
import type { PlotPointer, RangeChange } from './plot-gestures';

interface Size {
  width: number;
  height: number;
}

interface PanelState {
  readonly size: Size;
  readonly boxZoom: boolean;
  readonly pointer: PlotPointer | null;
  readonly 'onUpdate:size': (size: Size) => void;
  readonly 'onUpdate:boxZoom': (on: boolean) => void;
  readonly 'onUpdate:pointer': (at: PlotPointer | null) => void;
}

export interface PanelPlot extends PanelState {
  readonly option: EChartsOption;
  readonly margins: Margins;
  readonly zoomed: boolean;
  readonly isOverTime?: boolean;
  /** marks and gestures of the surface that not every plot has */
  readonly surface?: Readonly<Record<string, unknown>>;
  readonly onRange: (change: RangeChange) => void;
  readonly onReset: () => void;
}

/** What a panel reports of itself, kept by the plot. */
export const panelState = (of: {
  readonly size: Ref<Size>;
  readonly boxZoom: Ref<boolean>;
  readonly pointer: Ref<PlotPointer | null>;
}): PanelState => ({
  size: of.size.value,
  boxZoom: of.boxZoom.value,
  pointer: of.pointer.value,
  'onUpdate:size': (size) => (of.size.value = size),
  'onUpdate:boxZoom': (on) => (of.boxZoom.value = on),
  'onUpdate:pointer': (at) => (of.pointer.value = at),
});

/** A term under the pointer and its value. */
export interface ReadoutLine {
  readonly term: string;
  readonly value: string;
  /** of the curve that it is of */
  readonly color?: string | undefined;
  /** in words, not in figures */
  readonly isText?: boolean;
}

/** A name in the header. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  readonly help?: string;
  /** of an area, not of a curve */
  readonly isBlock?: boolean;
  /** whether it is the name of a signal */
  readonly isSignal?: boolean;
}
