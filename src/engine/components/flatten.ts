/**
 * Sub-models in a drawing, written out: their components and wires stand in the drawing itself, with ids by
 * path, as `leg1.S1`. Names inside are, in this order, parameters of the sub-model, its own components and
 * wires, and whatever the model outside has.
 */
import { closest } from '../closest';
import { ExpressionError } from '../document/expression-error';
import { compileExpression } from '../document/expressions';
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
  /** by component in a sub-model: where parameters have been given values, by their names */
  readonly givers: ReadonlyMap<string, Givers>;
}

/** JSON pointers to values of instances, by parameter. */
export type Givers = ReadonlyMap<string, string>;

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
      givers: new Map(),
    };
  const writer = new Writer(submodels, report);
  writer.add(
    { components, instances, wires },
    { path: '', pointer: '', names: NO_NAMES, givers: new Map(), depth: 0, within: [] },
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

const NONE: ReadonlySet<string> = new Set();

interface Level {
  /** what ids inside begin with */
  readonly path: string;
  readonly pointer: string;
  readonly names: Names;
  readonly givers: Givers;
  readonly depth: number;
  /** sub-models around */
  readonly within: readonly string[];
}

/** An end of a wire at a pin of an instance. */
interface Pin {
  readonly pin: string;
  readonly end: string;
  readonly wire: string;
  /** of the wire */
  readonly place: number;
  readonly pointer: string;
}

/** Where an instance stands. */
interface Site {
  /** its own, in an array with its place */
  readonly id: string;
  /** in an array */
  readonly index?: number;
  readonly pointer: string;
  /** ends of wires by instance; taken out when they are joined */
  readonly pins: Map<string, Pin[]>;
  /** whether it tells what all of an array have in common */
  readonly isFirst: boolean;
  /** ports at which chains end */
  readonly last: ReadonlySet<string>;
  /** ports that a neighbour is at */
  readonly joined: ReadonlySet<string>;
}

class Writer {
  readonly #components: ComponentDocument[] = [];
  readonly #componentPointers: string[] = [];
  readonly #givers = new Map<string, Givers>();
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
      if (level.givers.size > 0) this.#givers.set(path + component.id, level.givers);
    });
    const ids = new Set(instances.map(({ id }) => id));
    const places = new Map<string, number>();
    const pins = new Map<string, Pin[]>();
    wires.forEach(({ id, ends }, k) => {
      const place = this.#wires.length;
      this.#joined.grow(place + 1);
      places.set(id, place);
      const at = `${pointer}/wires/${k}`;
      const own: { end: string; pointer: string }[] = [];
      ends.forEach((end, e) => {
        const [owner, pin] = end.split('.');
        const [instance] = owner.split('[');
        if (!ids.has(instance)) own.push({ end: path + end, pointer: `${at}/ends/${e}` });
        else {
          const list = pins.get(owner);
          const entry = { pin, end, wire: id, place, pointer: `${at}/ends/${e}` };
          if (list === undefined) pins.set(owner, [entry]);
          else list.push(entry);
        }
      });
      this.#wires.push({ id: path + id, ends: own, pointer: at });
    });
    instances.forEach((instance, k) => {
      this.#instances(instance, `${pointer}/instances/${k}`, pins, level);
    });
    const counts = new Map(instances.map(({ id, count }) => [id, count]));
    for (const [owner, [{ end, pointer: at }]] of pins) {
      const [base] = owner.split('[');
      const count = counts.get(base);
      this.report(
        'error',
        at,
        path + owner,
        'unknown-component',
        `A wire ends at “${end}”, and there is no “${path}${owner}”.`,
        count === undefined
          ? 'Correct the end: members of an array are counted from 0, and only arrays have members.'
          : `Correct the end: “${base}” has ${count} members, ${base}[0] to ${base}[${count - 1}].`,
      );
    }
    return places;
  }

  /** An instance, or all of an array with what joins neighbours. */
  #instances(instance: InstanceDocument, pointer: string, pins: Map<string, Pin[]>, level: Level): void {
    const { id, count, chain: given = [] } = instance;
    const chains = [given].flat();
    if (count === undefined) {
      this.#instance(instance, { id, pointer, pins, isFirst: true, last: NONE, joined: NONE }, level);
      return;
    }
    let before: ReadonlyMap<string, number> = new Map();
    for (let k = 0; k < count; k++) {
      const joined = new Set<string>();
      for (const { from, to } of chains) {
        if (k > 0) joined.add(to);
        if (k < count - 1) joined.add(from);
      }
      const last = new Set(k === count - 1 ? chains.map(({ from }) => from) : []);
      const site = { id: `${id}[${k}]`, index: k, pointer, pins, isFirst: k === 0, last, joined };
      const ports: ReadonlyMap<string, number> | null = this.#instance(instance, site, level);
      if (ports === null) {
        this.#forget(id, pins);
        return;
      }
      for (const [place, chain] of k === 0 ? [] : chains.entries()) {
        const [from, to] = [before.get(chain.from), ports.get(chain.to)];
        if (from === undefined || to === undefined) {
          const key = from === undefined ? 'from' : 'to';
          this.report(
            'error',
            `${pointer}/chain${Array.isArray(given) ? `/${place}` : ''}/${key}`,
            level.path + id,
            'unknown-pin',
            `“${id}” is chained at “${chain[key]}”, and “${instance.of}” has no such pin.`,
            `Its pins are ${[...ports.keys()].join(', ')}.`,
          );
          this.#forget(id, pins);
          return;
        }
        this.#joined.join(from, to);
      }
      before = ports;
    }
  }

  /** Of an array that is at fault itself, ends at its members are none. */
  #forget(array: string, pins: Map<string, Pin[]>): void {
    for (const owner of [...pins.keys()]) if (owner.startsWith(`${array}[`)) pins.delete(owner);
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

  /** @returns places of the wires at its ports; null after a defect of the whole array */
  #instance(
    instance: InstanceDocument,
    { id, index, pointer, pins, isFirst, last, joined }: Site,
    { path, names, givers, depth, within }: Level,
  ): ReadonlyMap<string, number> | null {
    const { of, values = {} } = instance;
    const element = path + id;
    const reject = (key: string, code: string, message: string, remedy: string): null => {
      this.report('error', `${pointer}${key}`, element, code, message, remedy);
      return null;
    };
    const wired = pins.get(id) ?? [];
    pins.delete(id);
    const found = this.#submodels.get(of);
    if (found === undefined) {
      const near = closest(of, [...this.#submodels.keys()]);
      const known = near === null ? 'Add it, or remove the instance.' : `Did you mean ${near}?`;
      return reject(
        '/of',
        'unknown-submodel',
        `“${element}” is a “${of}”, and there is no such sub-model.`,
        known,
      );
    }
    if (within.includes(of) || depth >= MAX_DEPTH) {
      const way = [...within, of].join(' → ');
      return reject(
        '/of',
        'submodel-within-itself',
        `The sub-model “${of}” is inside of itself: ${way}.`,
        'Remove one of them.',
      );
    }
    if (this.#components.length > MAX_COMPONENTS)
      return reject(
        '',
        'too-many-elements',
        `With “${element}” there are more than ${MAX_COMPONENTS} components.`,
        'Use fewer of them.',
      );
    const { submodel, at } = found;
    const known = submodel.parameters.map(({ name }) => name);
    for (const name of Object.keys(values))
      if (isFirst && !known.includes(name))
        reject(
          `/values/${name}`,
          'unknown-parameter',
          `“${of}” has no parameter “${name}”.`,
          known.length === 0 ? 'It has none.' : `Its parameters are ${known.join(', ')}.`,
        );
    const around =
      index === undefined
        ? names
        : { ...names, parameters: new Map([...names.parameters, ['index', String(index)]]) };
    const parameters = new Map<string, string>();
    const given = new Map<string, string>();
    for (const { name, value: standard, unit = '' } of submodel.parameters) {
      const own = this.#fitting(values[name], unit, names, (error) => {
        if (!isFirst) return;
        reject(
          `/values/${name}`,
          'expression',
          `“${name}” of “${element}”: ${error.message}.`,
          error.remedy ?? CORRECT,
        );
      });
      // What passes a parameter on has its value from where that is given.
      if (own !== undefined) given.set(name, givers.get(String(own).trim()) ?? `${pointer}/values/${name}`);
      // Defaults may name parameters that stand before them.
      const text =
        own === undefined
          ? replaced(String(standard), { parameters, ids: NO_NAMES.ids })
          : replaced(String(own), around);
      parameters.set(name, `(${text})`);
    }
    const way = `${element}.`;
    const elements = [...submodel.components, ...submodel.wires, ...(submodel.instances ?? [])];
    const ids = new Map(elements.map((one) => [one.id, way + one.id]));
    const inner = this.add(submodel, {
      path: way,
      pointer: `/submodels/${at}`,
      names: { parameters, ids },
      givers: given,
      depth: depth + 1,
      within: [...within, of],
    });
    this.#join(submodel, wired, inner, path);
    const seen = new Set(wired.map(({ pin }) => pin));
    for (const { name } of submodel.ports)
      if (
        (isFirst || last.has(name)) &&
        !seen.has(name) &&
        !joined.has(name) &&
        !this.#isFree(submodel, name)
      )
        this.report(
          'warning',
          pointer,
          element,
          'open-pin',
          `The pin “${name}” of “${element}” is not connected.`,
          `Draw a wire to it, or remove “${element}”.`,
        );
    return new Map(
      submodel.ports.flatMap(({ name, wire }) => {
        const place = inner.get(wire);
        return place === undefined ? [] : [[name, place] as const];
      }),
    );
  }

  /** The value of a parameter; none where its unit is another one than that of the parameter. */
  #fitting(
    value: Expression | undefined,
    unit: string,
    { parameters }: Names,
    refuse: (error: ExpressionError) => void,
  ): Expression | undefined {
    if (typeof value !== 'string' || unit === '' || !WITH_UNIT.test(value)) return value;
    try {
      compileExpression(value, () => 0, { isName: (word) => parameters.has(word), unit });
      return value;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      refuse(error);
      return undefined;
    }
  }

  /** Whether a port is as well without a wire: that of a flange of a mass, say. */
  #isFree({ ports, wires, components, instances = [] }: SubmodelDocument, name: string, depth = 0): boolean {
    const wire = ports.find((port) => port.name === name)?.wire;
    return (wires.find(({ id }) => id === wire)?.ends ?? []).some((end) => {
      const [owner, pin] = end.split('.');
      const type = components.find(({ id }) => id === owner)?.type ?? '';
      const own = componentTypes.get(type)?.definition.pins.find((one) => one.name === pin);
      if (own !== undefined) return own.isFree === true;
      const instance = instances.find(({ id }) => id === owner.split('[')[0]);
      const inner = this.#submodels.get(instance?.of ?? '')?.submodel;
      return inner !== undefined && depth < MAX_DEPTH && this.#isFree(inner, pin, depth + 1);
    });
  }

  /** Joins the wires at the pins of an instance with those inside. */
  #join(
    { id: of, ports }: SubmodelDocument,
    pins: readonly Pin[],
    inner: ReadonlyMap<string, number>,
    path: string,
  ): void {
    const seen = new Map<string, string>();
    for (const { pin, end, wire, place, pointer } of pins) {
      const reject = (code: string, message: string, remedy: string): void => {
        this.report('error', pointer, path + wire, code, message, remedy);
      };
      const port = ports.find(({ name }) => name === pin);
      const other = seen.get(pin);
      const inside = inner.get(port?.wire ?? '');
      if (port === undefined)
        reject(
          'unknown-pin',
          `The wire “${wire}” ends at “${end}”, and “${of}” has no pin “${pin}”.`,
          ports.length === 0 ? 'It has none.' : `Its pins are ${ports.map(({ name }) => name).join(', ')}.`,
        );
      else if (other !== undefined)
        reject(
          'pin-twice',
          `The pin “${end}” is at two wires, “${other}” and “${wire}”.`,
          'Make one wire of them.',
        );
      else if (inside === undefined)
        reject(
          'unknown-wire',
          `The pin “${pin}” of “${of}” leads to a wire “${port.wire}”, which is not there.`,
          'Correct the pins of the sub-model.',
        );
      else this.#joined.join(place, inside);
      seen.set(pin, wire);
    }
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
      givers: this.#givers,
      wirePointers: wires.map(({ pointer }) => pointer),
      endPointers: wires.map(({ ends }) => ends.map(({ pointer }) => pointer)),
    };
  }
}

/** Names, without what follows a point and without what is called. */
const NAME = /(?<![\w.])[A-Za-z_]\w*(?!\w*\s*\()/g;

/** A number with a unit or suffix, in what reads no table. */
const WITH_UNIT = /^(?!.*\b(?:table|slope)\s*\().*\d\s*[\p{L}°]/u;

const CORRECT = 'Correct the value.';

/** A word behind a number; `4.7k` without a space is a number. */
const BEHIND_NUMBER = /(?<![\w.])(?:\d[\d.]*(?:[eE][+-]?\d+)?)\s+([A-Za-z_]\w*)/g;

/** Ids are names in front of a point, and in `v(out)` and `i(R1)`; tables are those of the model. */
const replaced = (text: string, { parameters, ids }: Names): string =>
  text.replaceAll(NAME, (name, at: number) => {
    if (/(?<![\w.])(?:table|slope)\(\s*$/.test(text.slice(0, at))) return name;
    const isId =
      /^(?:\[\d+\])?\./.test(text.slice(at + name.length, at + name.length + 10)) ||
      /(?<![\w.])[vi]\(\s*$/.test(text.slice(0, at));
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
