/**
 * From a document to a model that can run, in two ways: as a check without executing scripts, and for real.
 * Both take the same path, so that a document without reported errors is one that starts.
 */
import { type Unfollowed, whyNotAnalysed } from '../model/analyses/analysable';
import { sweep } from '../model/analyses/sweep';
import { type ControlPlan, planControl } from '../control/control-plan';
import { planPresence } from '../control/presence-plan';
import { planResets } from '../control/reset-plan';
import { compileComponents, wireIssues } from '../components/compile';
import type { CompiledComponents, OutputTable } from '../components/result';
import { checkAnalyses } from '../document/analyses';
import { buildModel } from '../document/build';
import type { DerivativeLookup, DerivedJacobian, GivenJacobian } from '../document/derivatives';
import type {
  AnalyticLookup,
  EvaluationContext,
  FunctionCheck,
  FunctionLookup,
} from '../document/field-values';
import { HeldSignals } from '../document/held-signals';
import { checkObservables, reservedMeaning } from '../document/observables';
import { evaluateParameters, type ParameterValues, checkUnread, unitsOf } from '../document/parameters';
import {
  type SettingsOverrides,
  type SimulationSettings,
  buildSettings,
  isStepped,
  refined,
} from '../document/settings';
import { withSignalNames } from '../document/signal-names';
import { tableIssues, tablesOf } from '../document/tables';
import { dashboardIssues, layoutIssues, viewIssues, viewSignalIssues } from '../document/presentation-check';
import { type CheckedStructure, checkStructure } from '../document/structure';
import type { GeneratedFunction } from '../document/timed';
import type {
  DocumentIssue,
  Expression,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
  WireDocument,
} from '../document/types';
import { libraryIssues } from '../document/libraries';
import { conditionsOf } from '../model/conditions';
import { type NonSmoothDynamicalSystem, hasContactsThatGo, isConic, remembersPresence } from '../model/nsds';
import type { ResetRule } from '../model/resets/reset';
import type { PresenceRule } from '../model/settings/presences';
import { needsBuilder } from '../document/builder-scripts';
import type { BuiltElements } from '../script/builder';
import { checkFlight } from './flight-check';
import { checkPresence } from './presence-check';
import {
  checkImpactSettings,
  checkCriticalStep,
  checkForces,
  checkGraphs,
  checkScheme,
  checkProjection,
  checkSpaceSettings,
  gammaBySystem,
} from './settings';
import { layoutState, type StateLayout } from './layout';
import { checkSections } from './section';
import { scriptedIssues } from './spatial/scripted-start';
import { checkStarts } from './several-starts';
import { checkStart, type CompiledSpace, compileSpace, placesOf } from './spatial/compile';
import { checkSpaceForces } from './spatial/force-check';
import { layoutSpace } from './spatial/layout';

/** A model with functions whose conditions can be held. */
export type Conditioned = Pick<PreparedModel, 'model' | 'space'>;

/** Functions that a model is built on. */
type BuiltOn = Pick<PreparationOptions, 'functions' | 'derivatives' | 'check' | 'generate'>;

export interface PreparedModel {
  /** systems of first order and Lagrangian ones; none where there are 3D bodies */
  model: NonSmoothDynamicalSystem;
  /**
   * the same once more with functions whose conditions can be held, for a run in steps; absent where no
   * function has some
   */
  conditioned?: Conditioned;
  /** 3D bodies, ready to be simulated; null where there are none */
  space: CompiledSpace | null;
  settings: SimulationSettings;
  layout: StateLayout;
  /** its control blocks; null where there are none */
  control: ControlPlan | null;
  /** conditions of interactions that come and go */
  presence: readonly PresenceRule[];
  /** jumps of states */
  resets: readonly ResetRule[];
  /** signals of drawn components; null where there are none */
  outputs: OutputTable | null;
  /** what states of drawn systems are called, by their ids */
  labels: CompiledComponents['labels'];
}

interface Found {
  issues: DocumentIssue[];
  parameters: Record<string, number>;
  values: Record<string, number>;
  /** what components have become */
  drawn?: Pick<CompiledComponents, 'systems' | 'interactions' | 'labels'>;
}

/** Of a document without errors. */
interface SoundPreparation extends Found {
  prepared: PreparedModel;
  /** Builds the same physics on other functions; null where these have defects. */
  again(on: BuiltOn): Conditioned | null;
  /** Checks that had to wait until functions of scripts are loaded; what they find goes to `issues`. */
  checkLoaded(): void;
}

