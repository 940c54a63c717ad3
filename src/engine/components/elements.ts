/** A reduced network as elements of the document, which are then built like all others. */
import type { EvaluationContext } from '../document/field-values';
import type { FieldValue, SystemDocument, TypedElement } from '../document/types';
import { componentTypes } from '../model/components/registry';
import type { Gate, WiredGate } from '../model/components/circuit';
import type { Named } from './explanations';
import { conditionOf, type GateNames, type GateUse } from './gates';
import { type LinearForm, ONE } from './linear-form';
import { memoriesOf } from './memories';
import type { NetworkInput, NetworkRow, ReducedNetwork } from './reduction';
import { SignalTexts } from './signal-texts';
import { type CompiledComponents, type OutputSignal, type OutputTable, pathsOf, type Report } from './result';

interface Surroundings {
  readonly outputs: readonly OutputSignal[];
  /** ids that other elements have */
  readonly taken: ReadonlySet<string>;
  /** beginning of the run, s */
  readonly t0: number;
  readonly context: EvaluationContext;
  readonly report: Report;
}

/** Up to this size matrices are written by rows, beyond by their entries. */
const DENSE = 64;

/** What makes pieces of an expression of time. */
const PIECES = /[?<>]|\b(?:mod|abs|min|max|floor|ceil|round|sign|table)\b/;

type Kind = NetworkInput['kind'];

