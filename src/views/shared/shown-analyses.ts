/**
 * What analyses have found, in the units that it is shown in: only what is drawn is scaled, results stay as
 * they are.
 */
import type {
  FoundBasins,
  FoundBranch,
  FoundExponents,
  FoundOrbit,
  NamedQuantity,
  SweepOutcome,
} from '@contract/analyses';
import type { ColourOptions, HeatMapView } from '@engine/document/types';
import { type DiagramPart, diagramParameter, diagramQuantities } from '../bifurcation/drawing';
import type { DisplayUnits } from '@figures/display-units';
import type { HeatMap } from '../heat-map/drawing';
import {
  scaled,
  scaledEnds,
  scaledRange,
  shownPlane,
  type ShownUnit,
  type ShownUnitOf,
} from '@figures/shown-units';

const factorsIn = (quantities: readonly NamedQuantity[], of: ShownUnitOf): number[] =>
  quantities.map(({ unit }) => of(unit).factor);

const named = (quantity: NamedQuantity, { unit }: ShownUnit): NamedQuantity =>
  unit === quantity.unit ? quantity : { ...quantity, unit };

const allNamed = (quantities: readonly NamedQuantity[], of: ShownUnitOf): NamedQuantity[] =>
  quantities.map((one) => named(one, of(one.unit)));

/**
 * Rows of numbers, one after the other, each column times its factor; the same array where nothing changes.
 */
function scaledColumns(rows: Float64Array, factors: readonly number[]): Float64Array {
  if (factors.every((factor) => factor === 1)) return rows;
  const width = factors.length;
  return rows.map((value, k) => value * (factors[k % width] ?? 1));
}

function shownSweep(part: SweepOutcome, { of, ofParameter }: DisplayUnits): SweepOutcome {
  const parameters = part.parameters.map(ofParameter);
  const across = parameters.map(({ factor }) => factor);
  const measures = factorsIn(part.measures, of);
  const section = factorsIn(part.signals, of);
  const isScaled = [...across, ...measures, ...section].some((factor) => factor !== 1);
  return {
    ...part,
    parameters: part.parameters.map((one, k) => named(one, parameters[k] ?? ofParameter(one))),
    measures: allNamed(part.measures, of),
    signals: allNamed(part.signals, of),
    axes: part.axes.map((values, k) => scaled(values, across[k] ?? 1)),
    values: scaledColumns(part.values, across),
    // What is gathered of points is kept with them: those that do not change stay the same.
    directions: isScaled
      ? part.directions.map((swept) => ({
          ...swept,
          measures: scaledColumns(swept.measures, measures),
          section: scaledColumns(swept.section, section),
        }))
      : part.directions,
  };
}

function shownBranch(part: FoundBranch, { of, ofParameter }: DisplayUnits): FoundBranch {
  const parameter = ofParameter(part.parameter);
  const states = factorsIn(part.states, of);
  const time = of('s').factor;
  return {
    ...part,
    parameter: named(part.parameter, parameter),
    states: allNamed(part.states, of),
    p: scaled(part.p, parameter.factor),
    period: scaled(part.period, time),
    x: scaledColumns(part.x, states),
    others: scaledColumns(part.others, states),
    special: part.special.map((one) => ({
      ...one,
      p: one.p * parameter.factor,
      period: one.period * time,
      x: scaledColumns(one.x, states),
      others: scaledColumns(one.others, states),
    })),
  };
}

/** A sweep or a branch as it is drawn. */
export const shownPart = (part: DiagramPart, units: DisplayUnits): DiagramPart =>
  part.kind === 'sweep' ? shownSweep(part, units) : shownBranch(part, units);

/**
 * How values of both axes of a diagram are shown.
 * @param parts in the units of the model
 * @param y as of the diagram
 */
export function diagramUnits(
  parts: readonly DiagramPart[],
  y: string,
  { of, ofParameter }: DisplayUnits,
): { x: ShownUnit; y: ShownUnit } {
  const quantities = diagramQuantities(parts);
  const quantity = quantities.find(({ name }) => name === y) ?? quantities[0];
  return {
    x: ofParameter(diagramParameter(parts) ?? { name: '' }),
    y: of(quantity?.unit ?? ''),
  };
}

/**
 * How values of the axes of a heat map, and those that colours tell, are shown.
 * @param map in the units of the model
 */
export const heatUnits = (
  map: HeatMap | null,
  { of, ofParameter }: DisplayUnits,
): { x: ShownUnit; y: ShownUnit; colour: ShownUnit } => ({
  x: ofParameter(map?.x ?? { name: '' }),
  y: ofParameter(map?.y ?? { name: '' }),
  colour: of(map?.quantity.unit ?? ''),
});

/** A heat map as it is drawn. */
export function shownHeatMap(map: HeatMap, units: DisplayUnits): HeatMap {
  const { x, y, colour } = heatUnits(map, units);
  return {
    x: named(map.x, x),
    y: named(map.y, y),
    quantity: named(map.quantity, colour),
    xValues: scaled(map.xValues, x.factor),
    yValues: scaled(map.yValues, y.factor),
    values: scaled(map.values, colour.factor),
    crosses: map.crosses,
    range: map.range === null ? null : scaledRange(map.range, colour.factor),
  };
}

/**
 * What a view says of a heat map, with numbers in the units that are shown.
 * @param map in the units of the model
 */
export function shownHeatView(view: HeatMapView, map: HeatMap | null, units: DisplayUnits): HeatMapView {
  const { x, y, colour } = heatUnits(map, units);
  const { colourRange }: ColourOptions = view;
  return {
    ...shownPlane(view, x.factor, y.factor),
    ...(colourRange === undefined ? {} : { colourRange: scaledEnds(colourRange, colour.factor) }),
  };
}

/** How values of both axes of a map of basins are shown. @param found in the units of the model */
export const basinUnits = (
  found: FoundBasins | null,
  { ofParameter }: DisplayUnits,
): { x: ShownUnit; y: ShownUnit } => ({
  x: ofParameter(found?.x ?? { name: '' }),
  y: ofParameter(found?.y ?? { name: '' }),
});

/** Basins as they are drawn. */
export function shownBasins(found: FoundBasins, units: DisplayUnits): FoundBasins {
  const { x, y } = basinUnits(found, units);
  const states = factorsIn(found.states, units.of);
  return {
    ...found,
    x: named(found.x, x),
    y: named(found.y, y),
    states: allNamed(found.states, units.of),
    xValues: scaled(found.xValues, x.factor),
    yValues: scaled(found.yValues, y.factor),
    attractors: found.attractors.map((one) => ({ ...one, points: scaledColumns(one.points, states) })),
  };
}

/** An orbit as its portrait is drawn: its states and its curve. Its multipliers have no unit. */
export const shownOrbit = (orbit: FoundOrbit, { of }: DisplayUnits): FoundOrbit => ({
  ...orbit,
  states: allNamed(orbit.states, of),
  curve: scaledColumns(orbit.curve, [of('s').factor, ...factorsIn(orbit.states, of)]),
});

/** Exponents as they are drawn, in the unit chosen for 1/s; their times in that for s. */
export function shownExponents(found: FoundExponents, { of }: DisplayUnits): FoundExponents {
  const rate = of('1/s').factor;
  return {
    ...found,
    exponents: scaled(found.exponents, rate),
    errors: scaled(found.errors, rate),
    times: scaled(found.times, of('s').factor),
    history: scaled(found.history, rate),
  };
}
