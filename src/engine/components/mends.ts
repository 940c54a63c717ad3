/** Edits of a drawing that mend its defects: a resistor in series, a ground, a component less. */
import type {
  DocumentIssue,
  FieldValue,
  Mend,
  MendStep,
  ModelDocument,
  SubmodelDocument,
  WireDocument,
} from '../document/types';
import { componentTypes } from '../model/components/registry';
import type { Domain } from '../model/definition';
import type { Drawing } from './flatten';

type Drawn = Pick<ModelDocument, 'components' | 'wires' | 'submodels'>;

/** A component that stands in the document, or in a sub-model. */
interface Known {
  readonly type: string;
  readonly pointer: string;
}

/** What a pointer into a sub-model begins with. */
const INSIDE = /^\/submodels\/(\d+)(?=\/)/;

/** What hardly changes a circuit: in series, and beside something. */
const SMALL = { resistance: '1m', words: '1 mΩ' };
const LARGE = { resistance: '1meg', words: '1 MΩ' };
/** A mass and an inertia that are small beside those of machines, and the wall, by what joins them. */
const BODIES = {
  translational: { type: 'Mass', letter: 'm', fields: { mass: '1m' }, words: 'a mass of 1 g' },
  rotational: { type: 'Inertia', letter: 'J', fields: { inertia: '1u' }, words: 'an inertia of 10⁻⁶ kg m²' },
};

export class Mender {
  readonly #components: Map<string, Known>;
  readonly #wireOf = new Map<string, WireDocument>();
  readonly #submodels: readonly SubmodelDocument[];

