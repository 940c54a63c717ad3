/**
 * Laws as the certificate sees them: how far (y, λ) is from the law, measured in units of y.
 *
 *     box [l, u]     | the middle one of d (λ − u), y, d (λ − l) |
 *     graph          distance of (y, d λ) from the broken line, with λ of the graph scaled alike
 *     friction       that of the box [−μ λ_n, μ λ_n], with λ_n as recorded of the row before, or 0 where
 *                    that is negative
 *     disc           that of the two multipliers in a tangent plane from their disc (`discMap`),
 *                    with the mean of their d
 *     cone           that of a stress and its rate of strain (`plasticDistance`), with the mean of their d
 *     percussion     |s − max(0, s − ẏ⁺)|/(1 + d k) with s = d (λ − k max(0, −(ẏ⁺ + ẏ⁻))): a small defect
 *                    of a velocity is a large one of what k makes of it
 *     polytope       that of the vector from its projection (`PolytopeDistance`), with one d of its rows,
 *                    their mean
 *     switched off   d |λ|
 *
 * Each is relative to the largest magnitude that its row has shown so far, but not to less than a fixed part
 * of what the rows of its kind have shown: a row that only carries rounding has no scale of its own. Nor to
 * less than that part of d |λ| at the finite ends of boxes, and of |y| and d |λ| at the corners of graphs: λ
 * is found beside them, and what is held at rest by a force below its limit shows nothing but their rounding.
 */
import {
  PolytopeDistance,
  boxDistance,
  discExcess,
  discMap,
  graphDistance,
  plasticDistance,
} from '../../certificate/law-distances';
import {
  COMPLEMENTARITY,
  CONE,
  LargestResidual,
  SMALLEST_SCALE,
  type WrittenResidual,
  isSurelyLess,
} from '../../certificate/residual-maxima';
import type { LawRow, PiecewiseLinearGraph, PlasticCone } from '../../model/forms';
import type { StepWriter } from '../../straight-line/writer';
import type { CarryOver, CertificateState } from '../state';
import type { StepMaxima } from './dynamics-check';

/** Smallest part of its kind's scale, and of that of its bounds, that a row is measured by. */
const ROW_FLOOR = 1e-3;

const largest = (values: ArrayLike<number>): number =>
  Math.max(0, ...Array.from(values, Math.abs).filter(Number.isFinite));

/** λ at the corners of a graph, and what its rays make of the y of its corners. */
const reach = ({ lambda, y, startDirection, endDirection }: PiecewiseLinearGraph): number[] => [
  ...lambda,
  ...[startDirection, endDirection].map(([along, up]) => (along === 0 ? 0 : (up / along) * largest(y))),
];

export class LawCheck {
  /** d λ of the last step, by row */
  readonly push: Float64Array;

  /** largest |y| and d |λ| by row */
  readonly #rowScale: Float64Array;
  /** the same by kind of row */
  readonly #kindScale: Float64Array;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  /** ROW_FLOOR of the largest |λ| at an end or a corner, and of the largest |y| at one, by row */
  readonly #forceFloor: Float64Array;
  readonly #outputFloor: Float64Array;
  readonly #graphs: (PiecewiseLinearGraph | null)[];
  /** 1 for rows [0, ∞), which leave little to look at */
  readonly #isUnilateral: Uint8Array;
  /** at the first row of each vector confined to a polytope */
  readonly #polytopes: (PolytopeDistance | null)[];
  /** 1 for rows that are judged with the first of their vector */
  readonly #isPart: Uint8Array;
  /** 1 for the first slip of contacts with friction in a tangent plane */
  readonly #isDisc: Uint8Array;
  /** at the first row of each stress */
  readonly #cones: (PlasticCone | null)[];
  readonly #stress = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  /** k by row, −1 where the row is no impact by Frémond */
  readonly #viscosity: Float64Array;
  /** μ by row, −1 where the row is no friction */
  readonly #friction: Float64Array;
  /** worst distances of a step from laws and bounds, already relative to their rows */
  readonly #law = new LargestResidual(1);
  readonly #bounds = new LargestResidual(1);

