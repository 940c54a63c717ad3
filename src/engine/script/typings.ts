/** TypeScript declarations for the script editor, generated for exactly one document. */
import type { ModelDocument, ParameterDocument } from '../document/types';
import type { ElementDefinition, FieldDefinition } from '../model/definition';
import {
  declarationOf,
  PLUGIN_SIGNATURES,
  type PluginArgument,
  type PluginKind,
} from '../model/plugin-signatures';
import { catalogue } from '../model/registry';

/** What is known of the document beyond its text. */
export interface KnownModel {
  /** values of the parameters that can be evaluated */
  readonly parameters?: Readonly<Record<string, number>>;
  /** sizes of the vectors of each system, by id; none while the model cannot be built */
  readonly sizes?: ReadonlyMap<string, { readonly qSize: number; readonly vSize: number }>;
  /** functions that scripts export */
  readonly functions?: readonly string[];
}

/** Sections of a document that the declarations speak of. */
export type DescribedModel = Pick<ModelDocument, 'parameters' | 'systems' | 'interactions'>;

const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

const union = (texts: readonly string[]): string =>
  texts.length === 0 ? 'never' : texts.map((text) => JSON.stringify(text)).join(' | ');

/** Of larger models the first systems are listed; declarations are made again at every edit. */
const MOST_SYSTEMS = 1000;
/** Longer vectors are typed as arrays: their entries are not counted. */
const LONGEST_TUPLE = 16;

/** Functions whose `out` has an entry for each coordinate or state of their system. */
const COORDINATE_OUT: ReadonlySet<PluginKind> = new Set([
  'rate',
  'gyroscopicForce',
  'internalForce',
  'externalForce',
  'prescribedMotion',
  'bodyForce',
  'pseudoRigidForce',
]);

const pluginsOf = (definitions: readonly ElementDefinition[]): PluginKind[] =>
  definitions.flatMap(({ fields }) => fields.flatMap((field) => ('plugin' in field ? [field.plugin] : [])));

const vector = (size: number, entry: string): string =>
  size > LONGEST_TUPLE
    ? 'Float64Array'
    : `[${Array.from({ length: size }, (_, i) => `${entry}${i}: number`).join(', ')}]`;

/** Ids of the document, and the vectors of its systems. */
function modelLines(document: DescribedModel, { sizes, functions = [] }: KnownModel): string[] {
  const ids = (section: unknown): string[] =>
    Array.isArray(section)
      ? section
          .slice(0, MOST_SYSTEMS + 1)
          .flatMap((one: { id?: unknown } | null) => (typeof one?.id === 'string' ? [one.id] : []))
      : [];
  const all = [...new Set([...ids(document.systems), ...(sizes?.keys() ?? [])])];
  const systems = all.slice(0, MOST_SYSTEMS);
  return [
    '/** Vectors of each system, as its functions get them: `ExternalForce<"ball">` checks indices. */',
    'interface Systems {',
    ...systems.map((id) => {
      const size = sizes?.get(id);
      const typed = (key: string, count: number, entry: string): string =>
        size === undefined || count > LONGEST_TUPLE
          ? `${key}: Float64Array`
          : `${key}: ${key === 'out' ? '' : 'readonly '}${vector(count, entry)}`;
      const [q, v] = [size?.qSize ?? 0, size?.vSize ?? 0];
      return `  ${JSON.stringify(id)}: { ${typed('q', q, 'q')}; ${typed('x', q, 'x')}; ${typed('v', v, 'v')}; ${typed('out', v === 0 ? q : v, 'out')} };`;
    }),
    '}',
    '/** Ids of the systems of this model. */',
    `type SystemId = keyof Systems${all.length > systems.length ? ' | (string & {})' : ''};`,
    '/** Ids of the interactions of this model. */',
    `type InteractionId = ${union(ids(document.interactions))};`,
    '/** Functions that the scripts of this model export. */',
    `type FunctionName = ${union(functions)};`,
    'type VectorOf<S, K extends "q" | "x" | "v" | "out"> = [S] extends [keyof Systems] ? Systems[S][K] : Float64Array;',
  ];
}

/** Types of the plug-ins; one of a system may name it, for vectors of known lengths. */
function pluginLines(): string[] {
  const ofSystems = new Set<PluginKind>([...pluginsOf(catalogue().systems), 'observable']);
  return Object.entries(PLUGIN_SIGNATURES).flatMap(([key, signature]) => {
    const kind = key as PluginKind;
    const isOfSystem = ofSystems.has(kind);
    const typeOf = (name: PluginArgument): string | undefined => {
      const isSized =
        name === 'q' || name === 'x' || name === 'v' || (name === 'out' && COORDINATE_OUT.has(kind));
      return isOfSystem && isSized ? `VectorOf<S, "${name}">` : undefined;
    };
    const generic = isOfSystem ? '<S extends SystemId | null = null>' : '';
    return [
      `/** ${comment(signature.summary)} */`,
      `type ${signature.typeName}${generic} = ${declarationOf(signature, typeOf)};`,
    ];
  });
}

