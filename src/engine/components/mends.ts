/** Edits of a drawing that mend its defects: a resistor in series, a ground, a component less. */
import type {
  DocumentIssue,
  FieldValue,
  Mend,
  MendStep,
  ModelDocument,
  WireDocument,
} from '../document/types';
import { componentTypes } from '../model/components/registry';
import type { Domain } from '../model/definition';

/** What stands in the document, without what is inside sub-models. */
type Drawn = Pick<ModelDocument, 'components' | 'wires'>;

/** What hardly changes a circuit: in series, and beside something. */
const SMALL = { resistance: '1m', words: '1 mΩ' };
const LARGE = { resistance: '1meg', words: '1 MΩ' };
/** A mass and an inertia that are small beside those of machines, and the wall, by what joins them. */
const BODIES = {
  translational: { type: 'Mass', letter: 'm', fields: { mass: '1m' }, words: 'a mass of 1 g' },
  rotational: { type: 'Inertia', letter: 'J', fields: { inertia: '1u' }, words: 'an inertia of 10⁻⁶ kg m²' },
};

export class Mender {
  readonly #components: ReadonlyMap<string, { readonly type: string; readonly place: number }>;
  readonly #wireOf = new Map<string, WireDocument>();

  /** @param taken ids of all elements */
  constructor(
    { components = [], wires = [] }: Drawn,
    private readonly taken: ReadonlySet<string>,
  ) {
    this.#components = new Map(components.map(({ id, type }, place) => [id, { type, place }]));
    for (const wire of wires) for (const end of wire.ends) this.#wireOf.set(end, wire);
  }

  /** Ends of a component that stands in the document; none of those inside sub-models. */
  ends(id: string): string[] {
    const type = this.#components.get(id)?.type ?? '';
    return (componentTypes.get(type)?.definition.pins ?? []).map(({ name }) => `${id}.${name}`);
  }

  /** A small resistor between a pin and its wire. */
  series(end: string | undefined): Mend[] {
    if (end === undefined || !this.#wireOf.has(end)) return [];
    const id = this.#free('R');
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
    const id = this.#free('R');
    return this.#mend(`Put ${LARGE.words} beside “${component}”`, [
      { do: 'add', component: { id, type: 'Resistor', resistance: LARGE.resistance }, near: a },
      { do: 'join', ends: [a, `${id}.a`] },
      { do: 'join', ends: [b, `${id}.b`] },
    ]);
  }

  /** A ground at the node of a pin. */
  ground(end: string | undefined): Mend[] {
    if (end === undefined) return [];
    const id = this.#free('GND');
    return this.#mend(`Place a ground at “${this.#wireOf.get(end)?.id ?? end}”`, [
      { do: 'add', component: { id, type: 'Ground' }, near: end },
      { do: 'join', ends: [end, `${id}.p`] },
    ]);
  }

  /** A large resistor from a node to ground. */
  leak(end: string): Mend[] {
    const [id, ground] = [this.#free('R'), this.#free('GND')];
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
    const id = this.#free(letter);
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
    const id = this.#free('W');
    const [pin] = componentTypes.get('Wall')?.definition.pins ?? [];
    return this.#mend(`Fix “${end}” to a wall`, [
      { do: 'add', component: { id, type: 'Wall' }, near: end },
      { do: 'join', ends: [end, `${id}.${pin.name}`] },
    ]);
  }

  remove(id: string): Mend[] {
    return this.#components.has(id) ? [{ label: `Remove “${id}”`, steps: [{ do: 'remove', id }] }] : [];
  }

  /** Takes the initial position or velocity of something away. */
  forget(id: string, of: 'position' | 'velocity'): Mend[] {
    const isRotary = this.#components.get(id)?.type === 'Inertia';
    const key = of === 'position' ? (isRotary ? 'phi0' : 'x0') : isRotary ? 'omega0' : 'v0';
    return this.set(id, { [key]: null }, `Take the initial ${of} of “${id}” away`);
  }

  /** Gives fields of a component a value; null takes it away. */
  set(id: string, values: Readonly<Record<string, FieldValue | null>>, label: string): Mend[] {
    const place = this.#components.get(id)?.place;
    if (place === undefined) return [];
    return [
      {
        label,
        steps: Object.entries(values).map(([key, value]) => ({
          do: 'set',
          pointer: `/components/${place}/${key}`,
          value,
        })),
      },
    ];
  }

  /** What mends a defect of a field, or of a whole component, that has no edit of its own. */
  plain({ severity, pointer, code, element = '' }: DocumentIssue): Mend[] {
    const [, section, list, index, key] = /^\/((components|wires)\/(\d+))(?:\/(\w+))?$/.exec(pointer) ?? [];
    if (severity !== 'error' || section === undefined) return [];
    if (code === 'duplicate-id') {
      const id = this.#free(element.replace(/\d+$/, ''));
      return [{ label: `Call it “${id}”`, steps: [{ do: 'set', pointer, value: id }] }];
    }
    const component = [...this.#components].find(([, { place }]) => place === Number(index));
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
    if (!pointer.startsWith('/wires/')) return [];
    return [{ label: `Take “${end}” off the wire`, steps: [{ do: 'set', pointer, value: null }] }];
  }

  #free(letter: string): string {
    let number = 1;
    while (this.taken.has(`${letter}${number}`)) number++;
    return `${letter}${number}`;
  }

  /** None where an end is inside a sub-model, whose drawing is another one. */
  #mend(label: string, steps: MendStep[]): Mend[] {
    const added = new Set(steps.flatMap((step) => (step.do === 'add' ? [step.component.id] : [])));
    const isHere = (end: string): boolean => added.has(ownerOf(end)) || this.#components.has(ownerOf(end));
    const ends = steps.flatMap((step) =>
      step.do === 'join' ? step.ends : step.do === 'release' ? [step.end] : [],
    );
    return ends.every(isHere) ? [{ label, steps }] : [];
  }
}

const ownerOf = (end: string): string => end.slice(0, end.lastIndexOf('.'));
