/** Analyses that one thread computes: a new one is one entry here. */
import type { BranchRequest, LyapunovRequest, OrbitRequest } from '../../document/analyses';
import type { ModelDocument } from '../../document/types';
import { EngineError, type EngineErrorDetails } from '../../errors';
import { compileRun } from '../../run/compile-run';
import { asDrawn } from '../../run/drawn-failure';
import { computeBranch } from './branch';
import type { SingleAnalysis } from './job';
import { computeExponents } from './lyapunov';
import type { AnalysisEnvironment } from './motion-of';
import { computeOrbit } from './orbit';
import type { SingleOutcome } from './outcome';

type Compute<R> = (document: ModelDocument, request: R, environment: AnalysisEnvironment) => SingleOutcome;

const KINDS: { readonly [K in SingleAnalysis['kind']]: Compute<never> } = {
  orbit: computeOrbit satisfies Compute<OrbitRequest>,
  branch: computeBranch satisfies Compute<BranchRequest>,
  lyapunov: computeExponents satisfies Compute<LyapunovRequest>,
};

/** What goes wrong with the model or the motion is an outcome too. */
export function computeAnalysis(
  { kind, document, request }: SingleAnalysis,
  environment: AnalysisEnvironment,
): SingleOutcome {
  try {
    return KINDS[kind](document, request as never, environment);
  } catch (error) {
    if (error instanceof EngineError)
      return { kind, status: 'failed', error: drawnDetails(error.details, document, environment) };
    throw error;
  }
}

/** Components are named as they are drawn. */
function drawnDetails(
  details: EngineErrorDetails,
  document: ModelDocument,
  { sandbox }: AnalysisEnvironment,
): EngineErrorDetails {
  if ((document.components ?? []).length === 0) return details;
  const compiled = compileRun({ document, scheme: 'event-driven' }, {}, sandbox);
  return compiled.ok ? asDrawn(details, { document, labels: compiled.prepared.labels }) : details;
}
