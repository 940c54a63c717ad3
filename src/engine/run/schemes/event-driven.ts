/** The event-driven scheme as one of the schemes. */
import { checkSize } from '../../preparation/size-check';
import type { Certificate } from '../../certificate/residual-maxima';
import type { ElementSettings } from '../../document/element-settings';
import type { SimulationSettings } from '../../document/settings';
import { EventDriven } from '../../event-driven/event-driven';
import type { EventRecord } from '../../event-driven/event-record';
import type { ConstraintSettings } from '../../event-driven/joints/formulation';
import type { EventDrivenSettings } from '../../event-driven/settings';
import type { SkimRequest } from '../../event-driven/skim/skimming';
import type { StepCounters } from '../../integrators/step';
import { type NonSmoothDynamicalSystem, type Relation, linkedSize } from '../../model/nsds';
import { describeRedundancy } from '../../multibody/redundancy';
import { GENERALISED_ALPHA } from '../../model/settings/flights';
import type { Samples } from '../../model/control/samples';
import { impactChoice } from '../../preparation/settings';
import type { StateLayout } from '../../preparation/layout';
import type { PreparedModel } from '../../preparation/prepare';
import { canonicalModel } from '../../preparation/spatial/canonical-model';
import { FlightSection } from '../sections/flight-section';
import type { Section, SectionPlan } from '../../preparation/section';
import { type SpaceEnergies, SpaceEventRows, placeEventRows } from '../spatial/event-rows';
import {
  type Completeness,
  type EventDrivenMemory,
  type Moment,
  type Scheme,
  type Simulation,
  type SimulationMemory,
  type SimulationPath,
  RunControl,
  countSteps,
  endWarnings,
  wrongMemory,
} from './scheme';

/** What belongs to the rows of a result and does not come from the simulation itself. */
interface RowCompletion {
  /** Fills it in a row with time, q, v, y, ẏ, λ, P and the kinetic energy. */
  write(row: Float64Array): void;
  /** The motion has reached a row, from which on whole turns are counted. */
  follow?(row: Float64Array): void;
  /** Looks on from the start, or from where another simulation has ended. */
  begin?(simulation: EventDriven, past: SpaceEnergies | null): void;
  /** What the next simulation takes over. */
  save?(): SpaceEnergies;
  /** see `Simulation.energyDrift`; absent where the simulation has a balance of its own */
  readonly energyDrift?: number | null;
}

/* Forces of joints between bodies, from the multipliers of a row of the result. */

/** F_x, F_y, moment */
const COMPONENTS = 3;

interface Joint {
  readonly relation: Relation;
  /** coordinates of the linked bodies, by place in the row */
  readonly places: Int32Array;
  /** first multiplier and first component in the row */
  readonly lambda: number;
  readonly slot: number;
  readonly z: Float64Array;
  readonly multipliers: Float64Array;
}

class JointForces implements RowCompletion {
  readonly #joints: Joint[] = [];
  readonly #clock = new Float64Array(1);
  readonly #out = new Float64Array(COMPONENTS);

  constructor({ systems, interactions }: NonSmoothDynamicalSystem, layout: StateLayout) {
    const first = new Int32Array(systems.length + 1);
    systems.forEach(({ form }, s) => (first[s + 1] = first[s] + form.size));
    let row = 0;
    let slot = layout.jointForces;
    for (const { relation, systems: linked } of interactions) {
      if (relation.jointForce !== undefined) {
        const places = linked.flatMap((s) =>
          Array.from({ length: systems[s].form.size }, (_, k) => layout.q + first[s] + k),
        );
        this.#joints.push({
          relation,
          places: Int32Array.from(places),
          lambda: layout.lambda + row,
          slot,
          z: new Float64Array(linkedSize(systems, linked)),
          multipliers: new Float64Array(relation.size),
        });
        slot += COMPONENTS;
      }
      row += relation.size;
    }
  }

  /** Fills the components of all joints in a row of the result. */
  write(row: Float64Array): void {
    this.#clock[0] = row[0];
    for (const { relation, places, lambda, slot, z, multipliers } of this.#joints) {
      for (let i = 0; i < z.length; i++) z[i] = row[places[i]];
      for (let i = 0; i < multipliers.length; i++) multipliers[i] = row[lambda + i];
      relation.jointForce?.(this.#clock, z, multipliers, this.#out);
      for (let i = 0; i < COMPONENTS; i++) row[slot + i] = this.#out[i];
    }
  }
}

/** Suits every problem. */
const AUTOMATIC = 'auto';

/** How each type of flight is asked for. */
const FLIGHTS: Readonly<Record<string, Pick<EventDrivenSettings, 'flights' | 'method'>>> = {
  auto: { flights: 'automatic', method: 'automatic' },
  ExactArcs: { flights: 'exact' },
  SwitchingRungeKutta: { flights: 'integrated', method: 'automatic' },
  DormandPrince: { flights: 'integrated', method: 'explicit' },
  RadauIIA: { flights: 'integrated', method: 'implicit' },
  [GENERALISED_ALPHA]: { flights: 'integrated' },
};

