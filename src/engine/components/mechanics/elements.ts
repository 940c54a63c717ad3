/** A reduced mechanism as elements of the document: a system for each part, an interaction for each law. */
import type { EvaluationContext } from '../../document/field-values';
import { compileTimed, type FieldPlace } from '../../document/timed';
import type {
  ComponentDocument,
  Expression,
  InteractionDocument,
  SystemDocument,
  TypedElement,
} from '../../document/types';
import { entriesAsMatrix, freeName } from '../elements';
import { conditionOf } from '../gates';
import { type LinearForm, ONE } from '../linear-form';
import { Unions } from '../network';
import {
  type CompiledComponents,
  type OutputInput,
  type OutputSignal,
  pathsOf,
  type Report,
} from '../result';
import type { Assembly, Law } from './assembly';
import type { ReducedMechanism } from './reduction';

interface Surroundings {
  readonly components: readonly ComponentDocument[];
  readonly componentPointers: readonly string[];
  readonly signals: readonly OutputSignal[];
  /** ids that other elements have */
  readonly taken: ReadonlySet<string>;
  readonly isRotary: (component: number) => boolean;
  readonly context: EvaluationContext;
  readonly report: Report;
}

/** Laws whose multipliers are impulses. */
const IMPULSIVE: ReadonlySet<string> = new Set(['NewtonImpact', 'Equality']);

/** A system, with its coordinates in order. */
interface Part {
  readonly id: string;
  readonly members: readonly number[];
}

export function mechanismElements(
  assembly: Assembly,
  reduced: ReducedMechanism,
  surroundings: Surroundings,
): CompiledComponents {
  const { inputs, coordinates } = reduced;
  const { components, componentPointers, signals, taken, isRotary, context, report } = surroundings;
  const movers = moversOf(assembly, reduced);
  const moversAt = (coordinate: number): readonly number[] => movers.get(coordinate) ?? [];
  const ids = idsOf(assembly.laws, components, taken);
  const idOf = ({ component }: Law): string => ids.get(component) ?? '';
  const parts = partsOf(reduced, new Set([...taken, ...ids.values()]));
  const partOf = new Map(parts.flatMap((part) => part.members.map((member) => [member, part] as const)));
  const stateName = (coordinate: number, key: 'q' | 'v'): string => {
    const part = partOf.get(coordinate);
    if (part === undefined) throw new Error('a coordinate is in no part');
    const at = part.members.length === 1 ? '' : `[${part.members.indexOf(coordinate)}]`;
    return `${part.id}.${key}${at}`;
  };
  const nameOf = (input: number): string => {
    const own = inputs[input];
    switch (own.kind) {
      case 'position':
        return stateName(own.coordinate, 'q');
      case 'velocity':
        return stateName(own.coordinate, 'v');
      case 'multiplier': {
        const law = assembly.laws[own.law];
        const kind = IMPULSIVE.has(law.law.type) ? 'impulse' : 'lambda';
        return `${idOf(law)}.${kind}${law.rows.length === 1 ? '' : `[${own.row}]`}`;
      }
      case 'source':
        return `(${own.waveform.text})`;
      default:
        throw new Error('an unknown of the mechanism is left');
    }
  };
  const text = new TimedTexts(reduced);
  const interactions = assembly.laws.map((law): InteractionDocument => {
    const id = idOf(law);
    const linked = parts.filter(({ members }) =>
      law.rows.some((row) =>
        [...reduced.position(row).keys()].some((input) => isIn(members, input, reduced)),
      ),
    );
    const columns = linked.flatMap(({ members }) => members);
    const condition =
      law.gate === null || 'node' in law.gate.gate
        ? null
        : conditionOf(
            law.gate.gate,
            { isInverse: false, hysteresis: law.gate.hysteresis },
            { outputs: signals, textOf: nameOf },
            { element: id, context, report },
          );
    return {
      id,
      systems: linked.map((part) => part.id),
      relation: relationOf(law, columns, reduced, text, context, {
        pointer: componentPointers[law.component],
        element: id,
        label: 'gap',
      }),
      law: law.law,
      ...(condition !== null && { while: condition }),
    };
  });
  const sources: string[] = [];
  const table = inputs.map((own, input): OutputInput => {
    if (own.kind === 'one') return own;
    if (own.kind === 'unknown') return { kind: 'source', index: sources.push('0') - 1 };
    if (own.kind === 'source') return { kind: 'source', index: sources.push(own.waveform.text) - 1 };
    return { kind: 'signal', name: nameOf(input) };
  });
  const labels = Object.fromEntries([
    ...parts.map(({ id, members }) => [
      id,
      {
        // What a coordinate is called: by the first mass that has it.
        rows: members.map((member) => {
          const [owner] = moversAt(member);
          return owner === undefined
            ? `q${member}`
            : `${components[owner].id}.${isRotary(owner) ? 'phi' : 'x'}`;
        }),
        names: pathsOf(members.flatMap(moversAt).map((component) => components[component].id)),
        of: 'coordinates' as const,
      },
    ]),
    ...assembly.laws.map((law) => [idOf(law), { rows: law.rows.map(() => components[law.component].id) }]),
  ]) as CompiledComponents['labels'];
  return {
    labels,
    systems: parts.map((part): SystemDocument => {
      const n = part.members.length;
      const matrix = (forms: readonly LinearForm[]): SystemDocument['mass'] =>
        entriesAsMatrix(
          part.members.flatMap((member, row) =>
            [...forms[member]].map(([other, value]): [number, number, number] => [
              row,
              part.members.indexOf(other),
              value,
            ]),
          ),
          n,
          n,
        );
      const { damping, stiffness, force } = reduced;
      const own = (forms: readonly LinearForm[]): boolean =>
        part.members.some((member) => forms[member].size > 0);
      return {
        id: part.id,
        type: 'LagrangianLinearTI',
        ndof: n,
        mass: matrix(coordinates.map(({ mass }, k) => new Map([[k, mass]]))),
        ...(own(damping) && { damping: matrix(damping) }),
        ...(own(stiffness) && { stiffness: matrix(stiffness) }),
        q0: part.members.map((member) => coordinates[member].position),
        v0: part.members.map((member) => coordinates[member].velocity),
        ...(own(force) && { fExt: part.members.map((member) => text.of(force[member])) }),
        coordinateUnit: part.members.some((member) => moversAt(member).slice(0, 1).some(isRotary))
          ? 'rad'
          : 'm',
      };
    }),
    interactions,
    table: { signals, inputs: table, sources, state: '', multiplier: '' },
  };
}

