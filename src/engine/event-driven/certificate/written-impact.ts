/**
 * What the certificate says of an impact by Newton's law at one contact without friction, and of the rows of
 * the result before and behind it, written out for a model with constant masses and gradients (ADR 0015): the
 * same as `EventCertificate` says, from these rows and the model's own matrices. Figures that do not exceed
 * the worst so far, which is nearly always so, cost a comparison.
 */
import type { SparseRows } from '../../linalg/sparse';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { StepWriter, Term } from '../../straight-line/writer';
import type { LinkedRows } from './linked-rows';
import { ENERGY, type EventMaxima, GAIN, IMPACT, LAW, type RowCheck } from './row-check';

/**
 * Speeds and impulses below this part of the largest of any row are rounding, and no defect of a contact that
 * has never moved or does not push.
 */
export const ROUNDING = 64 * Number.EPSILON;

/**
 * Rows whose outputs are compared with those of the relations: the first ones, and some of the others. What
 * stands at another place than it should does so in all of them.
 */
export const FIRST_ROWS = 32;
export const ROWS_BETWEEN = 64;

/** What the certificate keeps: the largest of its kind so far, which figures are relative to. */
interface Kept {
  /** momentum by system, speed and gap by row */
  readonly momenta: Float64Array;
  readonly speeds: Float64Array;
  readonly gaps: Float64Array;
  /** largest velocity by system */
  readonly fastest: Float64Array;
  /** [0] kinetic energy, [0] impulse */
  readonly energy: Float64Array;
  readonly impulse: Float64Array;
  /** [0] rows that have been judged, [0] time of what is judged, s */
  readonly seen: Int32Array;
  readonly clock: Float64Array;
}

/** An impact that is judged. */
interface JudgedImpact {
  /** contact that is hit, among the rows */
  readonly row: number;
  /** rows of the result */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** name of P */
  readonly impulse: string;
}

interface JudgedLaw extends JudgedImpact {
  /** names of |P|, ẏ⁻ and ẏ⁺ */
  readonly size: string;
  readonly minus: string;
  readonly plus: string;
}

/** A Lagrangian system. */
interface System {
  readonly s: number;
  /** first coordinate */
  readonly first: number;
  readonly mass: SparseRows;
}

const systemsOf = ({ systems }: NonSmoothDynamicalSystem): System[] => {
  let first = 0;
  return systems.flatMap(({ form }, s): System[] => {
    const own = { s, first };
    first += form.size;
    return form.order === 2 && form.constantMass !== null ? [{ ...own, mass: form.constantMass }] : [];
  });
};

