/**
 * A model compiled for the scheme: what is the same for all events, and evaluates motion and relations at any
 * state.
 */
import { EngineError } from '../errors';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { FreeMotion, placeIntegrated } from './flow/free-motion';
import { SmoothFlow } from './flow/smooth-flow';
import { LinearNetwork, networkUse } from './network/linear-network';
import { NetworkFlow } from './network/network-flow';
import { EventRelations } from './rows/relation-rows';
import { expandGraphs } from './rows/graph-elements';
import { GraphRows } from './rows/graph-rows';
import { type RowLaws, readRowLaws } from './rows/row-laws';
import type { CompleteSettings } from './settings';

export interface CompiledModel {
  /** with a row for each element of laws that are graphs */
  readonly model: NonSmoothDynamicalSystem;
  /** from these rows to those of the model as it was given; null where they are the same */
  readonly graphs: GraphRows | null;
  /** what rows are and how they are counted */
  readonly laws: RowLaws;
  /** motion without interactions */
  readonly motion: FreeMotion;
  /** relations at a state */
  readonly rows: EventRelations;
  /** motion in given modes; modes and multipliers are its own */
  readonly flow: SmoothFlow;
}

/** @throws {EngineError} for a model that the scheme cannot treat */
export function compileModel(
  given: NonSmoothDynamicalSystem,
  { impacts, difference, t0, presence }: Pick<CompleteSettings, 'impacts' | 'difference' | 't0' | 'presence'>,
): CompiledModel {
  const unsuited = given.interactions.find((one) => one.presence !== undefined && one.relation.order === 2);
  if (unsuited !== undefined) throw comesAndGoes(unsuited.id);
  const unknown = presence.find(({ lawSignal }) => lawSignal !== null);
  if (unknown !== undefined) throw readsLaws(unknown.name, unknown.lawSignal ?? '');
  const model = expandGraphs(given);
  const laws = readRowLaws(model, impacts.type);
  const integrated = placeIntegrated(model);
  const graphs = model === given ? null : new GraphRows(given, model, integrated);
  const motion = new FreeMotion(model, integrated, difference, t0);
  const rows = new EventRelations(model, laws, integrated, motion, difference);
  const use = networkUse(model, laws);
  const network =
    use === null
      ? null
      : new NetworkFlow(new LinearNetwork(model, laws, rows, motion, integrated), use, laws);
  const flow = new SmoothFlow(laws, rows, motion, integrated, network);
  return { model, graphs, laws, motion, rows, flow };
}

const comesAndGoes = (id: string): EngineError =>
  new EngineError({
    code: 'presence-unsuitable',
    message: `The event-driven scheme lets interactions of first-order systems come and go, and not those of velocities, as “${id}” does by its condition.`,
    where: id,
    remedy: 'Simulate the model by time-stepping, or remove the condition.',
  });

const readsLaws = (id: string, signal: string): EngineError =>
  new EngineError({
    code: 'presence-unsuitable',
    message: `The condition of “${id}” reads “${signal}”, which follows from the laws that it decides about; the event-driven scheme asks for time, states, positions and velocities.`,
    where: id,
    remedy: 'Write the condition in these, or simulate the model by time-stepping.',
  });
