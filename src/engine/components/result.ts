/** What compiling components gives: elements, signals, and defects at their places. */
import type { InteractionDocument, SystemDocument } from '../document/types';
import type { LinearForm } from './linear-form';
import type { NetworkInput } from './reduction';

/** A signal of a component or wire. */
export interface OutputSignal {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** id of the component or wire */
  readonly element: string;
  readonly form: LinearForm;
  /** the other factor of a product; null where it is none */
  readonly times: LinearForm | null;
}

/** What the signals of a compiled model are sums of. */
export interface OutputTable {
  readonly signals: readonly OutputSignal[];
  readonly inputs: readonly NetworkInput[];
  /** expressions of sources */
  readonly sources: readonly string[];
  /** first signals of the states and of the multipliers */
  readonly state: string;
  readonly multiplier: string;
}

export interface CompiledComponents {
  readonly systems: readonly SystemDocument[];
  readonly interactions: readonly InteractionDocument[];
  /** what is recorded of components and wires */
  readonly table: OutputTable | null;
}

/** Reports a defect at its place. */
export type Report = (
  severity: 'error' | 'warning',
  pointer: string,
  element: string,
  code: string,
  message: string,
  remedy: string,
) => void;
