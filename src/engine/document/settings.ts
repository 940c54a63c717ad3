/** From the simulation section of a document to the settings of a run. */
import type { ElementDefinition } from '../model/definition';
import {
  flightDefinitions,
  formulationDefinitions,
  frictionSolverDefinitions,
  impactDefinitions,
  problemDefinitions,
  sectionDefinitions,
  solverDefinitions,
} from '../model/registry';
import { ACCURACY, NEWTON_ITERATIONS, NEWTON_TOLERANCE } from '../model/settings/common';
import { GENERALISED_ALPHA } from '../model/settings/flights';
import { type ElementSettings, readSettings } from './element-settings';
import { type EvaluationContext, FieldValues } from './field-values';
import { assignmentsOf, type IntegratedSystem, type IntegratorAssignment } from './integrator-assignment';
import { checkConstant, evaluateNumber } from './parameters';
import type {
  Derivatives,
  EventDrivenDocument,
  Expression,
  PeriodicJumpsDocument,
  SchemeName,
  SimulationDocument,
  TypedElement,
} from './types';

export interface SimulationSettings {
  readonly scheme: SchemeName;
  /** s */
  readonly t0: number;
  readonly tEnd: number;
  readonly h: number;
  readonly recordEvery: number;
  /** error of a signal up to which a run counts as accurate, in parts of its range */
  readonly accuracy: number;
  readonly newton: NewtonSettings;
  /** null when the step is h throughout */
  readonly stepControl: StepControlSettings | null;
  readonly derivatives: Derivatives;
  /** every system stands in exactly one of them */
  readonly integrators: readonly IntegratorAssignment[];
  readonly problem: ElementSettings;
  readonly solver: ElementSettings;
  /** law of impacts at several contacts at once */
  readonly impacts: ElementSettings;
  readonly eventDriven: EventDrivenChoices;
  /** whether rows between the first and the last are kept */
  readonly recordsTrajectory: boolean;
  readonly sections: readonly SectionSettings[];
}

/** A section as the document asks for it. */
export interface SectionSettings {
  readonly id: string;
  readonly title: string;
  readonly settings: ElementSettings;
}

/** What the document says of the event-driven scheme; undefined where it leaves a default. */
interface EventDrivenChoices {
  readonly flight: ElementSettings;
  readonly constraints: ElementSettings;
  readonly smallestBounce: number | undefined;
  readonly maxEventsPerStep: number | undefined;
  /** times at which the integration starts afresh, s */
  readonly jumps: readonly number[];
  readonly periodicJumps: readonly PeriodicJumps[];
  /** resolution at which conditions that cannot be followed are sampled, s */
  readonly fastest: number | undefined;
}

/** Jumps at from + k every, k = 0, 1, …, not beyond `until`; s. */
interface PeriodicJumps {
  readonly from: number;
  readonly every: number;
  /** Infinity where the document gives no end */
  readonly until: number;
}

/** Jumps of one entry that fit between start and end. */
const MOST_JUMPS = 1e7;

interface NewtonSettings {
  /** largest residual accepted, relative to the largest term of the equation */
  readonly tolerance: number;
  readonly maxIterations: number;
}

interface StepControlSettings {
  readonly tolerance: number;
  /** s */
  readonly hMin: number;
  readonly hMax: number;
}

/** Overrides that the command line and the run dialog may give. */
export interface SettingsOverrides {
  scheme?: SchemeName | undefined;
  h?: number | undefined;
  tEnd?: number | undefined;
}

/** Evaluates what stands directly in the simulation section, and reports its defects. */
class SimulationValues {
  constructor(private readonly context: EvaluationContext) {}

  report(key: string, code: string, message: string, remedy: string): void {
    this.context.issues.push({ severity: 'error', code, pointer: `/simulation/${key}`, message, remedy });
  }

  /** @param unit of the number; none when left out */
  evaluate(key: string, expression: Expression, unit = ''): number {
    return evaluateNumber(expression, `/simulation/${key}`, this.context, undefined, unit);
  }

  /** An expression of signals: if it is none in fact, it has to have a value. */
  check(key: string, text: string): void {
    checkConstant(text, `/simulation/${key}`, this.context);
  }

  /** A value that must be positive; what could not be evaluated has been reported there. */
  positive(key: string, what: string, value: number, unit: string, remedy: string): number {
    if (value <= 0)
      this.report(key, 'out-of-range', `${what} is ${value}${unit}; it must be positive.`, remedy);
    return value;
  }
}

function newtonSettings({ newton }: SimulationDocument, values: SimulationValues): NewtonSettings {
  const tolerance = values.evaluate('newton/tolerance', newton?.tolerance ?? NEWTON_TOLERANCE);
  values.positive('newton/tolerance', 'The tolerance of Newton’s method', tolerance, '', 'Give e.g. 1e-12.');
  return { tolerance, maxIterations: newton?.maxIterations ?? NEWTON_ITERATIONS };
}

