/**
 * The motion between two events against the model's own functions: over a stretch of the flight, a step or an
 * arc,
 *
 *     M (v(b) − v(a)) = ∫ F(t, q, v) + p dt,     q(b) − q(a) = ∫ T(q) v dt     (Lagrangian),
 *     M (x(b) − x(a)) = ∫ f(t, x) + r dt                                 (first order),
 *
 * where v is that of the base and of the coordinates together if these are measured from one that moves, with
 * the integrals by Gauss–Legendre quadrature over states of the flight and the multipliers there. The formula
 * of seven points has order 14: over a step that a method of order 8 takes, or an arc of at most 1.5
 * reciprocal rates, what it leaves out is below 1e-16; of parabolas three points leave out nothing. Where M
 * depends on q, M⁻¹ stands under the integral, and the defect is multiplied by M(q(b)).
 *
 * Neither the coefficients of a method nor the series of an arc nor the reduced system of closed contacts is
 * used. The same nodes serve the balance of energy (`flight-energy.ts`). Defects are relative to the largest
 * momentum, or impulse of a force over a stretch, so far, where forces of the first step of the
 * discretisation count as long as all of it: a motion from rest has no momentum yet that could measure it.
 * Those of positions are relative to the largest position or path, or to what such a momentum moves the
 * largest mass by.
 */
import { factorDense, solveDense } from '../../linalg/lu';
import type { SparseRows } from '../../linalg/sparse';
import { type FirstOrderForm, type LagrangianForm, type TimeFunction, positionsOf } from '../../model/forms';
import { type NonSmoothDynamicalSystem, type SystemOffsets, offsetsOf } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { FlightIntegrator } from '../../smooth-arcs/linear-flight';
import type { EventCertificate } from './certificate';
import { larger } from '../../linalg/nan-safe';
import { relative } from '../../certificate/residual-maxima';
import type { FlightEnergy } from './flight-energy';
import { type ConstantInput, LinkedRows, massRowsOf } from './linked-rows';
import { SMALLEST_SCALE } from '../../certificate/residual-maxima';
import { ROW } from '../../smooth-arcs/linear-system';
import type { StepWriter, Term } from '../../straight-line/writer';
import type { IntegratedPlaces } from '../flow/free-motion';

