/** From the simulation section of a document to the settings of a run. */
import type { ElementDefinition, Order } from '../model/definition';
import {
  advances,
  flightDefinitions,
  formulationDefinitions,
  frictionSolverDefinitions,
  impactDefinitions,
  integratorDefinitions,
  problemDefinitions,
  sectionDefinitions,
  solverDefinitions,
} from '../model/registry';
import { ACCURACY, NEWTON_ITERATIONS, NEWTON_TOLERANCE } from '../model/settings/common';
import { GENERALISED_ALPHA } from '../model/settings/flights';
import { eulerMoreau, moreauHalfStep, moreauJean } from '../model/settings/integrators';
import { type ElementSettings, readSettings } from './element-settings';
import { type EvaluationContext, FieldValues } from './field-values';
import { checkConstant, evaluateNumber } from './parameters';
import type {
  Derivatives,
  EventDrivenDocument,
  Expression,
  IntegratorDocument,
  PeriodicJumpsDocument,
  SchemeName,
  SimulationDocument,
  TypedElement,
} from './types';

/*
 * Which integrator advances which system. An integrator that names systems takes those; one that names none
 * takes every system of its order that no other names; what is left gets the default of its order, which with
 * joints is that by half steps.
 */

export interface IntegratorAssignment extends ElementSettings {
  /** positions of its systems in the model, ascending */
  readonly systems: readonly number[];
}

interface Entry {
  readonly definition: ElementDefinition;
  readonly document: IntegratorDocument;
  readonly pointer: string;
  readonly systems: number[];
}

/** What a system is called where it is named: by its id, or by the first of the components that it is. */
const shownName = ({ id, names = [] }: IntegratedSystem): string => names.at(0) ?? id;

/** Words for an order of equations of motion. */
export const ORDER_WORDS: Readonly<Record<Order, string>> = {
  1: 'first-order',
  2: 'Lagrangian',
  body: 'spatial',
  signal: 'sampled',
};

/** What systems an integrator advances, in words. */
const wordsOf = ({ order = 1, advances: orders = [order] }: ElementDefinition): string =>
  orders.map((one) => ORDER_WORDS[one]).join(' and ');

/** Settings of an integrator for one system. */
export interface IntegratedSystem {
  readonly id: string;
  readonly type: string;
  readonly order: Order;
  /** whether it is of first order and linear */
  readonly isLinear: boolean;
  /** whether it hangs together with a joint, whose motion half steps keep to order 2; false where absent */
  readonly isJointed?: boolean;
  /** of one that is drawn: paths of the components that move in it, and of the instances around them */
  readonly names?: readonly string[] | undefined;
}

class Assignment {
  /** entry of each system that has one */
  readonly #taken = new Map<number, Entry>();
  readonly #entries: Entry[];
  /** positions of systems by their ids, and by what is drawn of them */
  readonly #index = new Map<string, number[]>();

