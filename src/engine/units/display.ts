/** Units that values are shown in: which are offered, and whether those of a model fit. */
import type { DocumentIssue, ModelDocument } from '../document/types';
import { conversion, unitProblemWords } from './conversion';

/** A unit to choose, and the factor of values in it. */
export interface UnitChoice {
  readonly unit: string;
  readonly factor: number;
}

/** Most units that a menu offers. */
const MOST_CHOICES = 12;

/** Quantities by the units that they are commonly given in. */
const QUANTITIES: readonly (readonly string[])[] = [
  ['m', 'cm', 'mm', 'µm', 'km', 'in', 'ft'],
  ['s', 'ms', 'µs', 'min', 'h'],
  ['rad', 'mrad', '°', 'rev'],
  ['kg', 'g', 't', 'lb'],
  ['m/s', 'mm/s', 'cm/s', 'km/h', 'ft/s'],
  ['rad/s', '°/s', 'rpm', 'rev/s'],
  ['m/s²', 'mm/s²', 'cm/s²', 'ft/s²'],
  ['rad/s²', '°/s²', 'rpm/s'],
  ['1/s', 'Hz', 'kHz', '1/ms', '1/min'],
  ['N', 'mN', 'kN', 'MN', 'lbf'],
  ['N/m', 'N/mm', 'kN/m', 'MN/m'],
  ['N s/m', 'N s/mm', 'kN s/m'],
  ['N s', 'mN s', 'kN s', 'kg m/s'],
  ['N m', 'mN m', 'N mm', 'kN m'],
  ['N m/rad', 'N m/°', 'kN m/rad'],
  ['J', 'mJ', 'kJ', 'MJ', 'W h', 'kW h'],
  ['W', 'mW', 'kW', 'MW', 'hp'],
  ['Pa', 'kPa', 'MPa', 'GPa', 'bar', 'N/mm²', 'psi'],
  ['kg m²', 'g m²', 'g cm²', 'kg mm²'],
  ['kg/m³', 'g/cm³', 't/m³'],
  ['m²', 'cm²', 'mm²'],
  ['m³', 'L', 'cm³', 'mm³'],
  ['V', 'mV', 'µV', 'kV'],
  ['A', 'mA', 'µA', 'kA'],
  ['Ω', 'mΩ', 'kΩ', 'MΩ'],
  ['F', 'mF', 'µF', 'nF', 'pF'],
  ['H', 'mH', 'µH'],
  ['C', 'mC', 'µC', 'A h'],
];

/** For units of no listed quantity: what stands in place of one of its parts. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  m: ['mm', 'cm'],
  s: ['ms'],
  rad: ['°'],
  kg: ['g'],
  N: ['mN', 'kN'],
  J: ['mJ', 'kJ'],
  V: ['mV', 'kV'],
  A: ['mA'],
};

function withOtherPart(unit: string): string[] {
  return [...unit.matchAll(/\p{L}+/gu)].flatMap(({ 0: part, index }) =>
    (Object.hasOwn(PARTS, part) ? (PARTS[part] ?? []) : []).map(
      (other) => unit.slice(0, index) + other + unit.slice(index + part.length),
    ),
  );
}

/**
 * Units that values in `unit` can be shown in, itself first; only itself where it is not known. Quantities of
 * one dimension, such as a torque and an energy, are offered by the one that is meant: that in whose list the
 * unit stands.
 */
export function unitChoices(unit: string): UnitChoice[] {
  const listed = QUANTITIES.find((list) => list.includes(unit));
  const alike = listed ?? QUANTITIES.find(([base]) => 'factor' in conversion(unit, base));
  const others = (alike ?? withOtherPart(unit)).filter((other) => other !== unit);
  const choices = others.flatMap((other): UnitChoice[] => {
    const found = conversion(unit, other);
    return 'factor' in found ? [{ unit: other, factor: found.factor }] : [];
  });
  return [{ unit, factor: 1 }, ...choices].slice(0, MOST_CHOICES);
}

/*
 * Checks the units that values are shown in. Physics never reads them: their defects are warnings, and a
 * model with them runs.
 */

/** Escapes one reference token. RFC 6901 §3. */
const token = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Defects of the display units of a document of sound structure. */
export function displayUnitIssues({
  displayUnits = {},
  parameters,
}: Pick<ModelDocument, 'displayUnits' | 'parameters'>): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  const warn = (
    place: string,
    words: { message: string; remedy: string },
    element: { element?: string } = {},
  ): void => {
    const pointer = `/displayUnits/${place}`;
    issues.push({ severity: 'warning', code: 'display-unit', pointer, ...element, ...words });
  };
  const check = (place: string, from: string, to: string, element: { element?: string } = {}): void => {
    const found = conversion(from, to);
    if ('problem' in found) warn(place, unitProblemWords(found.problem, from, to), element);
  };
  for (const [from, to] of Object.entries(displayUnits.units ?? {})) check(`units/${token(from)}`, from, to);
  const known = new Map(parameters.map(({ name, unit }) => [name, unit ?? '']));
  for (const [name, to] of Object.entries(displayUnits.parameters ?? {})) {
    const place = `parameters/${token(name)}`;
    const from = known.get(name);
    if (from === undefined)
      warn(place, {
        message: `A display unit is given for the parameter “${name}”, which does not exist.`,
        remedy: 'Remove it, or add a parameter of that name.',
      });
    else if (from === '' && to !== '')
      warn(
        place,
        {
          message: `The parameter “${name}” has no unit, so its value cannot be shown in “${to}”.`,
          remedy: 'Give the parameter its unit, or remove the display unit.',
        },
        { element: name },
      );
    else check(place, from, to, { element: name });
  }
  return issues;
}