export type Preparation = SoundPreparation | (Found & { prepared: null });

export interface PreparationOptions {
  functions: FunctionLookup;
  functionNames: readonly string[];
  /** makes functions of expressions of the time; a model of such expressions needs it */
  generate?: ((given: GeneratedFunction) => string) | undefined;
  /** looks at functions that the model uses, without executing them */
  check?: FunctionCheck | undefined;
  /** derivatives of script functions, for Jacobians that the model does not give */
  derivatives: DerivativeLookup;
  /** what is known of forces and sources that depend on time, for exact flights */
  analytic?: AnalyticLookup | undefined;
  /** collects the Jacobians that the model gives and that could be derived */
  givenJacobians?: GivenJacobian[] | undefined;
  /** collects the Jacobians that are derived */
  derivedJacobians?: DerivedJacobian[] | undefined;
  built?: BuiltElements | undefined;
  /** of the document, where its structure has been checked already */
  structure?: CheckedStructure | undefined;
  /** values of its parameters with `set`, where they have been evaluated already */
  parameters?: ParameterValues | undefined;
  set?: Readonly<Record<string, Expression>> | undefined;
  overrides?: SettingsOverrides | undefined;
  /** how many times the run is made finer, to measure the error of coarser ones; see `refined` */
  refinement?: number | undefined;
}

/** Largest number of steps: step counters and row numbers are 32-bit. */
const MAX_STEPS = 2_000_000_000;
/** Of a step, by which a run may be shorter than one. */
const STEP_ROUNDING = 1e-6;

/** The systems and interactions of the document together with those a builder script added. */
export function expandDocument(document: ModelDocument, built: BuiltElements | undefined): ModelDocument {
  if (built === undefined) return document;
  const { systems, interactions, drawings = [] } = built;
  const components = drawings.flatMap((one) => one.components);
  const instances = drawings.flatMap((one) => one.instances);
  const wires = drawings.flatMap((one) => one.wires);
  return {
    ...document,
    systems: [...document.systems, ...systems],
    interactions: [...document.interactions, ...interactions],
    ...(components.length > 0 && { components: [...(document.components ?? []), ...components] }),
    ...(instances.length > 0 && { instances: [...(document.instances ?? []), ...instances] }),
    ...(wires.length > 0 && { wires: joinedWires([...(document.wires ?? []), ...wires]) }),
  };
}

/** Wires of one name are one. What has no name or ends is left to the checks. */
function joinedWires(wires: readonly WireDocument[]): WireDocument[] {
  const joined: WireDocument[] = [];
  const places = new Map<string, number>();
  for (const wire of wires) {
    const isWhole = Array.isArray(wire.ends);
    const at = isWhole ? places.get(wire.id) : undefined;
    if (at !== undefined) for (const end of wire.ends) joined[at].ends.push(end);
    else {
      if (isWhole) places.set(wire.id, joined.length);
      joined.push(isWhole ? { ...wire, ends: [...wire.ends] } : wire);
    }
  }
  return joined;
}

/** The document together with what its components have become. */
function withDrawn(document: ModelDocument, { systems, interactions }: CompiledComponents): ModelDocument {
  if (systems.length === 0) return document;
  return {
    ...document,
    systems: [...document.systems, ...systems],
    interactions: [...document.interactions, ...interactions],
  };
}

/** Whether components become systems. */
const isDrawing = ({ components = [], instances = [] }: ModelDocument): boolean =>
  components.length + instances.length > 0;

/** Ids of all views of a document, sound or not. */
function viewIds({ views }: { readonly views: unknown }): Set<string> {
  const ids = (Array.isArray(views) ? (views as ({ id?: unknown } | null)[]) : []).map((view) => view?.id);
  return new Set(ids.filter((id) => typeof id === 'string'));
}

/** What is sound of a document and of what a script has built for it. */
function soundDocument(
  document: ModelDocument,
  built: BuiltElements | undefined,
  own = checkStructure(document),
): CheckedStructure {
  return own.document === null || built === undefined ? own : checkStructure(expandDocument(document, built));
}

