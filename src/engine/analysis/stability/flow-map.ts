/**
 * The map of the flow over a time T from the state at t₀, x ↦ P(x), with its derivative ∂P/∂x, ∂P/∂T = f at
 * the end, and the sequence of events on the way. Of a model that is forced with period T it is the
 * stroboscopic map; of an autonomous one, fixed points at a T to be found are periodic orbits.
 */
import { ApproachWatch } from '../../event-driven/flow/approach-watch';
import type { Graze } from '../../event-driven/tangent/graze-watch';
import type { EventRecord } from '../../event-driven/event-record';
import type { TangentBreak } from '../../event-driven/tangent/tangent-motion';
import { EngineError, type EngineErrorDetails } from '../../errors';
import type { MotionModel } from './motion-model';

export interface FlowImage {
  readonly ok: true;
  /** state after the time T */
  readonly x: Float64Array;
  /** ∂P/∂x, entry [i, j] at [i + n j] */
  readonly matrix: Float64Array;
  /** ẋ at the end */
  readonly rate: Float64Array;
  /** ẋ at the start */
  readonly startRate: Float64Array;
  /** largest magnitude of each component on the way */
  readonly sizes: Float64Array;
  readonly events: readonly EventRecord[];
  /**
   * smallest gap at which a contact turns round on the way without touching, and smallest speed at which one
   * touches
   */
  readonly nearest: { readonly gap: number; readonly speed: number };
  /** the first event that has no derivative, which makes the matrix meaningless; null where there is none */
  readonly broken: TangentBreak | null;
  /** where it grazes: of motions nearby some have an event more, and the matrix is that of others at most */
  readonly graze: Graze | null;
}

export type FlowResult = FlowImage | { readonly ok: false; readonly error: EngineErrorDetails };

/** @param start x at t₀; not changed @param time T > 0, s */
export function followFlow(model: MotionModel, t0: number, time: number, start: Float64Array): FlowResult {
  try {
    const simulation = model.simulate(t0, time, start);
    const tangent = model.tangent(simulation);
    const [startRate, rate] = [new Float64Array(model.size), new Float64Array(model.size)];
    tangent.readRate(startRate);
    const approach = simulation.observe((parts) => new ApproachWatch(parts));
    simulation.run();
    tangent.passed();
    approach.passed();
    tangent.readRate(rate);
    const { events } = simulation;
    const x = simulation.x.slice(0, model.size);
    const matrix = tangent.frame.slice();
    const { broken, grazes } = tangent;
    const { gap, speed } = approach;
    const sizes = tangent.sizes.slice();
    return {
      ok: true,
      x,
      matrix,
      rate,
      startRate,
      sizes,
      events,
      nearest: { gap, speed },
      broken,
      graze: grazes.first,
    };
  } catch (error) {
    if (error instanceof EngineError) return { ok: false, error: error.details };
    throw error;
  }
}

export interface FlowEnd {
  readonly x: Float64Array;
  readonly events: readonly EventRecord[];
}

/**
 * The state after the time T and the events on the way, without derivatives; null where the motion cannot be
 * computed.
 */
export function flowEnd(model: MotionModel, t0: number, time: number, start: Float64Array): FlowEnd | null {
  try {
    const simulation = model.simulate(t0, time, start);
    simulation.run();
    return { x: simulation.x.slice(0, model.size), events: simulation.events };
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
