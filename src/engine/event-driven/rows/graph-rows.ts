/** From the rows of the scheme, which are elements where a law is a graph, to those of the model. */
import { type NonSmoothDynamicalSystem, type Relation, linkedPlaces } from '../../model/nsds';
import type { ImpactFacts } from '../certificate/certificate';
import type { EventState, ImpactStage } from '../event-state';
import type { IntegratedPlaces } from '../flow/free-motion';
import type { ExpandedInteraction, GraphElement } from './graph-elements';

/** One relation of the model whose rows are graphs. */
interface GraphRelation {
  readonly relation: Relation;
  /** first row of the model, and first element */
  readonly row: number;
  readonly first: number;
  readonly positions: Int32Array;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly y: Float64Array;
}

/** What the rows of a model are when its elements are known. */
export class GraphRows {
  /** number of rows of the model */
  readonly count: number;
  /** row of the model, by row of the scheme */
  readonly owner: Int32Array;
  readonly #sign: Int8Array;
  /** by row of the model: the first row of the scheme */
  readonly #first: Int32Array;
  readonly #graphs: readonly GraphRelation[];
  readonly #elements: readonly (GraphElement | null)[];
  /** 1 for elements of graphs on ẏ, by row of the scheme */
  readonly #isSpeed: Uint8Array;

  constructor(
    model: NonSmoothDynamicalSystem,
    expanded: { readonly interactions: readonly ExpandedInteraction[] },
    places: Pick<IntegratedPlaces, 'positionOffsets'>,
  ) {
    const owner: number[] = [];
    const elements: (GraphElement | null)[] = [];
    const isSpeed: number[] = [];
    const graphs: GraphRelation[] = [];
    let row = 0;
    model.interactions.forEach(({ relation, systems, law }, i) => {
      const own = expanded.interactions[i].elements;
      const first = owner.length;
      for (let k = 0; k < (own?.length ?? relation.size); k++) {
        owner.push(row + (own === undefined ? k : own[k].row));
        elements.push(own?.[k] ?? null);
        isSpeed.push(own !== undefined && relation.order === 2 && law.level === 'velocity' ? 1 : 0);
      }
      if (own !== undefined)
        graphs.push({
          relation,
          row,
          first,
          positions: linkedPlaces(places.positionOffsets, systems),
          z: new Float64Array(relation.columns),
          lambda: new Float64Array(relation.size),
          y: new Float64Array(relation.size),
        });
      row += relation.size;
    });
    this.count = row;
    this.owner = Int32Array.from(owner);
    this.#elements = elements;
    this.#sign = Int8Array.from(elements, (element) => element?.sign ?? 1);
    this.#isSpeed = Uint8Array.from(isSpeed);
    this.#graphs = graphs;
    this.#first = new Int32Array(row).fill(-1);
    owner.forEach((r, k) => {
      if (this.#first[r] < 0) this.#first[r] = k;
    });
  }

  /** Rows of the scheme for successive rows of the model. */
  range({ first, end }: { first: number; end: number }): { first: number; end: number } {
    const at = (row: number): number => (row < this.count ? this.#first[row] : this.owner.length);
    return { first: at(first), end: at(end) };
  }

  /** λ or impulses by row of the model. @param values by row of the scheme */
  sum(values: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0; k < this.owner.length; k++) out[this.owner[k]] += this.#sign[k] * values[k];
  }

  /** What is the same for all elements of a row, by row of the model. */
  pick<T extends Float64Array | Uint8Array>(values: T, out: T): void {
    for (let r = 0; r < this.count; r++) out[r] = values[this.#first[r]];
  }

  /**
   * y and ẏ by row of the model.
   * @param lambda, y, speed by row of the scheme, at the state x
   */
  outputs(
    clock: Float64Array,
    x: Float64Array,
    lambda: Float64Array,
    y: Float64Array,
    speed: Float64Array,
    outY: Float64Array,
    outSpeed: Float64Array,
  ): void {
    this.pick(y, outY);
    this.pick(speed, outSpeed);
    for (const graph of this.#graphs) {
      const { relation, positions, row, z, y: values } = graph;
      for (let k = 0; k < z.length; k++) z[k] = x[positions[k]];
      graph.lambda.fill(0);
      for (let k = graph.first; k < this.owner.length && this.owner[k] < row + relation.size; k++)
        graph.lambda[this.owner[k] - row] += this.#sign[k] * lambda[k];
      relation.output(clock, z, graph.lambda, values);
      for (let r = 0; r < relation.size; r++) {
        outY[row + r] = values[r];
        const k = this.#first[row + r];
        const element = this.#elements[k];
        if (element === null || this.#isSpeed[k] === 0) continue;
        const yielded = element.compliance * (lambda[k] - element.reference);
        outSpeed[row + r] = (element.compliance === 0 ? speed[k] : y[k] - yielded) + element.target;
      }
    }
  }
}

/** What the certificate asks of the impacts of an event, by row of the model. */
export class GraphFacts implements ImpactFacts {
  /** P of all impacts of the event that was read last */
  readonly impulse: Float64Array;
  readonly isPlastic: Uint8Array;
  readonly phases: ImpactStage[] = [];

  constructor(
    private readonly graphs: GraphRows,
    private readonly event: EventState,
  ) {
    this.impulse = new Float64Array(graphs.count);
    this.isPlastic = new Uint8Array(graphs.count);
  }

  get impactCount(): number {
    return this.event.impactCount;
  }

  get isTimed(): boolean {
    return this.event.isTimed;
  }

  get energyChange(): number {
    return this.event.energyChange;
  }

  get phaseCount(): number {
    return this.event.phaseCount;
  }

  /** Takes in the event that has been processed. */
  read(): void {
    const { graphs, event, phases } = this;
    graphs.sum(event.impulse, this.impulse);
    graphs.pick(event.isPlastic, this.isPlastic);
    phases.length = 0;
    for (let k = 0; k < event.phaseCount; k++) {
      const { kind, before, after, impulse, isPlastic } = event.phases[k];
      const stage = {
        kind,
        before: new Float64Array(graphs.count),
        after: new Float64Array(graphs.count),
        impulse: new Float64Array(graphs.count),
        isPlastic: new Uint8Array(graphs.count),
      };
      graphs.pick(before, stage.before);
      graphs.pick(after, stage.after);
      graphs.sum(impulse, stage.impulse);
      graphs.pick(isPlastic, stage.isPlastic);
      phases.push(stage);
    }
  }
}
