/** A model whose motion from event to event is analysed: started anywhere, again and again. */
import { EngineError, type EngineErrorDetails } from '../../errors';
import { EventDriven } from '../../event-driven/event-driven';
import { type IntegratedPlaces, placeIntegrated } from '../../event-driven/flow/free-motion';
import { readRowLaws } from '../../event-driven/rows/row-laws';
import type { EventDrivenSettings } from '../../event-driven/settings';
import { TangentMotion, type TangentBreak } from '../../event-driven/tangent/tangent-motion';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { PreparedModel } from '../../preparation/prepare';
import { eventSettings } from '../../run/schemes/event-driven';
import { ApproachWatch } from '../../event-driven/flow/approach-watch';
import type { EventRecord } from '../../event-driven/event-record';

/*
 * The map of the flow over a time T from the state at t₀, x ↦ P(x), with its derivative ∂P/∂x, ∂P/∂T = f at
 * the end, and the sequence of events on the way. Of a model that is forced with period T it is the
 * stroboscopic map; of an autonomous one, fixed points at a T to be found are periodic orbits.
 */

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
    const { broken } = tangent;
    const { gap, speed } = approach;
    const sizes = tangent.sizes.slice();
    return { ok: true, x, matrix, rate, startRate, sizes, events, nearest: { gap, speed }, broken };
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

/** Settings of the simulation but for when and where it starts. */
export type MotionSettings = Omit<EventDrivenSettings, 't0' | 'tEnd' | 'start'>;

export class MotionModel {
  readonly places: IntegratedPlaces;
  /** whether impacts follow Newton's law, or one that is the same for single contacts */
  readonly #isPlainLaw: boolean;

  constructor(
    readonly model: NonSmoothDynamicalSystem,
    readonly rowPlaces: StatePlaces,
    readonly settings: MotionSettings,
  ) {
    this.places = placeIntegrated(model);
    const type = settings.impacts?.type ?? 'Newton';
    this.#isPlainLaw = type === 'Newton' || type === 'Poisson';
  }

  /** Length of the state x = q | v. */
  get size(): number {
    return this.places.size;
  }

  /** The state x that stands in a row. */
  stateOf(row: Float64Array): Float64Array {
    const { coordinates, velocity, size } = this.places;
    const { q, v } = this.rowPlaces;
    const x = new Float64Array(size);
    for (let dof = 0; dof < coordinates; dof++) {
      x[dof] = row[q + dof];
      if (velocity[dof] !== dof) x[velocity[dof]] = row[v + dof];
    }
    return x;
  }

  /** The state that the forms start from. */
  get initialState(): Float64Array {
    const { offsets, velocity, size } = this.places;
    const x = new Float64Array(size);
    this.model.systems.forEach(({ form }, s) => {
      x.set(form.order === 1 ? form.x0 : form.q0, offsets[s]);
      if (form.order === 2) form.v0.forEach((v, k) => (x[velocity[offsets[s] + k]] = v));
    });
    return x;
  }

  /**
   * A simulation from a state. Its discretisation ends with it: it has a whole number of steps of about the
   * length that was asked for.
   * @param duration s
   * @param steps of the discretisation; as many as give about the step of the settings when absent
   * @param certify whether the certificate judges it
   * @throws {EngineError} when it cannot start there
   */
  simulate(
    t0: number,
    duration: number,
    start: Float64Array,
    steps = Math.max(1, Math.round(duration / this.settings.h)),
    certify = false,
  ): EventDriven {
    const { model, rowPlaces, settings } = this;
    const h = duration / steps;
    return new EventDriven(model, rowPlaces, {
      ...settings,
      certify,
      h,
      t0,
      tEnd: t0 + duration,
      start,
    });
  }

  /** Disturbances carried along a simulation from here. */
  tangent(simulation: EventDriven, count = this.size): TangentMotion {
    return simulation.observe((parts) => new TangentMotion(parts, count, this.#isPlainLaw));
  }
}

/* The motion of a model that is ready to run, for analyses that follow its disturbances. */

/** @throws {EngineError} `not-analysed` for a model whose disturbances are not followed */
export function preparedMotion({ model, layout, settings, space }: PreparedModel): MotionModel {
  if (space !== null)
    throw notAnalysed(
      'This model has bodies in space, which the event-driven scheme does not simulate.',
      'Sweeps analyse it by time-stepping.',
    );
  const { impacts } = eventSettings(settings, settings.tEnd);
  if (readRowLaws(model, impacts?.type ?? 'Newton').kind.includes('joint'))
    throw notAnalysed(
      'This model has joints: disturbances along them are not followed.',
      'Describe it in coordinates that need no joints, or analyse it by sweeps.',
    );
  const { t0: _, tEnd: __, ...motionSettings } = eventSettings(settings, settings.tEnd);
  return new MotionModel(model, layout, motionSettings);
}

const notAnalysed = (message: string, remedy: string): EngineError =>
  new EngineError({ code: 'not-analysed', message, remedy });
