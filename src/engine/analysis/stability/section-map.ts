/**
 * The return map of a section: from a state on it, along the flow, to the m-th return to it, with the
 * derivative of the flow on the way.
 *
 * A section is a surface g(t, x) = 0 that is crossed in one direction, or the impacts of a contact, whose g
 * is its gap; the state is then the one after the impact. The time of the return follows from the state.
 * Disturbances are therefore carried as ever, at a fixed time,
 *
 *     ξ₁ = M ξ₀,     ξ = δx − f δt,
 *
 * and a neighbour whose disturbance is ξ is on the section by δt = −(∇g ξ)/ġ later, at x + ξ + f δt, where
 * ġ = ∂g/∂t + ∇g f. At an impact M contains its saltation matrix, and f and ġ are those after it. Where ġ = 0
 * the motion is along the section, and there is no such map.
 */
import { ApproachWatch } from '../../event-driven/flow/approach-watch';
import type { EventDriven } from '../../event-driven/event-driven';
import type { Graze } from '../../event-driven/tangent/graze-watch';
import type { EventRecord } from '../../event-driven/event-record';
import type { ObservedParts } from '../../event-driven/flow/flight-observer';
import { RowSampler } from '../../event-driven/rows/row-sampler';
import type { TangentBreak, TangentMotion } from '../../event-driven/tangent/tangent-motion';
import { EngineError, type EngineErrorDetails } from '../../errors';
import { FlightSection } from '../../run/sections/flight-section';
import type { SectionTrigger } from '../../preparation/section';
import type { FlowImage } from './flow-map';
import type { MotionModel } from './motion-model';

export interface ShootingSection {
  readonly id: string;
  readonly trigger: Exclude<SectionTrigger, { kind: 'stroboscopic' }>;
  /** a row with parameters in place, and its observables */
  readonly createRow: () => Float64Array;
  readonly complete: (row: Float64Array) => void;
}

export interface MappedPoint {
  /** s */
  readonly time: number;
  /** after the impact, where the section is one */
  readonly x: Float64Array;
}

/** g of the section near the start of a motion. */
interface SectionGauge {
  /** g at any state near it */
  value(time: number, x: Float64Array): number;
  /** ∇g at the start */
  readonly gradient: Float64Array;
  /** ġ along the motion at the start, 1/s times the unit of g */
  readonly speed: number;
}

export interface ReturnImage extends MappedPoint {
  readonly ok: true;
  /** state just before the return, which is another one at an impact */
  readonly before: Float64Array;
  /** M from the start to just after the return, entry [i, j] at [i + n j] */
  readonly matrix: Float64Array;
  /** ẋ after the return, and at the start */
  readonly rate: Float64Array;
  readonly startRate: Float64Array;
  /** largest magnitude of each component on the way */
  readonly sizes: Float64Array;
  /** the one of the return included, where it is one */
  readonly events: readonly EventRecord[];
  readonly nearest: FlowImage['nearest'];
  readonly broken: TangentBreak | null;
  readonly graze: Graze | null;
  readonly gauge: SectionGauge;
}

export type ReturnResult = ReturnImage | { readonly ok: false; readonly error: EngineErrorDetails };

/** Steps of differences, relative to the sizes of the components and to the time of the way; of order 4. */
const DELTA = 2 ** -10;
const TIME_DELTA = 2 ** -16;
const STENCIL = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;
/** Part of the way by which an event may miss a return and be it: both have a few roundings of the time. */
const SAME_TIME = 1e-10;

/**
 * @param start on the section; not changed
 * @param returns m ≥ 1
 * @param longest time in which the m-th return has to come, s
 */
export function followReturn(
  model: MotionModel,
  section: ShootingSection,
  { time: t0, x }: MappedPoint,
  returns: number,
  longest: number,
): ReturnResult {
  try {
    const { trigger } = section;
    const until =
      trigger.kind === 'impact' ? null : surfaceReturn(model, section, { time: t0, x }, returns, longest);
    // A return in flight is the end of a motion that is as long; one at an event is reached by the motion
    // that was looked at.
    const duration = until === null || until.isEvent ? longest : until.time - t0;
    const simulation = model.simulate(t0, duration, x);
    const tangent = model.tangent(simulation);
    const approach = simulation.observe((parts) => new ApproachWatch(parts));
    const startRate = new Float64Array(model.size);
    tangent.readRate(startRate);
    if (trigger.kind === 'impact') runToImpact(simulation, section, trigger.rows, returns, longest);
    else if (until?.isEvent === true) runToEvent(simulation, until.time - SAME_TIME * (until.time - t0));
    else simulation.run();
    tangent.passed();
    approach.passed();
    // In the modes after the return, which are those after the start where the motion is periodic.
    const gauge = gaugeOf(model, section, simulation, { time: t0, x }, startRate, tangent.sizes);
    return imageOf(model, simulation, tangent, approach, startRate, gauge);
  } catch (error) {
    if (error instanceof EngineError) return { ok: false, error: error.details };
    throw error;
  }
}

function imageOf(
  model: MotionModel,
  simulation: EventDriven,
  tangent: TangentMotion,
  { gap, speed }: ApproachWatch,
  startRate: Float64Array,
  gauge: SectionGauge,
): ReturnImage {
  const rate = new Float64Array(model.size);
  tangent.readRate(rate);
  const x = simulation.x.slice(0, model.size);
  return {
    ok: true,
    time: simulation.state[0],
    x,
    before: simulation.rowsAtEvent === 2 ? model.stateOf(simulation.before) : x,
    matrix: tangent.frame.slice(),
    rate,
    startRate,
    sizes: tangent.sizes.slice(),
    events: simulation.events,
    nearest: { gap, speed },
    broken: tangent.broken,
    graze: tangent.grazes.first,
    gauge,
  };
}

