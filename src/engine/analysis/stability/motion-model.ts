/** A model whose motion from event to event is analysed: started anywhere, again and again. */
import { isStepped } from '../../document/settings';
import { whyNotAnalysed } from '../../model/analyses/analysable';
import { EngineError } from '../../errors';
import { EventDriven } from '../../event-driven/event-driven';
import { type IntegratedPlaces, placeIntegrated } from '../../event-driven/flow/free-motion';
import { expandGraphs } from '../../event-driven/rows/graph-elements';
import { readRowLaws } from '../../event-driven/rows/row-laws';
import type { EventDrivenSettings } from '../../event-driven/settings';
import { TangentMotion } from '../../event-driven/tangent/tangent-motion';
import { hasContactsThatGo, type NonSmoothDynamicalSystem, remembersPresence } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { PreparedModel } from '../../preparation/prepare';
import { eventSettings } from '../../run/schemes/event-driven';

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

const always = (): boolean => true;

/**
 * Goes from point to point of the discretisation, whose steps are periods, without rows of the result as far
 * as that can be done (`event-driven/skim`).
 * @param arrive called at each point with its number and the state x, which is longer where forces of time
 *   stand behind it; says whether the motion is to go on
 * @throws {EngineError} when the motion cannot be simulated
 */
export function goByPoints(
  simulation: EventDriven,
  arrive: (point: number, x: Float64Array) => boolean,
): void {
  const { grid, current } = simulation.manager;
  let point = 1;
  let isWanted = true;
  const next = (x: Float64Array): number => {
    isWanted = arrive(point, x);
    if (isWanted) point++;
    return grid.pointTime(point);
  };
  const request = { period: grid.h, isWanted: always, rows: null, next };
  while (isWanted && simulation.hasNextEvent) {
    if (!simulation.skim({ ...request, until: grid.pointTime(point) })) simulation.computeOneStep();
    if (isWanted && current[0] >= point) next(simulation.x);
  }
}

/** What an analysis asks of a motion of which it keeps no rows. */
export interface MotionOnTheWay {
  /** time up to which it may go, s */
  readonly until: () => number;
  /** called there, with that time */
  readonly arrive: (time: number) => void;
  /** asked after each event */
  readonly isWanted: () => boolean;
  /** time after which walls that move may repeat themselves, s */
  readonly period: number;
}

/**
 * Goes on to the end, without rows of the result as far as that can be done (`event-driven/skim`). Elsewhere
 * it arrives at the first point of the discretisation or event behind the time asked for.
 * @throws {EngineError} when the motion cannot be simulated
 */
export function goOn(simulation: EventDriven, { until, arrive, isWanted, period }: MotionOnTheWay): void {
  const { finalTime, grid } = simulation.manager;
  // The general path does the last step.
  const due = (): number => Math.min(until(), finalTime - grid.h);
  const next = (): number => {
    if (due() === until()) arrive(until());
    return due();
  };
  while (isWanted() && simulation.hasNextEvent) {
    if (!simulation.skim({ until: due(), period, isWanted, rows: null, next })) simulation.computeOneStep();
    const time = simulation.startingTime;
    if (isWanted() && (time >= until() || !simulation.hasNextEvent)) arrive(time);
  }
}

/* The motion of a model that is ready to run, for analyses that follow its disturbances. */

/** @throws {EngineError} `not-analysed` for a model whose disturbances are not followed */
export function preparedMotion({
  model,
  layout,
  settings,
  space,
  control,
  resets,
  presence,
}: PreparedModel): MotionModel {
  const why = whyNotAnalysed({
    hasBodies: space !== null,
    hasBlocks: control !== null,
    hasContactsThatGo: hasContactsThatGo(model),
    remembersPresence: remembersPresence(model),
    isStepped: isStepped(settings),
  });
  if (why !== null) throw notAnalysed(why.message, why.remedy);
  const { impacts } = eventSettings(settings, settings.tEnd);
  if (readRowLaws(expandGraphs(model), impacts?.type ?? 'Newton').kind.includes('joint'))
    throw notAnalysed(
      'This model has joints: disturbances along them are not followed.',
      'Describe it in coordinates that need no joints, or analyse it by sweeps.',
    );
  const { t0: _, tEnd: __, ...motionSettings } = eventSettings(settings, settings.tEnd);
  return new MotionModel(model, layout, { ...motionSettings, resets, presence });
}

const notAnalysed = (message: string, remedy: string): EngineError =>
  new EngineError({ code: 'not-analysed', message, remedy });
