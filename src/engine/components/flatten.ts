/**
 * Sub-models in a drawing, written out: their components and wires stand in the drawing itself, with ids by
 * path, as `leg1.S1`. Names inside are, in this order, parameters of the sub-model, its own components and
 * wires, and whatever the model outside has.
 */
import { closest } from '../closest';
import { reservedMeaning } from '../document/observables';
import type {
  ComponentDocument,
  Expression,
  FieldValue,
  InstanceDocument,
  ModelDocument,
  SubmodelDocument,
  WireDocument,
} from '../document/types';
import { componentTypes } from '../model/components/registry';
import { Unions } from './network';
import type { Report } from './result';

/** What is drawn, without sub-models. */
export interface Drawing {
  readonly components: readonly ComponentDocument[];
  readonly wires: readonly WireDocument[];
  /** ids by which each wire is known, its own first */
  readonly wireIds: readonly (readonly string[])[];
  /** JSON pointers to where they stand in the document */
  readonly componentPointers: readonly string[];
  readonly wirePointers: readonly string[];
  /** of the ends of each wire */
  readonly endPointers: readonly (readonly string[])[];
}

/** Sub-models inside each other, at most. */
const MAX_DEPTH = 20;
/** Components in all, at most. */
const MAX_COMPONENTS = 200_000;

type Drawn = Pick<ModelDocument, 'components' | 'instances' | 'wires' | 'submodels'>;

export function flatten(document: Drawn, report: Report): Drawing {
  const { components = [], wires = [], instances = [], submodels = [] } = document;
  if (instances.length === 0)
    return {
      components,
      wires,
      wireIds: wires.map(({ id }) => [id]),
      componentPointers: components.map((_, k) => `/components/${k}`),
      wirePointers: wires.map((_, k) => `/wires/${k}`),
      endPointers: wires.map(({ ends }, k) => ends.map((_, e) => `/wires/${k}/ends/${e}`)),
    };
  const writer = new Writer(submodels, report);
  writer.add(
    { components, instances, wires },
    { path: '', pointer: '', names: NO_NAMES, depth: 0, within: [] },
  );
  return writer.drawing();
}

interface Wire {
  readonly id: string;
  readonly pointer: string;
  readonly ends: readonly { readonly end: string; readonly pointer: string }[];
}

/** What names mean inside. */
interface Names {
  readonly parameters: ReadonlyMap<string, string>;
  /** of components, wires and sub-models: names of signals begin with them */
  readonly ids: ReadonlyMap<string, string>;
}

const NO_NAMES: Names = { parameters: new Map(), ids: new Map() };

interface Level {
  /** what ids inside begin with */
  readonly path: string;
  readonly pointer: string;
  readonly names: Names;
  readonly depth: number;
  /** sub-models around */
  readonly within: readonly string[];
}

class Writer {
  readonly #components: ComponentDocument[] = [];
  readonly #componentPointers: string[] = [];
  readonly #wires: Wire[] = [];
  /** wires that pins of sub-models join */
  readonly #joined = new Unions();
  readonly #submodels: ReadonlyMap<string, { readonly submodel: SubmodelDocument; readonly at: number }>;

  constructor(
    submodels: readonly SubmodelDocument[],
    private readonly report: Report,
  ) {
    submodels.forEach((submodel, at) => {
      this.#check(submodel, `/submodels/${at}`);
    });
    this.#submodels = new Map(submodels.map((submodel, at) => [submodel.id, { submodel, at }]));
  }

