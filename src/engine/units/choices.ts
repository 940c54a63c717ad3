/** Units that values of a unit are commonly shown in. */
import { conversion } from './conversion';

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