/** Names of interactions by component: paths of sub-models are none, and give one that is free. */
function idsOf(
  laws: readonly Law[],
  components: readonly ComponentDocument[],
  taken: ReadonlySet<string>,
): ReadonlyMap<number, string> {
  const used = new Set(taken);
  const ids = new Map<number, string>();
  for (const { component } of laws) {
    const { id } = components[component];
    if (ids.has(component)) continue;
    const own = id.includes('.') ? freeName(id.replaceAll(/\W+/g, '_'), used) : id;
    used.add(own);
    ids.set(component, own);
  }
  return ids;
}

/** Coordinates that springs and dampers couple. */
function partsOf({ coordinates, damping, stiffness }: ReducedMechanism, taken: ReadonlySet<string>): Part[] {
  const unions = new Unions(coordinates.length);
  for (const forms of [damping, stiffness])
    forms.forEach((form, row) => {
      for (const column of form.keys()) unions.join(row, column);
    });
  const members = new Map<number, number[]>();
  coordinates.forEach((_, k) => {
    const root = unions.find(k);
    members.set(root, [...(members.get(root) ?? []), k]);
  });
  const used = new Set(taken);
  return [...members.values()].map((own) => {
    const id = freeName('mechanism', used);
    used.add(id);
    return { id, members: own };
  });
}

const isIn = (members: readonly number[], input: number, { inputs }: ReducedMechanism): boolean => {
  const own = inputs[input];
  return own.kind === 'position' && members.includes(own.coordinate);
};

/** Components of the masses that move with each coordinate, in their order. */
function moversOf({ masses }: Assembly, reduced: ReducedMechanism): ReadonlyMap<number, readonly number[]> {
  const movers = new Map<number, number[]>();
  for (const { at, component } of masses)
    for (const input of reduced.position({ terms: [{ flange: at, factor: 1 }], offset: 0 }).keys()) {
      const own = reduced.inputs[input];
      if (own.kind !== 'position') continue;
      movers.set(own.coordinate, [...(movers.get(own.coordinate) ?? []), component]);
    }
  return movers;
}

/** Forms of constants and sources as expressions of time. */
class TimedTexts {
  constructor(private readonly reduced: ReducedMechanism) {}

  of(form: LinearForm): Expression {
    const constant = form.get(ONE) ?? 0;
    const terms = [...form].flatMap(([input, factor]) => {
      const own = this.reduced.inputs[input];
      return own.kind === 'source' ? [scaled(factor, own.waveform.text)] : [];
    });
    if (terms.length === 0) return constant;
    return (constant === 0 ? terms : [...terms, String(constant)]).join(' + ');
  }
}

const scaled = (factor: number, text: string): string =>
  factor === 1 ? `(${text})` : `(${String(factor)})*(${text})`;

/** A relation of given rows; where they move with time, one that is rheonomous. */
function relationOf(
  { rows }: Law,
  columns: readonly number[],
  reduced: ReducedMechanism,
  text: TimedTexts,
  context: EvaluationContext,
  place: FieldPlace,
): TypedElement {
  const forms = rows.map((row) => reduced.position(row));
  const H = forms.map((form) => {
    const row = new Array<number>(columns.length).fill(0);
    for (const [input, factor] of form) {
      const own = reduced.inputs[input];
      if (own.kind === 'position') row[columns.indexOf(own.coordinate)] += factor;
    }
    return row;
  });
  const offsets = forms.map((form) => text.of(form));
  if (offsets.every((offset) => typeof offset === 'number'))
    return { type: 'LagrangianLinear', H, ...(offsets.some((offset) => offset !== 0) && { b: offsets }) };
  const { generate, tables } = context;
  if (generate === undefined) throw new Error('expressions of the time need functions that are generated');
  const made = (
    kind: 'constraint' | 'constraintTimeDerivative',
    texts: readonly Expression[],
    suffix: string,
  ): { function: string } => ({
    function: generate({
      kind,
      entries: texts.flatMap((one, row) =>
        one === 0 ? [] : [[row, compileTimed(String(one), () => undefined, { tables })] as const],
      ),
      place: { ...place, pointer: `${place.pointer}/${suffix}` },
    }),
  });
  const gaps = H.map((row, r) =>
    [
      ...row.flatMap((factor, k) => (factor === 0 ? [] : [scaled(factor, `q[${k}]`)])),
      ...(offsets[r] === 0 ? [] : [String(offsets[r])]),
    ].join(' + '),
  );
  const rates = rows.map((row) => {
    const form = new Map(reduced.velocity(row) ?? []);
    for (const input of form.keys()) if (reduced.inputs[input].kind === 'velocity') form.delete(input);
    return text.of(form);
  });
  return {
    type: 'LagrangianRheonomous',
    size: rows.length,
    h: made('constraint', gaps, 'gap'),
    hDot: made('constraintTimeDerivative', rates, 'rate'),
    jacobian: H,
  };
}