  /** Names that stand twice, or have a meaning of their own, would silently be taken for others. */
  #check(
    { id, parameters, ports, components, instances = [], wires }: SubmodelDocument,
    pointer: string,
  ): void {
    const lists = [
      [
        ['components', components],
        ['instances', instances],
        ['wires', wires],
      ],
      [['parameters', parameters]],
      [['ports', ports]],
    ] as const;
    for (const sections of lists) {
      const seen = new Set<string>();
      for (const [section, list] of sections)
        list.forEach((one, k) => {
          const key = 'id' in one ? 'id' : 'name';
          const name = 'id' in one ? one.id : one.name;
          const place = `${pointer}/${section}/${k}/${key}`;
          if (seen.has(name))
            this.report(
              'error',
              place,
              id,
              'duplicate-id',
              `“${name}” stands twice in “${id}”.`,
              'Rename one.',
            );
          seen.add(name);
          const taken = section === 'parameters' ? reservedMeaning(name) : null;
          if (taken !== null)
            this.report(
              'error',
              place,
              id,
              'name-taken',
              `“${name}” has a meaning in every model: ${taken}.`,
              'Give the parameter another name.',
            );
        });
    }
  }

  /** @returns place of each wire of this level */
  add(
    { components, instances = [], wires }: Pick<SubmodelDocument, 'components' | 'instances' | 'wires'>,
    level: Level,
  ): Map<string, number> {
    const { path, pointer, names } = level;
    components.forEach((component, k) => {
      this.#refuseUnits(component, names, `${pointer}/components/${k}`, path);
      this.#components.push(written({ ...component, id: path + component.id }, names, path));
      this.#componentPointers.push(`${pointer}/components/${k}`);
    });
    const ids = new Set(instances.map(({ id }) => id));
    const places = new Map<string, number>();
    wires.forEach(({ id, ends }, k) => {
      this.#joined.grow(this.#wires.length + 1);
      places.set(id, this.#wires.length);
      const place = `${pointer}/wires/${k}`;
      const own = ends.flatMap((end, e) =>
        ids.has(end.split('.')[0]) ? [] : [{ end: path + end, pointer: `${place}/ends/${e}` }],
      );
      this.#wires.push({ id: path + id, ends: own, pointer: place });
    });
    instances.forEach((instance, k) => {
      this.#instance(instance, `${pointer}/instances/${k}`, wires, places, level);
    });
    return places;
  }

  /** A parameter behind a number, as in `4.7 k`, may be meant as a unit or suffix. */
  #refuseUnits(component: ComponentDocument, { parameters }: Names, pointer: string, path: string): void {
    for (const [key, value] of Object.entries(component)) {
      if (typeof value !== 'string') continue;
      const [, name] = [...value.matchAll(BEHIND_NUMBER)].find(([, word]) => parameters.has(word)) ?? [];
      if (name !== undefined)
        this.report(
          'error',
          `${pointer}/${key}`,
          path + component.id,
          'parameter-or-unit',
          `“${value}”: “${name}” behind a number may be the parameter or a unit.`,
          'Write the sign of the product, or rename the parameter.',
        );
    }
  }

  #instance(
    instance: InstanceDocument,
    pointer: string,
    wires: readonly WireDocument[],
    places: ReadonlyMap<string, number>,
    { path, names, depth, within }: Level,
  ): void {
    const { id, of, values = {} } = instance;
    const element = path + id;
    const reject = (key: string, code: string, message: string, remedy: string): void => {
      this.report('error', `${pointer}${key}`, element, code, message, remedy);
    };
    const found = this.#submodels.get(of);
    if (found === undefined) {
      const near = closest(of, [...this.#submodels.keys()]);
      const known = near === null ? 'Add it, or remove the instance.' : `Did you mean ${near}?`;
      reject('/of', 'unknown-submodel', `“${element}” is a “${of}”, and there is no such sub-model.`, known);
      return;
    }
    if (within.includes(of) || depth >= MAX_DEPTH) {
      const way = [...within, of].join(' → ');
      reject(
        '/of',
        'submodel-within-itself',
        `The sub-model “${of}” is inside of itself: ${way}.`,
        'Remove one of them.',
      );
      return;
    }
    if (this.#components.length > MAX_COMPONENTS) {
      reject(
        '',
        'too-many-elements',
        `With “${element}” there are more than ${MAX_COMPONENTS} components.`,
        'Use fewer of them.',
      );
      return;
    }
    const { submodel, at } = found;
    const known = submodel.parameters.map(({ name }) => name);
    for (const name of Object.keys(values))
      if (!known.includes(name))
        reject(
          `/values/${name}`,
          'unknown-parameter',
          `“${of}” has no parameter “${name}”.`,
          known.length === 0 ? 'It has none.' : `Its parameters are ${known.join(', ')}.`,
        );
    const parameters = new Map<string, string>();
    for (const { name, value } of submodel.parameters) {
      const given = values[name] as Expression | undefined;
      // Defaults may name parameters that stand before them.
      const text =
        given === undefined
          ? replaced(String(value), { parameters, ids: NO_NAMES.ids })
          : replaced(String(given), names);
      parameters.set(name, `(${text})`);
    }
    const way = `${path}${id}.`;
    const elements = [...submodel.components, ...submodel.wires, ...(submodel.instances ?? [])];
    const ids = new Map(elements.map((one) => [one.id, way + one.id]));
    const own = this.add(submodel, {
      path: way,
      pointer: `/submodels/${at}`,
      names: { parameters, ids },
      depth: depth + 1,
      within: [...within, of],
    });
    this.#join(instance, submodel, own, { wires, places, path, pointer });
  }

  /** Joins the wires at the pins of an instance with those inside. */
  #join(
    { id, of }: InstanceDocument,
    { ports }: SubmodelDocument,
    own: ReadonlyMap<string, number>,
    {
      wires,
      places,
      path,
      pointer,
    }: {
      readonly wires: readonly WireDocument[];
      readonly places: ReadonlyMap<string, number>;
      readonly path: string;
      /** to the instance */
      readonly pointer: string;
    },
  ): void {
    const seen = new Map<string, string>();
    for (const { id: wire, ends } of wires)
      ends.forEach((end) => {
        const [owner, pin] = end.split('.');
        if (owner !== id) return;
        const place = places.get(wire) ?? 0;
        const at = `${this.#wires[place].pointer}/ends/${ends.indexOf(end)}`;
        const reject = (code: string, message: string, remedy: string): void => {
          this.report('error', at, path + wire, code, message, remedy);
        };
        const port = ports.find(({ name }) => name === pin);
        if (port === undefined) {
          const has =
            ports.length === 0 ? 'It has none.' : `Its pins are ${ports.map(({ name }) => name).join(', ')}.`;
          reject('unknown-pin', `The wire “${wire}” ends at “${end}”, and “${of}” has no pin “${pin}”.`, has);
          return;
        }
        const other = seen.get(pin);
        if (other !== undefined) {
          reject(
            'pin-twice',
            `The pin “${end}” is at two wires, “${other}” and “${wire}”.`,
            'Make one wire of them.',
          );
          return;
        }
        seen.set(pin, wire);
        const inside = own.get(port.wire);
        if (inside === undefined)
          reject(
            'unknown-wire',
            `The pin “${pin}” of “${of}” leads to a wire “${port.wire}”, which is not there.`,
            'Correct the pins of the sub-model.',
          );
        else this.#joined.join(place, inside);
      });
    for (const { name } of ports)
      if (!seen.has(name))
        this.report(
          'warning',
          pointer,
          path + id,
          'open-pin',
          `The pin “${name}” of “${path}${id}” is not connected.`,
          `Draw a wire to it, or remove “${path}${id}”.`,
        );
  }

  /** A wire has the id of the outermost of those that it is made of. */
  drawing(): Drawing {
    const merged = new Map<number, { ids: string[]; pointer: string; ends: Wire['ends'][number][] }>();
    this.#wires.forEach((wire, k) => {
      const root = this.#joined.find(k);
      const first = merged.get(root);
      if (first === undefined)
        merged.set(root, { ids: [wire.id], ends: [...wire.ends], pointer: wire.pointer });
      else {
        first.ids.push(wire.id);
        first.ends.push(...wire.ends);
      }
    });
    const wires = [...merged.values()];
    return {
      components: this.#components,
      wires: wires.map(({ ids, ends }) => ({ id: ids[0], ends: ends.map(({ end }) => end) })),
      wireIds: wires.map(({ ids }) => ids),
      componentPointers: this.#componentPointers,
      wirePointers: wires.map(({ pointer }) => pointer),
      endPointers: wires.map(({ ends }) => ends.map(({ pointer }) => pointer)),
    };
  }
}

