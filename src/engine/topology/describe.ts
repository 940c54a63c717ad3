/**
 * The topology of a model as plain data for the window: identifiers instead of handles, nothing that JSON
 * cannot hold.
 */
import { plural } from '../plural';
import type { ReadonlyIndexSet } from './index-set';
import { type IndexSetRule, indexSetRule, ruleText } from './index-set-rules';
import { InteractionGraph, type InteractionHandle } from './interaction-graph';
import {
  type BlockDegree,
  type ComponentDegree,
  type DegreeDefect,
  type InteractionDegree,
  type RowDegree,
  relativeDegrees,
} from './relative-degree';
import type { InfiniteStructure } from './structure-algorithm';
import type { TopologyModel } from './topology-model';

/*
 * Which blocks of the one-step matrix are non-zero: block (α, β) is when α and β share a system (Siconos
 * developer's notes §2.1.1, (2.16)), so the pattern is the linked-interaction map with the diagonal added,
 * restricted to an index set.
 */

/**
 * Compressed block rows: block row k is interactions[k], and its blocks stand in columns[rowStart[k] …
 * rowStart[k+1]−1].
 */
export interface BlockPattern {
  /** handles of the members in increasing order */
  readonly interactions: Int32Array;
  readonly rowStart: Int32Array;
  /** positions in `interactions`, increasing within a row, the diagonal included */
  readonly columns: Int32Array;
}

/** @param set the interactions that take part; all of them when left out */
export function blockPattern(
  graph: InteractionGraph,
  set: ReadonlyIndexSet = graph.indexSet(0),
): BlockPattern {
  const interactions = new Int32Array(set.size);
  set.write(interactions);
  const position = new Map<InteractionHandle, number>();
  interactions.forEach((handle, k) => position.set(handle, k));
  const rowStart = new Int32Array(set.size + 1);
  const columns: number[] = [];
  interactions.forEach((handle, k) => {
    const row = [k];
    for (const { interaction } of graph.linked(handle)) {
      const column = position.get(interaction);
      if (column !== undefined) row.push(column);
    }
    columns.push(...row.sort((a, b) => a - b));
    rowStart[k + 1] = columns.length;
  });
  return { interactions, rowStart, columns: Int32Array.from(columns) };
}

/* The interaction graph of a whole model: handles are the positions of the elements in it. */

export function graphOf({ systems, interactions }: TopologyModel): InteractionGraph {
  const graph = new InteractionGraph();
  for (const { id } of systems) graph.insertSystem(id);
  for (const { id, systems: linked } of interactions) graph.insertInteraction(id, linked);
  return graph;
}

interface DescribedSystem {
  readonly id: string;
  readonly order: 1 | 2;
  /** length of x or q */
  readonly size: number;
  readonly interactions: readonly string[];
  /** position in `TopologyDescription.components` */
  readonly component: number;
}

export interface DescribedInteraction {
  readonly id: string;
  readonly systems: readonly string[];
  /** length of y and λ */
  readonly size: number;
  /** rows the law takes at once, and how often it is applied: size = lawSize · laws */
  readonly lawSize: number;
  readonly laws: number;
  readonly component: number;
  /** row of the linked-interaction map */
  readonly linked: readonly { readonly interaction: string; readonly common: readonly string[] }[];
  readonly degree: DescribedDegree | null;
}

export interface DescribedDegree {
  readonly rows: readonly RowDegree[];
  readonly block: BlockDegree;
  readonly rule: IndexSetRule;
  /** the rule in words */
  readonly text: string;
}

export interface DescribedComponent {
  readonly systems: readonly string[];
  readonly interactions: readonly string[];
  /** number of rows of y and λ */
  readonly rows: number;
  readonly vector: DescribedVector | null;
}

/** Vector relative degree of a component. */
interface DescribedVector {
  /** whether the degrees hold for the model as such or for its linearisation at the initial state */
  readonly basis: ComponentDegree['basis'];
  readonly status: 'exists' | 'undefined' | 'not-decided' | 'defect';
  /** rows for which it is undefined */
  readonly rows: readonly { readonly interaction: string; readonly row: number }[];
  /** rank of the decoupling matrix where it is undefined */
  readonly rank: number | null;
  readonly structure: InfiniteStructure | null;
  readonly defect: DegreeDefect | null;
  readonly text: string;
}

export interface TopologyDescription {
  readonly systems: readonly DescribedSystem[];
  readonly interactions: readonly DescribedInteraction[];
  readonly components: readonly DescribedComponent[];
  /**
   * block rows of the one-step matrix: columns[rowStart[k] … rowStart[k+1]−1] are positions in `interactions`
   */
  readonly pattern: { readonly rowStart: readonly number[]; readonly columns: readonly number[] };
}

/**
 * @param initialTime time of the initial state, s, at which relative degrees are computed; null leaves them
 *   out, and then no function of the model is called
 */
