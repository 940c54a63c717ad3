/**
 * Random mechanisms: what the reduction says of positions and accelerations obeys the equation of every
 * element, and Newton's law for every motion that gears and given motions allow. Those motions are found by
 * elimination, not by the tree of ties.
 */
import { describe, expect, it } from 'vitest';
import type { LinearForm } from '@engine/components/linear-form';
import { Assembly, ComponentMechanism } from '@engine/components/mechanics/assembly';
import { type ReducedMechanism, reduceMechanism } from '@engine/components/mechanics/reduction';
import { compileExpression, evaluateExpression } from '@engine/document/expressions';
import { rateText } from '@engine/document/rates';
import type { Combination } from '@engine/model/components/mechanism';
import { type Random, seeded } from '../support/random';
import { sample } from '../../support/prove';

const at = (text: string, t: number): number =>
  evaluateExpression(
    compileExpression(text, () => 0),
    Float64Array.of(t),
  );

function randomAssembly(random: Random): Assembly {
  const assembly = new Assembly();
  const count = random.integer(1, 8);
  const flanges = Array.from({ length: count }, () => assembly.newFlange());
  const flange = (): number => flanges[random.integer(0, count - 1)];
  const combination = (): Combination => ({
    terms: Array.from({ length: random.integer(1, 2) }, () => ({
      flange: flange(),
      factor: random.uniform(-2, 2),
    })),
    offset: random.uniform(-1, 1),
  });
  const elements = random.integer(count, 3 * count + 2);
  for (let k = 0; k < elements; k++) {
    const waveform = { text: `${random.uniform(0.1, 2)}*t`, pointer: '' };
    const mechanism = new ComponentMechanism(
      assembly,
      k,
      () => 0,
      () => waveform,
      () => 0,
      () => false,
    );
    const kind = random.integer(0, 19);
    if (kind < 6) mechanism.mass(flange(), random.uniform(0.1, 3), { position: null, velocity: null });
    else if (kind < 11) mechanism.spring(combination(), random.uniform(0.1, 5), random.uniform(-1, 1));
    else if (kind < 13) mechanism.damper(combination(), random.uniform(-1, 2));
    else if (kind < 15) mechanism.force(flange(), random.chance(0.5) ? 'value' : random.uniform(-3, 3));
    else if (kind < 17) mechanism.tie(flange(), flange(), random.uniform(0.3, 2));
    else if (kind === 17) mechanism.motion(flange(), random.chance(0.5) ? 'value' : random.uniform(-1, 1));
    else mechanism.law([combination()], { type: 'NewtonImpact', e: 0 });
  }
  return assembly;
}

/** A basis of what solves A x = 0. */
function nullSpace(rows: number[][], n: number): number[][] {
  const A = rows.map((row) => [...row]);
  const pivots: number[] = [];
  for (let c = 0; c < n; c++) {
    const from = pivots.length;
    let best = from;
    for (let r = from; r < A.length; r++) if (Math.abs(A[r][c]) > Math.abs(A[best][c])) best = r;
    if (from >= A.length || Math.abs(A[best][c]) < 1e-9) continue;
    [A[from], A[best]] = [A[best], A[from]];
    const scale = A[from][c];
    A[from] = A[from].map((value) => value / scale);
    A.forEach((row, r) => {
      if (r !== from) A[r] = row.map((value, k) => value - row[c] * A[from][k]);
    });
    pivots.push(c);
  }
  const free = Array.from({ length: n }, (_, c) => c).filter((c) => !pivots.includes(c));
  return free.map((c) => {
    const solution = new Array<number>(n).fill(0);
    solution[c] = 1;
    pivots.forEach((pivot, r) => (solution[pivot] = -A[r][c]));
    return solution;
  });
}

