/**
 * The certificate: at every step the discrete equations of motion, the relations and laws, and the balance of energy
 * are recomputed from the recorded states. It evaluates the model itself and calls neither an integrator, nor the rows
 * and operator of the time loop, nor the solver, so that an error of theirs cannot hide in it. Two things it is told:
 * which contacts took part in the step, and what restitution compares with. A contact wrongly left out shows in its gap.
 *
 * Each residual is relative to the largest magnitude of its kind that the run has shown so far. See `dynamics.ts`,
 * `relations.ts` and `laws.ts` for what they are.
 */
import type { IntegratorAssignment } from '../../integrators/registry';
import type { LawRow } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { CarryOver } from '../carry-over';
import type { StatePlaces } from '../layout';
import { type CertificateState, createDynamicsMemory } from '../state';
import { createDynamicsChecks } from './dynamics';
import type { DynamicsCheck } from './dynamics-check';
import { EnergyLedger } from './energy';
import { LawCheck } from './laws';
import { Ledger } from './ledger';
import { type CheckContext, RelationCheck } from './relations';

/** Worst violations so far. */
export interface Certificate {
  complementarity: number;
  coneViolation: number;
  dynamics: number;
  /** s; null before the first step */
  worstTime: number | null;
  worstElement: string | null;
}

export interface CertificateSettings {
  readonly integrators: readonly IntegratorAssignment[];
}

// Kinds of rows: values that count in different units are not measured by each other.
const FIRST_ORDER = 0;
const POSITION = 1;
const VELOCITY = 2;

export class CertificateChecker {
  /** whether T + V is defined for all systems that have an energy */
  readonly hasEnergy: boolean;

  readonly #context: CheckContext;
  readonly #relations: RelationCheck;
  readonly #laws: LawCheck;
  readonly #dynamics: DynamicsCheck[];
  readonly #energy = new EnergyLedger();
  readonly #ledger = new Ledger();
  /** where the worst was found, when that was before the simulation was made from a state */
  #inheritedElement: string | null = null;
  readonly #lambda: Float64Array;
  /** coordinates and velocities of the present state and their copy at the start of the step */
  readonly #present: Float64Array;
  readonly #copy: Float64Array;