/** Validates a document completely and builds what runs. */
export function prepare(document: ModelDocument, options: PreparationOptions): Preparation {
  const values: Record<string, number> = {};
  // With what a script has built in place of it, once that is known.
  const { document: sound, issues, viewPlaces } = soundDocument(document, options.built, options.structure);
  if (sound === null) {
    const ofWires = options.built === undefined ? wireIssues(document, issues) : [];
    return { issues: [...issues, ...ofWires], parameters: {}, values, prepared: null };
  }
  // Before the builder has run, members that it adds are not known.
  if (options.built !== undefined || !document.scripts.some(({ role }) => role === 'builder'))
    issues.push(...layoutIssues(sound));
  issues.push(...libraryIssues(document), ...tableIssues(sound.tables));
  issues.push(...dashboardIssues(sound, viewIds(document)), ...viewIssues(sound, viewPlaces));
  const parameters = options.parameters ?? evaluateParameters(document.parameters, options.set ?? {});
  issues.push(...parameters.issues);
  reportParameters(document, issues);
  document.parameters.forEach(({ name, value }, i) => {
    if (typeof value === 'string' && name in parameters.values)
      values[`/parameters/${i}/value`] = parameters.values[name];
  });
  const context: EvaluationContext = {
    parameters: parameters.values,
    units: unitsOf(document.parameters),
    tables: tablesOf(sound.tables),
    brokenParameters: parameters.broken,
    functions: options.functions,
    functionNames: options.functionNames,
    generate: options.generate,
    check: options.check,
    issues,
    values,
    plugins: Object.freeze({ ...parameters.values }),
    held: new HeldSignals(),
    derivatives: options.derivatives,
    analytic: options.analytic,
    givenJacobians: options.givenJacobians,
    derivedJacobians: options.derivedJacobians,
    gates: new Map(),
  };
  const { scheme = document.simulation.scheme } = options.overrides ?? {};
  const drawn = compileComponents({ ...sound, simulation: { ...sound.simulation, scheme } }, context);
  const expanded = withDrawn(sound, drawn);
  const awaitsBuilder = options.built === undefined && needsBuilder(document);
  const built = buildModel(expanded, context);
  const settings = refined(
    buildSettings(
      document.simulation,
      options.overrides ?? {},
      context,
      built.systems.map((system) => ({ ...system, names: drawn.labels[system.id]?.names })),
      !awaitsBuilder && (drawn.systems.length > 0 || !isDrawing(sound)),
    ),
    options.refinement ?? 0,
  );
  const steps = (settings.tEnd - settings.t0) / settings.h;
  // A run goes on to the end of a step.
  if (steps > 0 && steps < 1 - STEP_ROUNDING)
    issues.push({
      severity: 'error',
      code: 'step-too-long',
      pointer: '/simulation/h',
      message: `The step of ${settings.h} s is longer than the run of ${settings.tEnd - settings.t0} s.`,
      remedy: 'Shorten the step or lengthen the run.',
    });
  if (settings.h > 0 && steps > MAX_STEPS) {
    issues.push({
      severity: 'error',
      code: 'too-many-steps',
      pointer: '/simulation/h',
      message: `The run would take ${steps.toExponential(2)} steps; at most ${MAX_STEPS} are supported.`,
      remedy: 'Enlarge the step or shorten the run.',
    });
  }
  const observables = document.observables.map(({ name, unit, description }) => ({
    name,
    unit: unit ?? '',
    description: description ?? name,
  }));
  const signals = [
    ...observables.map((observable) => ({ ...observable, kind: 'observable' as const })),
    ...(drawn.table?.signals ?? []).map(({ name, unit, description, element, power }) => ({
      ...{ name, unit, description, element },
      ...(power !== undefined && { power }),
      kind: 'component' as const,
    })),
  ];
  const names = [...Object.keys(parameters.values), ...parameters.broken];
  const layoutOf = (scheme: typeof settings.scheme): StateLayout =>
    built.space === null
      ? layoutState(built.nsds, signals, names, scheme, gammaBySystem(settings))
      : layoutSpace(built.space, signals, names, scheme);
  const layout = layoutOf(settings.scheme);
  const control = planControl(built.nsds.blocks ?? [], context.held, layout, context, awaitsBuilder);
  const presence = planPresence(built.nsds.interactions, layout, context, awaitsBuilder);
  const resets = planResets(built.nsds, placesOf(expanded), layout, context, awaitsBuilder);
  checkObservables(
    document.observables,
    new Set(layout.systemPlaces.keys()),
    layout.slotOf,
    context,
    awaitsBuilder,
  );
  // What a script will build decides which settings suit a model that has nothing of its own.
  if (!awaitsBuilder || expanded.systems.length > 0) {
    const hasCones = settings.scheme === 'time-stepping' && isConic(built.nsds);
    checkSpaceSettings(document.simulation, settings, built.space, hasCones, issues);
    checkImpactSettings(settings, built.space, placesOf(expanded), issues);
  }
  const places = placesOf(expanded);
  const space = built.space === null ? null : compileSpace(built.space, places, issues, awaitsBuilder);
  if (space !== null) {
    checkStart(space, places, issues);
    checkCriticalStep(space, settings, issues);
  }
  if (!awaitsBuilder) {
    checkProjection(document.simulation, settings, built.nsds, space, issues);
    if (space === null) checkForces(settings, built.nsds, issues);
    else checkSpaceForces(space, settings, places, issues);
    reportRecording(document, layout, issues);
    const other = settings.scheme === 'event-driven' ? 'time-stepping' : 'event-driven';
    const elsewhere = (): Set<string> => namesOf(layoutOf(other));
    issues.push(...viewSignalIssues(sound, namesOf(layout), elsewhere, viewPlaces));
    // Contacts of a drawing with faults are not there yet.
    const isFaulty = issues.some(({ severity, pointer }) => severity === 'error' && DRAWN.test(pointer));
    if (!isFaulty)
      checkSections(
        { model: built.nsds, isSpatial: space !== null, settings, layout, systems: expanded.systems },
        issues,
      );
  }
  checkScheme(document.simulation, settings, issues);
  if (space === null && !awaitsBuilder)
    checkStarts(
      built.nsds,
      settings.t0,
      settings.scheme === 'time-stepping',
      {
        pointers: places,
        componentOf: (interaction, row) => {
          const name = drawn.labels[interaction]?.rows.at(row) ?? '';
          const place = (document.components ?? []).findIndex(({ id }) => id === name);
          return place < 0 ? null : { id: name, pointer: `/components/${place}` };
        },
      },
      issues,
    );
  checkGraphs(settings, built.nsds, places, issues);
  checkFlight(settings, built.nsds, built.space, issues);
  checkPresence(expanded, built.systems, settings, issues);
  checkAnalyses(document, context);
  checkMotions(
    document,
    {
      hasBodies: space !== null,
      hasBlocks: control !== null,
      hasContactsThatGo: hasContactsThatGo(built.nsds),
      remembersPresence: remembersPresence(built.nsds),
      isStepped: isStepped(settings),
    },
    issues,
  );
  const { systems, interactions } = expanded;
  checkUnread(
    { systems, interactions, simulation: document.simulation, analyses: document.analyses },
    context,
  );
  if (expanded.systems.length === 0 && !isDrawing(sound) && !awaitsBuilder) {
    issues.push({
      severity: 'error',
      code: 'no-systems',
      pointer: '/systems',
      message: 'The model has no dynamical system yet.',
      remedy: 'Add one from the palette.',
    });
  }
  for (const issue of issues) toGate(issue, expanded, context);
  const usable = issues.every(({ severity }) => severity !== 'error');
  const found = { issues, parameters: parameters.values, values, drawn };
  if (!usable) return { ...found, prepared: null };
  return {
    ...found,
    prepared: {
      model: withConditions(built.nsds, context),
      space,
      settings,
      layout,
      control,
      presence,
      resets,
      outputs: drawn.table,
      labels: drawn.labels,
    },
    again(on) {
      const other: EvaluationContext = {
        ...context,
        ...on,
        generate: on.generate,
        issues: [],
        values: {},
        // Conditions of a model are found by this object.
        plugins: Object.freeze({ ...parameters.values }),
        held: new HeldSignals(),
        givenJacobians: undefined,
        derivedJacobians: undefined,
      };
      const model = buildModel(expanded, other);
      const bodies =
        model.space === null ? null : compileSpace(model.space, places, other.issues, awaitsBuilder);
      if (other.issues.some(({ severity }) => severity === 'error')) return null;
      return { model: withConditions(model.nsds, other), space: bodies };
    },
    checkLoaded() {
      if (space === null) return;
      if (space.general.length > 0) checkStart(space, places, issues);
      issues.push(...scriptedIssues(space, places, settings.t0));
    },
  };
}

