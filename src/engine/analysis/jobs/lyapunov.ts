/** Lyapunov exponents of the motion of a document's model. */
import type { LyapunovRequest } from '../../document/analyses';
import type { ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import { lyapunovSpectrum } from '../stability/lyapunov';
import { type AnalysisEnvironment, analysedMotion, noDerivative } from './motion-of';
import type { FoundExponents } from './outcome';

/** @throws {EngineError} when an event has no derivative, or why the motion cannot be analysed */
export function computeExponents(
  document: ModelDocument,
  { transient, duration, interval, count }: LyapunovRequest,
  environment: AnalysisEnvironment,
): FoundExponents {
  const { motion, t0 } = analysedMotion(document, {}, environment);
  const result = lyapunovSpectrum(motion, motion.initialState, {
    t0,
    transient,
    duration,
    interval,
    ...(count !== null && { count: Math.min(count, motion.size) }),
    progress: (part) => {
      environment.progress(part);
      return true;
    },
  });
  if (result.status === 'simulationFailed') throw new EngineError(result.error);
  if (result.status === 'notDifferentiable')
    throw noDerivative(
      'motion',
      result.broken,
      'Start elsewhere, or leave out more at first: a motion that only grazes once settles afterwards.',
    );
  const { exponents, errors, times, history, verdict } = result;
  const isWhole = exponents.length === motion.size;
  return {
    kind: 'lyapunov',
    status: 'done',
    exponents,
    errors,
    times,
    history,
    dimension: isWhole ? kaplanYorke(exponents) : null,
    verdict,
  };
}

/**
 * D = j + Σ_{i ≤ j} λ_i / |λ_{j+1}| with the largest j whose sum is not negative (Kaplan and Yorke 1979). Of
 * a forced model, whose phase is no state, it is that of the stroboscopic section.
 */
function kaplanYorke(exponents: Float64Array): number {
  const sorted = Float64Array.from(exponents).sort().reverse();
  let sum = 0;
  for (let j = 0; j < sorted.length; j++) {
    if (sum + sorted[j] < 0) return sorted[j] === -Infinity ? j : j + sum / Math.abs(sorted[j]);
    sum += sorted[j];
  }
  return sorted.length;
}