export class WrittenCertificate {
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    private readonly rows: LinkedRows,
    private readonly maxima: EventMaxima,
    private readonly certificate: { readonly rowCheck: RowCheck; outputs(row: Float64Array): void },
    /** whether nothing but impacts by Newton's law changes states */
    private readonly isPlain: boolean,
    private readonly kept: Kept,
  ) {}

  /** Whether impacts of the model can be judged by what is written. */
  get isPossible(): boolean {
    const { systems, interactions } = this.model;
    return (
      this.isPlain &&
      systems.every(({ form }) => form.order === 2 && form.constantMass !== null) &&
      interactions.every(
        ({ relation, law }) =>
          relation.order === 2 && relation.C !== null && law.restitution !== null && law.size === 1,
      )
    );
  }

  /** Writes `EventCertificate.row`. */
  writeRow(w: StepWriter, row: Float64Array): void {
    const { rowCheck } = this.certificate;
    const [seen, name] = [w.bind(this.kept.seen), w.bind(row)];
    rowCheck.writeContacts(w, row, `${w.bind(rowCheck)}.judge(${name});`);
    for (const { s, first, mass } of systemsOf(this.model))
      for (let k = 0; k < mass.rows; k++)
        keepMost(w, this.kept.fastest, s, w.constant(`abs(${name}[${this.places.v + first + k}])`));
    const isCompared = `${seen}[0] < ${FIRST_ROWS} || ${seen}[0] % ${ROWS_BETWEEN} === 0`;
    w.line(`if (${isCompared}) ${w.bind(this.certificate)}.outputs(${name});`);
    w.line(`${seen}[0]++;`);
  }

  /** Writes `EventCertificate.impact` where one contact is hit. */
  writeImpact(w: StepWriter, impact: JudgedImpact): void {
    const { places, rows, kept } = this;
    const { row, impulse: P } = impact;
    const [before, after, clock] = [w.bind(impact.before), w.bind(impact.after), w.bind(kept.clock)];
    w.line('{');
    w.line(`${clock}[0] = ${after}[0];`);
    const surfaces = rows.writeSurfaceSpeeds(w, kept.clock, after);
    const approach: string[] = [];
    const left: string[] = [];
    for (let r = 0; r < places.rows; r++) {
      const terms: Term[] = rows.entriesOf(r).map(([c, dof]) => [c, `${before}[${places.v + dof}]`]);
      approach.push(w.constant(w.add(surfaces[r], terms)));
      left.push(w.constant(`${after}[${places.yDot + r}]`));
      keepMost(w, kept.speeds, r, w.constant(`max(abs(${approach[r]}), abs(${left[r]}))`));
      keepMost(w, kept.gaps, r, w.constant(`abs(${before}[${places.y + r}])`));
    }
    const size = w.constant(`abs(${P})`);
    keepMost(w, kept.impulse, 0, size);
    const [T0, T1] = this.#writeMomenta(w, impact);
    this.#writeLaw(w, { ...impact, size, minus: approach[row], plus: left[row] });

    keepMost(w, kept.energy, 0, w.constant(`max(${T0}, ${T1})`));
    const surface = surfaces[row];
    const change = w.constant(`${T1} - ${T0}`);
    const mean = `(${approach[row]} + ${left[row]}) / 2${surface === '' ? '' : ` - ${surface}`}`;
    const work = w.constant(`${P} * (${mean})`);
    this.#raise(w, ENERGY, w.constant(`abs(${change} - ${work})`), row);
    const gain = surface === '' ? change : `${change} + ${P} * ${surface}`;
    this.#raise(w, GAIN, w.constant(`max(0, ${gain})`), row);
    w.line('}');
  }

  /** Enters a figure of the balance of energy of an impact at a row. */
  #raise(w: StepWriter, quantity: number, value: string, row: number): void {
    const { energy, clock } = this.kept;
    const element = this.model.systems.length + this.rows.interactionOf(row);
    this.maxima.writeRaise(w, quantity, [value, `${w.bind(energy)}[0]`], w.bind(clock), element);
  }

  /** M (v⁺ − v⁻) = ᵗC P. @returns names of the kinetic energy before and behind */
  #writeMomenta(w: StepWriter, impact: JudgedImpact): readonly [string, string] {
    const { places, rows, maxima, kept } = this;
    const { row, impulse: P } = impact;
    const [before, after] = [w.bind(impact.before), w.bind(impact.after)];
    const inputs = new Map(rows.entriesOf(row).map(([c, dof]) => [dof, c]));
    const energies: [string[], string[]] = [[], []];
    for (const { s, first, mass } of systemsOf(this.model)) {
      const defects: string[] = [];
      for (let i = 0; i < mass.rows; i++) {
        const change: string[] = [];
        const own = places.v + first + i;
        for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++) {
          const [m, at] = [w.literal(mass.values[k]), places.v + first + mass.columns[k]];
          change.push(`${m} * (${after}[${at}] - ${before}[${at}])`);
          const most = w.constant(`max(abs(${m} * ${after}[${at}]), abs(${m} * ${before}[${at}]))`);
          keepMost(w, kept.momenta, s, most);
          energies[0].push(`0.5 * ${before}[${own}] * ${m} * ${before}[${at}]`);
          energies[1].push(`0.5 * ${after}[${own}] * ${m} * ${after}[${at}]`);
        }
        const c = inputs.get(first + i);
        const sum = change.join(' + ') || '0';
        if (c === undefined) {
          defects.push(w.constant(`abs(${sum})`));
          continue;
        }
        const input = w.constant(`${w.literal(c)} * ${P}`);
        keepMost(w, kept.momenta, s, w.constant(`abs(${input})`));
        defects.push(w.constant(`abs(${sum} - ${input})`));
      }
      const scale = `${w.bind(kept.momenta)}[${s}]`;
      for (const defect of defects) maxima.writeRaise(w, IMPACT, [defect, scale], w.bind(kept.clock), s);
    }
    return [w.constant(energies[0].join(' + ') || '0'), w.constant(energies[1].join(' + ') || '0')];
  }

  /** |min(d P, ẏ⁺ + e ẏ⁻)| of the contact, d = |ẏ⁺ − ẏ⁻|/|P|. */
  #writeLaw(w: StepWriter, { row, impulse: P, size, minus, plus }: JudgedLaw): void {
    const { model, rows, maxima, kept } = this;
    const i = rows.interactionOf(row);
    const e = w.literal(model.interactions[i].law.restitution ?? 0);
    const speeds = Array.from(kept.speeds, (_, r) => `${w.bind(kept.speeds)}[${r}]`);
    const fastest = speeds.length === 1 ? speeds[0] : `max(${speeds.join(', ')})`;
    const rounding = w.literal(ROUNDING);
    w.line(`if (!(${size} <= ${rounding} * ${w.bind(kept.impulse)}[0])) {`);
    w.line(`const d = abs(${plus} - ${minus}) / ${size};`);
    w.line(`const off = ${P} < 0 ? d * -${P} : abs(min(d * ${P}, ${plus} + ${e} * ${minus}));`);
    w.line(`const defect = off <= ${rounding} * ${fastest} ? 0 : off;`);
    maxima.writeRaise(w, LAW, ['defect', speeds[row]], w.bind(kept.clock), model.systems.length + i);
    w.line('}');
  }
}

function keepMost(w: StepWriter, array: Float64Array, at: number, value: string): void {
  const most = `${w.bind(array)}[${at}]`;
  w.line(`if (${value} > ${most}) ${most} = ${value};`);
}
