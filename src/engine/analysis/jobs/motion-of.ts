/** The motion of a document's model, ready to be analysed at any values of its parameters. */
import type { ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import type { TangentBreak } from '../../event-driven/tangent/tangent-motion';
import type { PreparedModel } from '../../preparation/prepare';
import { compileRun } from '../../run/compile-run';
import type { ScriptSandbox } from '../../script/sandbox';
import { type MotionModel, preparedMotion } from '../stability/motion-model';
import type { Substitution } from './job';
import type { NamedQuantity } from './outcome';

export interface AnalysisEnvironment {
  readonly sandbox: () => ScriptSandbox;
  /** how far it has come, from 0 to 1 */
  readonly progress: (part: number) => void;
}

export interface AnalysedMotion {
  readonly document: ModelDocument;
  readonly prepared: PreparedModel;
  readonly motion: MotionModel;
  /** start of the model's runs, s */
  readonly t0: number;
  readonly parameters: Readonly<Record<string, number>>;
  /** script functions by name */
  readonly lookup: (name: string) => unknown;
  readonly states: readonly NamedQuantity[];
  /** slot in a row, and place in the state x, of each of them */
  readonly slots: Int32Array;
  readonly places: Int32Array;
}

/** @throws {EngineError} for defects of the model, and for one whose disturbances are not followed */
export function analysedMotion(
  document: ModelDocument,
  set: Substitution,
  { sandbox }: Pick<AnalysisEnvironment, 'sandbox'>,
): AnalysedMotion {
  const compiled = compileRun({ document, scheme: 'event-driven' }, { ...set }, sandbox);
  if (!compiled.ok) throw new EngineError(compiled.error);
  const { prepared, parameters, lookup } = compiled;
  const { layout, settings } = prepared;
  const motion = preparedMotion(prepared);
  const kept = layout.signals.flatMap(({ kind }, k) =>
    kind === 'position' || kind === 'velocity' || kind === 'state' ? [k] : [],
  );
  const { velocity } = motion.places;
  const placeOf = (slot: number): number => (slot < layout.v ? slot - layout.q : velocity[slot - layout.v]);
  const slots = Int32Array.from(kept, (k) => layout.slots[k]);
  return {
    document,
    prepared,
    motion,
    t0: settings.t0,
    parameters,
    lookup,
    states: kept.map((k) => ({ name: layout.signals[k].name, unit: layout.signals[k].unit })),
    slots,
    places: slots.map(placeOf),
  };
}

/** A state in the order of its names. */
export const inOrderOfNames = ({ places }: AnalysedMotion, x: Float64Array): Float64Array =>
  Float64Array.from(places, (place) => x[place]);

/* Events that disturbances cannot be carried across, in words. */

const WHY: Readonly<Record<TangentBreak['status'], string>> = {
  grazing: 'a border is only touched there, which motions nearby pass or miss',
  simultaneous: 'several events happen at once and depend on each other',
  network: 'modes of a network change there, or charges flow, without a function that says when',
  redundant: 'the impulses are not determined by the rows that push',
  law: 'the law of impacts has no derivative there',
};

/** @param what has the event */
export const noDerivative = (
  what: 'orbit' | 'motion',
  { status, time, element }: TangentBreak,
  remedy: string,
): EngineError =>
  new EngineError({
    code: 'not-differentiable',
    message: `The ${what} has an event that cannot be differentiated, at t = ${time} s${element === '' ? '' : `, of “${element}”`}: ${WHY[status]}.`,
    where: element,
    remedy,
  });