/** Nodes on [0, 1] and weights. */
interface Quadrature {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

/** Of seven points (Stroud and Secrest 1966). */
const SEVEN: Quadrature = {
  nodes: Float64Array.of(
    ...[-0.9491079123427585, -0.7415311855993945, -0.4058451513773972, 0].map((u) => 0.5 * (1 + u)),
    ...[0.4058451513773972, 0.7415311855993945, 0.9491079123427585].map((u) => 0.5 * (1 + u)),
  ),
  weights: Float64Array.of(
    ...[0.1294849661688697, 0.2797053914892766, 0.3818300505051189, 0.4179591836734694].map((w) => 0.5 * w),
    ...[0.3818300505051189, 0.2797053914892766, 0.1294849661688697].map((w) => 0.5 * w),
  ),
};
/** Of three, which is exact up to degree five: more than a parabola can have that is not one. */
const THREE: Quadrature = {
  nodes: Float64Array.of(0.5 * (1 - Math.sqrt(0.6)), 0.5, 0.5 * (1 + Math.sqrt(0.6))),
  weights: Float64Array.of(5 / 18, 8 / 18, 5 / 18),
};

/**
 * Parts of a stretch, each short enough for the formula, beyond which work is not summed up: as many as
 * automatic flights have arcs in a step. Exact flights that are asked for may have any number.
 */
const MOST_PARTS = 32;

/** What the flight does not know of its states: dependent coordinates, and multipliers. */
export interface FlightStates {
  /** Completes the state and writes its time, q, v and λ to the places of a row of the result. */
  write(clock: Float64Array, x: Float64Array, row: Float64Array): void;
}

/** A stretch of which the motion is known as a polynomial in time, by component. */
export interface PolynomialArc {
  /** [0] its start, s, [1] its length, s */
  readonly stretch: Float64Array;
  /** c_k,i at [ROW i + k] */
  readonly coefficients: Float64Array;
  /** last order of these */
  readonly order: number;
  /** state at its start and at its end */
  readonly start: Float64Array;
  readonly x: Float64Array;
}

/** One system with its workspace. */
interface Member {
  /** number of the system */
  readonly index: number;
  readonly form: FirstOrderForm | LagrangianForm;
  /** first coordinate, and first position */
  readonly first: number;
  readonly firstPosition: number;
  readonly hasConstantMass: boolean;
  /** M by rows; all of its entries, row-major, where it depends on q */
  readonly mass: SparseRows;
  readonly factors: Float64Array;
  readonly pivots: Int32Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly force: Float64Array;
  /** ∫ of the forces, or of M⁻¹ times them, and of v */
  readonly impulse: Float64Array;
  /** ∫ |F| + Σ |C_rk λ_r|, which may cancel each other */
  readonly load: Float64Array;
  readonly path: Float64Array;
  /** q̇ */
  readonly rates: Float64Array;
  /** [0] largest momentum, [1] largest position so far */
  readonly scales: Float64Array;
}

function memberOf(
  form: FirstOrderForm | LagrangianForm,
  index: number,
  { positions, velocities }: SystemOffsets,
): Member {
  const first = velocities[index];
  const n = form.size;
  const hasConstantMass = form.order === 1 || form.constantMass !== null;
  return {
    index,
    form,
    first,
    firstPosition: positions[index],
    hasConstantMass,
    mass: massRowsOf(form),
    factors: new Float64Array(hasConstantMass ? 0 : n * n),
    pivots: new Int32Array(n),
    q: new Float64Array(positionsOf(form)),
    v: new Float64Array(n),
    force: new Float64Array(n),
    impulse: new Float64Array(n),
    load: new Float64Array(n),
    path: new Float64Array(positionsOf(form)),
    rates: new Float64Array(positionsOf(form)),
    scales: new Float64Array(2),
  };
}

export class MotionCheck {
  readonly #members: readonly Member[];
  readonly #rows: LinkedRows;
  readonly #input: Float64Array;
  /** Σ |C_rk λ_r|: of what is held between two contacts nothing else is left */
  readonly #terms: Float64Array;
  readonly #lambda: Float64Array;
  readonly #x: Float64Array;
  readonly #start: Float64Array;
  readonly #node: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #place = new Float64Array(1);
  /** [0] start of the part that is judged, behind that of the stretch, [1] its length, s */
  readonly #part = new Float64Array(2);
  /** [0] place up to which work has been summed up already, s */
  readonly #done = new Float64Array(1);
  /** whether the nodes are those of work, too */
  #isWorking = false;
  readonly #has: readonly [boolean, boolean];

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    private readonly flight: Pick<FlightIntegrator, 'stretch' | 'sample' | 'x'> & {
      /** whether the motion is a parabola in time, whatever the modes */
      readonly isParabola?: boolean;
    },
    /** [0] longest part of a stretch that is judged, s: the last one of a longer stretch */
    private readonly resolution: Float64Array,
    private readonly states: FlightStates,
    private readonly certificate: Pick<EventCertificate, 'motion'>,
    private readonly energy: FlightEnergy | null = null,
    /** start of the simulation and step of the discretisation, s */
    private readonly grid: { readonly t0: number; readonly h: number } = { t0: 0, h: 0 },
    /** judges steps of a given length by their own equations, in place of the quadrature */
    private readonly steps: { judge(): void } | null = null,
  ) {
    const offsets = offsetsOf(model);
    this.#members = model.systems.map(({ form }, s) => memberOf(form, s, offsets));
    this.#rows = new LinkedRows(model, places);
    this.#input = new Float64Array(places.ndof);
    this.#terms = new Float64Array(places.ndof);
    this.#lambda = new Float64Array(places.rows);
    this.#x = new Float64Array(flight.x.length);
    this.#start = new Float64Array(places.size);
    this.#node = new Float64Array(places.size);
    const hasOrder = (order: 1 | 2): boolean =>
      model.interactions.some(({ relation }) => relation.order === order);
    this.#has = [hasOrder(1), hasOrder(2)];
  }