/** Largest defect of an equation, in parts of its terms. */
function defectOf(assembly: Assembly, reduced: ReducedMechanism, random: Random): number {
  const { coordinates, stiffness, damping, force } = reduced;
  const n = assembly.flanges;
  const t = random.uniform(0, 2);
  const [q, v] = [0, 1].map(() => coordinates.map(() => random.uniform(-2, 2)));
  const lambda = assembly.laws.map(() => random.uniform(-2, 2));
  const value = (form: LinearForm): number =>
    [...form].reduce((sum, [input, factor]) => {
      const own = reduced.inputs[input];
      if (own.kind === 'one') return sum + factor;
      if (own.kind === 'position') return sum + factor * q[own.coordinate];
      if (own.kind === 'velocity') return sum + factor * v[own.coordinate];
      return own.kind === 'source' ? sum + factor * at(own.waveform.text, t) : Number.NaN;
    }, 0);
  /** ∂/∂q of a sum, times a rate of each coordinate */
  const along = (form: LinearForm, rates: readonly number[]): number =>
    [...form].reduce((sum, [input, factor]) => {
      const own = reduced.inputs[input];
      return own.kind === 'position' ? sum + factor * rates[own.coordinate] : sum;
    }, 0);
  const product = (form: LinearForm, x: readonly number[]): number =>
    [...form].reduce((sum, [column, factor]) => sum + factor * x[column], 0);
  const accelerations = coordinates.map(({ mass }, k) => {
    const unit = coordinates.map((_, other) => (other === k ? 1 : 0));
    const push = assembly.laws.map(({ rows }, law) => lambda[law] * along(reduced.position(rows[0]), unit));
    const sum = push.reduce((total, one) => total + one, value(force[k]));
    return (sum - product(damping[k], v) - product(stiffness[k], q)) / mass;
  });
  const single = (flange: number): Combination => ({ terms: [{ flange, factor: 1 }], offset: 0 });
  const touched = new Set(
    [...assembly.springs, ...assembly.dampers].flatMap(({ of }) => of.terms.map(({ flange }) => flange)),
  );
  const forms = Array.from({ length: n }, (_, flange) => reduced.position(single(flange)));
  const isOpen = (flange: number): boolean => Number.isNaN(value(forms[flange]));
  let worst = 0;
  const check = (...terms: number[]): void => {
    if (terms.some(Number.isNaN)) return;
    const size = terms.reduce((sum, term) => sum + Math.abs(term), 1e-3);
    worst = Math.max(worst, Math.abs(terms.reduce((sum, term) => sum + term, 0)) / size);
  };
  for (const { a, b, ratio } of assembly.ties) check(value(forms[a]), -ratio * value(forms[b]));
  for (const { at: flange, value: given } of assembly.motions) {
    check(value(forms[flange]), -(typeof given === 'number' ? given : at(given.text, t)));
    const rate = typeof given === 'number' ? 0 : at(rateText(given.text), t);
    check(value(reduced.velocity(single(flange)) ?? new Map()), -rate);
  }
  const pulls = Array.from({ length: n }, (): number[] => []);
  const pull = ({ terms }: Combination, tension: number): void => {
    for (const { flange, factor } of terms) pulls[flange].push(-factor * tension);
  };
  const positionOf = ({ terms, offset }: Combination): number =>
    terms.reduce((sum, { flange, factor }) => sum + factor * value(forms[flange]), offset);
  const rateOf = ({ terms }: Combination): number =>
    terms.reduce(
      (sum, { flange, factor }) => sum + factor * value(reduced.velocity(single(flange)) ?? new Map()),
      0,
    );
  for (const { of, stiffness: k, preload } of assembly.springs) pull(of, k * positionOf(of) + preload);
  for (const { of, damping: c } of assembly.dampers) pull(of, c * rateOf(of));
  for (const { at: flange, value: given } of assembly.forces)
    pulls[flange].push(typeof given === 'number' ? given : 'text' in given ? at(given.text, t) : Number.NaN);
  assembly.laws.forEach(({ rows }, law) => pull(rows[0], -lambda[law]));
  // Sources are linear in time, so that they have no acceleration.
  for (const { at: flange, mass } of assembly.masses)
    pulls[flange].push(-mass * along(forms[flange], accelerations));
  const constraints = [
    ...assembly.ties.map(({ a, b, ratio }) => {
      const row = new Array<number>(n).fill(0);
      row[a] += 1;
      row[b] -= ratio;
      return row;
    }),
    ...assembly.motions.map(({ at: flange }) => {
      const row = new Array<number>(n).fill(0);
      row[flange] = 1;
      return row;
    }),
  ];
  for (const motion of nullSpace(constraints, n))
    check(...motion.flatMap((w, flange) => (w === 0 ? [] : pulls[flange].map((one) => w * one))));
  expect([...touched].filter(isOpen)).toEqual([]);
  return worst;
}

describe('random mechanisms', () => {
  it('obey Newton’s law and the equation of every element', { timeout: 600_000 }, () => {
    const random = seeded(41_007);
    let solved = 0;
    const refused = new Map<string, number>();
    for (let k = 0; k < sample(3000, 100_000); k++) {
      const assembly = randomAssembly(random);
      const reduction = reduceMechanism(assembly);
      if (!reduction.ok) {
        for (const { kind } of reduction.defects) refused.set(kind, (refused.get(kind) ?? 0) + 1);
        continue;
      }
      solved++;
      const { reduced } = reduction;
      // Flanges without mass that springs hardly hold are far away, and lose digits by it.
      const reach = Array.from({ length: assembly.flanges }, (_, flange) =>
        Math.max(
          1,
          ...[...reduced.position({ terms: [{ flange, factor: 1 }], offset: 0 }).values()].map(Math.abs),
        ),
      ).reduce((most, one) => Math.max(most, one), 1);
      expect(defectOf(assembly, reduced, random), `mechanism ${k}, ${reach}`).toBeLessThan(
        1e-11 * reach + 1e-10,
      );
    }
    expect(solved).toBeGreaterThan(sample(3000, 100_000) / 10);
    for (const kind of ['locked', 'motions', 'massless', 'idle'])
      expect(refused.get(kind), kind).toBeGreaterThan(0);
  });
});

describe('the rate of an expression', () => {
  it.each([
    '3*sin(2*t + 1)^2',
    't^3 - 2/t',
    'sqrt(1 + t^2)*exp(-t)',
    '2^t + t^t',
    'atan2(t, 2 - t) + hypot(t, 3)',
    'log(1 + t) + tanh(t)*abs(t - 5)',
    't < 0.3 ? t^2 : cos(t)',
    'min(t, 2*t - 1) + max(sin(t), 0.2)',
    '3*(t mod 0.7)^2',
    'ramp(t, 0.2, 2) + asin(t/9) - acos(t/9) + cbrt(t)',
    'log10(t) + log2(t) + sinh(t) - cosh(t) + tan(t/3) + atan(t)',
    '-t + +t^2 - pow(t, 2.5)',
  ])('of %s is the limit of differences', (text) => {
    const rate = rateText(text);
    for (const t of [0.11, 0.41, 0.93, 1.31]) {
      const d = 1e-5;
      const difference = (at(text, t + d) - at(text, t - d)) / (2 * d);
      expect(Math.abs(at(rate, t) - difference)).toBeLessThan(1e-7 * (1 + Math.abs(difference)));
    }
  });

  it('is nothing where it does not vary', () => {
    expect(rateText('3*pi + cos(2)')).toBe('0');
  });
});
