/**
 * Whether a value of JSON has the shape that every view of a document relies on. What is wrong inside that
 * shape, such such as a matrix of the wrong size, is in the report; only defects that would leave a view
 * without a place for it are checked here.
 */
import { viewKinds } from '@views/offers';
import type { LayoutDocument } from '@engine/document/types';
import { pointer } from './pointer';

/** A place that does not have the shape it must have. */
export interface DocumentShapeDefect {
  pointer: string;
  /** what has to stand there */
  expected: 'object' | 'list' | 'text' | 'number' | 'value' | 'lines' | 'version' | 'taken' | 'key';
}

type Check = (value: unknown, place: string) => DocumentShapeDefect | null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const first = (defects: Iterable<DocumentShapeDefect | null>): DocumentShapeDefect | null => {
  for (const defect of defects) if (defect !== null) return defect;
  return null;
};

const string: Check = (value, place) =>
  typeof value === 'string' ? null : { pointer: place, expected: 'text' };
const number: Check = (value, place) =>
  typeof value === 'number' ? null : { pointer: place, expected: 'number' };
const expression: Check = (value, place) =>
  typeof value === 'number' || typeof value === 'string' ? null : { pointer: place, expected: 'value' };

function list(entry: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return { pointer: place, expected: 'list' };
    for (let i = 0; i < value.length; i++) {
      const defect = entry(value[i], place + pointer(i));
      if (defect !== null) return defect;
    }
    return null;
  };
}

interface Members {
  required?: Readonly<Record<string, Check>>;
  optional?: Readonly<Record<string, Check>>;
  /** of every other member */
  rest?: Check;
}

function object({ required = {}, optional = {}, rest }: Members): Check {
  return (value, place) => {
    if (!isObject(value)) return { pointer: place, expected: 'object' };
    const at = (key: string): string => place + pointer(key);
    return first(
      (function* (): Generator<DocumentShapeDefect | null> {
        for (const [key, check] of Object.entries(required)) yield check(value[key], at(key));
        for (const [key, check] of Object.entries(optional))
          if (value[key] !== undefined) yield check(value[key], at(key));
        if (rest === undefined) return;
        for (const key of Object.keys(value))
          if (!Object.hasOwn(required, key) && !Object.hasOwn(optional, key)) yield rest(value[key], at(key));
      })(),
    );
  };
}

/**
 * Value of a field: numbers, texts, lists of them, and objects of a function, of outputs of control blocks,
 * of sparse entries, or typed ones.
 */
const fieldValue: Check = (value, place) => {
  if (typeof value === 'number' || typeof value === 'string') return null;
  if (Array.isArray(value)) return list(fieldValue)(value, place);
  if (!isObject(value)) return { pointer: place, expected: 'value' };
  if (Object.hasOwn(value, 'function')) return string(value['function'], place + pointer('function'));
  if (Object.hasOwn(value, 'signals')) return list(expression)(value['signals'], place + pointer('signals'));
  if (Object.hasOwn(value, 'entries'))
    return list(list(expression))(value['entries'], place + pointer('entries'));
  return element(value, place);
};
const element: Check = (value, place) =>
  object({ required: { type: string }, rest: fieldValue })(value, place);

const system: Check = object({ required: { id: string, type: string }, rest: fieldValue });
const interaction: Check = object({
  required: { id: string, systems: list(string), relation: element, law: element },
  optional: { while: element },
});
const integrator: Check = object({
  required: { type: string },
  optional: { systems: list(string) },
  rest: fieldValue,
});
/** A time, or times with a period. */
const jump: Check = (value, place) =>
  isObject(value)
    ? object({ required: { from: expression, every: expression }, optional: { until: expression } })(
        value,
        place,
      )
    : expression(value, place);
const simulation: Check = object({
  required: {
    scheme: string,
    t0: expression,
    tEnd: expression,
    h: expression,
    integrators: list(integrator),
    problem: element,
    solver: element,
  },
  optional: {
    impacts: element,
    newton: object({}),
    stepControl: object({}),
    derivatives: string,
    accuracy: expression,
    eventDriven: object({
      optional: { flight: element, constraints: element, jumps: list(jump), fastest: expression },
    }),
    recording: object({ optional: { every: number, signals: list(string) } }),
    sections: list(object({ required: { id: string, type: string }, rest: fieldValue })),
  },
});
/** How plots are drawn. */
const ends = { min: number, max: number };
const plotOptions: Members['optional'] = {
  title: string,
  axes: list(object({ optional: { signals: list(string), ...ends } })),
  legend: string,
  styles: list(object({ required: { signals: list(string) }, optional: { line: string, width: number } })),
  xRange: object({ optional: ends }),
  yRange: object({ optional: ends }),
  size: number,
  opacity: number,
  interactions: list(string),
  azimuth: number,
  elevation: number,
  zoom: number,
  time: number,
  direction: string,
  from: number,
  to: number,
  window: string,
  quantity: string,
  format: string,
  digits: number,
  hides: list(string),
  residuals: list(string),
  colours: string,
  colourRange: object({ optional: ends }),
  levels: number,
  style: string,
  decades: number,
};
/** Texts in a plot. @param at member that says where: the time, or the value of the horizontal axis */
const notesAt = (at: 't' | 'x'): Check =>
  list(object({ required: { text: string, [at]: number }, optional: { y: number } }));
