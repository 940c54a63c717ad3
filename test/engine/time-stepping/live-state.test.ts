/** A state that is taken and restored: the run goes on with the same bits. */
import { describe, expect, it } from 'vitest';
import type { SimulationState } from '@engine/time-stepping/state';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { column, everyKind, settingsFor, start } from '../support/live';
import * as forms from '../support/forms';
import { seeded } from '../support/random';

/** All that can be seen of a simulation between steps. */
const visible = (simulation: TimeStepping): unknown => ({
  state: Array.from(simulation.state),
  events: simulation.events,
  step: simulation.step,
  time: simulation.time,
  counters: { ...simulation.context.counters },
  rejected: simulation.rejectedSteps,
  certificate: simulation.certificate.report,
  drift: simulation.certificate.energyDrift,
  h: simulation.context.h[0],
});

/** Runs twice, once interrupted after the given steps, and compares every step. */
function expectSameBits(
  model: NonSmoothDynamicalSystem,
  settings: ReturnType<typeof settingsFor>,
  steps: number,
  interruptAt: (step: number) => boolean,
): TimeStepping {
  const straight = start(model, settings);
  let interrupted = start(model, settings);
  for (let k = 0; k < steps; k++) {
    straight.advance();
    interrupted.advance();
    if (interruptAt(k)) interrupted = start(model, settings, structuredClone(interrupted.exportState()));
    expect(visible(interrupted)).toEqual(visible(straight));
    expect(interrupted.exportState()).toEqual(straight.exportState());
  }
  return straight;
}

describe('a state taken between two steps', () => {
  it('continues a model of all integrators and laws with the same bits, wherever it is taken', () => {
    const { model, integrators } = everyKind();
    const random = seeded(7);
    const straight = expectSameBits(model, settingsFor(integrators, 2e-3), 1200, () => random.chance(0.2));
    // Otherwise nothing would have happened that a state could forget.
    expect(straight.events).toBeGreaterThan(10);
    expect(straight.certificate.report.dynamics).toBeLessThan(1e-9);
  });

  it('continues a column of beads at rest, whose contacts all push', () => {
    const straight = expectSameBits(
      column(12, 0, 0),
      settingsFor([forms.moreauJean(Array.from({ length: 12 }, (_, k) => k))], 1e-2),
      30,
      (k) => k % 3 === 1,
    );
    expect(straight.oneStep.activeCount).toBe(12);
  });

  it('continues with the lengths that step control has chosen', () => {
    const model = column(2, 0.3, 0.5);
    const settings = settingsFor([forms.moreauJean([0, 1])], 1e-2, {
      stepControl: { tolerance: 1e-5, hMin: 1e-4, hMax: 5e-2 },
      tEnd: 1.5,
    });
    const random = seeded(3);
    const straight = expectSameBits(model, settings, 150, () => random.chance(0.3));
    expect(straight.rejectedSteps).toBeGreaterThan(5);
  });

  it('shares nothing with the simulation it was taken from', () => {
    const { model, integrators } = everyKind();
    const simulation = start(model, settingsFor(integrators, 2e-3));
    for (let k = 0; k < 100; k++) simulation.advance();
    const state = simulation.exportState();
    const before = structuredClone(state);
    for (let k = 0; k < 100; k++) simulation.advance();
    expect(state).toEqual(before);
    const again = start(model, settingsFor(integrators, 2e-3), state);
    for (let k = 0; k < 100; k++) again.advance();
    expect(visible(again)).toEqual(visible(simulation));
    expect(state).toEqual(before);
  });

  it('is refused by a model in which an element has another size', () => {
    const model = column(2, 1, 0);
    const settings = settingsFor([forms.moreauJean([0, 1])], 1e-2);
    const state = start(model, settings).exportState();
    const other = {
      systems: [
        model.systems[0],
        forms.system(
          'bead-1',
          forms.linearLagrangian(
            [0, 0],
            [0, 0],
            [
              [1, 0],
              [0, 1],
            ],
          ),
        ),
      ],
      interactions: [model.interactions[0]],
    };
    expect(() => start(other, settings, state)).toThrow(/1 entry of “bead-1”, which has 2/);
  });

  it('is not given out in the middle of a step that failed', () => {
    const rate = (_t: number, x: Float64Array, out: Float64Array): void => {
      out[0] = x[0] * x[0];
    };
    const jacobian = (_t: number, x: Float64Array, out: Float64Array): void => {
      out[0] = 2 * x[0];
    };
    const model = {
      systems: [forms.system('explosion', forms.nonlinearFirstOrder([1], rate, jacobian))],
      interactions: [],
    };
    const simulation = start(model, settingsFor([forms.eulerMoreau([0])], 0.05));
    let state: SimulationState = simulation.exportState();
    expect(() => {
      for (let k = 0; k < 100; k++) {
        simulation.advance();
        state = simulation.exportState();
      }
    }).toThrow(/Newton's method/);
    expect(() => simulation.exportState()).toThrow(/has failed/);
    expect(start(model, settingsFor([forms.eulerMoreau([0])], 0.05), state).time).toBe(state.time);
  });
});
