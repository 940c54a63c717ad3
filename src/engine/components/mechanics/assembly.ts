/** What components add to a mechanism, as they say it. */
import type { TypedElement } from '../../document/types';
import type { NetworkNode, SourceValue, WiredGate } from '../../model/components/circuit';
import type {
  Combination,
  Flange,
  LawGate,
  Measure,
  Mechanism,
  MechanismLaw,
} from '../../model/components/mechanism';
import type { Waveform } from '../network';

/** What a part belongs to: the place of a component in the document. */
interface Owned {
  readonly component: number;
}

export interface Mass extends Owned {
  readonly at: Flange;
  readonly mass: number;
  readonly start: { readonly position: number | null; readonly velocity: number | null };
}

export interface Motion extends Owned {
  readonly at: Flange;
  readonly value: number | Waveform;
}

export interface Tie extends Owned {
  readonly a: Flange;
  readonly b: Flange;
  readonly ratio: number;
}

export interface Spring extends Owned {
  readonly of: Combination;
  readonly stiffness: number;
  readonly preload: number;
}

export interface Damper extends Owned {
  readonly of: Combination;
  readonly damping: number;
}

/** A number, an expression of time, or a signal. */
export type DrivenValue = number | Waveform | WiredGate;

export interface MechanismForce extends Owned {
  readonly at: Flange;
  readonly value: DrivenValue;
}

export interface Law extends Owned {
  readonly rows: readonly Combination[];
  readonly law: TypedElement;
  readonly gate: LawGate | null;
}

/** A measure whose value has been read. */
export type ReadMeasure =
  | Exclude<Measure, { readonly of: 'value' }>
  | { readonly of: 'value'; readonly value: DrivenValue; readonly factor: number };

export interface MechanismRecord extends Owned {
  readonly name: string;
  readonly measures: readonly ReadMeasure[];
}

/** A signal that a mechanism gives. */
export interface Sense extends Owned {
  readonly pin: string;
  readonly node: NetworkNode;
  readonly measures: readonly ReadMeasure[];
}

export class Assembly {
  readonly masses: Mass[] = [];
  readonly motions: Motion[] = [];
  readonly ties: Tie[] = [];
  readonly springs: Spring[] = [];
  readonly dampers: Damper[] = [];
  readonly forces: MechanismForce[] = [];
  readonly laws: Law[] = [];
  readonly records: MechanismRecord[] = [];
  readonly senses: Sense[] = [];
  flanges = 0;

  newFlange(): Flange {
    return this.flanges++;
  }

  /** What has a say in how it moves: everything but what is measured, heaviest first. */
  get parts(): readonly Owned[] {
    const { masses, springs, forces, motions, dampers, laws, ties } = this;
    return [...masses, ...springs, ...forces, ...motions, ...dampers, ...laws, ...ties];
  }
}

/** What one component sees of the mechanism while it adds itself. */
export class ComponentMechanism implements Mechanism {
  /** @param component place of it in the document @param pinFlange flange of each of its pins */
  constructor(
    private readonly assembly: Assembly,
    private readonly component: number,
    private readonly pinFlange: (pin: string) => Flange,
    private readonly waveform: (name: string) => number | Waveform,
    /** node of each of its pins of signals */
    private readonly pinNode: (pin: string) => NetworkNode,
    readonly isWired: (pin: string) => boolean,
  ) {}

  #value(value: SourceValue): number | Waveform {
    return typeof value === 'number' ? value : this.waveform(value);
  }

  #driven(value: SourceValue | WiredGate): DrivenValue {
    return typeof value === 'object' ? value : this.#value(value);
  }

  signal(pin: string): WiredGate {
    return { node: this.pinNode(pin) };
  }

  flange(pin: string): Flange {
    return this.pinFlange(pin);
  }

  inner(): Flange {
    return this.assembly.newFlange();
  }

  mass(at: Flange, mass: number, start: Mass['start']): void {
    this.assembly.masses.push({ at, mass, start, component: this.component });
  }

  motion(at: Flange, value: SourceValue): void {
    this.assembly.motions.push({ at, value: this.#value(value), component: this.component });
  }

  tie(a: Flange, b: Flange, ratio: number): void {
    this.assembly.ties.push({ a, b, ratio, component: this.component });
  }

  spring(of: Combination, stiffness: number, preload: number): void {
    this.assembly.springs.push({ of, stiffness, preload, component: this.component });
  }

  damper(of: Combination, damping: number): void {
    this.assembly.dampers.push({ of, damping, component: this.component });
  }

  force(at: Flange, value: SourceValue | WiredGate): void {
    this.assembly.forces.push({ at, value: this.#driven(value), component: this.component });
  }

  law(rows: readonly Combination[], law: TypedElement, gate: LawGate | null = null): MechanismLaw {
    const { component } = this;
    return this.assembly.laws.push({ rows, law, gate, component }) - 1;
  }

  record(name: string, measures: readonly Measure[]): void {
    this.assembly.records.push({ name, measures: this.#read(measures), component: this.component });
  }

  sense(pin: string, measures: readonly Measure[]): void {
    if (!this.isWired(pin)) return;
    const { component } = this;
    this.assembly.senses.push({ pin, node: this.pinNode(pin), measures: this.#read(measures), component });
  }

  #read(measures: readonly Measure[]): ReadMeasure[] {
    return measures.map((measure): ReadMeasure =>
      measure.of === 'value' ? { ...measure, value: this.#driven(measure.value) } : measure,
    );
  }
}