/** Names, without what follows a point and without what is called. */
const NAME = /(?<![\w.])[A-Za-z_]\w*(?!\w*\s*\()/g;

/** A word behind a number; `4.7k` without a space is a number. */
const BEHIND_NUMBER = /(?<![\w.])(?:\d[\d.]*(?:[eE][+-]?\d+)?)\s+([A-Za-z_]\w*)/g;

/** Ids are names in front of a point, and in `v(out)` and `i(R1)`. */
const replaced = (text: string, { parameters, ids }: Names): string =>
  text.replaceAll(NAME, (name, at: number) => {
    const isId = text[at + name.length] === '.' || /(?<![\w.])[vi]\(\s*$/.test(text.slice(0, at));
    return (isId ? (ids.get(name) ?? parameters.get(name)) : parameters.get(name)) ?? name;
  });

/** A value of a field with what the names in it mean, by the kind of the field. */
function meaning(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return replaced(value, names);
  return Array.isArray(value) ? value.map((entry) => meaning(entry, names)) : value;
}

/** Kinds of fields without expressions. */
const WORDS: ReadonlySet<string> = new Set(['text', 'choice', 'reference']);

/** A component with what the names in its fields mean. */
function written(component: ComponentDocument, names: Names, path: string): ComponentDocument {
  if (path === '') return component;
  const result: ComponentDocument = { ...component };
  for (const { key, kind } of componentTypes.get(component.type)?.definition.fields ?? []) {
    const value = component[key];
    if (value === undefined || WORDS.has(kind)) continue;
    // Ids name components beside it.
    result[key] =
      kind === 'components' && Array.isArray(value)
        ? (value as string[]).map((id) => path + id)
        : (meaning(value, names) as FieldValue);
  }
  return result;
}
