/** What two models differ in, place by place: parameters, fields of elements, settings, lines of scripts. */
import type { ModelDocument } from '@engine/document/types';

type DifferenceGroup = 'parameters' | 'systems' | 'interactions' | 'simulation' | 'observables' | 'scripts';

export interface ModelDifference {
  group: DifferenceGroup;
  /** name or id; empty for settings of the simulation */
  element: string;
  /** place in the element, such as `law.e` or `q0[1]`; of a script, its first line that differs */
  field: string;
  /** null where it is not there */
  a: string | null;
  b: string | null;
}

type Leaves = Map<string, string>;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values at the ends of a tree, by their place in it. */
function leavesOf(value: unknown, place: string, leaves: Leaves): Leaves {
  if (Array.isArray(value) && value.length > 0)
    value.forEach((entry: unknown, index) => leavesOf(entry, `${place}[${index}]`, leaves));
  else if (isPlain(value) && Object.keys(value).length > 0)
    for (const [key, entry] of Object.entries(value))
      leavesOf(entry, place === '' ? key : `${place}.${key}`, leaves);
  else if (value !== undefined) leaves.set(place, typeof value === 'string' ? value : JSON.stringify(value));
  return leaves;
}

function inLeaves(group: DifferenceGroup, element: string, a: unknown, b: unknown): ModelDifference[] {
  if (a === b) return [];
  const [left, right] = [leavesOf(a, '', new Map()), leavesOf(b, '', new Map())];
  const places = [...left.keys(), ...[...right.keys()].filter((place) => !left.has(place))];
  return places
    .filter((place) => left.get(place) !== right.get(place))
    .map((field) => ({ group, element, field, a: left.get(field) ?? null, b: right.get(field) ?? null }));
}

/** Elements of both models are compared field by field; the others are listed as present or absent. */
function inElements<T>(
  group: DifferenceGroup,
  a: readonly T[],
  b: readonly T[],
  nameOf: (element: T) => string,
  compare: (name: string, a: T, b: T) => ModelDifference[],
  summary: (element: T) => string,
): ModelDifference[] {
  const left = new Map(a.map((element) => [nameOf(element), element]));
  const right = new Map(b.map((element) => [nameOf(element), element]));
  const names = [...left.keys(), ...[...right.keys()].filter((name) => !left.has(name))];
  return names.flatMap((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    if (one !== undefined && other !== undefined) return compare(name, one, other);
    return [
      {
        group,
        element: name,
        field: '',
        a: one === undefined ? null : summary(one),
        b: other === undefined ? null : summary(other),
      },
    ];
  });
}

type Script = ModelDocument['scripts'][number];

function inScript(name: string, a: Script, b: Script): ModelDifference[] {
  const most = Math.max(a.source.length, b.source.length);
  for (let line = 0; line < most; line++) {
    if (a.source[line] === b.source[line]) continue;
    const [left, right] = [a.source[line] ?? null, b.source[line] ?? null];
    return [{ group: 'scripts', element: name, field: String(line + 1), a: left, b: right }];
  }
  return [];
}

const typeOf = (element: { type?: unknown }): string =>
  typeof element.type === 'string' ? element.type : '';

/** Differences that a motion depends on: titles, slider ranges, plots and node positions are none. */
export function modelDifferences(a: ModelDocument, b: ModelDocument): ModelDifference[] {
  return [
    ...inElements(
      'parameters',
      a.parameters,
      b.parameters,
      ({ name }) => name,
      (name, one, other) => inLeaves('parameters', name, { value: one.value }, { value: other.value }),
      ({ value }) => String(value),
    ).map((difference) => (difference.field === 'value' ? { ...difference, field: '' } : difference)),
    ...inElements(
      'systems',
      a.systems,
      b.systems,
      ({ id }) => id,
      (id, one, other) => inLeaves('systems', id, one, other),
      typeOf,
    ),
    ...inElements(
      'interactions',
      a.interactions,
      b.interactions,
      ({ id }) => id,
      (id, one, other) => inLeaves('interactions', id, one, other),
      ({ relation, law }) => [relation, law].map(typeOf).filter(Boolean).join(', '),
    ),
    ...inLeaves('simulation', '', a.simulation, b.simulation),
    ...inElements(
      'observables',
      a.observables,
      b.observables,
      ({ name }) => name,
      (name, { unit: _a, ...one }, { unit: _b, ...other }) => inLeaves('observables', name, one, other),
      ({ expression }) => expression ?? '',
    ),
    ...inElements(
      'scripts',
      a.scripts,
      b.scripts,
      ({ name }) => name,
      inScript,
      ({ source }) => `${source.length}`,
    ),
  ];
}