const MEMBERS = { text: string, texts: list(string) };
const view: Check = (value, place) => {
  const type = isObject(value) ? value['type'] : undefined;
  const { needs = {} } = viewKinds.find((kind) => kind.type === type) ?? {};
  const members = Object.fromEntries(Object.entries(needs).map(([key, form]) => [key, MEMBERS[form]]));
  const annotations = notesAt(type === 'time-series' ? 't' : 'x');
  return object({
    required: { type: string, id: string, ...members },
    optional: { ...plotOptions, annotations },
  })(value, place);
};

const dashboardLayout: Check = (value, place) =>
  isObject(value) && Object.hasOwn(value, 'tabs')
    ? object({ required: { tabs: list(string) }, optional: { active: string } })(value, place)
    : object({
        required: { split: string, children: list(dashboardLayout) },
        optional: { sizes: list(number) },
      })(value, place);
const dashboard = object({
  required: { id: string },
  optional: { title: string, layout: dashboardLayout },
});

/** What keeps a view from being drawn; null where nothing does. */
export const viewDefect = (value: unknown): DocumentShapeDefect | null => view(value, '');

const wire: Check = object({ required: { id: string, ends: list(string) } });
const instance: Check = object({
  required: { id: string, of: string },
  optional: { values: object({ rest: expression }) },
});

const documentCheck: Check = object({
  required: {
    formatVersion: number,
    title: string,
    parameters: list(
      object({
        required: { name: string, value: expression },
        optional: { unit: string, min: number, max: number, description: string },
      }),
    ),
    systems: list(system),
    interactions: list(interaction),
    simulation,
    observables: list(
      object({
        required: { name: string },
        optional: { unit: string, description: string, expression: string, function: string, system: string },
      }),
    ),
    scripts: list(object({ required: { name: string, role: string, source: list(string) } })),
    views: list(view),
    layout: object({
      required: { nodes: object({ rest: object({ required: { x: number, y: number } }) }) },
      optional: {
        groups: list(
          object({
            required: { id: string, name: string, members: list(string) },
            optional: { colour: string },
          }),
        ),
        notes: list(
          object({
            required: { id: string, text: string, x: number, y: number, width: number, height: number },
            optional: { colour: string },
          }),
        ),
      },
    }),
  },
  optional: {
    description: string,
    references: list(string),
    components: list(system),
    instances: list(instance),
    wires: list(wire),
    submodels: list(
      object({
        required: {
          id: string,
          ports: list(object({ required: { name: string, wire: string } })),
          parameters: list(object({ required: { name: string, value: expression } })),
          components: list(system),
          wires: list(wire),
        },
        optional: { title: string, description: string, instances: list(instance), layout: object({}) },
      }),
    ),
    libraries: list(object({ required: { name: string, hash: string, submodels: list(string) } })),
    dashboards: list(dashboard),
    displayUnits: object({
      optional: { units: object({ rest: string }), parameters: object({ rest: string }) },
    }),
  },
});

/** The second of two entries of one name: forms and nodes of both would have one key. */
function twice(value: unknown): DocumentShapeDefect | null {
  const named = value as Record<string, { id?: string; name?: string }[]>;
  for (const section of [
    ['systems', 'interactions', 'components', 'instances', 'wires'],
    ['submodels'],
    ['parameters'],
    ['scripts'],
    ['views'],
    ['dashboards'],
  ]) {
    const names = new Set<string>();
    for (const key of section) {
      for (const [index, { id, name }] of (named[key] ?? []).entries()) {
        const own = id ?? name ?? '';
        if (names.has(own))
          return { pointer: pointer(key, index, id === undefined ? 'name' : 'id'), expected: 'taken' };
        names.add(own);
      }
    }
  }
  const { groups = [], notes = [] } = (value as { layout: LayoutDocument }).layout;
  const ids = new Set([...(named['systems'] ?? []), ...(named['interactions'] ?? [])].map(({ id }) => id));
  for (const [key, list] of [
    ['groups', groups],
    ['notes', notes],
  ] as const)
    for (const [index, { id }] of list.entries()) {
      if (ids.has(id)) return { pointer: pointer('layout', key, index, 'id'), expected: 'taken' };
      ids.add(id);
    }
  return null;
}

/** A key that is no key like others in JavaScript. */
function forbiddenKey(value: unknown, place: string): DocumentShapeDefect | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') return { pointer: place + pointer(key), expected: 'key' };
    const defect = forbiddenKey(member, place + pointer(key));
    if (defect !== null) return defect;
  }
  return null;
}

/** The first place that no view could show; null where all can be. */
export const viewlessPlace = (value: unknown): DocumentShapeDefect | null =>
  forbiddenKey(value, '') ?? documentCheck(value, '');

/** The first place where a value does not have the shape of a document; null where it does. */
export function shapeDefect(value: unknown, formatVersion: number): DocumentShapeDefect | null {
  const defect = viewlessPlace(value) ?? twice(value);
  if (defect !== null) return defect;
  return (value as { formatVersion: number }).formatVersion === formatVersion
    ? null
    : { pointer: '/formatVersion', expected: 'version' };
}