/** Where a drawing has its faults. */
const DRAWN = /^\/(?:components|wires|instances|submodels)\//;

/** Where a condition stands that the gate of a component has become. */
const CONDITION = /^\/interactions\/(\d+)\/(?:law\/laws\/(\d+)\/)?while\b/;

/** Where a guard stands that a memory of a drawing has become. */
const GUARD = /^\/systems\/(\d+)\//;

/** A defect of such a condition is one of the gate, and one of such a guard one of the component. */
function toGate(
  issue: DocumentIssue,
  { systems, interactions }: Pick<ModelDocument, 'systems' | 'interactions'>,
  { gates }: Pick<EvaluationContext, 'gates'>,
): void {
  const reset = GUARD.exec(issue.pointer);
  if (reset !== null) {
    const guard = (systems[Number(reset[1])] as SystemDocument | undefined)?.guard;
    const first = Array.isArray(guard) ? guard[0] : undefined;
    const jump = typeof first === 'string' ? gates?.get(first) : undefined;
    if (jump === undefined) return;
    issue.pointer = jump.pointer;
    issue.element = jump.element;
    return;
  }
  const place = CONDITION.exec(issue.pointer);
  if (place === null || gates === undefined || gates.size === 0) return;
  const interaction = interactions[Number(place[1])] as InteractionDocument | undefined;
  const laws = interaction?.law.laws as readonly TypedElement[] | undefined;
  const owner = place[2] === undefined ? interaction : laws?.[Number(place[2])];
  const presence = owner?.while as TypedElement | undefined;
  const condition = Array.isArray(presence?.condition) ? presence.condition[0] : null;
  const gate = typeof condition === 'string' ? gates.get(condition) : undefined;
  if (gate === undefined || typeof condition !== 'string') return;
  issue.pointer = gate.pointer;
  issue.element = gate.element;
  issue.message = issue.message.replace(condition, gate.text);
}