  /**
   * Judges the stretch that the flight is on, up to the present. To be called before modes, forces or the
   * state change.
   */
  judge(): void {
    const { stretch } = this.flight;
    if (!(stretch[1] > 0)) return;
    const part = this.#part;
    const length = Math.min(stretch[1], this.resolution[0]);
    const energy = this.energy?.isKnown === true ? this.energy : null;
    this.#isWorking = false;
    if (energy !== null) this.#begin(energy, stretch[1] - length);
    part[1] = length;
    part[0] = stretch[1] - length;
    for (let s = 0; s < this.#members.length; s++) {
      this.#members[s].impulse.fill(0);
      this.#members[s].load.fill(0);
      this.#members[s].path.fill(0);
    }
    this.#visit();
    this.#read(0, this.#start);
    this.#read(1, this.#node);
    if (energy?.isKnown === true) energy.finish(this.#node);
    if (this.steps !== null) this.steps.judge();
    else for (let s = 0; s < this.#members.length; s++) this.#compare(this.#members[s]);
  }

  /** The nodes of the present part. */
  #visit(): void {
    const { nodes, weights } = this.flight.isParabola === true ? THREE : SEVEN;
    for (let k = 0; k < nodes.length; k++) {
      this.#read(nodes[k], this.#node);
      this.#integrate(weights[k] * this.#part[1]);
    }
  }

  /**
   * Sums up the work that what is judged does not contain. A stretch on which the present still lies has been
   * judged before, and only its rest is new; the last part of a long one is preceded by others.
   * @param judged where that begins, s behind the start of the stretch
   */
  #begin(energy: FlightEnergy, judged: number): void {
    const { stretch } = this.flight;
    const done = this.#done;
    energy.resume(stretch, done);
    const isNew = done[0] <= judged;
    const end = isNew ? judged : stretch[1];
    this.#isWorking = true;
    const rest = end - done[0];
    const parts = rest > 0 ? Math.max(1, Math.ceil(rest / this.resolution[0])) : 0;
    if (parts > MOST_PARTS) energy.abandon();
    for (let p = 0; p < parts && energy.isKnown; p++) {
      this.#part[1] = rest / parts;
      this.#part[0] = done[0] + p * this.#part[1];
      this.#visit();
    }
    this.#isWorking = isNew && energy.isKnown;
  }

