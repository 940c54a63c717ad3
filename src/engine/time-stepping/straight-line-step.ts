/**
 * Steps of a small linear model as straight-line code: the phases of `TimeStepping.advance` written out by
 * those who compute them, the same operations in the same order, so that both ways give the same bits.
 *
 * It applies where all matrices are constant, which the caller has made sure of: relations without explicit
 * time, laws that are boxes, integrators of linear systems, one step length.
 */
import type { OneStepIntegrator, StepContext, StepCounters } from '../integrators/step';
import { type StepFunctions, StepWriter, type Term } from '../straight-line/writer';
import type { StepCertificate } from './certificate/certificate';
import type { Delassus } from './delassus';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';
import { solverFailure, stateFailure } from './failures';
import type { OneStepProblem } from './one-step';
import { GAP_ROUNDING, LAGRANGIAN, SWITCHED } from './row-kinds';
import type { StepRelations } from './rows';
import type { StepMemory } from './step-memory';

export interface StepParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly context: StepContext;
  readonly layout: StatePlaces;
  readonly integrators: readonly OneStepIntegrator[];
  readonly rows: StepRelations;
  readonly delassus: Delassus;
  readonly oneStep: OneStepProblem;
  readonly memory: StepMemory;
  /** γ of the activation by row */
  readonly forecast: Float64Array;
  /** s */
  readonly t0: number;
  readonly certificate: StepCertificate;
  /** keeps r for the next step; null when none of it is needed */
  readonly keepInput: (() => void) | null;
}

/** Places of a tally: complete steps, contacts that closed in them, Newton's and the solver's iterations. */
const [STEPS, CLOSED, NEWTON, SOLVER] = [0, 1, 2, 3] as const;

/** Steps written out, and what the last of them have come to. */
export class WrittenSteps {
  /** @param run from the state after some step on; it counts in `tally` */
  constructor(
    private readonly run: StepFunctions,
    private readonly tally: Float64Array,
    private readonly counters: StepCounters,
  ) {}

  /** steps that are complete */
  get count(): number {
    return this.tally[STEPS];
  }

  /** contacts that closed in them */
  get closed(): number {
    return this.tally[CLOSED];
  }

  /**
   * Performs up to `most` steps, at least one, until `until` s is reached. What fails throws, with the steps
   * before it complete.
   */
  advance(step: number, most: number, until: number): void {
    const { tally, counters } = this;
    // Written out: of four numbers a call would take longer than the step.
    tally[STEPS] = 0;
    tally[CLOSED] = 0;
    tally[NEWTON] = 0;
    tally[SOLVER] = 0;
    try {
      if (most === 1) this.run.one(step, most, until);
      else this.run.many(step, most, until);
    } finally {
      counters.newtonIterations += tally[NEWTON];
      counters.solverIterations += tally[SOLVER];
    }
  }
}