/** Analyses of motions that the model is not made for; its runs are not concerned. */
function checkMotions(
  { analyses = [] }: ModelDocument,
  unfollowed: Unfollowed,
  issues: DocumentIssue[],
): void {
  const why = whyNotAnalysed(unfollowed);
  if (why === null) return;
  analyses.forEach(({ id, type }, i) => {
    if (type === sweep.type) return;
    const pointer = `/analyses/${i}/type`;
    issues.push({ severity: 'warning', code: 'not-analysed', pointer, element: id, ...why });
  });
}

function withConditions(
  model: NonSmoothDynamicalSystem,
  { plugins }: EvaluationContext,
): NonSmoothDynamicalSystem {
  const conditions = conditionsOf(plugins);
  return conditions === undefined ? model : { ...model, conditions };
}

function reportParameters(document: ModelDocument, issues: DocumentIssue[]): void {
  const seen = new Set<string>();
  document.parameters.forEach(({ name, min, max }, i) => {
    const report = (key: string, code: string, message: string, remedy: string): void => {
      issues.push({
        severity: 'error',
        code,
        pointer: `/parameters/${i}/${key}`,
        element: name,
        message,
        remedy,
      });
    };
    if (seen.has(name))
      report('name', 'duplicate-id', `The parameter “${name}” is defined twice.`, 'Rename one.');
    seen.add(name);
    const meaning = reservedMeaning(name);
    if (meaning !== null) {
      report(
        'name',
        'name-taken',
        `“${name}” has a meaning in every model: ${meaning}.`,
        'Give the parameter another name.',
      );
    }
    if (min !== undefined && max !== undefined && !(min < max)) {
      report(
        'max',
        'empty-range',
        `The range of “${name}” is empty: ${min} to ${max}.`,
        'Make max larger than min.',
      );
    }
  });
}

const namesOf = ({ signals }: StateLayout): Set<string> => new Set(signals.map(({ name }) => name));

function reportRecording(document: ModelDocument, layout: StateLayout, issues: DocumentIssue[]): void {
  const known = namesOf(layout);
  document.simulation.recording?.signals?.forEach((name, i) => {
    if (known.has(withSignalNames(name))) return;
    issues.push({
      severity: 'error',
      code: 'unknown-signal',
      pointer: `/simulation/recording/signals/${i}`,
      message: `The signal “${name}” does not exist.`,
      remedy: `Signals of this model start with ${[...known].slice(0, 8).join(', ')}.`,
    });
  });
}

/**
 * Positions in `layout.signals` of the signals to record; time always first. Unknown names are returned
 * apart.
 */
export function selectSignals(
  layout: StateLayout,
  names: readonly string[] | undefined,
): { selected: number[]; unknown: string[] } {
  if (names === undefined) return { selected: layout.signals.map((_, i) => i), unknown: [] };
  const index = new Map(layout.signals.map(({ name }, i) => [name, i]));
  const own = names.map(withSignalNames);
  const unknown = own.filter((name) => !index.has(name));
  const wanted = new Set(own.flatMap((name) => index.get(name) ?? []));
  wanted.add(0);
  return { selected: [...wanted].sort((a, b) => a - b), unknown };
}
