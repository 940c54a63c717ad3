/**
 * The integrator's contract of the event-driven schemes (the Siconos manual, "Integration of the smooth
 * dynamics"): integrate(t0, t1, tout, istate) integrates ẋ = f(t, x) from t0 to t1 and looks for roots of
 * g(t, x).
 */
import type { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import type { SmoothStatus } from '@engine/smooth/ode-system';

/** In: begin with the state that stands in the integrator's x. */
export const FIRST_CALL = 1;
/** Out: t1 was reached without a root. In: go on. */
export const NO_ROOT = 2;
/** Out: a root stopped the integration at tout. In: go on after it. */
export const ROOT = 3;
/** Out: the integration failed at tout, for the reason in the status. */
export const FAILED = -1;

export interface IntegrationState {
  istate: number;
  status: SmoothStatus;
}

/**
 * Integrates from t0 to t1 and not beyond. A first call begins at t0; others go on from where the integrator
 * is, which is t0 unless the caller mistakes it (`invalidTarget`).
 * @param tout [0] becomes the time that was reached
 * @param state istate in and out
 */
export function integrate(
  integrator: SmoothIntegrator,
  t0: number,
  t1: number,
  tout: Float64Array,
  state: IntegrationState,
): void {
  if (state.istate === FIRST_CALL) integrator.start(t0);
  const isHere = integrator.clock[0] === t0;
  state.status = isHere ? integrator.advance(t1, t1) : 'invalidTarget';
  tout[0] = integrator.clock[0];
  if (state.status === 'reached') state.istate = NO_ROOT;
  else state.istate = state.status === 'root' ? ROOT : FAILED;
}