  /** @param areAll whether the model has no other systems: a drawing with faults has none yet */
  constructor(
    documents: readonly IntegratorDocument[],
    private readonly systems: readonly IntegratedSystem[],
    private readonly areAll: boolean,
    private readonly context: EvaluationContext,
  ) {
    systems.forEach(({ id, names = [] }, position) => {
      for (const name of [id, ...names]) {
        const own = this.#index.get(name);
        if (own === undefined) this.#index.set(name, [position]);
        else own.push(position);
      }
    });
    this.#entries = documents.map((document, i) => ({
      definition: definitionOf(document.type),
      document,
      pointer: `/simulation/integrators/${i}`,
      systems: [],
    }));
  }

  assign(): IntegratorAssignment[] {
    for (const entry of this.#entries) this.#takeNamed(entry);
    for (const entry of this.#entries) if (entry.document.systems === undefined) this.#takeRest(entry);
    for (const entry of this.#entries) this.#warnOfIdle(entry);
    const entries = [...this.#entries, ...DEFAULTS.map((definition) => this.#default(definition))];
    return entries
      .map((entry) => ({ ...this.#settings(entry), systems: entry.systems.sort((a, b) => a - b) }))
      .filter(({ systems }) => systems.length > 0);
  }

  /** An integrator that was chosen and advances nothing. Those that are taken anyhow may stand in reserve. */
  #warnOfIdle({ definition, document, pointer, systems }: Entry): void {
    if (document.systems !== undefined || systems.length > 0 || this.systems.length === 0) return;
    if (DEFAULTS.includes(definition) || this.systems.some(({ order }) => advances(definition, order)))
      return;
    this.context.issues.push({
      severity: 'warning',
      code: 'integrator-idle',
      pointer,
      message: `${definition.type} advances ${wordsOf(definition)} systems, and this model has none: it has no effect.`,
      remedy: 'Leave it out, or choose an integrator for the systems of this model.',
    });
  }

  #report(pointer: string, code: string, message: string, remedy: string): void {
    this.context.issues.push({ severity: 'error', code, pointer, message, remedy });
  }

  #take(entry: Entry, position: number): void {
    this.#taken.set(position, entry);
    entry.systems.push(position);
  }

  #takeNamed(entry: Entry): void {
    const seen = new Set<string>();
    entry.document.systems?.forEach((name, k) => {
      const pointer = `${entry.pointer}/systems/${k}`;
      const positions = this.#index.get(name);
      if (positions === undefined) {
        if (this.areAll) this.#reportUnknown(entry, name, pointer);
        return;
      }
      for (const position of positions) {
        const other = this.#taken.get(position);
        if (other !== undefined && (other !== entry || seen.has(name))) {
          this.#reportTwice(name, this.systems[position], [other, entry], pointer);
          return;
        }
        // Several components may move in one system.
        if (other === undefined && this.#suits(entry, this.systems[position], pointer, name))
          this.#take(entry, position);
      }
      seen.add(name);
    });
  }

  #reportUnknown({ definition: { type } }: Entry, name: string, pointer: string): void {
    const isDrawn = this.systems.some(({ names }) => names !== undefined);
    const known = this.systems.slice(0, 12).map(shownName);
    const remedy =
      known.length === 0
        ? 'Add the system first.'
        : `Systems of this model: ${known.join(', ')}${this.systems.length > known.length ? ', …' : ''}.`;
    this.#report(
      pointer,
      'unknown-system',
      isDrawn
        ? `The integrator ${type} names “${name}”, which is neither a system nor a component that has a motion of its own.`
        : `The integrator ${type} names the system “${name}”, which does not exist.`,
      remedy,
    );
  }

  #reportTwice(name: string, system: IntegratedSystem, entries: readonly Entry[], pointer: string): void {
    const [first, second] = entries.map(({ definition }) => definition.type);
    const partners = (system.names ?? []).filter((other) => other !== name).slice(0, 3);
    if (system.id === name || entries[0] === entries[1] || partners.length === 0)
      this.#report(
        pointer,
        'system-twice',
        `The system “${name}” is named by two integrators, ${first} and ${second}.`,
        'Name each system once.',
      );
    else
      this.#report(
        pointer,
        'system-twice',
        `“${name}” moves in one system with ${partners.map((one) => `“${one}”`).join(', ')}, and two integrators, ${first} and ${second}, name it.`,
        'Let one integrator advance what springs and dampers join.',
      );
  }

  /** Whether an integrator can advance a system. @param name by which it is named */
  #suits(
    { definition }: Entry,
    system: IntegratedSystem,
    pointer: string,
    name = shownName(system),
  ): boolean {
    const { order } = system;
    if (!advances(definition, order)) {
      const suited = integratorDefinitions.filter((d) => advances(d, order)).map(({ type }) => type);
      this.#report(
        pointer,
        'integrator-order',
        `${definition.type} advances ${wordsOf(definition)} systems; “${name}” (${system.type}) is ${ORDER_WORDS[order]}.`,
        `Integrators for “${name}”: ${suited.join(', ')}.`,
      );
      return false;
    }
    if (definition.type === 'ZeroOrderHold' && !system.isLinear) {
      this.#report(
        pointer,
        'integrator-linear',
        `ZeroOrderHold is exact for linear systems; “${name}” (${system.type}) is not linear.`,
        'Choose EulerMoreau for it.',
      );
      return false;
    }
    return true;
  }

  #takeRest(entry: Entry): void {
    this.systems.forEach((system, position) => {
      const other = this.#taken.get(position);
      if (!advances(entry.definition, system.order)) return;
      if (other !== undefined) {
        if (other.document.systems === undefined) this.#reportRivals(entry, other);
        return;
      }
      if (this.#suits(entry, system, entry.pointer)) this.#take(entry, position);
    });
  }

  /** Two integrators that each take what is left. */
  #reportRivals({ definition, pointer }: Entry, other: Entry): void {
    const code = 'integrator-rivals';
    if (this.context.issues.some((issue) => issue.code === code && issue.pointer === pointer)) return;
    this.#report(
      pointer,
      code,
      `${other.definition.type} and ${definition.type} both take every ${wordsOf(definition)} system that is not named.`,
      'Name the systems of one of them, or remove it.',
    );
  }

  /**
   * The integrator of a type with its default settings, for the systems that are left and have it by default.
   */
  #default(definition: ElementDefinition): Entry {
    const entry: Entry = { definition, document: { type: definition.type }, pointer: '', systems: [] };
    this.systems.forEach((system, position) => {
      if (defaultOf(system) === definition && !this.#taken.has(position)) this.#take(entry, position);
    });
    return entry;
  }

  #settings({ definition, document, pointer, systems }: Entry): ElementSettings {
    for (const field of definition.fields) {
      const { key, label, systems: order } = field;
      if (order === undefined || document[key] === undefined || systems.length === 0) continue;
      if (systems.some((position) => this.systems[position].order === order)) continue;
      this.context.issues.push({
        severity: 'warning',
        code: 'setting-of-order',
        pointer: `${pointer}/${key}`,
        message: `“${label}” is for ${ORDER_WORDS[order]} systems, and ${definition.type} advances none here.`,
        remedy: 'Leave it out: it has no effect.',
      });
    }
    const settings = readSettings(
      definition,
      new FieldValues('simulation', definition, document, pointer, this.context),
    );
    const { given, numbers } = settings;
    if (definition === eulerMoreau && given.has('gamma') && given.has('thetaR') && numbers.thetaR !== 1)
      this.#report(
        `${pointer}/thetaR`,
        'weights-contradict',
        'With γ the input of a step acts throughout it; θr would divide it between two steps.',
        'Leave out one of both: θr for a law at the end of the step, γ for one within it.',
      );
    return settings;
  }
}

/** What systems have that no integrator takes. */
export const DEFAULTS: readonly ElementDefinition[] = [moreauJean, eulerMoreau, moreauHalfStep];

function defaultOf({ order, isJointed = false }: IntegratedSystem): ElementDefinition {
  if (order === 1) return eulerMoreau;
  return order === 'body' || isJointed ? moreauHalfStep : moreauJean;
}

function definitionOf(type: string): ElementDefinition {
  const definition = integratorDefinitions.find((d) => d.type === type);
  if (definition === undefined) throw new Error(`type ${type} passed the schema without a definition`);
  return definition;
}

/** Assigns every system to one integrator. Defects go to `context.issues`. */
function assignIntegrators(
  documents: readonly IntegratorDocument[],
  systems: readonly IntegratedSystem[],
  areAll: boolean,
  context: EvaluationContext,
): IntegratorAssignment[] {
  return new Assignment(documents, systems, areAll, context).assign();
}

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
    integrators: assignIntegrators(simulation.integrators, systems, areAll, context),
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
