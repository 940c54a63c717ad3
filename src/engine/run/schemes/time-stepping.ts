/** Time-stepping as one of the schemes. */
import type { Certificate } from '../../certificate/residual-maxima';
import {
  type Passed,
  type PassedConditions,
  passedConditions,
} from '../../event-driven/conditions/passed-conditions';
import type { SimulationSettings } from '../../document/settings';
import type { StepCounters } from '../../integrators/step';
import { certifiedLimit } from '../../model/settings/friction-solvers';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { largeNetwork, NetworkStepping } from '../../time-stepping/network-stepping';
import { TimeStepping } from '../../time-stepping/time-stepping';
import { SpaceStepping } from '../spatial/stepping';
import { originOf } from '../../time-stepping/state';
import type { StateLayout } from '../../preparation/layout';
import {
  type Completeness,
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
import type { SimulationState } from '../../time-stepping/state';
import { checkSize } from '../../preparation/size-check';
import { jointRows } from '../../event-driven/joints/joint-system';
import type { Section, SectionPlan } from '../../preparation/section';
import { SteppedSection } from '../sections/stepped-section';

export const timeStepping: Scheme = {
  create(prepared, { loop, from }) {
    const { model, conditioned, space, layout, settings, presence, resets } = prepared;
    if (space !== null) {
      if (from !== undefined && from.of !== 'space') return wrongMemory(from);
      const control = RunControl.create(prepared, from?.state.control);
      return new SpaceStepping(space, conditioned ?? null, layout, settings, control, from?.state);
    }
    if (from !== undefined && from.of !== 'time-stepping') return wrongMemory(from);
    const origin = from === undefined ? null : originOf(model, from.state);
    const control = RunControl.create(prepared, from?.control);
    const complete = { ...settings, loop, samples: control?.samples ?? null, presence, resets };
    const network = largeNetwork(model, complete);
    if (network === null) checkSize(model);
    const simulation =
      network === null
        ? new TimeStepping(model, layout, complete, origin)
        : new NetworkStepping(model, network, layout, complete, origin);
    return new Stepping(
      model,
      conditioned?.model ?? null,
      layout,
      simulation,
      settings,
      from ?? null,
      control,
    );
  },
};

/** What a run needs of steps, dense or sparse. */
type Steps = Pick<
  TimeStepping,
  | ('state' | 'time' | 'step' | 'isAtEnd' | 'events' | 'rejectedSteps' | 'loop' | 'moment')
  | ('certificate' | 'resets' | 'advance' | 'exportState')
> & {
  /** see `TimeStepping`; absent where steps are computed one by one */
  stride?(most: number, until: number): void;
  readonly oneStep: Pick<TimeStepping['oneStep'], 'hasCones' | 'accepted'>;
  readonly context: Pick<TimeStepping['context'], 'counters'>;
  readonly projection: unknown;
  overlap(interaction: number): number;
};

class Stepping implements Simulation {
  readonly rows: readonly Float64Array[];
  readonly rowCount = 1;
  readonly isKept = false;
  readonly events = [];
  readonly totalSteps: number;
  readonly hasConstantStep: boolean;
  readonly warnings: readonly string[];
  private readonly h: number;
  /** whether the number of steps says where a run ends */
  readonly #countsSteps: boolean;

  readonly #conditions: PassedConditions | null;
  readonly #sections: SteppedSection[] = [];
  /** rows of contacts */
  readonly #contacts: readonly number[];

  constructor(
    model: NonSmoothDynamicalSystem,
    conditioned: NonSmoothDynamicalSystem | null,
    private readonly layout: StateLayout,
    private readonly simulation: Steps,
    settings: SimulationSettings,
    /** what it goes on from; null at the start */
    from: { readonly passed: Passed | null; readonly state: SimulationState } | null,
    private readonly control: RunControl | null,
  ) {
    this.h = settings.h;
    this.#contacts = contactRows(model);
    this.rows = [simulation.state];
    const count = countSteps(settings);
    this.totalSteps = count.steps;
    this.#countsSteps = settings.stepControl === null;
    this.hasConstantStep = this.#countsSteps && control?.samples.isOnGrid !== false;
    const { q, ndof } = layout;
    const [positions, velocities] = [
      simulation.state.subarray(q, q + ndof),
      simulation.state.subarray(q + ndof, q + 2 * ndof),
    ];
    const span = { t0: simulation.time, tEnd: settings.t0 + count.steps * settings.h, h: settings.h };
    this.#conditions =
      conditioned === null ? null : passedConditions(conditioned, positions, velocities, span);
    if (this.#conditions !== null) this.#conditions.passed = from?.passed ?? null;
    this.warnings = [
      ...(this.#countsSteps ? endWarnings(settings, count) : []),
      ...(from === null
        ? overlapWarnings(model, simulation)
        : movedOutputs(model, layout, simulation, from.state)),
    ];
    this.#judgeBlocks();
  }

  /** A row is complete: where states were reset, blocks have seen what was before. */
  #judgeBlocks(): void {
    const { state, resets } = this.simulation;
    this.control?.judge(resets?.left ?? state, state);
  }

  get time(): number {
    return this.simulation.time;
  }

  get step(): number {
    return this.simulation.step;
  }

  get isAtEnd(): boolean {
    return this.#countsSteps ? this.simulation.step >= this.totalSteps : this.simulation.isAtEnd;
  }

  get eventCount(): number {
    return this.simulation.events;
  }

  get certificate(): Certificate {
    const { certificate, oneStep } = this.simulation;
    const limit = oneStep.hasCones ? { limit: certifiedLimit(oneStep.accepted) } : {};
    const report = { ...certificate.report, ...limit };
    return this.control?.certificate(report) ?? report;
  }

  takeRecent(out: Float64Array): void {
    this.simulation.certificate.takeRecent(out);
    this.control?.takeRecent(out);
  }

  get energyDrift(): number | null {
    return this.simulation.certificate.energyDrift;
  }

  get energyGain(): number | null {
    return this.simulation.certificate.energyGain;
  }

  get complete(): Completeness {
    return this.#conditions?.complete ?? true;
  }

  get findings(): readonly string[] {
    return [...(this.#conditions?.findings ?? []), ...(this.simulation.resets?.findings ?? [])];
  }

  get counters(): StepCounters {
    return { ...this.simulation.context.counters };
  }

  get rejectedSteps(): number {
    return this.simulation.rejectedSteps;
  }

  get path(): SimulationPath {
    return this.simulation.loop;
  }

  get moment(): Moment {
    return this.simulation.moment;
  }

  takeSection(plan: SectionPlan): Section {
    plan.complete(this.simulation.state);
    const section = new SteppedSection(
      { ...plan, h: this.h },
      this.layout,
      this.simulation.state,
      this.#contacts,
    );
    this.#sections.push(section);
    return section;
  }

  advance(): void {
    this.simulation.advance();
    this.#judgeBlocks();
    this.#conditions?.follow(this.simulation.time);
    for (let k = 0; k < this.#sections.length; k++) this.#sections[k].step();
  }

  stride(most: number, until: number): void {
    const isWatched = this.control !== null || this.#conditions !== null || this.#sections.length > 0;
    if (isWatched || this.simulation.stride === undefined) this.advance();
    else this.simulation.stride(most, until);
  }

  save(): SimulationMemory {
    const passed = this.#conditions?.passed ?? null;
    const control = this.control?.save() ?? null;
    return { of: 'time-stepping', state: this.simulation.exportState(), passed, control };
  }

  handOver(): SimulationMemory {
    return this.save();
  }
}

function contactRows({ interactions }: NonSmoothDynamicalSystem): number[] {
  const rows: number[] = [];
  let first = 0;
  for (const { relation, law } of interactions) {
    for (let r = 0; r < relation.size; r++)
      if (law.restitution !== null && law.rows[r % law.size].kind !== 'friction') rows.push(first + r);
    first += relation.size;
  }
  return rows;
}

/**
 * A law at velocity level keeps bodies from approaching; it does not push apart what overlaps at the start.
 */
function overlapWarnings({ interactions }: NonSmoothDynamicalSystem, simulation: Steps): string[] {
  const overlaps = interactions
    .map(({ id }, i) => ({ id, gap: simulation.overlap(i) }))
    .filter(({ gap }) => gap < 0);
  if (overlaps.length === 0) return [];
  const worst = overlaps.reduce((a, b) => (b.gap < a.gap ? b : a));
  const more = overlaps.length > 1 ? ` (the deepest of ${overlaps.length})` : '';
  const fate =
    simulation.projection === null
      ? 'the overlap stays until the bodies part'
      : 'the first projection takes the overlap out at once';
  return [`“${worst.id}” starts with a gap of ${worst.gap}${more}: ${fate}.`];
}

/** Change of an output that is no rounding, in parts of the larger of its values and of 1. */
const MOVED = 1e-8;

/**
 * Outputs of contacts and equations that new values of parameters have moved where a run goes on: by laws at
 * velocity level an overlap and an offset stay.
 */
function movedOutputs(
  { interactions }: NonSmoothDynamicalSystem,
  { y }: StateLayout,
  simulation: Steps,
  { interactions: known, output }: SimulationState,
): string[] {
  const places = new Map(known.ids.map((id, i) => [id, i]));
  let row = 0;
  return interactions.flatMap((interaction, i) => {
    const { id, relation, presence } = interaction;
    const first = row;
    row += relation.size;
    const place = places.get(id);
    if (relation.order === 1 || place === undefined) return [];
    const equations = presence === undefined ? jointRows(interaction) : [];
    for (let r = 0; r < relation.size; r++) {
      const [was, is] = [output[known.offsets[place] + r], simulation.state[y + first + r]];
      if (Math.abs(is - was) <= MOVED * Math.max(1, Math.abs(is), Math.abs(was))) continue;
      if (equations.includes(r) || (simulation.overlap(i) < 0 && is < was))
        return [
          `“${id}” goes on with an output of ${is}, where it was ${was}: the new values of parameters move it, and nothing in the run moves it back.`,
        ];
    }
    return [];
  });
}
