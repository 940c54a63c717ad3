/**
 * A drawing as plain elements: its components and wires give way to the systems and interactions that they
 * become. Quantities of components that the document speaks of are observables then, so that runs record
 * the same numbers.
 */
import type { LinearForm } from '../components/linear-form';
import type { OutputTable } from '../components/result';
import type { ModelDocument, ObservableDocument } from '../document/types';
import { EngineError } from '../errors';
import { Examination } from './examination';

/**
 * @param document a drawing without defects; others without components are what they are
 * @throws {EngineError} `not-plain` where a gap moves with time, which no plain field can say
 */
export function plainDocument(document: ModelDocument): ModelDocument {
  const { preparation } = new Examination(document, undefined);
  const { drawn, prepared } = preparation;
  if (prepared === null || drawn === undefined || drawn.systems.length === 0) return document;
  const moving = drawn.interactions.find(({ relation }) => relation.type === 'LagrangianRheonomous');
  if (moving !== undefined)
    throw new EngineError({
      code: 'not-plain',
      message: `The gap of “${moving.id}” moves with time: only a script can say that of plain elements.`,
      remedy: 'Take the prescribed motion at it away, or leave the drawing as it is.',
    });
  const gone = [...(document.components ?? []), ...(document.instances ?? []), ...(document.wires ?? [])];
  const { components: _, instances: __, wires: ___, submodels: ____, ...rest } = document;
  const nodes = { ...rest.layout.nodes };
  for (const { id } of gone) Reflect.deleteProperty(nodes, id);
  const { wires: _____, ...layout } = rest.layout;
  const idsOf = (name: string): string[] => {
    const own = drawn.systems.filter(({ id }) => drawn.labels[id]?.names?.includes(name));
    return own.length === 0 ? [name] : own.map(({ id }) => id);
  };
  const integrators = rest.simulation.integrators.map((one) =>
    one.systems === undefined ? one : { ...one, systems: [...new Set(one.systems.flatMap(idsOf))] },
  );
  const plain: ModelDocument = {
    ...rest,
    simulation: { ...rest.simulation, integrators },
    systems: [...rest.systems, ...drawn.systems],
    interactions: [...rest.interactions, ...drawn.interactions],
    layout: { ...layout, nodes },
  };
  return prepared.outputs === null ? plain : withObservables(plain, prepared.outputs);
}

/** Names by path, as `leg1.Q1.i` and `beads[3].m.x`. */
const NAME = /[\p{L}_][\p{L}\p{N}_]*(?:(?:\[\d+\])?\.[\p{L}\p{N}_]+)*/gu;

/** The parts of a document that speak of signals. */
const SPEAKING = ['simulation', 'observables', 'analyses', 'views', 'dashboards'] as const;

function withObservables(document: ModelDocument, table: OutputTable): ModelDocument {
  const spoken = JSON.stringify(SPEAKING.map((key) => document[key] ?? null));
  const words = new Set(spoken.match(NAME) ?? []);
  const taken = new Set([
    ...[...document.systems, ...document.interactions].map(({ id }) => id),
    ...document.parameters.map(({ name }) => name),
    ...document.observables.map(({ name }) => name),
  ]);
  const renamed = new Map<string, string>();
  const observables: ObservableDocument[] = [];
  for (const { name, unit, description, form, times } of table.signals) {
    if (!words.has(name)) continue;
    const base = name.replaceAll(/[^\p{L}\p{N}_]+/gu, '_');
    let own = base;
    for (let k = 2; taken.has(own); k++) own = `${base}_${k}`;
    taken.add(own);
    renamed.set(name, own);
    const sum = textOf(form, table);
    observables.push({
      name: own,
      ...(unit === '' ? {} : { unit }),
      description,
      expression: times === null ? sum : `(${sum})*(${textOf(times, table)})`,
    });
  }
  const next: Record<string, unknown> = { ...document };
  for (const key of SPEAKING) if (document[key] !== undefined) next[key] = withNames(document[key], renamed);
  const spokenOf = next as unknown as ModelDocument;
  return { ...spokenOf, observables: [...observables, ...spokenOf.observables] };
}

/** A sum in the order in which a run adds it up, so that no bit differs. */
function textOf(form: LinearForm, { inputs, sources, state, multiplier }: OutputTable): string {
  const at = (first: string, index: number): string => first.replace('[0]', `[${index}]`);
  const terms = [...form].map(([input, factor]) => {
    const own = inputs[input];
    switch (own.kind) {
      case 'one':
        return String(factor);
      case 'state':
        return `${factor}*${at(state, own.index)}`;
      case 'multiplier':
        return `${factor}*${at(multiplier, own.index)}`;
      case 'source':
        return `${factor}*(${sources[own.index]})`;
      case 'signal':
        return `${factor}*${own.name}`;
      default:
        throw new Error('an unknown of the network is left');
    }
  });
  return terms.length === 0 ? '0' : terms.join(' + ');
}

/** A value with names of signals exchanged for others wherever they stand in texts. */
function withNames(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.replace(NAME, (word) => renamed.get(word) ?? word);
  if (Array.isArray(value)) return value.map((one: unknown) => withNames(one, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, renamed)]));
}