function fieldLines(field: FieldDefinition): string[] {
  const unit = field.unit === '' ? '' : ` [${field.unit}]`;
  const type =
    field.kind === 'choice'
      ? union(field.options.map(({ value }) => value))
      : 'plugin' in field
        ? '{ function: FunctionName | (string & {}) } | Expression | readonly unknown[] | { readonly [key: string]: unknown }'
        : 'unknown';
  return [
    `    /** ${comment(`${field.label}${unit}. ${field.help}`)} */`,
    `    ${JSON.stringify(field.key)}?: ${type};`,
  ];
}

/**
 * One type of each element, told apart by its `type`; fields that are not named here are checked with the
 * model.
 */
function elementLines(name: string, definitions: readonly ElementDefinition[]): string[] {
  return [
    `type ${name} =`,
    ...definitions.flatMap(({ type, title, summary, fields }) => [
      `  /** ${comment(`${title}: ${summary}`)} */`,
      '  | {',
      `    type: ${JSON.stringify(type)};`,
      ...fields.flatMap(fieldLines),
      '    [field: string]: unknown;',
      '  }',
    ]),
    '  ;',
  ];
}

/** What is the same for every model. */
let fixed: string[] | null = null;
function fixedLines(): string[] {
  const { systems, relations, laws, components } = catalogue();
  fixed ??= [
    ...pluginLines(),
    '/** A number, or an expression in the parameters such as "2*k". */',
    'type Expression = number | string;',
    ...elementLines('SystemDescription', systems),
    ...elementLines('RelationDescription', relations),
    ...elementLines('LawDescription', laws),
    ...elementLines('ComponentDescription', components),
    '/** The pin `from` of each member of an array is joined with the pin `to` of the next. */',
    'interface Chain { from: string; to: string }',
    '/** Adds elements to the model; they take the form they have in the document. */',
    'interface ModelBuilder {',
    '  /** Adds a dynamical system, or a 3D body. */',
    '  system(system: { id: string } & SystemDescription): void;',
    '  /** Adds an interaction between systems of the document, or of this script. */',
    '  interaction(interaction: {',
    '    id: string;',
    '    systems: (SystemId | (string & {}))[];',
    '    relation: RelationDescription;',
    '    law: LawDescription;',
    '  }): void;',
    '  /** Draws a component. */',
    '  component(component: { id: string } & ComponentDescription): void;',
    '  /** Draws a component of one’s own, or an array of them. */',
    '  instance(instance: {',
    '    id: string;',
    '    of: string;',
    '    values?: Record<string, Expression>;',
    '    count?: number;',
    '    chain?: Chain | Chain[];',
    '  }): void;',
    '  /** Draws a wire between pins such as `R1.a`; one that is there gets further ends. */',
    '  wire(wire: { id: string; ends: string[] }): void;',
    '}',
    '/** Builds systems and interactions before a run; the default export of a builder script. */',
    'type Builder = (model: ModelBuilder, p: Parameters) => void;',
    '/** What a script says stands in the pane “Console”, with simulated time and line. */',
    'declare const console: {',
    ...['log', 'info', 'debug', 'warn', 'error'].map((name) => `  ${name}(...values: unknown[]): void;`),
    '};',
    '',
  ];
  return fixed;
}

/**
 * Declares the parameters, ids and sizes of the document, the plug-in types and the globals of the sandbox.
 */
export function generateTypings(document: DescribedModel, known: KnownModel = {}): string {
  const section: unknown = document.parameters;
  // Of a document with defects an entry may be anything.
  const listed = Array.isArray(section) ? (section as (ParameterDocument | null)[]) : [];
  const parameters = listed.flatMap((parameter) => {
    if (typeof parameter?.name !== 'string') return [];
    const { name, unit, description } = parameter;
    const value = known.parameters?.[name];
    const words = [
      description ?? '',
      unit === undefined || unit === '' ? '' : `[${unit}]`,
      value === undefined ? '' : `= ${value}`,
    ].join(' ');
    return [...(words.trim() === '' ? [] : [`  /** ${comment(words)} */`]), `  readonly ${name}: number;`];
  });
  return [
    '/** Values of the model’s parameters. */',
    'interface Parameters {',
    ...parameters,
    '}',
    ...modelLines(document, known),
    ...fixedLines(),
  ].join('\n');
}
