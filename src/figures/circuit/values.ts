/** Values of components as drawings show and take them: with prefixes of units, such as `4.7 kΩ`. Pure. */
import type { ComponentDocument, FieldValue } from '@engine/document/types';
import type { ElementDefinition, FieldDefinition } from '@engine/model/definition';

/** Powers of ten of the prefixes. */
const PREFIXES: readonly (readonly [string, number])[] = [
  ['T', 12],
  ['G', 9],
  ['M', 6],
  ['k', 3],
  ['', 0],
  ['m', -3],
  ['µ', -6],
  ['n', -9],
  ['p', -12],
  ['f', -15],
];

/** A decimal times a power of ten, rounded once: 4.7p is 4.7e-12, as the engine reads it. */
function shifted(literal: string, tens: number): number {
  const [digits, own = '0'] = literal.toLowerCase().split('e');
  return Number(`${digits}e${Number(own) + tens}`);
}

/** A number as text without the rounding of its last bits. */
const plain = (value: number): string => String(Number(value.toPrecision(6)));

/**
 * Units that take no prefix: with one already (kg), of counts (1/s, %), with a power (m² with m is mm²,
 * another).
 */
const TAKES_NO_PREFIX = /^(?:$|kg|\d|%|°|[^\s/·]*[²³⁻])/u;

/** A number with its unit and the prefix that suits it. */
export function engineering(value: number, unit: string): string {
  if (value === 0 || !Number.isFinite(value) || TAKES_NO_PREFIX.test(unit))
    return `${plain(value)}${unit === '' ? '' : ` ${unit}`}`;
  const size = Math.abs(value) * (1 + 1e-12);
  const [prefix, tens] = PREFIXES.find(([, least]) => size >= Number(`1e${least}`)) ?? ['f', -15];
  return `${plain(shifted(String(value), -tens))} ${prefix}${unit}`;
}

/** What users write for the prefixes, too. */
const SPELLINGS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(PREFIXES),
  u: -6,
  μ: -6,
  K: 3,
  meg: 6,
  Meg: 6,
  MEG: 6,
};

const NUMBER = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/u;

/** `10`, `4.7k`, `47 uF`, `1meg` as a number; null where the text is none with a prefix and this unit. */
export function parseEngineering(text: string, unit: string): number | null {
  const [, digits, rest] = NUMBER.exec(text) ?? [];
  if (digits === undefined || rest === undefined) return null;
  const units = unit === 'Ω' ? ['Ω', 'Ohm', 'ohm', 'Ohms', 'ohms', 'R'] : [unit];
  const bare = units.find((one) => one !== '' && rest.endsWith(one));
  for (const prefix of bare === undefined ? [rest] : [rest.slice(0, -bare.length).trim(), rest]) {
    if (Object.hasOwn(SPELLINGS, prefix)) return shifted(digits, SPELLINGS[prefix]);
  }
  return null;
}

/** Whether a name is written at a component: those of grounds, which are alike, would only be in the way. */
export const isNamedThere = ({
  fields,
  quantities = [],
}: Pick<ElementDefinition, 'fields' | 'quantities'>): boolean => fields.length > 0 || quantities.length > 0;

/** Values beside a symbol; more do not fit. */
const MOST_VALUES = 2;

/** The fields whose values stand beside the symbol of a component. */
export const mainFields = ({ fields }: Pick<ElementDefinition, 'fields'>): FieldDefinition[] =>
  fields
    .filter(({ kind, required }) => required && (kind === 'number' || kind === 'expression'))
    .slice(0, MOST_VALUES);

/** Longest text of a formula beside a symbol. */
const MOST_LETTERS = 22;

/** One value as it stands beside a symbol. @param number what an expression is worth, where that is known */
export function valueText(
  field: Pick<FieldDefinition, 'unit'>,
  value: FieldValue | undefined,
  number?: number,
): string {
  if (typeof value === 'number') return engineering(value, field.unit);
  if (typeof value !== 'string') return '';
  // What is written with a prefix is its own value: `1u` is 1 µF, and no formula.
  const written = parseEngineering(value.trim(), field.unit);
  if (written !== null) return engineering(written, field.unit);
  if (number !== undefined) return `${value} = ${engineering(number, field.unit)}`.slice(0, 2 * MOST_LETTERS);
  return value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS - 1)}…` : value;
}

/** Everything beside a symbol but its name. @param numberOf what the expression of a field is worth */
export function mainValues(
  component: ComponentDocument,
  definition: Pick<ElementDefinition, 'fields'>,
  numberOf: (key: string) => number | undefined = () => undefined,
): string {
  return mainFields(definition)
    .map((field) => valueText(field, component[field.key], numberOf(field.key)))
    .filter((text) => text !== '')
    .join(', ');
}