export function toElements(
  reduced: ReducedNetwork,
  named: Named,
  { outputs, taken, t0, context, report }: Surroundings,
): CompiledComponents {
  const { states, rates, rows, sources, inputs } = reduced;
  const ids = new Set([
    ...taken,
    ...named.components.map(({ id }) => id),
    ...named.wires.map(({ id }) => id),
  ]);
  const system = freeName('circuit', ids);
  const interaction = freeName('junctions', ids);
  const n = Math.max(1, states.length);
  const texts = sources.map(({ text }) => text);
  const matrix = (forms: readonly LinearForm[], kind: Kind, columns: number): FieldValue =>
    matrixOf(
      forms,
      (input) => {
        const own = inputs[input];
        return own.kind === kind && 'index' in own ? own.index : -1;
      },
      columns,
    );
  // A circuit without a state has one that rests: a relation is one of a system.
  const rateForms = states.length === 0 ? [new Map<number, number>()] : rates;
  const constants = rateForms.map((form) => form.get(ONE) ?? 0);
  const start = states.length === 0 ? [0] : states.map(({ initial }) => initial);
  const document: SystemDocument = {
    id: system,
    type: 'FirstOrderLinear',
    n,
    x0: start,
    A: matrix(rateForms, 'state', n),
    ...(constants.some((value) => value !== 0) && { b: constants }),
    // What memories alone read is there as well where it has pieces, so that it is known when they end.
    ...((hasInput(rateForms, inputs, 'source') ||
      (named.network.memories.size > 0 && texts.some((text) => PIECES.test(text)))) && {
      controlSize: texts.length,
      u: texts,
      T: matrix(rateForms, 'source', texts.length),
    }),
  };
  const stateName = (k: number): string => `${system}.x${n === 1 ? '' : `[${k}]`}`;
  const textWith =
    (ofState: (k: number) => string) =>
    (input: number): string => {
      const own = inputs[input];
      if (!('index' in own)) throw new Error('an unknown of the network is left');
      if (own.kind === 'source') return `(${texts[own.index]})`;
      return own.kind === 'state'
        ? ofState(own.index)
        : `${interaction}.lambda${rows.length === 1 ? '' : `[${own.index}]`}`;
    };
  const textOf = textWith(stateName);
  const signals = new SignalTexts(reduced, named, outputs, textOf, context, report);
  const memories = memoriesOf(reduced, named, start, {
    ...{ system, context, report, t0, texts: signals, sources: texts },
    states: start.map((_, k) => stateName(k)),
    // What is wrong with a text has been said of the same one of states.
    startTexts: new SignalTexts(
      reduced,
      named,
      outputs,
      textWith((k) => `(${start[k]})`),
      context,
      () => undefined,
    ),
    freeName: (base) => freeName(base, ids),
    hasMultiplier: (text) => text.includes(`${interaction}.lambda`),
  });
  const systems = [document, ...memories.map((reset) => reset.document)];
  const logic = signals.recorded(inputs.length, texts.length);
  const table: OutputTable = {
    signals: [...outputs, ...logic.outputs],
    inputs: [...inputs, ...logic.inputs],
    sources: [...texts, ...logic.sources],
    state: `${system}.x${n === 1 ? '' : '[0]'}`,
    multiplier: `${interaction}.lambda${rows.length === 1 ? '' : '[0]'}`,
  };
  const sourceOwners = sources.map((source) => {
    const { branches } = named.network;
    const own = branches.findIndex(({ element }) => 'value' in element && element.value === source);
    return own < 0 ? '' : nameOf(named, own);
  });
  const shown = states.map(({ branch }) => stateLabel(named, branch));
  const labels = {
    ...Object.fromEntries(
      memories.map(({ document: { id }, component }) => [id, { rows: [], component }] as const),
    ),
    [system]: {
      rows: shown.map(({ name }) => name),
      names: pathsOf(named.network.branches.map(({ component }) => named.components[component].id)),
      units: shown.map(({ unit }) => unit),
      of: 'states' as const,
      sources: sourceOwners,
    },
  };
  if (rows.length === 0) return { systems, interactions: [], table, labels };
  const names: GateNames = {
    outputs: table.signals,
    textOf: (input) => (input < inputs.length ? textOf(input) : logic.sources[input - inputs.length]),
    isStepped: ({ form }) => [...form.keys()].some((input) => input >= inputs.length),
  };
  const owners = rows.flatMap(({ branch, isBlocking }) =>
    branch < 0 || isBlocking ? [] : [named.network.branches[branch].component],
  );
  // Components with several laws.
  const seen = new Set<number>();
  const several = new Set(owners.filter((owner) => seen.size === seen.add(owner).size));
  const written = rows.map((row) =>
    row.branch < 0
      ? { type: 'Equality', name: freeName(`node${row.part}`, ids) }
      : lawOf(row, named, several, (gate, as) =>
          'node' in gate
            ? signals.gate(gate, as)
            : conditionOf(gate, as, names, { element: nameOf(named, row.branch), context, report }),
        ),
  );
  // A component may have several of one kind, as the two sides of a play.
  const times = new Map<string, number>();
  const laws = written.map((law): TypedElement => {
    const name = typeof law['name'] === 'string' ? law['name'] : '';
    const k = (times.get(name) ?? 0) + 1;
    times.set(name, k);
    return k === 1 ? law : { ...law, name: `${name}${k}` };
  });
  const outputForms = rows.map(({ output }) => output);
  const offsets = outputForms.map((form) => form.get(ONE) ?? 0);
  const relation: TypedElement = {
    type: 'FirstOrderLinearTI',
    C: matrix(outputForms, 'state', n),
    D: matrix(outputForms, 'multiplier', rows.length),
    B: matrix(rateForms, 'multiplier', rows.length),
    ...(offsets.some((value) => value !== 0) && { e: offsets }),
    ...(hasInput(outputForms, inputs, 'source') && {
      F: matrix(outputForms, 'source', texts.length),
      z: texts,
    }),
  };
  return {
    systems,
    table,
    labels: {
      ...labels,
      [interaction]: {
        rows: laws.map(({ name }) => (typeof name === 'string' ? name : '')),
        sources: sourceOwners,
      },
    },
    interactions: [{ id: interaction, systems: [system], relation, law: { type: 'PerRow', laws } }],
  };
}

