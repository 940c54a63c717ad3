/** The page of the reference with every key of a model document, out of the published schema. */
import { jsonSchema } from '@engine/document/schema';
import { writeDocument } from '@engine/document/write';
import type { ModelDocument } from '@engine/document/types';
import { catalogue } from '@engine/model/registry';

/** What is read of JSON Schema. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const root = jsonSchema() as Schema & { readonly $defs: Readonly<Record<string, Schema>> };
const groups = Object.entries(catalogue()).filter(([name]) => name !== 'plugins') as [
  string,
  readonly { type: string; fields: readonly { key: string }[] }[],
][];

/** How ids and names are distinguished from other texts. */
const IDENTIFIER = (root.properties?.['observables'].items as Schema).properties?.['name'].pattern;

/** The schema behind a reference into the same file. */
const followed = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : root.$defs[schema.$ref.replace('#/$defs/', '')];

const typeOf = ({ properties }: Schema): unknown => properties?.['type']?.const;

/** Numbers as they are written in a document; those without a bound worth telling are `number`. */
function range(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum } = schema;
  const isBound = (value: number | undefined): value is number =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined) return `, above ${exclusiveMinimum}`;
  if (isBound(minimum) && isBound(maximum)) return `, ${minimum} to ${maximum}`;
  return isBound(minimum) ? `, at least ${minimum}` : '';
}

/** A number, or a text that is an expression. */
const isExpression = (options: readonly Schema[]): boolean =>
  options.length === 2 && options[0].type === 'number' && options[1].type === 'string';

/** The group of definitions that an element belongs to. */
function groupOf({ oneOf }: Schema): (typeof groups)[number] | undefined {
  if (oneOf === undefined) return undefined;
  const types = oneOf.map(typeOf);
  return groups.find(
    ([, definitions]) =>
      definitions.length === types.length && definitions.every(({ type }, k) => type === types[k]),
  );
}

