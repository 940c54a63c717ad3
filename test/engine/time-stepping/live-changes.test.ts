/** Changes of a simulation that runs: which are made, which are refused, which are taken back. */
import { describe, expect, it } from 'vitest';
import type { LagrangianForm } from '@engine/model/forms';
import { type LiveInteraction, LiveSimulation } from '@engine/time-stepping/live-simulation';
import {
  advance,
  ball,
  byElement,
  column,
  columnOf,
  contact,
  failure,
  moreauJean,
  settingsFor,
  start,
} from '../support/live';
import * as forms from '../support/forms';

describe('changes', () => {
  it('starts an element that replaces one of the same name as a new one', () => {
    const live = columnOf(1, 0.5, 0.5, 1e-2);
    advance(live, 20);
    live.change(() => {
      live.removeSystem('bead-0', 'cascade');
      live.insertSystem(ball('bead-0', 7), moreauJean);
    });
    expect(byElement(live).get('bead-0')).toEqual([7, 0]);
    expect(live.time).toBeCloseTo(0.2, 12);
  });

  it('names interactions that hold a system it is to remove, and removes nothing', () => {
    const live = columnOf(3, 0.1, 0);
    const { simulation } = live;
    expect(live.removeSystem('bead-1')).toEqual({ removed: false, interactions: ['gap-1', 'gap-2'] });
    expect(live.simulation).toBe(simulation);
    expect(live.removeSystem('bead-1', 'cascade').removed).toBe(true);
    expect(live.model.interactions.map(({ id }) => id)).toEqual(['floor']);
    expect(live.graph.components()).toHaveLength(2);
  });

  it('starts with nothing and ends with nothing', () => {
    const live = new LiveSimulation({ systems: [], interactions: [] }, settingsFor([], 1e-2));
    advance(live, 10);
    live.insertSystem(ball('late', 1), moreauJean);
    advance(live, 10);
    expect(byElement(live).get('late')?.[1]).toBeCloseTo(-0.981, 12);
    live.removeSystem('late');
    advance(live, 10);
    expect(live.time).toBeCloseTo(0.3, 12);
    expect(live.simulation.context.size).toBe(0);
  });

  it('takes a batch back as a whole, with the handles of the graph', () => {
    const live = columnOf(4, 0.05, 0.4);
    const twin = columnOf(4, 0.05, 0.4);
    advance(live, 30);
    advance(twin, 30);
    const handles = live.model.interactions.map(({ id }) => live.graph.findInteraction(id));
    const error = failure(() => {
      live.change(() => {
        live.removeSystem('bead-1', 'cascade');
        live.insertSystem(ball('other', 3), moreauJean);
        live.insertInteraction(contact('between', ['bead-0', 'other']));
        live.insertInteraction(contact('nowhere', ['bead-1']));
      });
    });
    expect(error.details).toMatchObject({ code: 'unknown-element', where: 'bead-1' });
    expect(live.model.interactions.map(({ id }) => live.graph.findInteraction(id))).toEqual(handles);
    expect(live.graph.systemCount).toBe(4);
    advance(live, 100);
    advance(twin, 100);
    expect(live.simulation.state).toEqual(twin.simulation.state);
  });

  it('refuses what cannot be computed and goes on as if nothing had been asked', () => {
    const live = columnOf(2, 0.05, 0.4);
    const twin = columnOf(2, 0.05, 0.4);
    advance(live, 10);
    advance(twin, 10);
    const massless = forms.system('massless', forms.linearLagrangian([0], [0], [[0]]));
    const codes = [
      () => {
        live.insertSystem(massless, moreauJean);
      },
      () => {
        live.insertSystem(ball('bead-0', 1), moreauJean);
      },
      () => {
        live.insertSystem(ball('x', 1), {
          type: 'EulerMoreau',
          numbers: { theta: 1, thetaR: 1 },
          choices: {},
        });
      },
      () => {
        live.insertInteraction(contact('floor', ['bead-0']));
      },
      () => {
        live.insertInteraction({ ...contact('wide', ['bead-0']), systems: ['bead-0', 'bead-1'] });
      },
      () => {
        live.insertInteraction(contact('twice', ['bead-0', 'bead-0']));
      },
      () => {
        live.removeInteraction('nothing');
      },
      () => live.removeSystem('absent'),
    ].map((act) => failure(act).details.code);
    expect(codes).toEqual([
      'iteration-matrix-singular',
      'duplicate-id',
      'integrator-unsuitable',
      'duplicate-id',
      'interaction-unsuitable',
      'interaction-unsuitable',
      'unknown-element',
      'unknown-element',
    ]);
    expect(live.graph.systemCount).toBe(2);
    expect(live.graph.interactionCount).toBe(2);
    advance(live, 50);
    advance(twin, 50);
    expect(live.simulation.state).toEqual(twin.simulation.state);
  });

  it('refuses an impact between schemes that treat impacts at different levels', () => {
    const live = columnOf(1, 0.5, 0);
    live.insertSystem(ball('other', 3), { type: 'SchatzmanPaoli', numbers: { theta: 0.5 }, choices: {} });
    const error = failure(() => {
      live.insertInteraction(contact('between', ['bead-0', 'other']));
    });
    expect(error.details).toMatchObject({ code: 'impact-between-schemes', where: 'between' });
    expect(live.graph.findInteraction('between')).toBeUndefined();
    advance(live, 10);
  });

  it('merges and parts the iteration blocks that inputs depending on the state couple', () => {
    // r = (x_b, x_a) λ with y = x_a + x_b: while the relay holds λ = −1 the two decay together.
    const coupling: LiveInteraction = {
      id: 'coupling',
      systems: ['a', 'b'],
      relation: {
        ...forms.linearRelation([[1, 1]], [[0], [0]]),
        type: 'test',
        B: null,
        hasStateInput: true,
        isAffine: false,
        input: (_clock, x, lambda, out) => {
          out[0] = x[1] * lambda[0];
          out[1] = x[0] * lambda[0];
        },
        inputJacobians: (_clock, x, lambda, outK, outB) => {
          outK.set([0, lambda[0], lambda[0], 0]);
          outB.set([x[1], x[0]]);
        },
      },
      law: { ...forms.relay(), type: 'test' },
    };
    const system = (id: string, x: number): ReturnType<typeof forms.system> =>
      forms.system(id, forms.linearFirstOrder([[0]], [x]));
    const h = 1e-2;
    const live = new LiveSimulation(
      { systems: [system('a', 2), system('b', 1)], interactions: [] },
      settingsFor([forms.eulerMoreau([0, 1])], h),
    );
    const sum = (): number => live.simulation.state[1] + live.simulation.state[2];
    advance(live, 10);
    expect(sum()).toBe(3);
    live.insertInteraction(coupling);
    advance(live, 50);
    // Implicit Euler of d(a + b)/dt = −(a + b) and d(a − b)/dt = a − b
    expect(sum()).toBeCloseTo(3 / (1 + h) ** 50, 10);
    expect(live.simulation.state[1] - live.simulation.state[2]).toBeCloseTo(1 / (1 - h) ** 50, 10);
    live.removeInteraction('coupling');
    const before = sum();
    advance(live, 10);
    expect(sum()).toBe(before);
  });

  it('changes nothing in the middle of a step that failed, and goes on from a state before it', () => {
    const square = forms.nonlinearFirstOrder(
      [1],
      (_t, x, out) => {
        out[0] = x[0] * x[0];
      },
      (_t, x, out) => {
        out[0] = 2 * x[0];
      },
    );
    const live = new LiveSimulation(
      {
        systems: [
          forms.system('explosion', square),
          forms.system('calm', forms.linearFirstOrder([[-1]], [1])),
        ],
        interactions: [],
      },
      settingsFor([forms.eulerMoreau([0, 1])], 0.05),
    );
    let state = live.exportState();
    failure(() => {
      for (;;) {
        state = live.exportState();
        live.advance();
      }
    });
    expect(failure(() => live.removeSystem('explosion')).details.code).toBe('step-incomplete');
    expect(live.graph.systemCount).toBe(2);
    live.restore(state);
    live.removeSystem('explosion');
    const { step } = live.simulation;
    advance(live, 100 - step);
    expect(byElement(live).get('calm')?.[0]).toBeCloseTo(1.05 ** -100, 12);
  });

  it('does not take the fall of what lost its support for an error of the step', () => {
    const live = new LiveSimulation(
      column(1, 0, 0),
      settingsFor([forms.moreauJean([0])], 1e-2, {
        stepControl: { tolerance: 1e-6, hMin: 1e-6, hMax: 1e-2 },
      }),
    );
    // The first step, in which the contact begins to push, is one that is located.
    advance(live, 100);
    const before = live.simulation.rejectedSteps;
    live.removeInteraction('floor');
    advance(live, 100);
    expect(live.simulation.rejectedSteps).toBe(before);
    expect(byElement(live).get('bead-0')?.[1]).toBeLessThan(-1);
  });

  it('goes back to a state that was taken', () => {
    const live = columnOf(5, 0.05, 0.4);
    advance(live, 20);
    const state = live.exportState();
    advance(live, 50);
    const expected = live.simulation.state.slice();
    live.restore(state);
    expect(live.simulation.step).toBe(20);
    advance(live, 50);
    expect(live.simulation.state).toEqual(expected);
  });

  it('is what a simulation made from that state is, when a contact is removed and put back', () => {
    const live = columnOf(6, 0, 0);
    advance(live, 10);
    live.removeInteraction('gap-3');
    live.insertInteraction(contact('gap-3', ['bead-2', 'bead-3']));
    const { systems } = live.model;
    const fresh = start(
      {
        systems: systems.map((system, i) => ({
          ...system,
          form: {
            ...(system.form as LagrangianForm),
            q0: live.simulation.state.slice(1 + i, 2 + i),
            v0: live.simulation.state.slice(7 + i, 8 + i),
          },
        })),
        interactions: live.model.interactions,
      },
      settingsFor([forms.moreauJean([0, 1, 2, 3, 4, 5])], 1e-2),
    );
    advance(live, 20);
    advance(fresh, 20);
    const scale = 6 * 9.81 * 1e-2;
    for (let i = 1; i < fresh.state.length - 2; i++)
      expect(Math.abs(live.simulation.state[i] - fresh.state[i])).toBeLessThan(1e-12 * scale);
  });
});