/** The fields of a formulation's definition are the settings of the same names. */
const constraintSettings = ({ type, numbers, choices }: ElementSettings): ConstraintSettings =>
  ({ type, ...numbers, ...choices }) as unknown as ConstraintSettings;

/** Leaves out what the document leaves open, so that the scheme's own defaults hold. */
export function eventSettings(
  { t0, h, solver, impacts, eventDriven }: SimulationSettings,
  tEnd: number,
): EventDrivenSettings {
  const { flight, constraints, smallestBounce, maxEventsPerStep, fastest, jumps, periodicJumps } =
    eventDriven;
  const { relativeTolerance, absoluteTolerance, spectralRadius } = flight.numbers;
  return {
    t0,
    tEnd,
    h,
    solver: solver.type,
    impacts: impactChoice(impacts),
    ...(solver.numbers.tolerance === undefined ? {} : { solverTolerance: solver.numbers.tolerance }),
    ...FLIGHTS[flight.type],
    constraints: constraintSettings(constraints),
    jumps: { times: jumps, periodic: periodicJumps },
    ...(spectralRadius === undefined ? {} : { spectralRadius }),
    ...(relativeTolerance === undefined ? {} : { relativeTolerance }),
    ...(absoluteTolerance === undefined ? {} : { absoluteTolerance }),
    ...(smallestBounce === undefined ? {} : { smallestBounce }),
    ...(maxEventsPerStep === undefined ? {} : { maxEventsPerStep }),
    ...(fastest === undefined ? {} : { fastest }),
  };
}

export const eventDriven: Scheme = {
  create(prepared, { from, certify = true }) {
    if (from !== undefined && from.of !== 'event-driven') return wrongMemory(from);
    const { settings, resets, presence } = prepared;
    checkSize(prepared.model);
    const count = countSteps(settings);
    const end = settings.t0 + count.steps * settings.h;
    const { model, layout, completion } = simulated(prepared);
    const control = RunControl.create(prepared, from?.state.control);
    // Blocks may read what the completion writes, such as angles and forces of joints.
    const samples = control === null ? null : completed(control.samples, completion, layout);
    // The solver of a document with 3D bodies is one of friction, which problems of events are none of.
    const solver = prepared.space === null ? {} : { solver: AUTOMATIC };
    const simulation = new EventDriven(model, layout, {
      ...eventSettings(settings, end),
      ...solver,
      certify,
      samples,
      resets,
      presence,
    });
    if (from !== undefined) {
      simulation.loadState(from.state.state);
      simulation.certificate.load(from.state.certificate);
    }
    completion.begin?.(simulation, from?.state.energies ?? null);
    const redundancy = describeRedundancy(simulation.redundancy);
    const warnings = [...endWarnings(settings, count), ...(redundancy === '' ? [] : [redundancy])];
    const past = from?.state ?? null;
    return new FromEventToEvent(simulation, layout, completion, count.steps, warnings, past, control);
  },
};

/** Samples of rows that are completed first; impulses are those of the event before no more. */
const completed = (
  samples: Samples,
  completion: RowCompletion,
  { impulse, rows }: Pick<StateLayout, 'impulse' | 'rows'>,
): Samples => ({
  get nextTime() {
    return samples.nextTime;
  },
  get isOnGrid() {
    return samples.isOnGrid;
  },
  isDue: (time) => samples.isDue(time),
  sample(row, time) {
    row.fill(0, impulse, impulse + rows);
    completion.write(row);
    samples.sample(row, time);
  },
  write: (row) => samples.write(row),
});

/** What is simulated of a document: 3D bodies in the canonical forms, other models as they are. */
function simulated({ model, space, layout }: PreparedModel): {
  readonly model: NonSmoothDynamicalSystem;
  readonly layout: StateLayout;
  readonly completion: RowCompletion;
} {
  if (space === null) return { model, layout, completion: new JointForces(model, layout) };
  const bodies = canonicalModel(space);
  const rows = placeEventRows(bodies, layout);
  const { conditions } = model;
  return {
    model: conditions === undefined ? bodies : { ...bodies, conditions },
    layout: rows,
    completion: new SpaceEventRows(space, bodies, rows),
  };
}

class FromEventToEvent implements Simulation {
  readonly rows: readonly Float64Array[];
  readonly hasConstantStep = false;
  readonly rejectedSteps = 0;
  readonly #stepCount: number;
  /** impulses in the rows before and after an event */
  readonly #impulseBefore: Float64Array;
  readonly #impulse: Float64Array;
  /** who asks for rows of motion that is skimmed */
  #asked: SkimRequest['rows'] = null;

