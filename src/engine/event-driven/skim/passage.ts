/**
 * An event between two sets of modes that has been decided before, written out (ADR 0015): from the state at
 * the root to that behind it, with the proof that the modes are right once more. What the decision left says
 * which modes they are; whether they are, the inequalities of these modes say by themselves:
 *
 *     λ strictly inside its bounds for each row that is held,
 *     y strictly on its side for each row at a bound, or, where it is zero, ẏ, or ÿ where that is zero, too.
 *
 * Where each principal minor of W among the rows that take part is positive, there is one solution (Cottle,
 * Pang and Stone 1992, §3.3), of values as of series in time (Heemels, Schumacher and Weiland 2000), and so
 * it is this one. What is not plain by a wide margin is left to the decision itself.
 *
 * Nothing is learnt of magnitudes here. States larger than any that a decision has seen are left to it, so
 * that what counts as small does not lag behind the motion.
 */
import type { LinearForm } from '../../smooth/event-functions';
import { type StepFunction, StepWriter, type Term } from '../../straight-line/writer';
import { FUNCTIONS } from '../rows/row-events';
import { ACTIVE, type RowLaws } from '../rows/row-laws';
import type { HeldRows, ModeArcs } from './mode-arcs';
import { DEGREE } from './time-table';
import { writePolynomial } from './written-series';

/** What is below this part of what cancels in it is not plainly different from zero. */
const PLAIN = 1e-6;
/** What is above this part of it is not plainly zero: decisions take 1e-9 for that. */
const ZERO = 1e-10;
/** How much larger than at any decision a state may be. */
const GROWTH = 1 + 2 ** -4;
/** @param reach largest of each component of the state at decisions @returns null where there is no code */
export function writePassage(
  from: ModeArcs,
  to: ModeArcs,
  departing: Uint8Array,
  reach: Float64Array,
): StepFunction | null {
  if (from.held === null || to.held === null) return null;
  const w = new StepWriter();
  const [x, out, clock] = [w.bind(from.arcs.x), w.bind(to.arcs.x), w.bind(from.clock)];
  const n = from.arcs.x.length;
  const largest = w.bind(reach);
  let names: readonly string[] = Array.from({ length: n }, (_, i) => w.constant(`${x}[${i}]`));
  for (let i = 0; i < reach.length; i++)
    w.line(`if (!(abs(${names[i]}) <= ${w.literal(GROWTH)} * ${largest}[${i}])) return 0;`);
  // As a decision does, first in the modes before, then in those behind.
  names = writeCorrection(w, from.held, names);
  names = writeCorrection(w, to.held, names);
  const { system } = to.flight;
  const rowOf = (i: number, of: readonly string[]): Term[] =>
    Array.from(of, (name, j) => [system.matrix[i * n + j], name] as const);
  const rates = names.map((_, i) => {
    const constant = system.constant[i] === 0 ? '' : w.literal(system.constant[i]);
    return w.constant(w.add(constant, rowOf(i, names)));
  });
  const bends = names.map((_, i) => w.constant(w.sum(rowOf(i, rates))));
  to.gaps.forEach(({ form, table, index }, g) => {
    w.line('{');
    let [ofTime, rateOfTime, bendOfTime] = ['', '', ''];
    if (table !== null) {
      const name = w.bind(table);
      w.line(`if (!${name}.seek(${clock}[0])) return 0;`);
      w.line(`const piece = ${name}.piece, own = ${name}.coefficients;`);
      w.line(`const u = (${clock}[0] - piece[2]) * piece[3]; let y = 0, rate = 0;`);
      writePolynomial(
        w,
        Array.from({ length: DEGREE + 1 }, (_, k) => `own[${k}]`),
        'u',
      );
      [ofTime, rateOfTime, bendOfTime] = ['y', 'rate * piece[3]', 'piece[4]'];
    }
    const [value, terms] = writeSum(w, form, names, form.offset[0], ofTime);
    if (departing[g] === 0) w.line(`if (!(${value} > ${w.literal(PLAIN)} * (${terms}))) return 0;`);
    else {
      const [rate, rateTerms] = writeSum(w, form, rates, 0, rateOfTime);
      const [bend, bendTerms] = writeSum(w, form, bends, 0, bendOfTime);
      w.line(`if (!(abs(${value}) <= ${w.literal(PLAIN)} * (${terms}))) return 0;`);
      w.line(`if (!(${rate} > ${w.literal(PLAIN)} * (${rateTerms}))) {`);
      // Of a row whose multiplier comes to its bound the rate goes on from zero.
      if (from.modes[Math.floor(index / FUNCTIONS)] !== ACTIVE) w.line('return 0;');
      w.line(`if (!(abs(${rate}) <= ${w.literal(ZERO)} * (${rateTerms}))) return 0;`);
      w.line(`if (!(${bend} > ${w.literal(PLAIN)} * (${bendTerms}))) return 0;`);
      w.line('}');
    }
    w.line('}');
  });
  names.forEach((name, i) => {
    w.line(`${out}[${i}] = ${name};`);
  });
  w.line('return 1;');
  return w.compile('value');
}

/** The sum of a form of the state, and of what cancels in it. */
function writeSum(
  w: StepWriter,
  { indices, values }: LinearForm,
  of: readonly string[],
  constant: number,
  ofTime: string,
): readonly [string, string] {
  const terms = Array.from(indices, (at, k): Term => [values[k], of[at]]);
  const first = constant === 0 ? '' : w.literal(constant);
  const sum = w.add(first, terms);
  const sizes = terms.map(([c, name]) => `abs(${c === 1 ? name : `${w.literal(c)} * ${name}`})`);
  if (first !== '') sizes.push(`abs(${first})`);
  if (ofTime !== '') sizes.push(`abs(${ofTime})`);
  const value = w.constant(ofTime === '' ? sum : `${sum} + ${ofTime}`);
  return [value, w.constant(sizes.join(' + ') || '0')];
}

/** Takes drift out of what is held. @returns names of the state behind */
function writeCorrection(
  w: StepWriter,
  { outputs, corrections }: HeldRows,
  names: readonly string[],
): readonly string[] {
  if (outputs.length === 0) return names;
  const drifts = outputs.map(({ indices, values, offset }) => {
    const terms = Array.from(indices, (at, k): Term => [values[k], names[at]]);
    return w.constant(w.add(offset[0] === 0 ? '' : w.literal(offset[0]), terms));
  });
  return names.map((name, i) => {
    const terms = drifts.map((drift, k): Term => [corrections[k][i] ?? 0, drift]);
    return terms.every(([c]) => c === 0) ? name : w.constant(w.add(name, terms));
  });
}

/** Laws whose events can be remembered: bounds that are numbers, on outputs that no multiplier is part of. */
export const isPlainLaw = ({ kind, degree, isSloped }: RowLaws, row: number): boolean =>
  kind[row] === 'velocitySwitch' || (kind[row] === 'output' && degree[row] > 0 && isSloped[row] === 0);