  /** The state at a part of what is judged, as a row of the result. */
  #read(part: number, row: Float64Array): void {
    this.#place[0] = part === 1 ? this.flight.stretch[1] : this.#part[0] + part * this.#part[1];
    this.flight.sample(this.#place, this.#x);
    this.#clock[0] = this.flight.stretch[0] + this.#place[0];
    this.states.write(this.#clock, this.#x, row);
  }

  #integrate(weight: number): void {
    const { places } = this;
    const row = this.#node;
    const input = this.#input.fill(0);
    const terms = this.#terms.fill(0);
    const lambda = this.#lambda;
    for (let r = 0; r < places.rows; r++) lambda[r] = row[places.lambda + r];
    if (this.#has[0]) this.#rows.addInputs(this.#clock, row, lambda, 1, input);
    if (this.#has[1]) this.#rows.addInputs(this.#clock, row, lambda, 2, input, terms);
    for (let s = 0; s < this.#members.length; s++) this.#addForces(this.#members[s], weight);
  }

  #addForces(member: Member, weight: number): void {
    const { places } = this;
    const { form, first, firstPosition, q, v, force, impulse, load, path } = member;
    const row = this.#node;
    const n = v.length;
    for (let k = 0; k < q.length; k++) q[k] = row[places.q + firstPosition + k];
    if (form.order === 1) form.rate(this.#clock, q, force);
    else {
      for (let k = 0; k < n; k++) v[k] = row[places.v + first + k];
      let rates = v;
      if (form.kinematics !== undefined) {
        rates = member.rates;
        form.kinematics.rate(q, v, rates);
      }
      for (let k = 0; k < q.length; k++) path[k] += weight * rates[k];
      form.force(this.#clock, q, v, force);
      if (this.#isWorking) this.energy?.add(member.index, weight, this.#clock, q, v, force, this.#input);
    }
    for (let k = 0; k < n; k++) {
      const input = this.#input[first + k];
      load[k] += weight * (Math.abs(force[k]) + Math.max(Math.abs(input), this.#terms[first + k]));
      force[k] += input;
    }
    if (!member.hasConstantMass && form.order === 2) {
      // Symmetric, so that rows are columns.
      form.mass(q, member.factors);
      if (factorDense(member.factors, 0, n, member.pivots, 0) >= 0) force.fill(NaN);
      else solveDense(member.factors, 0, n, member.pivots, 0, force);
    }
    for (let k = 0; k < n; k++) impulse[k] += weight * force[k];
  }

  /** Adds the change of ċ to that of v. */
  #addBase(velocity: TimeFunction, { v, force }: Member): void {
    this.#clock[0] = this.#start[0];
    velocity(this.#clock, force);
    for (let k = 0; k < v.length; k++) v[k] -= force[k];
    this.#clock[0] = this.#node[0];
    velocity(this.#clock, force);
    for (let k = 0; k < v.length; k++) v[k] += force[k];
  }

  /** What the impulse of a force over the present part is to be multiplied by where it is measured. */
  get #early(): number {
    const { t0, h } = this.grid;
    const [place, length] = this.#part;
    return this.flight.stretch[0] + place - t0 < h ? Math.max(1, h / length) : 1;
  }

  #compare(member: Member): void {
    const { places } = this;
    const { form, first, firstPosition, mass, q, v, impulse, load, path, scales } = member;
    const n = v.length;
    const at = form.order === 2 ? places.v + first : places.q + firstPosition;
    for (let k = 0; k < q.length; k++) q[k] = this.#node[places.q + firstPosition + k];
    for (let k = 0; k < n; k++) {
      // What the integral has left of the change of v, or x.
      v[k] = this.#node[at + k] - this.#start[at + k];
      if (!member.hasConstantMass) v[k] -= impulse[k];
    }
    if (form.order === 2 && form.linear !== null && form.linear.base !== null)
      this.#addBase(form.linear.base.velocity, member);
    if (!member.hasConstantMass && form.order === 2) form.mass(q, mass.values);
    let defect = 0;
    let heaviest = 0;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      let sum = member.hasConstantMass ? -impulse[i] : 0;
      let term = load[i];
      largest = Math.max(largest, term);
      for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++) {
        const m = mass.values[k];
        const j = mass.columns[k];
        sum += m * v[j];
        heaviest = Math.max(heaviest, Math.abs(m));
        term = Math.max(term, Math.abs(m * this.#node[at + j]));
      }
      scales[0] = Math.max(scales[0], term);
      defect = larger(defect, Math.abs(sum));
    }
    this.#clock[0] = this.#node[0];
    // Not kept: what measures the start must not make the rest of the run look better.
    const scale = Math.max(scales[0], this.#early * largest);
    this.certificate.motion(relative(defect, scale), this.#clock, member.index);
    if (form.order === 1) return;
    defect = 0;
    scales[1] = Math.max(scales[1], (this.#part[1] * scales[0]) / heaviest);
    for (let k = 0; k < q.length; k++) {
      const change = q[k] - this.#start[places.q + firstPosition + k];
      scales[1] = Math.max(scales[1], Math.abs(q[k]), Math.abs(path[k]));
      defect = larger(defect, Math.abs(change - path[k]));
    }
    this.certificate.motion(relative(defect, scales[1]), this.#clock, member.index);
  }

  /**
   * Writes `judge` of an arc. Work is not summed up.
   * @param multipliers λ of all rows as affine functions of the state, which the equations judge as well;
   *   null where nothing pushes
   * @param atNode writes what else there is to judge at a node, the one of number `k` of so many, τ = tau,
   *   where the state is z0, z1, …
   * @returns false where a system or a relation that pushes is none with constant matrices in coordinates at
   *   rest
   */
  write(
    w: StepWriter,
    arc: PolynomialArc,
    { position, velocity }: IntegratedPlaces,
    multipliers: WrittenMultipliers | null,
    atNode: (nodes: number) => void,
  ): boolean {
    const linear = this.#members.every(({ form }) =>
      form.order === 1
        ? form.rateKind === 'constant'
        : form.linear !== null && form.constantMass !== null && form.linear.base === null,
    );
    const inputs = multipliers === null ? [] : this.#rows.constantInputs();
    if (!linear || inputs === null || this.steps !== null) return false;
    const [stretch, c, clock] = [w.bind(arc.stretch), w.bind(arc.coefficients), w.bind(this.#clock)];
    const { nodes, weights } = arc.order <= 2 ? THREE : SEVEN;
    w.line(`const begin = ${stretch}[0], length = ${stretch}[1];`);
    w.line('if (!(length > 0)) return 0;');
    const dofs = this.#members.flatMap(({ first, v }) => Array.from(v, (_, k) => first + k));
    for (const d of dofs) w.line(`let impulse${d} = 0, load${d} = 0, path${d} = 0;`);
    w.line(`for (let k = 0; k < ${nodes.length}; k++) {`);
    w.line(`const tau = ${w.bind(nodes)}[k] * length, weight = ${w.bind(weights)}[k] * length;`);
    const places = Array.from(arc.x, (_, i) => i);
    w.line(places.map((i) => `let z${i} = ${c}[${ROW * i + arc.order}];`).join(' '));
    w.line(`for (let j = ${arc.order - 1}; j >= 0; j--) {`);
    for (const i of places) w.line(`z${i} = ${c}[${ROW * i} + j] + tau * z${i};`);
    w.line('}');
    w.line(`${clock}[0] = begin + tau;`);
    const pushed = multipliers === null ? [] : writeInputs(w, inputs, multipliers);
    for (const member of this.#members) this.#writeForces(w, member, clock, position, velocity, pushed);
    atNode(nodes.length);
    w.line('}');
    for (const member of this.#members) this.#writeCompare(w, arc, member, clock, position, velocity);
    return true;
  }

  /** F = F_0 + F_ext(t) − C v − K q, or f(t, x), at a node, and what it adds to the integrals. */
  #writeForces(
    w: StepWriter,
    { form, first, force, q }: Member,
    clock: string,
    position: Int32Array,
    velocity: Int32Array,
    pushed: readonly (Pushed | undefined)[],
  ): void {
    const own = w.bind(force);
    if (form.order === 1) {
      const x = w.bind(q);
      for (let i = 0; i < form.size; i++) w.line(`${x}[${i}] = z${velocity[first + i]};`);
      w.line(`${w.bind(form)}.rate(${clock}, ${x}, ${own});`);
    } else if (form.linear !== null && form.linear.force !== null)
      w.line(`${w.bind(form.linear.force)}(${clock}, ${own});`);
    for (let i = 0; i < form.size; i++) {
      const d = first + i;
      const input = pushed[d];
      if (form.order === 1) w.line(`const force${d} = ${own}[${i}];`);
      else if (form.linear !== null) {
        const { constantForce, stiffness, damping, force: external } = form.linear;
        const terms: Term[] = [
          ...(external === null ? [] : [[1, `${own}[${i}]`] as const]),
          ...entriesOf(damping, i, (j) => `z${velocity[first + j]}`),
          ...entriesOf(stiffness, i, (j) => `z${position[first + j]}`),
        ];
        const constant = constantForce[i] === 0 ? '' : w.literal(constantForce[i]);
        w.line(`const force${d} = ${w.add(constant, terms)};`);
        w.line(`path${d} += weight * z${velocity[d]};`);
      }
      if (input === undefined)
        w.line(`impulse${d} += weight * force${d}; load${d} += weight * abs(force${d});`);
      else {
        w.line(`impulse${d} += weight * (force${d} + ${input.sum});`);
        w.line(`load${d} += weight * (abs(force${d}) + max(abs(${input.sum}), ${input.terms}));`);
      }
    }
  }

  #writeCompare(
    w: StepWriter,
    arc: PolynomialArc,
    { index, form, first, mass, scales }: Member,
    clock: string,
    position: Int32Array,
    velocity: Int32Array,
  ): void {
    const [x, start, scale] = [w.bind(arc.x), w.bind(arc.start), w.bind(scales)];
    const judge = (scaleOf: string): string =>
      `${w.bind(this.certificate)}.motion(${scaleOf} > ${w.literal(SMALLEST_SCALE)} ? defect / ${scaleOf} : defect, ${clock}, ${index});`;
    const take = (value: string): string =>
      `{ const a = abs(${value}); if (!(a <= defect) && defect === defect) defect = a; }`;
    let heaviest = 0;
    w.line('{');
    w.line('let defect = 0, most = 0, term = 0;');
    for (let i = 0; i < form.size; i++) {
      const d = first + i;
      w.line(`term = load${d}; most = max(most, term);`);
      let sum = `-impulse${d}`;
      for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++) {
        const v = velocity[first + mass.columns[k]];
        const m = w.literal(mass.values[k]);
        heaviest = Math.max(heaviest, Math.abs(mass.values[k]));
        w.line(`term = max(term, abs(${m} * ${x}[${v}]));`);
        sum += ` + ${m} * (${x}[${v}] - ${start}[${v}])`;
      }
      w.line(`${scale}[0] = max(${scale}[0], term);`);
      w.line(take(sum));
    }
    const { t0, h } = this.grid;
    w.line(`${clock}[0] = begin + length;`);
    w.line(
      `const early = begin - ${w.literal(t0)} < ${w.literal(h)} ? max(1, ${w.literal(h)} / length) : 1;`,
    );
    // Not kept: what measures the start must not make the rest of the run look better.
    w.line(`const scale = max(${scale}[0], early * most);`);
    w.line(judge('scale'));
    if (form.order === 1) {
      w.line('}');
      return;
    }
    w.line(`defect = 0; let reach = max(${scale}[1], length * ${scale}[0] / ${w.literal(heaviest)});`);
    for (let i = 0; i < form.size; i++) {
      const d = first + i;
      const q = `${x}[${position[d]}]`;
      w.line(`reach = max(reach, abs(${q}), abs(path${d}));`);
      w.line(take(`${q} - ${start}[${position[d]}] - path${d}`));
    }
    w.line(`${scale}[1] = reach;`);
    w.line(judge('reach'));
    w.line('}');
  }
}

/** λ of all rows as affine functions of the components of an arc: matrix, row-major, and constants. */
export interface WrittenMultipliers {
  readonly matrix: Float64Array;
  readonly constant: Float64Array;
}

/** What multipliers come to on a coordinate: texts of their sum, and of that of its terms without signs. */
interface Pushed {
  readonly sum: string;
  readonly terms: string;
}

/** @returns by coordinate; undefined where nothing pushes */
function writeInputs(
  w: StepWriter,
  inputs: readonly ConstantInput[],
  { matrix, constant }: WrittenMultipliers,
): (Pushed | undefined)[] {
  const width = matrix.length / constant.length;
  const names = Array.from(constant, (own, row) => {
    const terms = Array.from({ length: width }, (_, j) => [matrix[row * width + j], `z${j}`] as const);
    const isZero = own === 0 && terms.every(([value]) => value === 0);
    return isZero ? null : w.constant(w.add(own === 0 ? '' : w.literal(own), terms));
  });
  const sums: Term[][] = [];
  for (const { dof, row, value } of inputs) {
    const name = names[row];
    if (name !== null && value !== 0) (sums[dof] ??= []).push([value, name]);
  }
  return sums.map((terms) => ({
    sum: w.constant(w.sum(terms)),
    terms: w.constant(terms.map((term) => `abs(${w.sum([term])})`).join(' + ')),
  }));
}

/** −a_ij by name of what it multiplies. */
function entriesOf(a: SparseRows | null, i: number, name: (j: number) => string): Term[] {
  if (a === null) return [];
  return Array.from({ length: a.rowStart[i + 1] - a.rowStart[i] }, (_, k) => {
    const at = a.rowStart[i] + k;
    return [-a.values[at], name(a.columns[at])] as const;
  });
}