  constructor(
    private readonly simulation: EventDriven,
    private readonly layout: StateLayout,
    private readonly completion: RowCompletion,
    steps: number,
    readonly warnings: readonly string[],
    private readonly past: EventDrivenMemory | null,
    private readonly control: RunControl | null,
  ) {
    const { before, state } = simulation;
    const { impulse, rows } = layout;
    this.#stepCount = steps;
    this.#impulseBefore = before.subarray(impulse, impulse + rows);
    this.#impulse = state.subarray(impulse, impulse + rows);
    this.rows = [before, state];
    this.#complete();
    this.control?.judge(before, state);
  }

  get totalSteps(): number {
    return this.#stepCount;
  }

  get rowCount(): number {
    return this.simulation.rowsAtEvent;
  }

  get isKept(): boolean {
    return this.simulation.rowsAtEvent === 2;
  }

  get time(): number {
    return this.simulation.startingTime;
  }

  get step(): number {
    return this.simulation.manager.current[0];
  }

  get isAtEnd(): boolean {
    return !this.simulation.hasNextEvent;
  }

  get eventCount(): number {
    return this.simulation.log.length + (this.past?.events.length ?? 0);
  }

  get events(): readonly EventRecord[] {
    const { events } = this.simulation;
    return this.past === null ? events : [...this.past.events, ...events];
  }

  get certificate(): Certificate {
    const { report } = this.simulation.certificate;
    return this.control?.certificate(report) ?? report;
  }

  takeRecent(out: Float64Array): void {
    this.simulation.certificate.takeRecent(out);
    this.control?.takeRecent(out);
  }

  get energyDrift(): number | null {
    const { energyDrift = this.simulation.energyDrift } = this.completion;
    return energyDrift;
  }

  get counters(): StepCounters {
    const { factorisations, newtonIterations } = this.simulation.counters;
    return { factorisations, newtonIterations, solverIterations: 0 };
  }

  get findings(): readonly string[] {
    return this.simulation.sampled;
  }

  get complete(): Completeness {
    return this.past?.hasMissed === true ? false : this.simulation.complete;
  }

  get path(): SimulationPath {
    return this.simulation.flight;
  }

  takeSection(plan: SectionPlan, createRow: () => Float64Array): Section {
    const { before, state } = this.simulation;
    const rows = { before, after: state };
    const complete = (row: Float64Array): void => {
      if (row === before || row === state) this.#complete();
      else this.completion.write(row);
      plan.complete(row);
    };
    // Rows of 3D bodies have more behind their signals.
    const createWhole = (): Float64Array => {
      const row = new Float64Array(this.layout.size);
      row.set(createRow());
      return row;
    };
    return this.simulation.observe(
      (parts) => new FlightSection(parts, { ...plan, complete }, this.layout, rows, createWhole),
    );
  }

  advance(): void {
    do this.simulation.computeOneStep();
    while (this.simulation.isPassing);
    this.#complete();
    const { before, state, rowsAtEvent } = this.simulation;
    this.control?.judge(rowsAtEvent === 2 ? before : state, state);
  }

  skim(request: SkimRequest): void {
    if (this.control !== null || this.completion.follow !== undefined) return;
    this.#asked ??= request.rows && this.#completed(request.rows);
    const { until, period, isWanted } = request;
    if (this.simulation.skim({ until, period, isWanted, rows: this.#asked })) this.#complete();
  }

  /** Rows on the way, complete. Those of events come as a pair, the first of which completes both. */
  #completed(rows: NonNullable<SkimRequest['rows']>): SkimRequest['rows'] {
    const { before, state } = this.simulation;
    return {
      ...rows,
      take: (row) => {
        if (row === before) this.#complete();
        else if (row !== state) this.completion.write(row);
        rows.take(row);
      },
    };
  }

  get moment(): Moment {
    const row = this.simulation.state.slice();
    return { time: row[0], row };
  }

  handOver(): SimulationMemory {
    const { events, simulation } = this;
    const certificate = simulation.certificate.save();
    const hasMissed = this.complete === false;
    return {
      of: 'event-driven',
      state: {
        state: this.simulation.exportState(),
        events,
        certificate,
        hasMissed,
        energies: this.completion.save?.() ?? null,
        control: this.control?.save() ?? null,
      },
    };
  }

  /** What belongs to the rows and does not come from the simulation itself. */
  #complete(): void {
    const { simulation, completion } = this;
    const { impulses } = simulation;
    for (let r = 0; r < impulses.length; r++) this.#impulse[r] = impulses[r];
    completion.follow?.(simulation.state);
    completion.write(simulation.state);
    if (simulation.rowsAtEvent === 1) return;
    this.#impulseBefore.fill(0);
    completion.write(simulation.before);
  }
}
