/** What components add to a mechanism, as they say it. */
import type { TypedElement } from '../../document/types';
import type { Gate, SourceValue } from '../../model/components/circuit';
import type { Combination, Flange, Measure, Mechanism, MechanismLaw } from '../../model/components/mechanism';
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

export interface MechanismForce extends Owned {
  readonly at: Flange;
  readonly value: number | Waveform;
}

export interface Law extends Owned {
  readonly rows: readonly Combination[];
  readonly law: TypedElement;
  readonly gate: Gate | null;
}

/** A measure whose value has been read. */
export type ReadMeasure =
  | Exclude<Measure, { readonly of: 'value' }>
  | { readonly of: 'value'; readonly value: number | Waveform; readonly factor: number };

export interface MechanismRecord extends Owned {
  readonly name: string;
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
  flanges = 0;

  newFlange(): Flange {
    return this.flanges++;
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
  ) {}

  #value(value: SourceValue): number | Waveform {
    return typeof value === 'number' ? value : this.waveform(value);
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

  force(at: Flange, value: SourceValue): void {
    this.assembly.forces.push({ at, value: this.#value(value), component: this.component });
  }

  law(rows: readonly Combination[], law: TypedElement, gate?: Gate): MechanismLaw {
    const { component } = this;
    return this.assembly.laws.push({ rows, law, gate: gate ?? null, component }) - 1;
  }

  record(name: string, measures: readonly Measure[]): void {
    const read = measures.map((measure): ReadMeasure =>
      measure.of === 'value' ? { ...measure, value: this.#value(measure.value) } : measure,
    );
    this.assembly.records.push({ name, measures: read, component: this.component });
  }
}