function stepControlSettings(
  { stepControl }: SimulationDocument,
  h: number,
  values: SimulationValues,
): StepControlSettings | null {
  if (stepControl === undefined) return null;
  const at = (key: 'tolerance' | 'hMin' | 'hMax'): string => `stepControl/${key}`;
  const tolerance = values.evaluate(at('tolerance'), stepControl.tolerance);
  const hMin = values.evaluate(at('hMin'), stepControl.hMin, 's');
  const hMax = values.evaluate(at('hMax'), stepControl.hMax, 's');
  values.positive(at('tolerance'), 'The tolerance of the step control', tolerance, '', 'Give e.g. 1e-4.');
  values.positive(at('hMin'), 'The smallest step', hMin, ' s', 'Give a positive step, e.g. 1e-9.');
  if (hMax < hMin) {
    values.report(
      at('hMax'),
      'out-of-range',
      `The largest step ${hMax} s is below the smallest, ${hMin} s.`,
      'Exchange the two.',
    );
  } else if (h < hMin || h > hMax) {
    values.report(
      'h',
      'out-of-range',
      `The first step ${h} s is not between the smallest step ${hMin} s and the largest ${hMax} s.`,
      'Give a step between them.',
    );
  }
  return { tolerance, hMin, hMax };
}

function eventDrivenChoices(
  { smallestBounce, maxEventsPerStep, jumps = [], fastest }: EventDrivenDocument,
  elements: Pick<EventDrivenChoices, 'flight' | 'constraints'>,
  values: SimulationValues,
  span: readonly [number, number],
): EventDrivenChoices {
  const key = 'eventDriven/smallestBounce';
  const bounce = smallestBounce === undefined ? undefined : values.evaluate(key, smallestBounce);
  if (bounce !== undefined)
    values.positive(key, 'The smallest bounce', bounce, '', 'Give a small positive number, e.g. 1e-12.');
  const at = (i: number): string => `eventDriven/jumps/${i}`;
  const single = jumps.flatMap((entry, i) =>
    typeof entry === 'object' ? [] : [values.evaluate(at(i), entry, 's')],
  );
  const periodic = jumps.flatMap((entry, i) =>
    typeof entry === 'object' ? [periodicJumps(entry, at(i), values, span)] : [],
  );
  const resolution = fastest === undefined ? undefined : values.evaluate('eventDriven/fastest', fastest, 's');
  if (resolution !== undefined)
    values.positive('eventDriven/fastest', 'The resolution', resolution, ' s', 'Give a time, e.g. 1e-4.');
  return {
    ...elements,
    smallestBounce: bounce,
    maxEventsPerStep,
    jumps: single,
    periodicJumps: periodic,
    fastest: resolution,
  };
}

function periodicJumps(
  { from, every, until }: PeriodicJumpsDocument,
  place: string,
  values: SimulationValues,
  [start, end]: readonly [number, number],
): PeriodicJumps {
  const first = values.evaluate(`${place}/from`, from, 's');
  const period = values.evaluate(`${place}/every`, every, 's');
  const last = until === undefined ? Infinity : values.evaluate(`${place}/until`, until, 's');
  const key = `${place}/every`;
  values.positive(key, 'The period of the jumps', period, ' s', 'Give a positive time, e.g. 1e-3.');
  const count = (Math.min(last, end) - Math.max(first, start)) / period;
  if (period > 0 && count > MOST_JUMPS)
    values.report(
      key,
      'too-many-jumps',
      `There would be ${count.toExponential(2)} jumps in the run; at most ${MOST_JUMPS} are supported.`,
      'Enlarge the period or shorten the run.',
    );
  return { from: first, every: period, until: last };
}

function sectionSettings(
  { sections = [] }: SimulationDocument,
  element: (definitions: readonly ElementDefinition[], given: TypedElement, key: string) => ElementSettings,
  values: SimulationValues,
): SectionSettings[] {
  const ids = new Set<string>();
  return sections.map((section, i) => {
    const { id, title } = section;
    if (ids.has(id))
      values.report(
        `sections/${i}/id`,
        'duplicate-id',
        `There are two sections “${id}”.`,
        'Give one another id.',
      );
    ids.add(id);
    const { g } = section as Readonly<Record<string, unknown>>;
    if (typeof g === 'string') values.check(`sections/${i}/g`, g);
    return { id, title: title ?? id, settings: element(sectionDefinitions, section, `sections/${i}`) };
  });
}

/**
 * Evaluates the simulation section. Defects go to `context.issues`.
 * @param systems of the model, to which integrators are assigned
 * @param areAll whether it has no others: of a drawing with faults, and before scripts have built, it may
 */
