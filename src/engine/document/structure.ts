/**
 * Structural validation: schema defects said in words, with a pointer, the element's id and a remedy. Those
 * of what physics never reads are warnings: a model runs whatever its plots are.
 */
import type { z } from 'zod';
import { closest } from '../closest';
import type { ElementDefinition, FieldDefinition } from '../model/definition';
import { definitionsByKey } from '../model/registry';
import { isTooDeep, MAX_DASHBOARD_DEPTH } from './views/dashboards';
import { documentSchema } from './schema';
import type { DocumentIssue, ModelDocument } from './types';
import { wrongValue } from './wrong-values';
import { viewSchemas } from '../../views/documents';

/** Most systems, interactions, parameters or observables a document may hold. */
export const MAX_ELEMENTS = 100_000;

/** Sections that say how a model is shown. */
const PRESENTATION = ['views', 'dashboards', 'displayUnits', 'layout'] as const;
const isPresentation = (key: PropertyKey | undefined): boolean =>
  PRESENTATION.some((section) => section === key);

/** Issues beyond this number say nothing new to a reader. */
export const MAX_ISSUES = 200;

/** Escapes one reference token. RFC 6901 §3. */
const token = (key: PropertyKey): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

const pointer = (path: readonly PropertyKey[]): string => path.map((key) => `/${token(key)}`).join('');

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Nearest enclosing `id` or `name`. */
function elementAt(root: unknown, path: readonly PropertyKey[]): string | undefined {
  // What an interaction consists of may have names of its own.
  for (let n = path[0] === 'interactions' ? 2 : path.length; n >= 2; n--) {
    const value = valueAt(root, path.slice(0, n));
    if (typeof value !== 'object' || value === null) continue;
    const { id, name } = value as { id?: unknown; name?: unknown };
    if (typeof id === 'string') return id;
    if (typeof name === 'string') return name;
  }
  return undefined;
}

/** The group of definitions that governs the object at `path`. */
function groupAt(path: readonly PropertyKey[]): readonly ElementDefinition[] | undefined {
  // Entries of a list belong to the list's key.
  const key = typeof path.at(-1) === 'number' ? path.at(-2) : path.at(-1);
  return definitionsByKey.get(String(key));
}

/** The types that the object at `path` may have. */
function typesAt(path: readonly PropertyKey[]): readonly string[] {
  return path[0] === 'views'
    ? viewSchemas.map(({ shape }) => shape.type.value)
    : (groupAt(path) ?? []).map(({ type }) => type);
}

/** The keys that the object at `path` may have, where they are known. */
function keysAt(root: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(documentSchema.shape);
  const type = (valueAt(root, path) as { type?: unknown } | undefined)?.type;
  const definition = groupAt(path)?.find((one) => one.type === type);
  return definition === undefined ? [] : ['id', 'type', ...definition.fields.map(({ key }) => key)];
}

/** Types that a message lists, at most. */
const MAX_LISTED = 8;

function knownTypes(given: unknown, types: readonly string[]): string {
  const near = typeof given === 'string' ? closest(given, types) : null;
  if (near !== null) return `Did you mean ${near}? The reference lists all types.`;
  return types.length <= MAX_LISTED
    ? `Known types here: ${types.join(', ')}.`
    : `Known types here: ${types.slice(0, 3).join(', ')}, … (${types.length}); the reference lists them all.`;
}

function fieldAt(
  root: unknown,
  path: readonly PropertyKey[],
): { field: FieldDefinition; depth: number } | undefined {
  for (let n = path.length; n >= 1; n--) {
    const owner = path.slice(0, n - 1);
    const group = groupAt(owner);
    const type = (valueAt(root, owner) as { type?: unknown } | undefined)?.type;
    const definition = group?.find((d) => d.type === type);
    const field = definition?.fields.find((f) => f.key === path[n - 1]);
    if (field !== undefined) return { field, depth: path.length - n };
  }
  return undefined;
}

