/** What compiling components gives: elements, signals, and defects at their places. */
import type { InteractionDocument, Mend, SystemDocument } from '../document/types';
import type { PowerTaken } from '../model/definition';
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
  readonly power?: PowerTaken;
}

/** A state, multiplier or source of a network, or a signal of another element. */
export type OutputInput = NetworkInput | { readonly kind: 'signal'; readonly name: string };

/** What the signals of a compiled model are sums of. */
export interface OutputTable {
  readonly signals: readonly OutputSignal[];
  readonly inputs: readonly OutputInput[];
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
  /** names of states and sources of each system, and of rows of each interaction, by their ids */
  readonly labels: Readonly<Record<string, ElementLabels>>;
}

interface ElementLabels {
  /** of a system: paths of the components that move in it, and of the instances around them */
  readonly names?: readonly string[];
  /** states or coordinates, as `C1.v`; rows of an interaction, as `D1` */
  readonly rows: readonly string[];
  /** of a reset: the component whose memory it sets */
  readonly component?: string;
  /** what `rows` are: states of first order, coordinates, or rows of a law, which is the default */
  readonly of?: 'states' | 'coordinates' | 'rows';
  /** units of states; null of one that no quantity of its component shows, as of a block */
  readonly units?: readonly (string | null)[];
  /** components of the sources */
  readonly sources?: readonly string[];
}

/** Paths of components and of the instances that they are in: `beads[3].m`, `beads[3]`, `beads`. */
export function pathsOf(components: Iterable<string>): string[] {
  const paths = new Set<string>();
  for (const path of components) {
    paths.add(path);
    for (const { index } of path.matchAll(/[.[]/g)) paths.add(path.slice(0, index));
  }
  return [...paths];
}

/** Signals of both. */
export function joinTables(first: OutputTable | null, second: OutputTable | null): OutputTable | null {
  if (first === null || second === null) return first ?? second;
  const shifted = (form: LinearForm): LinearForm =>
    new Map([...form].map(([input, factor]) => [input + first.inputs.length, factor]));
  return {
    ...first,
    inputs: [
      ...first.inputs,
      ...second.inputs.map((input) =>
        input.kind === 'source' ? { ...input, index: input.index + first.sources.length } : input,
      ),
    ],
    sources: [...first.sources, ...second.sources],
    signals: [
      ...first.signals,
      ...second.signals.map((signal) => ({
        ...signal,
        form: shifted(signal.form),
        times: signal.times === null ? null : shifted(signal.times),
      })),
    ],
  };
}

/** Reports a defect at its place. */
export type Report = (
  severity: 'error' | 'warning',
  pointer: string,
  element: string,
  code: string,
  message: string,
  remedy: string,
  mends?: readonly Mend[],
) => void;