  /** @param taken ids of all elements outside of sub-models */
  constructor(
    { components = [], wires = [], submodels = [] }: Drawn,
    private readonly taken: ReadonlySet<string>,
  ) {
    this.#components = new Map(
      components.map(({ id, type }, place) => [id, { type, pointer: `/components/${place}` }]),
    );
    this.#submodels = submodels;
    this.#addWires(wires);
  }

  #addWires(wires: readonly WireDocument[]): void {
    for (const wire of wires) for (const end of wire.ends) this.#wireOf.set(end, wire);
  }

  /** Learns what sub-models are made of, by the paths of their instances. */
  see({ components, componentPointers, wires }: Drawing): void {
    components.forEach(({ id, type }, k) => {
      this.#components.set(id, { type, pointer: componentPointers[k] });
    });
    this.#addWires(wires);
  }

  ends(id: string): string[] {
    const type = this.#components.get(id)?.type ?? '';
    return (componentTypes.get(type)?.definition.pins ?? []).map(({ name }) => `${id}.${name}`);
  }

  /** A small resistor between a pin and its wire. */
  series(end: string | undefined): Mend[] {
    if (end === undefined || !this.#wireOf.has(end)) return [];
    const id = this.#free('R', ownerOf(end));
    return this.#mend(`Put ${SMALL.words} in series with “${ownerOf(end)}”`, [
      { do: 'add', component: { id, type: 'Resistor', resistance: SMALL.resistance }, near: end },
      { do: 'join', ends: [end, `${id}.b`] },
      { do: 'release', end },
      { do: 'join', ends: [end, `${id}.a`] },
    ]);
  }

  /** A large resistor beside a component of two pins. */
  beside(component: string): Mend[] {
    const [a, b] = this.ends(component);
    if (b === undefined) return [];
    const id = this.#free('R', component);
    return this.#mend(`Put ${LARGE.words} beside “${component}”`, [
      { do: 'add', component: { id, type: 'Resistor', resistance: LARGE.resistance }, near: a },
      { do: 'join', ends: [a, `${id}.a`] },
      { do: 'join', ends: [b, `${id}.b`] },
    ]);
  }

  /** A ground at the node of a pin. */
  ground(end: string | undefined): Mend[] {
    if (end === undefined) return [];
    const id = this.#free('GND', ownerOf(end));
    return this.#mend(`Place a ground at “${this.#wireOf.get(end)?.id ?? end}”`, [
      { do: 'add', component: { id, type: 'Ground' }, near: end },
      { do: 'join', ends: [end, `${id}.p`] },
    ]);
  }

  /** A large resistor from a node to ground. */
  leak(end: string): Mend[] {
    const [id, ground] = [this.#free('R', ownerOf(end)), this.#free('GND', ownerOf(end))];
    return this.#mend(`Put ${LARGE.words} from “${this.#wireOf.get(end)?.id ?? end}” to ground`, [
      { do: 'add', component: { id, type: 'Resistor', resistance: LARGE.resistance }, near: end },
      { do: 'add', component: { id: ground, type: 'Ground' }, near: end },
      { do: 'join', ends: [end, `${id}.a`] },
      { do: 'join', ends: [`${id}.b`, `${ground}.p`] },
    ]);
  }

  /** A ground where most is joined, best at the minus of a source, of some components. */
  groundOf(components: readonly string[]): Mend[] {
    const score = (end: string): number => {
      const { ends = [] } = this.#wireOf.get(end) ?? {};
      return ends.length + (ends.some((one) => one.endsWith('.n')) ? 0.5 : 0);
    };
    const ends = components.flatMap((id) => this.ends(id));
    return this.ground(ends.length === 0 ? undefined : ends.reduce((a, b) => (score(b) > score(a) ? b : a)));
  }

  /** A small mass where forces meet. */
  body(end: string | undefined, domain: Domain | undefined): Mend[] {
    if (end === undefined || (domain !== 'translational' && domain !== 'rotational')) return [];
    const { type, letter, fields, words } = BODIES[domain];
    const id = this.#free(letter, ownerOf(end));
    const [pin] = componentTypes.get(type)?.definition.pins ?? [];
    return this.#mend(`Put ${words} at “${this.#wireOf.get(end)?.id ?? end}”`, [
      { do: 'add', component: { id, type, ...fields }, near: end },
      { do: 'join', ends: [end, `${id}.${pin.name}`] },
    ]);
  }

  /** Whatever a pin without a wire may be joined with: a ground, a wall. */
  hold(end: string, domain: Domain): Mend[] {
    if (domain === 'electrical') return this.ground(end);
    if (domain !== 'translational') return [];
    const id = this.#free('W', ownerOf(end));
    const [pin] = componentTypes.get('Wall')?.definition.pins ?? [];
    return this.#mend(`Fix “${end}” to a wall`, [
      { do: 'add', component: { id, type: 'Wall' }, near: end },
      { do: 'join', ends: [end, `${id}.${pin.name}`] },
    ]);
  }

  remove(id: string): Mend[] {
    if (!this.#components.has(id)) return [];
    return [this.#within(id, { label: `Remove “${id}”`, steps: [{ do: 'remove', id: nameOf(id) }] })];
  }

  /** Takes the initial position or velocity of something away. */
  forget(id: string, of: 'position' | 'velocity'): Mend[] {
    const isRotary = this.#components.get(id)?.type === 'Inertia';
    const key = of === 'position' ? (isRotary ? 'phi0' : 'x0') : isRotary ? 'omega0' : 'v0';
    return this.set(id, { [key]: null }, `Take the initial ${of} of “${id}” away`);
  }

  /** Gives fields of a component a value; null takes it away. */
  set(id: string, values: Readonly<Record<string, FieldValue | null>>, label: string): Mend[] {
    const known = this.#components.get(id);
    if (known === undefined) return [];
    const at = known.pointer.replace(INSIDE, '');
    const steps = Object.entries(values).map(
      ([key, value]) => ({ do: 'set', pointer: `${at}/${key}`, value }) as const,
    );
    return [this.#within(id, { label, steps })];
  }

  /** What mends a defect of a field, or of a whole component, that has no edit of its own. */
  plain({ severity, pointer, code, element = '' }: DocumentIssue): Mend[] {
    const [, section, list, key] =
      /^((?:\/submodels\/\d+)?\/(components|wires)\/\d+)(?:\/(\w+))?$/.exec(pointer) ?? [];
    if (severity !== 'error' || section === undefined) return [];
    if (code === 'duplicate-id') {
      if (INSIDE.test(pointer)) return [];
      const id = this.#free(element.replace(/\d+$/, ''), '');
      return [{ label: `Call it “${id}”`, steps: [{ do: 'set', pointer, value: id }] }];
    }
    const component = [...this.#components].find(([, known]) => known.pointer === section);
    if (list === 'wires' || component === undefined) return [];
    const [id, { type }] = component;
    const field = componentTypes.get(type)?.definition.fields.find((one) => one.key === key);
    // A value that each coupling may have is wrong beside the others.
    if (type === 'Coupling') return this.remove(id);
    if (field?.initial !== undefined)
      return this.set(
        id,
        { [field.key]: field.initial },
        `Set it to ${field.initial} ${field.unit ?? ''}`.trim(),
      );
    if (field?.required === false) return this.set(id, { [field.key]: null }, 'Take the value away');
    return this.remove(id);
  }

  /** Takes an end out of the list of a wire. */
  dropEnd(end: string, pointer: string): Mend[] {
    const at = pointer.replace(INSIDE, '');
    if (!at.startsWith('/wires/')) return [];
    const submodel = this.#submodelAt(pointer);
    const step = { do: 'set', pointer: at, value: null } as const;
    return [named({ label: `Take “${end}” off the wire`, steps: [step] }, submodel)];
  }

  #submodelAt(pointer = ''): SubmodelDocument | undefined {
    const place = INSIDE.exec(pointer)?.[1];
    return place === undefined ? undefined : this.#submodels[Number(place)];
  }

  /** An edit of what a component stands in. */
  #within(component: string, mend: Mend): Mend {
    return named(mend, this.#submodelAt(this.#components.get(component)?.pointer));
  }

  /** A free id beside a component. */
  #free(letter: string, component: string): string {
    const submodel = this.#submodelAt(this.#components.get(component)?.pointer);
    const taken = submodel === undefined ? this.taken : idsOf(submodel);
    let number = 1;
    while (taken.has(`${letter}${number}`)) number++;
    return `${letter}${number}`;
  }

  /** None where the ends are not in one drawing: some of them are inside of a sub-model. */
  #mend(label: string, steps: MendStep[]): Mend[] {
    const added = new Set(steps.flatMap((step) => (step.do === 'add' ? [step.component.id] : [])));
    const owners = steps
      .flatMap((step) => (step.do === 'join' ? step.ends : step.do === 'release' ? [step.end] : []))
      .map(ownerOf)
      .filter((owner) => !added.has(owner));
    const [first] = owners;
    const path = first.slice(0, first.length - nameOf(first).length);
    const isHere = (owner: string): boolean => this.#components.has(owner) && owner === path + nameOf(owner);
    if (!owners.every(isHere)) return [];
    const own = (end: string): string => (added.has(ownerOf(end)) ? end : end.slice(path.length));
    const inside = steps.map((step): MendStep => {
      if (step.do === 'add') return { ...step, near: own(step.near) };
      if (step.do === 'join') return { do: 'join', ends: [own(step.ends[0]), own(step.ends[1])] };
      return step.do === 'release' ? { do: 'release', end: own(step.end) } : step;
    });
    return [this.#within(first, { label, steps: inside })];
  }
}

const ownerOf = (end: string): string => end.slice(0, end.lastIndexOf('.'));

/** The name of a component without the path to it. */
const nameOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

/** All instances of a sub-model are changed by an edit inside: its label says so. */
const named = (mend: Mend, submodel: SubmodelDocument | undefined): Mend =>
  submodel === undefined
    ? mend
    : { ...mend, label: `${mend.label}, in every “${submodel.id}”`, inside: submodel.id };

const idsOf = ({ components, wires, instances = [], parameters }: SubmodelDocument): Set<string> =>
  new Set([
    ...[...components, ...wires, ...instances].map(({ id }) => id),
    ...parameters.map(({ name }) => name),
  ]);