function shapeOf(field: FieldDefinition): string {
  switch (field.kind) {
    case 'integer':
      return `an integer from ${field.min} to ${field.max}`;
    case 'number':
      return 'a number or an expression such as "2*k"';
    case 'text':
      return `a text of at most ${field.maxLength} characters`;
    case 'reference':
      return {
        contact: 'the id of an interaction with a law of impact',
        parameter: 'the name of a parameter',
        section: 'the id of a section',
        firstOrderSystem: 'the id of a first-order system',
        table: 'the name of a table',
      }[field.to];
    case 'vector':
      return 'a list of numbers or expressions, such as [0, "g*m"]';
    case 'matrix':
      return 'a list of rows, such as [[1, 0], [0, 1]], or {"entries": [[row, column, value], …]}';
    case 'choice':
      return `one of ${field.options.map((o) => `"${o.value}"`).join(', ')}`;
    case 'function':
      return field.length === undefined
        ? 'a script function, such as {"function": "name"}'
        : 'expressions of the time, such as ["A*sin(t)"], or a script function such as {"function": "name"}';
    case 'vectorOrFunction':
      return 'a list of numbers or expressions, such as [0, "A*sin(t)"], a script function such as {"function": "name"}, or outputs of control blocks such as {"signals": ["pid.u"]}';
    case 'signals':
      return 'a list of expressions in signals and parameters, such as ["plant.x[0]"]';
    case 'matrixOrFunction':
      return 'a list of rows, {"entries": [[row, column, value], …]}, or a script function such as {"function": "name"}';
    case 'expression':
      return field.of === 'time'
        ? 'a number or an expression of the time t and parameters, such as "10*sin(2*pi*50*t)"'
        : 'an expression of the time t, parameters and signals, such as "C1.v > 5"';
    case 'components':
      return 'a list of ids of components, such as ["L1", "L2"]';
    case 'elements':
      return `a list of ${field.many}, each with its type`;
    case 'element':
      return 'an object with its type';
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  // JSON has no word for what 1e999 is read as.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

type ZodIssue = z.core.$ZodIssue;

const SIMULATION_TIMES: Readonly<Record<string, string>> = {
  t0: 'The start time',
  tEnd: 'The end time',
  h: 'The time step',
};

/**
 * The defects of the option of a union that was meant: it misses no key, and went deepest. The others only
 * say that they are other options.
 */
function meantOption(options: ZodIssue[][], value: unknown): ZodIssue[] | null {
  const depth = (issues: ZodIssue[]): number => Math.max(0, ...issues.map((i) => i.path.length));
  const missing = (issues: ZodIssue[]): number =>
    issues.filter(({ path }) => path.length > 0 && valueAt(value, path) === undefined).length;
  const [best] = [...options].sort((a, b) => missing(a) - missing(b) || depth(b) - depth(a));
  return depth(best) > 0 ? best : null;
}

function translate(issue: ZodIssue, root: unknown): DocumentIssue[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = meantOption(issue.errors, valueAt(root, issue.path));
    if (best !== null) {
      return best.flatMap((inner) => translate({ ...inner, path: [...issue.path, ...inner.path] }, root));
    }
  }
  const { path } = issue;
  const element = elementAt(root, path);
  const make = (code: string, message: string, remedy: string, at = path): DocumentIssue => ({
    severity: isPresentation(path[0]) ? 'warning' : 'error',
    code,
    pointer: pointer(at),
    ...(element === undefined ? {} : { element }),
    message,
    remedy,
  });
  const value = valueAt(root, path);
  if (issue.code === 'unrecognized_keys') {
    const own = valueAt(root, path) as Record<string, unknown>;
    const free = keysAt(root, path).filter((key) => !Object.hasOwn(own, key));
    return issue.keys.map((key) => {
      const near = closest(key, free);
      return make(
        'unknown-key',
        `“${key}” is not a key that is known here.`,
        near === null ? 'Remove it, or correct its spelling.' : `Did you mean ${near}? Otherwise remove it.`,
        [...path, key],
      );
    });
  }
  if (issue.code === 'invalid_union' && path.at(-1) === 'type') {
    return [
      make(
        'unknown-type',
        value === undefined ? 'The type is missing.' : `The type ${describe(value)} is not known.`,
        knownTypes(value, typesAt(path.slice(0, -1))),
      ),
    ];
  }
  const found = fieldAt(root, path);
  if (found !== undefined) {
    const { field, depth } = found;
    if (value === undefined && depth === 0) {
      return [make('missing-field', `${field.label} (${field.key}) is missing.`, `Give ${shapeOf(field)}.`)];
    }
    const where = depth === 0 ? field.label : `An entry of ${field.label.toLowerCase()}`;
    const remedy =
      depth === 0
        ? `Give ${shapeOf(field)}.`
        : path.includes('entries')
          ? 'Give [row, column, value], with row and column counted from 0.'
          : 'Give a number or an expression such as "2*k".';
    return [make('wrong-value', `${where} is ${describe(value)}.`, remedy)];
  }
  const key = String(path.at(-1) ?? 'document');
  if (key === 'systems' && path[0] === 'interactions' && Array.isArray(value) && value.length === 0) {
    return [
      make(
        'no-linked-system',
        `The interaction “${element ?? ''}” is not linked to any system.`,
        'Link one: drag from its port in the graph, or name it in “systems”.',
      ),
    ];
  }
  if (value === '' && SIMULATION_TIMES[key] !== undefined) {
    return [
      make(
        'missing-field',
        `${SIMULATION_TIMES[key]} is empty.`,
        'Give a number of seconds, or an expression.',
      ),
    ];
  }
  if (value === undefined)
    return [make('missing-key', `“${key}” is missing.`, 'Add it; the reference lists every key.')];
  if (path[0] === 'layout' && key === 'colour') {
    return [
      make(
        'wrong-value',
        `The colour is ${describe(value)}.`,
        'Give one of "grey", "blue", "green", "yellow", "red", "purple", or leave it out.',
      ),
    ];
  }
  const isLayoutName = path[0] === 'layout' && key === 'name';
  if (
    key === 'id' ||
    (key === 'name' && !isLayoutName) ||
    path.at(-2) === 'systems' ||
    path.at(-2) === 'members'
  ) {
    return [
      make(
        'bad-name',
        `The name ${describe(value)} cannot be used.`,
        'Use letters, digits and _, starting with a letter; script names end in .ts.',
      ),
    ];
  }
  const { message, remedy } = wrongValue(issue, key, value, describe(value));
  return [make('wrong-value', message, remedy)];
}

function tooMany(document: Record<string, unknown>): DocumentIssue[] {
  return [
    'systems',
    'interactions',
    'components',
    'instances',
    'wires',
    'submodels',
    'libraries',
    'parameters',
    'tables',
    'observables',
    'scripts',
    'views',
  ].flatMap((section) => {
    const list = document[section];
    if (!Array.isArray(list) || list.length <= MAX_ELEMENTS) return [];
    return [
      {
        severity: isPresentation(section) ? 'warning' : 'error',
        code: 'too-many-elements',
        pointer: `/${section}`,
        message: `The document has ${list.length} ${section}; at most ${MAX_ELEMENTS} are supported.`,
        remedy: 'Divide the model, or leave out what does not take part.',
      } satisfies DocumentIssue,
    ];
  });
}

/** Layouts that would be followed without an end in sight. */
function tooDeep({ dashboards }: Record<string, unknown>): DocumentIssue[] {
  if (!Array.isArray(dashboards)) return [];
  const index = dashboards.findIndex((one) => isTooDeep((one as { layout?: unknown } | null)?.layout));
  if (index < 0) return [];
  return [
    {
      severity: 'warning',
      code: 'too-deep',
      pointer: pointer(['dashboards', index, 'layout']),
      message: `The layout of a dashboard has more than ${MAX_DASHBOARD_DEPTH} splits inside of each other.`,
      remedy: 'Let splits of one direction be one, or use a further dashboard.',
    },
  ];
}

export interface CheckedStructure {
  /**
   * what is sound of the document, in the form of a ModelDocument; null where an error leaves nothing to work
   * with
   */
  document: ModelDocument | null;
  issues: DocumentIssue[];
  /** place in the list of the document of each view that is left */
  viewPlaces: number[];
}

/**
 * Checks the structure of a parsed document. What is not sound of its views, dashboards, units and layout is
 * left out.
 */
export function checkStructure(given: unknown): CheckedStructure {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refused([
      {
        severity: 'error',
        code: 'not-an-object',
        pointer: '',
        message: `A model document is an object; this is ${describe(given)}.`,
        remedy: 'Open a file that was saved by Moreau.',
      },
    ]);
  // A crowd is not looked into.
  const crowd = tooMany(given as Record<string, unknown>);
  if (crowd.some(({ severity }) => severity === 'error')) return refused(crowd);
  const rest = { ...(given as Record<string, unknown>) };
  if (crowd.length > 0) rest['views'] = [];
  const deep = tooDeep(rest);
  if (deep.length > 0) delete rest['dashboards'];
  const result = documentSchema.safeParse(rest);
  // Errors first: where there are many defects, they are those that are listed.
  const defects = (result.error?.issues ?? []).toSorted(
    (a, b) => Number(isPresentation(a.path[0])) - Number(isPresentation(b.path[0])),
  );
  const issues = [
    ...crowd,
    ...deep,
    ...defects.slice(0, MAX_ISSUES).flatMap((issue) => translate(issue, given)),
  ];
  if (defects.some(({ path }) => !isPresentation(path[0]))) return refused(issues);
  const document = rest as unknown as ModelDocument;
  const viewPlaces = Array.isArray(document.views) ? [...document.views.keys()] : [];
  if (defects.length === 0) return { document, issues, viewPlaces };
  const bad = defects.map(({ path }) => path);
  const left = viewPlaces.filter((k) => !bad.some(([section, index]) => section === 'views' && index === k));
  return { document: withoutDefects(document, bad), issues, viewPlaces: left };
}

const refused = (issues: DocumentIssue[]): CheckedStructure => ({ document: null, issues, viewPlaces: [] });

/** @param bad places of defects, all of them in sections that physics never reads */
function withoutDefects(document: ModelDocument, bad: readonly (readonly PropertyKey[])[]): ModelDocument {
  const isWhole = (list: unknown, place: readonly PropertyKey[]): boolean =>
    Array.isArray(list) &&
    !bad.some((path) => path.length === place.length && place.every((key, k) => path[k] === key));
  const soundIn = <T>(list: readonly T[] | undefined, place: readonly PropertyKey[]): T[] =>
    list === undefined || !isWhole(list, place)
      ? []
      : list.filter((_, k) => !bad.some((path) => [...place, k].every((key, i) => path[i] === key)));
  const { displayUnits, dashboards, layout, ...rest } = document;
  const shown = soundIn(dashboards, ['dashboards']);
  const isLaidOut = typeof layout === 'object' && (layout as object | null) !== null;
  const areNodesSound = isLaidOut && !bad.some(([section, key]) => section === 'layout' && key === 'nodes');
  return {
    ...rest,
    views: soundIn(document.views, ['views']),
    ...(shown.length === 0 ? {} : { dashboards: shown }),
    ...(displayUnits === undefined || bad.some(([section]) => section === 'displayUnits')
      ? {}
      : { displayUnits }),
    layout: {
      nodes: areNodesSound ? layout.nodes : {},
      ...(isLaidOut
        ? {
            groups: soundIn(layout.groups, ['layout', 'groups']),
            notes: soundIn(layout.notes, ['layout', 'notes']),
          }
        : {}),
    },
  };
}

/** Structural defects of a parsed document. */
export const structuralIssues = (document: unknown): DocumentIssue[] => checkStructure(document).issues;

/** Those that leave nothing to be run. */
export const structuralErrors = (document: unknown): DocumentIssue[] =>
  structuralIssues(document).filter(({ severity }) => severity === 'error');