export function describeTopology(model: TopologyModel, initialTime: number | null): TopologyDescription {
  const graph = graphOf(model);
  const degrees = initialTime === null ? null : relativeDegrees(model, graph, initialTime);
  const byInteraction = new Map<number, ComponentDegree>();
  const bySystem = new Map<number, ComponentDegree>();
  for (const component of degrees?.components ?? []) {
    for (const alpha of component.interactions) byInteraction.set(alpha, component);
    bySystem.set(component.systems[0], component);
  }
  const components = graph.components();
  const componentOf = new Int32Array(model.systems.length);
  components.forEach((members, k) => members.forEach((system) => (componentOf[system] = k)));
  const systemIds = (handles: readonly number[]): string[] => handles.map((i) => model.systems[i].id);
  const interactionIds = (handles: readonly number[]): string[] =>
    handles.map((alpha) => model.interactions[alpha].id);
  const pattern = blockPattern(graph);
  return {
    systems: model.systems.map(({ id, form }, i) => ({
      id,
      order: form.order,
      size: form.size,
      interactions: interactionIds(graph.interactionsOf(i)),
      component: componentOf[i],
    })),
    interactions: model.interactions.map(({ id, systems, relation, law }, alpha) => ({
      id,
      systems: systemIds(systems),
      size: relation.size,
      lawSize: law.size,
      laws: relation.size / law.size,
      component: componentOf[systems[0]],
      linked: graph.linked(alpha).map(({ interaction, common }) => ({
        interaction: model.interactions[interaction].id,
        common: systemIds(common),
      })),
      degree: describeDegree(model, alpha, degrees?.interactions[alpha], byInteraction.get(alpha)),
    })),
    components: components.map((members) => {
      const interactions = interactionsOf(graph, members);
      const component = bySystem.get(members[0]);
      return {
        systems: systemIds(members),
        interactions: interactionIds(interactions),
        rows: interactions.reduce((sum, alpha) => sum + model.interactions[alpha].relation.size, 0),
        vector: component === undefined ? null : describeVector(model, component),
      };
    }),
    pattern: { rowStart: [...pattern.rowStart], columns: [...pattern.columns] },
  };
}

function interactionsOf(graph: InteractionGraph, systems: readonly number[]): number[] {
  const all = new Set(systems.flatMap((system) => [...graph.interactionsOf(system)]));
  return [...all].sort((a, b) => a - b);
}

function describeDegree(
  model: TopologyModel,
  alpha: number,
  degree: InteractionDegree | null | undefined,
  component: ComponentDegree | undefined,
): DescribedDegree | null {
  const vector = component?.vector;
  if (degree === null || degree === undefined || vector === undefined || !('status' in vector)) return null;
  const rule = indexSetRule(model.interactions[alpha], alpha, degree, vector);
  return { rows: degree.rows, block: degree.block, rule, text: ruleText(rule) };
}

function describeVector(
  model: TopologyModel,
  { vector, basis, rows: size }: ComponentDegree,
): DescribedVector {
  const none = { basis, rows: [], rank: null, structure: null, defect: null };
  if (!('status' in vector)) return { ...none, status: 'defect', defect: vector, text: defectText(vector) };
  const text = vectorText(vector.status, basis);
  if (vector.status !== 'undefined') return { ...none, status: vector.status, text };
  const { rank, structure } = vector;
  const rows = vector.rows.map(({ interaction, row }) => ({
    interaction: model.interactions[interaction].id,
    row,
  }));
  return {
    ...none,
    status: 'undefined',
    rows,
    rank,
    structure,
    text: `${text} ${structureText(structure, size)}`.trim(),
  };
}

const AT_START = 'At the initial state, about which the model was linearised: ';

function vectorText(status: 'exists' | 'undefined' | 'not-decided', basis: ComponentDegree['basis']): string {
  const texts = {
    exists: 'each multiplier acts on the outputs independently of the others.',
    undefined:
      'the outputs of some rows respond to the multipliers in the same way, so that counted together they have no relative degree.',
    'not-decided':
      'there are too many rows to determine whether they respond to the multipliers independently.',
  };
  const text = texts[status];
  return basis === 'constant' ? `${text[0].toUpperCase()}${text.slice(1)}` : AT_START + text;
}

function structureText(structure: InfiniteStructure | null, rows: number): string {
  if (structure === null || structure.limited) return '';
  if (!structure.invertible)
    return `Of the ${rows} multipliers the outputs determine ${plural(structure.rank, 'combination')} only: the motion may be unique, the multipliers are not.`;
  return `The outputs determine all multipliers, some of them after ${plural((structure.index ?? 1) - 1, 'derivative')}: held at zero, they make a differential-algebraic system of index ${structure.index ?? 1}.`;
}

function defectText({ defect, element }: DegreeDefect): string {
  switch (defect) {
    case 'not-finite':
      return `The relative degree was not computed: a matrix of '${element}' is not finite at the initial state.`;
    case 'singular-mass':
      return `The relative degree was not computed: the mass matrix of '${element}' is singular.`;
    case 'too-large':
      return `The relative degree was not computed: the matrices of '${element}' are too large.`;
  }
}
