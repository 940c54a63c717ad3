/** A periodic orbit of a document's model. */
import type { OrbitRequest, OrbitSection } from '../../document/analyses';
import type { ModelDocument } from '../../document/types';
import { type InitialState, initialStateAt } from '../../run/initial-state';
import { EngineError } from '../../errors';
import { isAtRest } from '../basins/limit-cycles';
import { verdictOfMotion } from '../point-verdict';
import { findOrbit, type OrbitFailure, type PeriodicOrbit } from '../stability/periodic-orbit';
import type { ShootingSection } from '../stability/section-map';
import { findSectionOrbit, type SectionOrbit } from '../stability/section-orbit';
import {
  type AnalysedMotion,
  type AnalysisEnvironment,
  analysedMotion,
  inOrderOfNames,
  noDerivative,
} from './motion-of';
import type { FoundOrbit } from './outcome';
import {
  type Guess,
  type SectionGuess,
  orbitSection,
  sectionGuess,
  settledAutonomous,
  settledForced,
  sizesOf,
} from './settled';

/** Points of the curve, those of events apart. */
const CURVE = 600;
/**
 * Extent of an orbit, relative to the sizes of the state, that is none: what Newton's method leaves of a
 * point of rest.
 */
const AT_REST = 1e-8;
/** One multiplier of an autonomous orbit is 1: the stability is that of the others. */
const NEUTRAL = 1e-6;

/** @throws {EngineError} when there is none, or why the motion cannot be analysed */
export function computeOrbit(
  document: ModelDocument,
  request: OrbitRequest,
  environment: AnalysisEnvironment,
): FoundOrbit {
  const analysed = analysedMotion(document, {}, environment);
  const { isAutonomous, section } = request;
  if (section !== undefined) {
    const taken = orbitSection(analysed, section);
    const found = sectionGuess(analysed, request, taken, environment.progress);
    return describeOrbit(
      analysed,
      found,
      isAutonomous,
      orbitOnSection(analysed, taken, found, isAutonomous),
      section,
    );
  }
  const guess = isAutonomous
    ? settledAutonomous(analysed, request)
    : settledForced(analysed, request, environment.progress);
  return describeOrbit(analysed, guess, isAutonomous, orbitFrom(analysed, guess, isAutonomous));
}

/** @throws {EngineError} when Newton's method does not come to one, or to a point of rest */
export function orbitFrom(
  { motion }: AnalysedMotion,
  { t0, x, period, multiple }: Guess,
  isAutonomous = false,
): PeriodicOrbit {
  // A motion that has come to rest is small against its start.
  const sizes = motion.initialState.map((own, i) => Math.max(Math.abs(own), Math.abs(x[i])));
  const result = findOrbit(motion, x, { t0, period: period * multiple, isAutonomous, sizes });
  if (result.status !== 'converged') throw orbitFailure(result);
  if (!isAutonomous) return result;
  const search = { t0, period: result.period, longestCycle: 1, tolerance: AT_REST };
  if (!isAtRest(motion, result.x, search, sizesOf([sizes, result.x]), 1)) return result;
  throw new EngineError({
    code: 'at-rest',
    message: 'The motion has come to rest: it has no period of its own.',
    remedy:
      'Start elsewhere, or move a parameter. Basins tell points of rest and cycles apart, and which starts come to which.',
  });
}

/** @throws {EngineError} when Newton's method does not come to one */
export function orbitOnSection(
  { motion }: AnalysedMotion,
  section: ShootingSection,
  { t0, x, period, multiple, returns }: SectionGuess,
  isAutonomous: boolean,
): SectionOrbit {
  const settings = { period: period * multiple, isAutonomous, returns };
  const result = findSectionOrbit(motion, section, { time: t0, x }, settings);
  if (result.status === 'converged') return result;
  if (result.status !== 'sectionTouched') throw orbitFailure(result);
  throw new EngineError({
    code: 'section-touched',
    message: `The motion is along the section “${section.id}” at t = ${result.time} s: the time at which it is there is not determined.`,
    where: section.id,
    remedy:
      'Take a section that the motion crosses. A contact that stays closed after its impact is left on a surface, as of a velocity.',
  });
}