/** Kind of a value, in words. */
function kindOf(given: Schema): string {
  const schema = followed(given);
  const options = schema.anyOf ?? [];
  const group = groupOf(schema);
  if (group !== undefined) return `one of [${group[0]}](${group[0]}.md)`;
  if (schema.oneOf !== undefined) return 'object with a type';
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (isExpression(options)) return 'number or expression';
  if (options.length > 0) return [...new Set(options.map(kindOf))].join(' or ');
  switch (schema.type) {
    case 'integer':
      return `whole number${range(schema)}`;
    case 'number':
      return `number${range(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'array':
      if (schema.prefixItems !== undefined) return `list of ${schema.prefixItems.length} numbers`;
      return `list of ${severalOf(schema.items as Schema)}`;
    case 'object':
      return schema.properties === undefined
        ? `object of ${severalOf(schema.additionalProperties as Schema)} by name`
        : 'object';
    case 'string':
      return schema.pattern === IDENTIFIER ? 'name' : 'text';
    default:
      throw new Error(`no words for ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

/** Kind of the entries of a list, in words. */
const severalOf = (entry: Schema): string =>
  groupOf(entry) === undefined
    ? kindOf(entry).replaceAll(/\b(text|name|object|number|expression)\b/g, '$1s')
    : kindOf(entry).slice('one of '.length);

/** The objects a value consists of, with what stands behind the path to them. */
function parts(given: Schema): { behind: string; schema: Schema }[] {
  // What refers to itself is reported where it stands first.
  const schema = followed(given);
  if (schema.type === 'array' && schema.items !== undefined && schema.items !== false)
    return parts(schema.items).map(({ behind, schema: part }) => ({ behind: `[]${behind}`, schema: part }));
  if (schema.properties !== undefined) return [{ behind: '', schema }];
  const each = schema.additionalProperties;
  if (each !== undefined && each !== false)
    return parts(each).map(({ behind, schema: part }) => ({ behind: `.NAME${behind}`, schema: part }));
  const group = groupOf(schema);
  if (group !== undefined) return [{ behind: '', schema: apartFromFields(schema, group[1]) }];
  return (schema.anyOf ?? []).flatMap(parts);
}

/** Of elements with a type: the keys that all of them have, whatever their definition. */
function apartFromFields(
  { oneOf = [] }: Schema,
  definitions: readonly { fields: readonly { key: string }[] }[],
): Schema {
  const [first] = oneOf;
  const own = new Set(['type', ...definitions[0].fields.map(({ key }) => key)]);
  const common = Object.entries(first.properties ?? {}).filter(([key]) => !own.has(key));
  return { properties: Object.fromEntries(common), required: first.required ?? [] };
}

/** One line for each key of an object and of what stands in it. */
/** Lists and groups as JSON, numbers and words as they are. */
function defaultText(value: unknown): string {
  const json = JSON.stringify(value);
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? `\`${json}\`` : json;
}

function keyLines(object: Schema, path: string, open: ReadonlySet<Schema> = new Set()): string[] {
  return Object.entries(object.properties ?? {}).flatMap(([key, schema]) => {
    const place = path === '' ? key : `${path}.${key}`;
    const { description } = schema;
    if (description === undefined && key !== 'type') throw new Error(`${place} has no description`);
    const about = [
      kindOf(schema),
      ...(object.required?.includes(key) === true ? ['required'] : []),
      ...(schema.default === undefined ? [] : [`default ${defaultText(schema.default)}`]),
    ].join('; ');
    const line = `- \`${place}\` (${about}).${description === undefined ? '' : ` ${description}`}`;
    const inner = parts(schema).flatMap(({ behind, schema: part }) =>
      open.has(part) ? [] : keyLines(part, `${place}${behind}`, new Set([...open, part])),
    );
    return [line, ...inner];
  });
}

/** A section for each kind of view. */
const viewLines = ({ items }: Schema): string[] =>
  ((items as Schema).oneOf ?? []).flatMap((view) => {
    const type = String(typeOf(view));
    return [`### ${type}`, '', ...keyLines(view, 'views[]'), ''];
  });

/** @param example a small document that has most of what a document may have */
export function documentPage(example: ModelDocument): string {
  const properties = root.properties ?? {};
  return [
    '# The model document',
    '',
    'A file `NAME.moreau.json` is one JSON object. This page lists all of its keys. Elements with a `type`, such as systems and laws, have further keys, which the page of their group lists: follow the link. A path such as `parameters[].name` is the key `name` of each entry of the list `parameters`. A number or expression may be a text such as `"2*k"`: see [expressions](expressions.md). A name has letters, digits and `_`, at most 64, and does not begin with a digit. Units are those that the text of a key names, else those of the model. A key that is not required may be left out: `true` or `false` is then false, if its text says nothing else. Editors check and complete documents by the JSON Schema in `resources/schema`, which has the same source as this page.',
    '',
    '## All keys of the document',
    '',
    ...Object.entries(properties).map(
      ([key, schema]) =>
        `- [${key}](#${key.toLowerCase()})${root.required?.includes(key) === true ? ', required' : ''}. ${schema.description ?? ''}`,
    ),
    '',
    '## Values of fields',
    '',
    '- **Number**: `0.5`, or an expression in parameters, `"2*k"`.',
    '- **Vector**: a list of numbers, `[1, "a"]`. **Matrix**: a list of rows, `[[1, 0], [0, 1]]`.',
    '- **Function**: `{ "function": "name" }`. `name` is what a script of the document exports, one with the role `functions`: `"scripts": [{ "name": "tank.ts", "role": "functions", "source": ["export const name = (t, out, p) => { out[0] = p.a * t; };"] }]`. [Script functions](functions.md) says which fields take which kind of function, with its arguments, and what it fills.',
    '- **Reference**: the id of an element, or the name of a parameter, as text.',
    '',
    'A field that may be a matrix or a function takes either; a matrix is constant.',
    '',
    '## A small document',
    '',
    'A ball that bounces on a floor, with a section, a sweep, two views and a dashboard. `moreau validate FILE` checks a document, `moreau run FILE` computes it. Required lists may be empty.',
    '',
    '```json model',
    writeDocument(example).trimEnd(),
    '```',
    '',
    ...Object.entries(properties).flatMap(([key, schema]) => [
      `## ${key}`,
      '',
      ...(key === 'views'
        ? [`${schema.description ?? ''} Each has a type:`, '', ...viewLines(schema)]
        : [...keyLines({ properties: { [key]: schema }, required: root.required ?? [] }, ''), '']),
    ]),
  ].join('\n');
}

/** Paths of all keys outside of elements that hold an expression of the parameters. */
export function expressionPlaces(): string[] {
  return keyLines(root, '').flatMap((line) => {
    const place = /^- `([^`]*)` \(.*number or expression/.exec(line);
    return place === null ? [] : [place[1]];
  });
}