/** What a state is called: `C1.v`, `L1.i`, or the component alone where that records neither. */
function stateLabel(named: Named, branch: number): { readonly name: string; readonly unit: string | null } {
  const { element, component } = named.network.branches[branch];
  const { id, type } = named.components[component];
  const name = named.network.labels.get(branch) ?? (element.kind === 'capacitor' ? 'v' : 'i');
  const quantities = componentTypes.get(type)?.definition.quantities ?? [];
  const own = quantities.find((one) => one.name === name);
  return own === undefined ? { name: id, unit: null } : { name: `${id}.${name}`, unit: own.unit };
}

const nameOf = ({ network, components }: Named, branch: number): string =>
  components[network.branches[branch].component].id;

export function freeName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let k = 2; ; k++) if (!taken.has(`${base}${k}`)) return `${base}${k}`;
}

const hasInput = (forms: readonly LinearForm[], inputs: readonly NetworkInput[], kind: Kind): boolean =>
  forms.some((form) => [...form.keys()].some((input) => inputs[input].kind === kind));

/** Coefficients of the inputs that `columnOf` gives a column, which is −1 for others. */
function matrixOf(
  forms: readonly LinearForm[],
  columnOf: (input: number) => number,
  columns: number,
): FieldValue {
  const entries = forms.flatMap((form, row) =>
    [...form].flatMap(([input, value]): [number, number, number][] => {
      const column = columnOf(input);
      return column < 0 ? [] : [[row, column, value]];
    }),
  );
  return entriesAsMatrix(entries, forms.length, columns);
}

export function entriesAsMatrix(
  entries: readonly [number, number, number][],
  rows: number,
  columns: number,
): FieldValue {
  if (rows * columns > DENSE) return { rows, entries: [...entries].sort(([a, b], [c, d]) => a - c || b - d) };
  const matrix = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  for (const [row, column, value] of entries) matrix[row][column] += value;
  return matrix;
}

/** The law of a row, named after its component. */
function lawOf(
  { branch, isVoltage, isBlocking }: Pick<NetworkRow, 'branch' | 'isVoltage' | 'isBlocking'>,
  named: Named,
  several: ReadonlySet<number>,
  condition: (gate: Gate | WiredGate, as: GateUse) => TypedElement | null,
): TypedElement {
  const { element, component } = named.network.branches[branch];
  // Of a transistor: what it is by its gate, and its diode.
  const own = nameOf(named, branch);
  const isChannel = element.kind === 'diode' && element.gate?.isInverse === false;
  const name = several.has(component) ? `${own}.${isChannel ? 'channel' : element.kind}` : own;
  const gated = (type: string, presence: TypedElement | null): TypedElement =>
    presence === null ? { type, name } : { type, name, while: presence };
  switch (element.kind) {
    case 'diode':
      return element.gate === null
        ? { type: 'Complementarity', name }
        : gated('Complementarity', condition(element.gate.gate, { isInverse: element.gate.isInverse }));
    case 'switch':
      // Its voltage is the multiplier where that is what it has while it is open.
      return gated(
        'Equality',
        condition(element.gate, { isInverse: isVoltage, hysteresis: element.hysteresis }),
      );
    case 'thyristor':
      if (isBlocking)
        return { type: 'Equality', name: `${name}.block`, while: { type: 'Otherwise', part: name } };
      return gated(
        'Complementarity',
        condition(element.gate, {
          isInverse: false,
          latch: { carries: isVoltage ? 'output' : 'multiplier', isOnAtStart: element.isOnAtStart },
        }),
      );
    case 'relay':
      return { type: 'Relay', name, lower: [element.lower], upper: [element.upper] };
    case 'characteristic': {
      const { points, start, end } = element.curve;
      const turn = ([v, i]: readonly [number, number]): number[] => (isVoltage ? [i, -v] : [v, -i]);
      return {
        type: 'PiecewiseLinear',
        name,
        points: points.map(turn).map(positive),
        start: positive(turn(start)),
        end: positive(turn(end)),
      };
    }
    default:
      throw new Error(`${element.kind} has no law`);
  }
}

/** Without −0. */
const positive = (values: readonly number[]): number[] => values.map((value) => value + 0);