function orbitFailure(failure: OrbitFailure): EngineError {
  switch (failure.status) {
    case 'simulationFailed':
      return new EngineError(failure.error);
    case 'notDifferentiable':
      return noDerivative(
        'orbit',
        failure.broken,
        'Move a parameter a little: such orbits are the borders between others.',
      );
    case 'singular':
      return new EngineError({
        code: 'singular-orbit',
        message: `Newton’s method met a singular matrix, at a residual of ${failure.residual.toPrecision(2)}: orbits are not isolated here, or this is a fold.`,
        remedy: 'Add dissipation, or move a parameter a little.',
      });
    case 'maxIterations':
      return new EngineError({
        code: 'orbit-not-found',
        message: `Newton’s method did not come to an orbit; its residual is still ${failure.residual.toPrecision(2)}.`,
        remedy: 'Let the motion settle longer, or give another number of periods.',
      });
  }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function describeOrbit(
  analysed: AnalysedMotion,
  guess: Pick<Guess, 't0' | 'multiple'>,
  isAutonomous: boolean,
  found: PeriodicOrbit | SectionOrbit,
  section: OrbitSection | null = null,
): FoundOrbit {
  const { multiple } = guess;
  const t0 = 't0' in found ? found.t0 : guess.t0;
  const orbit = section?.kind === 'impact' && section.state === 'before' ? beforeImpact(found) : found;
  const { real, imaginary } = orbit.multipliers;
  const order = Array.from(real, (_, k) => k).sort(
    (a, b) => Math.hypot(real[b], imaginary[b]) - Math.hypot(real[a], imaginary[a]),
  );
  const sizes = order.map((k) => Math.hypot(real[k], imaginary[k]));
  // The return map of a section has no multiplier of the motion along itself.
  const neutral =
    isAutonomous && section === null
      ? order.findIndex((k) => Math.hypot(real[k] - 1, imaginary[k]) < NEUTRAL)
      : -1;
  return {
    kind: 'orbit',
    status: 'done',
    states: analysed.states,
    x: inOrderOfNames(analysed, orbit.x),
    t0,
    period: orbit.period,
    multiple,
    isAutonomous,
    section:
      section === null || !('returns' in found)
        ? null
        : { id: section.id, kind: section.kind, returns: found.returns },
    impacts: orbit.events.filter(({ kind }) => kind === 'impact').length,
    residual: orbit.residual,
    iterations: orbit.iterations,
    real: Float64Array.from(order, (k) => real[k]),
    imaginary: Float64Array.from(order, (k) => imaginary[k]),
    isStable: sizes.every((size, k) => k === neutral || size < 1),
    events: orbit.events.map(({ time, kind, element }) => ({ time: time - t0, kind, element })),
    nearestGap: finite(orbit.nearest.gap),
    nearestSpeed: finite(orbit.nearest.speed),
    start: startOf(analysed, t0, orbit),
    ...curveOf(analysed, t0, orbit),
  };
}

/** The orbit from just before the impact: that comes first, where it was the last of its events. */
function beforeImpact(orbit: PeriodicOrbit | SectionOrbit): PeriodicOrbit {
  if (!('before' in orbit)) return orbit;
  const end = orbit.events.at(-1)?.time ?? NaN;
  const first = orbit.events.findIndex(({ time }) => time === end);
  const events = [
    ...orbit.events.slice(first).map((event) => ({ ...event, time: orbit.t0 })),
    ...orbit.events.slice(0, first),
  ];
  return { ...orbit, x: orbit.before, events };
}

function startOf(
  { motion, document, prepared }: AnalysedMotion,
  t0: number,
  orbit: PeriodicOrbit,
): InitialState {
  const { before } = motion.simulate(t0, orbit.period, orbit.x, 1);
  return initialStateAt(document, prepared, { time: t0, row: before });
}

function curveOf(
  { motion, slots }: AnalysedMotion,
  t0: number,
  { x, period }: PeriodicOrbit,
): Required<Pick<FoundOrbit, 'curve' | 'verdict'>> {
  const simulation = motion.simulate(t0, period, x, CURVE, true);
  const values: number[] = [];
  const take = (row: Float64Array): void => {
    values.push(row[0] - t0);
    for (const slot of slots) values.push(row[slot]);
  };
  if (simulation.rowsAtEvent === 2) take(simulation.before);
  take(simulation.state);
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.rowsAtEvent === 2) take(simulation.before);
    take(simulation.state);
  }
  return { curve: Float64Array.from(values), verdict: verdictOfMotion(simulation) };
}