/** @returns null where a step is too long to be written out, or the host makes no code */
export function writeSteps(parts: StepParts): WrittenSteps | null {
  const { model, context, layout, integrators, rows, oneStep, memory, forecast, certificate } = parts;
  const { state, start, size, q, v } = context;
  const h = context.h[0];
  // A quick no to large models, which would be written in vain.
  if (size + rows.count > LARGEST) return null;
  const notFinite = (): never => {
    throw stateFailure(certificate.defect(), context);
  };
  const check = (): void => {
    if (!certificate.check(oneStep.active)) notFinite();
  };
  const failed = (): never => {
    context.counters.solverIterations += oneStep.result.iterations;
    throw solverFailure(model, context, rows, oneStep);
  };
  const w = new StepWriter();
  const tally = new Float64Array(4);
  const count = (place: number, more: string): string =>
    w.set(tally, place, `${w.get(tally, place)} + ${more}`);
  const steps = w.get(tally, STEPS);
  w.set(context.clock0, 0, w.get(state, 0));
  const time = w.set(state, 0, `${w.literal(parts.t0)} + (step + ${steps} + 1) * ${w.literal(h)}`);
  for (let i = 0; i < size; i++) {
    w.set(start, q + i, w.get(state, q + i));
    w.set(start, v + i, w.get(state, v + i));
  }
  memory.writeBegin(w, state, layout.y, layout.yDot);
  oneStep.writeActivation(w, state, layout, forecast, h);
  const isWritten = integrators.map((integrator) => integrator.writeFree?.(w) === true);
  integrators.forEach((integrator, i) => {
    if (isWritten[i]) return;
    const name = w.bind(integrator);
    w.call(`${name}.begin(); ${name}.linearise(); ${name}.computeFree();`, state);
  });
  if (rows.count > 0) {
    oneStep.writeSolution(w, state, layout.lambda, memory.reference, w.bind(failed), (iterations) =>
      count(SOLVER, iterations),
    );
    writeResponse(w, parts);
  }
  count(NEWTON, '1');
  integrators.forEach((integrator, i) => {
    if (isWritten[i]) {
      integrator.writeEnd?.(w);
      return;
    }
    w.call(`${w.bind(integrator)}.complete(); ${w.bind(integrator)}.accept();`, state);
  });
  const closed = memory.writeEnd(w, state, layout.lambda);
  const isFinite = certificate.write(w, oneStep.active);
  if (isFinite === null) w.call(`${w.bind(check)}();`);
  else w.branch(`!(${isFinite})`, `${w.bind(notFinite)}();`);
  writeOutputs(w, parts);
  if (parts.keepInput !== null) w.call(`${w.bind(parts.keepInput)}();`, context.input0);
  count(CLOSED, closed);
  const done = count(STEPS, '1');
  const run = w.compileSteps('step, count, until', `${done} < count && ${time} < until`);
  return run === null ? null : new WrittenSteps(run, tally, context.counters);
}

/** Coordinates and rows together beyond which a step is not written out. */
const LARGEST = 64;

/** state ← state + Σ_α Ŵ⁻¹ γ B_α λ_α */
function writeResponse(w: StepWriter, { context, layout, delassus, rows }: StepParts): void {
  const { state } = context;
  const { rowStart, columns, values } = delassus.response;
  for (let row = 0; row < rows.count; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      if (values[k] === 0) continue;
      const term: Term = [values[k], w.get(state, layout.lambda + row)];
      w.set(state, columns[k], w.add(w.get(state, columns[k]), [term]));
    }
  }
}

/** y and ẏ of all rows at the end of the step. */
function writeOutputs(w: StepWriter, { context, layout, rows }: StepParts): void {
  const { state, q, v } = context;
  const { jacobian, feedthrough, constant, kind } = rows;
  const { rowStart, columns, values } = jacobian;
  for (let row = 0; row < rows.count; row++) {
    const terms = (first: number): Term[] =>
      Array.from({ length: rowStart[row + 1] - rowStart[row] }, (_, k): Term => {
        const entry = rowStart[row] + k;
        return [values[entry], w.get(state, first + columns[entry])];
      });
    if ((kind[row] & LAGRANGIAN) !== 0) w.set(state, layout.yDot + row, w.add('', terms(v)));
    const through: Term[] = [];
    for (let k = feedthrough.rowStart[row]; k < feedthrough.rowStart[row + 1]; k++)
      through.push([feedthrough.values[k], w.get(state, layout.lambda + feedthrough.columns[k])]);
    const direct = w.add('', through);
    const offset = constant[row] === 0 ? '' : w.literal(constant[row]);
    const first = direct === '0' ? offset : offset === '' ? direct : `${offset} + (${direct})`;
    const gap = w.set(state, layout.y + row, w.add(first, terms(q)));
    if ((kind[row] & SWITCHED) !== 0) writeClosedGap(w, rows, row, gap, terms(q));
  }
}

/** What `RelationRows.evaluate` does to the gap below which a contact counts as closed. */
function writeClosedGap(w: StepWriter, rows: StepRelations, row: number, gap: string, terms: Term[]): void {
  const { closedGap, constant } = rows;
  const parts = terms.flatMap((term) => (term[0] === 0 ? [] : [`abs(${w.add('', [term])})`]));
  const sum = [...(constant[row] === 0 ? [] : [w.literal(Math.abs(constant[row]))]), `abs(${gap})`].join(
    ' + ',
  );
  const scale = parts.length === 0 ? sum : `${sum} + (${parts.join(' + ')})`;
  const limit = w.constant(`${w.literal(GAP_ROUNDING)} * (${scale})`);
  const known = w.get(closedGap, row);
  w.set(closedGap, row, `${limit} > ${known} ? ${limit} : ${known}`);
}