export function buildSettings(
  simulation: SimulationDocument,
  overrides: SettingsOverrides,
  context: EvaluationContext,
  systems: readonly IntegratedSystem[],
  areAll = true,
): SimulationSettings {
  const values = new SimulationValues(context);
  const t0 = values.evaluate('t0', simulation.t0, 's');
  const tEnd = values.evaluate('tEnd', overrides.tEnd ?? simulation.tEnd, 's');
  const h = values.evaluate('h', overrides.h ?? simulation.h, 's');
  values.positive('h', 'The time step', h, ' s', 'Give a positive step, e.g. 1e-3.');
  if (tEnd <= t0) {
    values.report(
      'tEnd',
      'out-of-range',
      `The end time ${tEnd} s is not after the start time ${t0} s.`,
      'Give a later end time.',
    );
  }
  const element = (
    definitions: readonly ElementDefinition[],
    given: TypedElement,
    key: string,
  ): ElementSettings => {
    const definition = definitions.find(({ type }) => type === given.type);
    if (definition === undefined)
      throw new Error(`type ${given.type} passed the schema without a definition`);
    return readSettings(
      definition,
      new FieldValues('simulation', definition, given, `/simulation/${key}`, context),
    );
  };
  const eventDriven = simulation.eventDriven ?? {};
  const flight = element(flightDefinitions, eventDriven.flight ?? { type: 'auto' }, 'eventDriven/flight');
  const constraints = element(
    formulationDefinitions,
    eventDriven.constraints ?? { type: formulationDefinitions[0].type },
    'eventDriven/constraints',
  );
  const accuracy = values.evaluate('accuracy', simulation.accuracy ?? ACCURACY);
  values.positive(
    'accuracy',
    'The accuracy',
    accuracy,
    '',
    'Give a part of the range of a signal, e.g. 0.01.',
  );
  return {
    scheme: overrides.scheme ?? simulation.scheme,
    t0,
    tEnd,
    h,
    recordEvery: simulation.recording?.every ?? 1,
    accuracy,
    newton: newtonSettings(simulation, values),
    stepControl: stepControlSettings(simulation, h, values),
    derivatives: simulation.derivatives ?? 'automatic',
    integrators: assignmentsOf(simulation.integrators, systems, areAll, context),
    problem: element(problemDefinitions, simulation.problem, 'problem'),
    solver: element([...solverDefinitions, ...frictionSolverDefinitions], simulation.solver, 'solver'),
    impacts: element(impactDefinitions, simulation.impacts ?? { type: impactDefinitions[0].type }, 'impacts'),
    eventDriven: eventDrivenChoices(eventDriven, { flight, constraints }, values, [t0, tEnd]),
    recordsTrajectory: simulation.recording?.trajectory ?? true,
    sections: sectionSettings(simulation, element, values),
  };
}

/* Settings of the finer runs that the error of a run is measured by. */

/** Each time, tolerances of the integration between events shrink by this. */
const TIGHTER = 10;
/** Relative tolerances of what stands for an exact motion between events, at the first refinement. */
const OF_EXACT = 1e-12;
/** Closer to rounding an integrator only takes more steps. */
const TIGHTEST = 1e-13;
/**
 * Local errors of steps whose length is controlled are at least of second order: halved steps have a quarter
 * of them.
 */
const STEP_ERROR = 4;

/** Whether the motion between events is computed in steps of the length h. */
export const isStepped = ({ eventDriven }: Pick<SimulationSettings, 'eventDriven'>): boolean =>
  eventDriven.flight.type === GENERALISED_ALPHA;

/** Whether the steps h are those of the motion, so that its error goes with them. */
export const hasSteps = (settings: SimulationSettings): boolean =>
  settings.scheme === 'time-stepping' || isStepped(settings);

/**
 * The same run, more finely. In steps, they are halved k times, and so are the bounds of a step control,
 * whose tolerance goes with the error of a step. From event to event tolerances shrink, or steps of a given
 * length do; arcs that are exact have neither, and are integrated: by another code, so that a wrong arc
 * shows.
 * @param k 0 for the run itself
 */
export function refined(settings: SimulationSettings, k: number): SimulationSettings {
  if (k === 0) return settings;
  const { eventDriven, stepControl } = settings;
  const parts = 2 ** k;
  if (settings.scheme === 'event-driven')
    return isStepped(settings)
      ? { ...settings, h: settings.h / parts }
      : { ...settings, eventDriven: { ...eventDriven, flight: tighter(eventDriven.flight, k) } };
  return {
    ...settings,
    h: settings.h / parts,
    stepControl:
      stepControl === null
        ? null
        : {
            tolerance: stepControl.tolerance / STEP_ERROR ** k,
            hMin: stepControl.hMin / parts,
            hMax: stepControl.hMax / parts,
          },
  };
}

function tighter(flight: ElementSettings, k: number): ElementSettings {
  const { relativeTolerance = OF_EXACT * TIGHTER, absoluteTolerance = relativeTolerance } = flight.numbers;
  const by = TIGHTER ** k;
  return {
    ...flight,
    type: flight.type === 'auto' || flight.type === 'ExactArcs' ? 'SwitchingRungeKutta' : flight.type,
    numbers: {
      ...flight.numbers,
      relativeTolerance: Math.max(relativeTolerance / by, TIGHTEST),
      absoluteTolerance: absoluteTolerance / by,
    },
  };
}