const notMet = ({ id }: ShootingSection, returns: number, longest: number): EngineError =>
  new EngineError({
    code: 'section-not-met',
    message: `The motion does not come to the section “${id}” ${returns === 1 ? 'again' : `${returns} times`} within ${longest.toPrecision(4)} s.`,
    where: id,
    remedy: 'Give a longer period, let the motion settle longer, or take another section.',
  });

/** The impacts of an event that a section on impact counts. */
export function hits(
  { impulses, rowsAtEvent }: EventDriven,
  [first, end]: readonly [number, number],
): boolean {
  if (rowsAtEvent !== 2) return false;
  for (let row = first; row < end; row++) if (impulses[row] !== 0) return true;
  return false;
}

function runToImpact(
  simulation: EventDriven,
  section: ShootingSection,
  rows: readonly [number, number],
  returns: number,
  longest: number,
): void {
  let count = 0;
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (hits(simulation, rows) && ++count === returns) return;
  }
  throw notMet(section, returns, longest);
}

function runToEvent(simulation: EventDriven, time: number): void {
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.rowsAtEvent === 2 && simulation.startingTime >= time) return;
  }
}

/**
 * Looks on at a simulation and takes its points on a surface, until it is stopped.
 * @throws {EngineError} `section-jump`
 */
export function takeSurface(
  model: MotionModel,
  section: ShootingSection,
  simulation: EventDriven,
  beginsOnSurface: boolean,
  take: (point: MappedPoint) => void,
): FlightSection {
  const { before, state } = simulation;
  const { complete, createRow, trigger, id } = section;
  // Parameters stand behind everything that a simulation writes.
  const { parameters } = model.rowPlaces;
  for (const row of [before, state]) row.set(createRow().subarray(parameters), parameters);
  const plan = {
    trigger,
    t0: simulation.startingTime,
    from: null,
    beginsOnSurface,
    complete,
    take: (row: Float64Array) => {
      // A row of the simulation itself is one behind a jump: in flight rows are sampled.
      if (row === state)
        throw new EngineError({
          code: 'section-jump',
          message: `The motion jumps across the section “${id}” at t = ${row[0]} s, so that it is never on the surface.`,
          where: simulation.events.at(-1)?.element ?? id,
          remedy: 'Take a section on the impacts of that contact, or a surface of positions.',
        });
      take({ time: row[0], x: model.stateOf(row) });
    },
  };
  return simulation.observe(
    (parts) => new FlightSection(parts, plan, model.rowPlaces, { before, after: state }, createRow),
  );
}

function surfaceReturn(
  model: MotionModel,
  section: ShootingSection,
  { time: t0, x }: MappedPoint,
  returns: number,
  longest: number,
): { readonly time: number; readonly isEvent: boolean } {
  const simulation = model.simulate(t0, longest, x);
  let count = 0;
  let time = NaN;
  takeSurface(model, section, simulation, true, (point) => {
    if (++count === returns) time = point.time;
  });
  while (simulation.hasNextEvent && count < returns) simulation.computeOneStep();
  if (count < returns) throw notMet(section, returns, longest);
  const near = SAME_TIME * (time - t0);
  return { time, isEvent: simulation.events.some((event) => Math.abs(event.time - time) <= near) };
}

/** g, its gradient and its speed at the start of a simulation. */
function gaugeOf(
  model: MotionModel,
  { trigger, createRow, complete }: ShootingSection,
  simulation: EventDriven,
  { time: t0, x: start }: MappedPoint,
  rate: Float64Array,
  sizes: Float64Array,
): SectionGauge {
  const { sampler } = simulation.observe((parts) => new Looker(parts, model));
  const row = createRow();
  const clock = new Float64Array(1);
  const out = new Float64Array(1);
  const gap = trigger.kind === 'impact' ? model.rowPlaces.y + hitRow(simulation, trigger.rows) : -1;
  const value = (time: number, x: Float64Array): number => {
    clock[0] = time;
    sampler.at(clock, x, row);
    if (trigger.kind === 'impact') return row[gap];
    complete(row);
    trigger.value(row, out);
    return out[0];
  };
  const moved = start.slice();
  const gradient = start.map((own, i) => {
    const slope = difference(
      (by) => {
        moved[i] = own + by;
        return value(t0, moved);
      },
      DELTA * (sizes[i] > 0 ? sizes[i] : 1),
    );
    moved[i] = own;
    return slope;
  });
  const along = (by: number): number =>
    value(
      t0 + by,
      start.map((own, i) => own + by * rate[i]),
    );
  return { value, gradient, speed: difference(along, TIME_DELTA * (simulation.startingTime - t0)) };
}

const difference = (at: (step: number) => number, step: number): number =>
  STENCIL.reduce((sum, [place, weight]) => sum + weight * at(place * step), 0) / (12 * step);

/** The row of a contact that the last impact was at. */
const hitRow = ({ events }: EventDriven, [first, end]: readonly [number, number]): number =>
  events.findLast(({ kind, row }) => kind === 'impact' && row >= first && row < end)?.row ?? first;

/** Only reads. */
class Looker {
  readonly sampler: RowSampler;

  constructor(parts: ObservedParts, { rowPlaces }: MotionModel) {
    this.sampler = new RowSampler(parts, rowPlaces);
  }

  passed(): void {
    // Nothing is remembered of the motion.
  }

  eventBegins(): void {
    // Nor of its events.
  }

  eventEnded(): void {
    // Nor of the states after them.
  }
}