  /**
   * @param kindOf by row, a small number: rows of one kind count in the same units
   * @param restitution by row
   */
  constructor(
    laws: readonly LawRow[],
    private readonly kindOf: Uint8Array,
    readonly restitution: Float64Array,
  ) {
    this.push = new Float64Array(laws.length);
    this.#rowScale = new Float64Array(laws.length);
    this.#kindScale = new Float64Array(256);
    this.#lower = Float64Array.from(laws, (law) =>
      law.kind === 'box' ? law.lower : Number.NEGATIVE_INFINITY,
    );
    this.#upper = Float64Array.from(laws, (law) =>
      law.kind === 'box' ? law.upper : Number.POSITIVE_INFINITY,
    );
    this.#isUnilateral = Uint8Array.from(laws, (law) =>
      law.kind === 'box' && law.lower === 0 && law.upper === Number.POSITIVE_INFINITY ? 1 : 0,
    );
    this.#forceFloor = Float64Array.from(laws, (law) => {
      const corners =
        law.kind === 'box' ? [law.lower, law.upper] : law.kind === 'graph' ? reach(law.graph) : [];
      return ROW_FLOOR * largest(corners);
    });
    this.#outputFloor = Float64Array.from(laws, (law) =>
      law.kind === 'graph' ? ROW_FLOOR * largest(law.graph.y) : 0,
    );
    this.#graphs = laws.map((law) => (law.kind === 'graph' ? law.graph : null));
    this.#polytopes = laws.map((law) =>
      law.kind === 'polytope' && law.component === 0 ? new PolytopeDistance(law.polytope) : null,
    );
    this.#isPart = Uint8Array.from(laws, (law) => (law.kind === 'polytope' && law.component > 0 ? 1 : 0));
    this.#cones = laws.map((law) => (law.kind === 'cone' && law.component === 0 ? law.cone : null));
    laws.forEach((law, row) => {
      if (law.kind === 'cone' && law.component > 0) this.#isPart[row] = 1;
    });
    this.#isDisc = Uint8Array.from(laws, (law, row) =>
      law.kind === 'friction' && laws.at(row + 1)?.kind === 'friction' ? 1 : 0,
    );
    this.#isDisc.forEach((isDisc, row) => {
      if (isDisc === 1) this.#isPart[row + 1] = 1;
    });
    this.#viscosity = Float64Array.from(laws, (law) => (law.kind === 'percussion' ? law.viscosity : -1));
    this.#friction = Float64Array.from(laws, (law) => (law.kind === 'friction' ? law.coefficient : -1));
  }

  /**
   * Takes in what rows show before the first step: a state that has to jump is the scale of where it comes to
   * rest.
   */
  start(y: Float64Array): void {
    for (let row = 0; row < y.length; row++) this.#magnitude(row, Math.abs(y[row]));
  }

  /**
   * @param y value of the relation at the end of the step, by row
   * @param scale d by row
   * @param reference what restitution compares with, by row
   * @param active 1 for rows that take part in the step
   */
  check(
    y: Float64Array,
    lambda: Float64Array,
    scale: Float64Array,
    reference: Float64Array,
    active: Uint8Array,
    clock: Float64Array,
    maxima: StepMaxima,
  ): void {
    const law = this.#law;
    const bounds = this.#bounds;
    const isUnilateral = this.#isUnilateral;
    let worst = 0;
    let worstRow = -1;
    let outermost = 0;
    let outermostRow = -1;
    let defect = 0;
    const { push, restitution, kindOf } = this;
    const rowScales = this.#rowScale;
    const kindScales = this.#kindScale;
    for (let row = 0; row < lambda.length; row++) {
      const speed = scale[row] * lambda[row];
      push[row] = speed;
      const w = y[row] + restitution[row] * reference[row];
      const present = Math.max(Math.abs(y[row]), Math.abs(speed));
      // NaN unless it is finite: relative to something infinite every residual would be zero.
      defect += present - present;
      if (isUnilateral[row] === 1) {
        // `#magnitude` with no bound beside zero.
        const kind = kindOf[row];
        if (present > rowScales[row]) rowScales[row] = present;
        if (present > kindScales[kind]) kindScales[kind] = present;
        const size = Math.max(rowScales[row], ROW_FLOOR * kindScales[kind]);
        const magnitude = size > SMALLEST_SCALE ? size : 1;
        // What is no number, or might be the worst, is divided; the others take no part.
        const miss = Math.abs(active[row] === 0 ? speed : Math.min(speed, w));
        if (miss !== 0 && !isSurelyLess(miss, magnitude, worst)) {
          const residual = miss / magnitude;
          if (!(residual <= worst) && !Number.isNaN(worst)) {
            worst = residual;
            worstRow = row;
          }
        }
        if (active[row] === 0) continue;
        const outside = Math.max(0, -speed, -w);
        if (outside !== 0 && !isSurelyLess(outside, magnitude, outermost)) {
          const residual = outside / magnitude;
          if (!(residual <= outermost) && !Number.isNaN(outermost)) {
            outermost = residual;
            outermostRow = row;
          }
        }
        continue;
      }
      const magnitude = this.#magnitude(row, present, this.#floorOf(row, scale[row]));
      if (active[row] === 0) {
        const residual = Math.abs(speed) / magnitude;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        continue;
      }
      if (this.#isPart[row] === 1) continue;
      if (this.#isDisc[row] === 1) {
        const next = row + 1;
        const d = 0.5 * (scale[row] + scale[next]);
        const other = y[next] + this.restitution[next] * reference[next];
        const size = Math.max(
          magnitude,
          this.#magnitude(next, Math.max(Math.abs(y[next]), Math.abs(scale[next] * lambda[next]))),
        );
        const [first, second] = [d * lambda[row], d * lambda[next]];
        const bound = d * this.#friction[row] * Math.max(0, lambda[row - 1]);
        const residual = discMap(first, second, w, other, bound) / size;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        const outside = discExcess(first, second, bound) / size;
        if (!(outside <= outermost) && !Number.isNaN(outermost)) {
          outermost = outside;
          outermostRow = row;
        }
        continue;
      }
      const cone = this.#cones[row];
      if (cone !== null) {
        const stress = this.#stress;
        const d = (scale[row] + scale[row + 1] + scale[row + 2]) / 3;
        let size = magnitude;
        for (let k = 0; k < 3; k++) {
          stress[k] = d * lambda[row + k];
          this.#rate[k] = y[row + k];
          const largest = Math.max(Math.abs(y[row + k]), Math.abs(scale[row + k] * lambda[row + k]));
          size = Math.max(size, this.#magnitude(row + k, largest));
        }
        const bound = cone.friction * (stress[0] + d * cone.apex);
        const outside = Math.max(discExcess(stress[1], stress[2], Math.max(0, bound)), -bound) / size;
        const residual = plasticDistance(cone, stress, this.#rate, d) / size;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        if (!(outside <= outermost) && !Number.isNaN(outermost)) {
          outermost = outside;
          outermostRow = row;
        }
        continue;
      }
      const polytope = this.#polytopes[row];
      if (polytope !== null) {
        let d = 0;
        let size = magnitude;
        for (let k = 0; k < polytope.size; k++) {
          d += scale[row + k] / polytope.size;
          const largest = Math.max(Math.abs(y[row + k]), Math.abs(scale[row + k] * lambda[row + k]));
          size = Math.max(size, this.#magnitude(row + k, largest));
        }
        polytope.measure(row, y, lambda, d);
        const residual = polytope.distance / size;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        if (!(polytope.outside / size <= outermost) && !Number.isNaN(outermost)) {
          outermost = polytope.outside / size;
          outermostRow = row;
        }
        continue;
      }
      const graph = this.#graphs[row];
      if (graph !== null) {
        const residual = graphDistance(graph, w, lambda[row], scale[row]) / magnitude;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        continue;
      }
      const viscosity = this.#viscosity[row];
      if (viscosity >= 0) {
        const own = speed - scale[row] * viscosity * Math.max(0, -w);
        const defect = Math.abs(own - Math.max(0, own - y[row])) / (1 + scale[row] * viscosity);
        if (!(defect / magnitude <= worst) && !Number.isNaN(worst)) {
          worst = defect / magnitude;
          worstRow = row;
        }
        const outside = Math.max(0, -speed, -y[row]) / magnitude;
        if (!(outside <= outermost) && !Number.isNaN(outermost)) {
          outermost = outside;
          outermostRow = row;
        }
        continue;
      }
      const mu = this.#friction[row];
      const upper = mu < 0 ? this.#upper[row] : mu * Math.max(0, lambda[row - 1]);
      const lower = mu < 0 ? this.#lower[row] : -upper;
      const toLower = scale[row] * (lambda[row] - lower);
      const toUpper = scale[row] * (lambda[row] - upper);
      const residual = boxDistance(toLower, w, toUpper) / magnitude;
      if (!(residual <= worst) && !Number.isNaN(worst)) {
        worst = residual;
        worstRow = row;
      }
      let outside = Math.max(0, -toLower, toUpper);
      const isUnboundedAbove = upper === Number.POSITIVE_INFINITY;
      const isUnboundedBelow = lower === Number.NEGATIVE_INFINITY;
      if (isUnboundedAbove && !isUnboundedBelow) outside = Math.max(outside, -w);
      if (isUnboundedBelow && !isUnboundedAbove) outside = Math.max(outside, w);
      outside /= magnitude;
      if (!(outside <= outermost) && !Number.isNaN(outermost)) {
        outermost = outside;
        outermostRow = row;
      }
    }
    if (defect !== 0) {
      worst = Number.NaN;
      worstRow = this.#firstDefect(y);
    }
    law.entry[0] = worst;
    law.place = worstRow;
    bounds.entry[0] = outermost;
    bounds.place = outermostRow;
    maxima.enter(COMPLEMENTARITY, law, clock);
    maxima.enter(CONE, bounds, clock);
  }

  /** First row whose y or d λ is not finite. */
  #firstDefect(y: Float64Array): number {
    for (let row = 0; row < y.length; row++)
      if (!Number.isFinite(y[row]) || !Number.isFinite(this.push[row])) return row;
    return -1;
  }

  /** Whether the laws are boxes. */
  get isWritable(): boolean {
    return (
      this.#graphs.every((graph) => graph === null) &&
      this.#polytopes.every((polytope) => polytope === null) &&
      this.#cones.every((cone) => cone === null) &&
      this.#viscosity.every((k) => k < 0) &&
      this.#friction.every((mu) => mu < 0)
    );
  }

  /**
   * Writes `check`.
   * @param scale d by row, constant
   * @param lambda place of λ in the state
   */
  write(
    w: StepWriter,
    state: Float64Array,
    lambda: number,
    y: Float64Array,
    scale: Float64Array,
    contacts: {
      readonly reference: Float64Array;
      readonly active: Uint8Array;
      readonly isContact: Uint8Array;
    },
    maxima: StepMaxima,
  ): void {
    const residuals: WrittenResidual[] = [];
    const outsides: WrittenResidual[] = [];
    for (let row = 0; row < scale.length; row++) {
      const d = w.literal(scale[row]);
      const force = w.get(state, lambda + row);
      const speed = w.set(this.push, row, `${d} * ${force}`);
      const e = this.restitution[row];
      const own = w.get(y, row);
      const u = e === 0 ? own : w.constant(`${own} + ${w.literal(e)} * ${w.get(contacts.reference, row)}`);
      const magnitude = this.#writeMagnitude(
        w,
        row,
        `max(abs(${own}), abs(${speed}))`,
        this.#floorOf(row, scale[row]),
      );
      const [toLower, toUpper] = [this.#lower[row], this.#upper[row]].map((bound) =>
        bound === 0
          ? speed
          : Number.isFinite(bound)
            ? w.constant(`${d} * (${force} - ${w.literal(bound)})`)
            : w.literal(-bound),
      );
      const isOn = contacts.isContact[row] === 1 ? `${w.get(contacts.active, row)} === 0` : '';
      const off = isOn === '' ? '' : `${isOn} ? abs(${speed}) / ${magnitude} : `;
      residuals.push({
        value: w.constant(`${off}abs(max(${toUpper}, min(${toLower}, ${u}))) / ${magnitude}`),
        place: row,
      });
      const sides = ['0'];
      const hasLower = this.#lower[row] !== Number.NEGATIVE_INFINITY;
      const hasUpper = this.#upper[row] !== Number.POSITIVE_INFINITY;
      if (hasLower) sides.push(`-${toLower}`);
      if (hasUpper) sides.push(toUpper);
      if (hasLower && !hasUpper) sides.push(`-${u}`);
      if (hasUpper && !hasLower) sides.push(u);
      if (sides.length === 1) continue;
      outsides.push({
        value: w.constant(`${isOn === '' ? '' : `${isOn} ? 0 : `}max(${sides.join(', ')}) / ${magnitude}`),
        place: row,
      });
    }
    maxima.write(w, COMPLEMENTARITY, w.get(state, 0), residuals);
    maxima.write(w, CONE, w.get(state, 0), outsides);
  }

  #writeMagnitude(w: StepWriter, row: number, present: string, floor: number): string {
    const kind = this.kindOf[row];
    const now = w.constant(present);
    // A comparison keeps what it had where the present is no number, as `check` does.
    const own = w.get(this.#rowScale, row);
    const ofRow = w.set(this.#rowScale, row, `${now} > ${own} ? ${now} : ${own}`);
    const all = w.get(this.#kindScale, kind);
    const ofKind = w.set(this.#kindScale, kind, `${now} > ${all} ? ${now} : ${all}`);
    const least = floor === 0 ? '' : `, ${w.literal(floor)}`;
    const magnitude = w.constant(`max(${ofRow}, ${w.literal(ROW_FLOOR)} * ${ofKind}${least})`);
    // The difference is 0, or NaN of what is not finite: relative to that every residual would be zero.
    const scale = `(${magnitude} > ${w.literal(SMALLEST_SCALE)} ? ${magnitude} : 1)`;
    return w.constant(`${scale} + (${now} - ${now})`);
  }

  save(): Pick<CertificateState, 'rowScale' | 'push'> {
    return { rowScale: this.#rowScale.slice(), push: this.push.slice() };
  }

  /** Goes on from what rows that stay have shown. @param rowScale those of the state when left out */
  load(carried: CarryOver, rowScale = carried.state.certificate.rowScale): void {
    const { push } = carried.state.certificate;
    carried.rows(rowScale, this.#rowScale);
    carried.rows(push, this.push);
    this.#rowScale.forEach((scale, row) => {
      const kind = this.kindOf[row];
      this.#kindScale[kind] = Math.max(this.#kindScale[kind], scale);
    });
  }

  #floorOf(row: number, d: number): number {
    return Math.max(this.#forceFloor[row] * d, this.#outputFloor[row]);
  }

  /**
   * What residuals of a row are relative to, with its present magnitude taken in; 1 while there is nothing.
   */
  #magnitude(row: number, present: number, floor = 0): number {
    const kind = this.kindOf[row];
    if (present > this.#rowScale[row]) this.#rowScale[row] = present;
    if (present > this.#kindScale[kind]) this.#kindScale[kind] = present;
    const magnitude = Math.max(this.#rowScale[row], ROW_FLOOR * this.#kindScale[kind], floor);
    return magnitude > SMALLEST_SCALE ? magnitude : 1;
  }
}