  /** @param state the state vector that will be checked; its arrays are read at each step */
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    layout: StatePlaces,
    settings: CertificateSettings,
    state: Float64Array,
    /** [0] present step length, s */
    h: Float64Array,
  ) {
    const { ndof, rows } = layout;
    const before = new Float64Array(layout.v + ndof);
    this.#present = state.subarray(layout.q, layout.q + 2 * ndof);
    this.#copy = before.subarray(layout.q, layout.q + 2 * ndof);
    this.#lambda = state.subarray(layout.lambda, layout.lambda + rows);
    const offsets = new Int32Array(model.systems.length + 1);
    model.systems.forEach(({ form }, i) => (offsets[i + 1] = offsets[i] + form.size));
    this.#context = {
      clock: state.subarray(0, 1),
      h,
      state,
      before,
      q: layout.q,
      v: layout.v,
      offsets,
      size: ndof,
      input: new Float64Array(ndof),
      inertia: diagonalInertia(model, ndof),
    };
    const schemes = new Map(
      settings.integrators.flatMap(({ systems, type }) => systems.map((s) => [s, type] as const)),
    );
    const schemeOf = (system: number): string => schemes.get(system) ?? '';
    const kinds = rowKinds(model, rows, schemeOf);
    const atEnd = settings.integrators.some(({ choices }) => choices.relationPoint === 'end');
    this.#relations = new RelationCheck(
      model,
      this.#context,
      atEnd,
      kinds.map((kind) => (kind === VELOCITY ? 1 : 0)),
    );
    const laws = model.interactions.flatMap(({ relation, law }): LawRow[] =>
      Array.from({ length: relation.size }, (_, k) => law.rows[k % law.size]),
    );
    const restitution = Float64Array.from(
      model.interactions.flatMap(({ relation, law }) =>
        new Array<number>(relation.size).fill(law.restitution ?? 0),
      ),
    );
    this.#laws = new LawCheck(laws, kinds, restitution);
    this.#dynamics = createDynamicsChecks(this.#context, model, settings.integrators, this.#energy);
    this.hasEnergy = layout.potential >= 0 && hasSymmetricStiffness(model) && usesMoreauJean(model, schemeOf);
  }

  /** Takes the present state as the first start of a step. */
  start(): void {
    // Velocity-level relations are evaluated at q⁻ + h v⁻.
    this.#copy.set(this.#present);
    this.#relations.evaluate(this.#lambda);
    this.#energy.begin();
    for (const check of this.#dynamics) check.start();
    this.#energy.start();
  }

  /** A copy of what has been seen so far. */
  save(): CertificateState {
    const dynamics = createDynamicsMemory(this.model.systems.length, this.#context.size);
    for (const check of this.#dynamics) check.save(dynamics);
    return {
      ...this.#ledger.save(),
      worstElement: this.#worstElement(),
      energy: this.#energy.save(this.hasEnergy),
      rowScale: this.#laws.save(),
      dynamics,
    };
  }

  /** Goes on from what has been seen of the elements that stay; called after `start`. */
  load(carried: CarryOver): void {
    const { worst, overall, worstElement, energy } = carried.state.certificate;
    this.#ledger.load(worst, overall);
    this.#inheritedElement = worstElement;
    this.#energy.load(energy, this.hasEnergy);
    this.#laws.load(carried);
    const dynamics = createDynamicsMemory(this.model.systems.length, this.#context.size);
    carried.dynamics(dynamics);
    for (const check of this.#dynamics) check.load(dynamics);
  }

  /** Follows a change of the step length. */
  changeStep(): void {
    this.#relations.changeStep();
    for (const check of this.#dynamics) check.changeStep?.();
  }

  get kinetic(): number {
    return this.#energy.sums.kinetic[0];
  }

  get potential(): number {
    return this.#energy.sums.potential[0];
  }

  /**
   * Checks the step to the present state.
   * @param reference by row, the ẏ⁻ (or, at position level, the y before it) that Newton's law compares with
   * @param active 1 for rows that took part in the step
   * @returns false when something is not finite
   */
  check(reference: Float64Array, active: Uint8Array): boolean {
    const { clock } = this.#context;
    this.#relations.evaluate(this.#lambda);
    const { y, scale } = this.#relations;
    this.#laws.check(y, this.#lambda, scale, reference, active, clock, this.#ledger);
    this.#energy.begin();
    for (let d = 0; d < this.#dynamics.length; d++) this.#dynamics[d].check(this.#ledger);
    this.#energy.finish();
    this.#copy.set(this.#present);
    return this.#ledger.isFinite && this.#energy.isFinite && isFiniteArray(this.#present);
  }

  /** The worst so far; a new object, for reports outside the time loop. */
  get certificate(): Certificate {
    const ledger = this.#ledger;
    return {
      complementarity: ledger.worst('complementarity'),
      coneViolation: ledger.worst('cone'),
      dynamics: ledger.worst('dynamics'),
      worstTime: this.#inheritedElement === null ? ledger.worstTime : ledger.lastTime,
      worstElement: this.#worstElement(),
    };
  }

  #worstElement(): string | null {
    const { worstCoordinate, worstRow } = this.#ledger;
    if (worstCoordinate >= 0) {
      const { offsets } = this.#context;
      return this.model.systems.find((_, i) => worstCoordinate < offsets[i + 1])?.id ?? null;
    }
    if (worstRow < 0) return this.#inheritedElement;
    let row = 0;
    for (const { id, relation } of this.model.interactions) {
      row += relation.size;
      if (worstRow < row) return id;
    }
    return null;
  }

  /** See `EnergyLedger.drift`; null where no energy is defined. */
  get energyDrift(): number | null {
    return this.hasEnergy ? this.#energy.drift : null;
  }
}

/** Kind of each row: the units its y counts in. */
function rowKinds(
  { interactions }: NonSmoothDynamicalSystem,
  count: number,
  schemeOf: (system: number) => string,
): Uint8Array {
  const kinds = new Uint8Array(count);
  let row = 0;
  for (const { relation, law, systems } of interactions) {
    const isPosition =
      law.level === 'position' ||
      // Schatzman–Paoli restitution acts on positions.
      (law.restitution !== null && systems.every((s) => schemeOf(s) === 'SchatzmanPaoli'));
    const kind = relation.order === 1 ? FIRST_ORDER : isPosition ? POSITION : VELOCITY;
    kinds.fill(kind, row, row + relation.size);
    row += relation.size;
  }
  return kinds;
}

/** Diagonal of constant mass matrices by coordinate, 1 where there is none. */
function diagonalInertia({ systems }: NonSmoothDynamicalSystem, ndof: number): Float64Array {
  const inertia = new Float64Array(ndof).fill(1);
  let dof = 0;
  for (const { form } of systems) {
    for (let i = 0; i < form.size; i++) {
      let value = 0;
      if (form.order === 2 && form.constantMass !== null) {
        const { rowStart, columns, values } = form.constantMass;
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] === i) value += values[k];
      } else if (form.order === 1 && form.mass !== null) {
        value = Math.abs(form.mass[i * form.size + i]);
      }
      if (value > 0) inertia[dof + i] = value;
    }
    dof += form.size;
  }
  return inertia;
}

/** Without a symmetric K there is no potential. */
function hasSymmetricStiffness({ systems }: NonSmoothDynamicalSystem): boolean {
  return systems.every(({ form }) => {
    const stiffness = form.order === 2 ? (form.linear?.stiffness ?? null) : null;
    if (stiffness === null) return true;
    const { rows, rowStart, columns, values } = stiffness;
    const entries = new Map<number, number>();
    for (let i = 0; i < rows; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) entries.set(i * rows + columns[k], values[k]);
    return [...entries].every(
      ([key, value]) => (entries.get((key % rows) * rows + Math.floor(key / rows)) ?? 0) === value,
    );
  });
}

/** Only that scheme has the balance of energy above. */
const usesMoreauJean = (
  { systems }: NonSmoothDynamicalSystem,
  schemeOf: (system: number) => string,
): boolean => systems.every(({ form }, s) => form.order === 1 || schemeOf(s) === 'MoreauJean');

function isFiniteArray(x: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += Math.abs(x[i]);
  return Number.isFinite(sum);
}
