/** Systems and interactions that come and go while a simulation runs: what stays is not touched. */
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
  everyKind,
  moreauJean,
  settingsFor,
} from '../support/live';
import * as forms from '../support/forms';
import { seeded } from '../support/random';

describe('what stays goes on with the same bits', () => {
  it.each([
    ['at rest, all contacts pushing', 0, 0],
    ['falling and bouncing', 0.05, 0.6],
  ])('while a contact that never closes comes and goes: a column %s', (_, gap, e) => {
    const plain = columnOf(14, gap, e);
    const changed = columnOf(14, gap, e);
    const far = contact('far', ['bead-11', 'bead-2'], 1e3, 0.5);
    const curved: LiveInteraction = {
      ...contact('curved', ['bead-4', 'bead-9'], 0, 0.5),
      relation: {
        ...forms.lagrangianRelation([[-1, 1]], [1e3]),
        type: 'test',
        C: null,
        isAffine: false,
        output: (_clock, q, _lambda, out) => {
          out[0] = 1e3 + Math.sin(q[1]) - q[0];
        },
        outputJacobians: (_clock, q, _lambda, outC) => {
          outC[0] = -1;
          outC[1] = Math.cos(q[1]);
        },
      },
    };
    for (let k = 0; k < 240; k++) {
      advance(plain, 1);
      advance(changed, 1);
      if (k === 20) changed.insertInteraction(far);
      if (k === 60) changed.insertInteraction(curved);
      if (k === 90) changed.removeInteraction('far');
      if (k === 150) changed.removeInteraction('curved');
      const now = byElement(changed);
      for (const [id, values] of byElement(plain)) expect(now.get(id), id).toEqual(values);
    }
    expect(changed.simulation.events).toBe(plain.simulation.events);
    expect(changed.simulation.context.counters).toEqual(plain.simulation.context.counters);
    expect(changed.simulation.certificate.energyDrift).toBe(plain.simulation.certificate.energyDrift);
    expect(changed.simulation.state).toEqual(plain.simulation.state);
    expect(plain.simulation.events).toBeGreaterThan(10);
  });

  it('beside systems that come and go without touching it, with every integrator and law', () => {
    const { model, integrators } = everyKind();
    const plain = new LiveSimulation(model, settingsFor(integrators, 2e-3));
    const changed = new LiveSimulation(model, settingsFor(integrators, 2e-3));
    const random = seeded(11);
    const guests: string[] = [];
    const choices = [
      moreauJean,
      { type: 'SchatzmanPaoli', numbers: { theta: 0.5 }, choices: {} },
      { type: 'MoreauJean', numbers: { theta: 0.8, forecast: 0.5 }, choices: {} },
    ];
    for (let k = 0; k < 900; k++) {
      advance(plain, 1);
      advance(changed, 1);
      if (random.chance(0.1)) {
        const id = `guest-${k}`;
        changed.insertSystem(ball(id, 2), choices[random.integer(0, 2)]);
        changed.insertInteraction(contact(`under-${id}`, [id], 1e3, 0.5));
        guests.push(id);
      } else if (guests.length > 0 && random.chance(0.1)) {
        const [id] = guests.splice(random.integer(0, guests.length - 1), 1);
        expect(changed.removeSystem(id, 'cascade')).toEqual({
          removed: true,
          interactions: [`under-${id}`],
        });
      }
      const now = byElement(changed);
      for (const [id, values] of byElement(plain)) expect(now.get(id), id).toEqual(values);
    }
    expect(changed.simulation.events).toBe(plain.simulation.events);
    expect(plain.simulation.events).toBeGreaterThan(10);
    expect(changed.simulation.step).toBe(900);
    expect(changed.time).toBe(plain.time);
  });

  it('under step control', () => {
    const settings = settingsFor([forms.moreauJean([0, 1])], 1e-2, {
      stepControl: { tolerance: 1e-5, hMin: 1e-4, hMax: 5e-2 },
      tEnd: 1e9,
    });
    const plain = new LiveSimulation(column(2, 0.3, 0.5), settings);
    const changed = new LiveSimulation(column(2, 0.3, 0.5), settings);
    for (let k = 0; k < 200; k++) {
      advance(plain, 1);
      advance(changed, 1);
      if (k % 20 === 5) changed.insertInteraction(contact('far', ['bead-0'], 1e6, 0.5));
      if (k % 20 === 15) changed.removeInteraction('far');
      expect(changed.time).toBe(plain.time);
      expect(byElement(changed).get('bead-1')).toEqual(byElement(plain).get('bead-1'));
    }
    expect(plain.simulation.rejectedSteps).toBeGreaterThan(5);
    expect(changed.simulation.rejectedSteps).toBe(plain.simulation.rejectedSteps);
  });
});

describe('memories of single elements', () => {
  it('keeps r_k of the interactions that stay, and drops that of the one that goes', () => {
    // ẋ = λ_a + λ_b, both relays at −1 while x > 0: with θ_r = ¼, r_k counts for three quarters of a step.
    const [h, thetaR] = [0.1, 0.25];
    const relay = (id: string): ReturnType<typeof forms.interaction> =>
      forms.interaction(id, [0], forms.linearRelation([[1]], [[1]]), forms.relay(-1, 1));
    const live = new LiveSimulation(
      {
        systems: [forms.system('x', forms.linearFirstOrder([[0]], [10]))],
        interactions: [relay('a'), relay('b')],
      },
      settingsFor([forms.eulerMoreau([0], 1, thetaR)], h),
    );
    // At the start λ is not known yet and counts as zero.
    advance(live, 1);
    expect(live.simulation.state[1]).toBeCloseTo(10 - 2 * h * thetaR, 12);
    advance(live, 1);
    const before = live.simulation.state[1];
    live.removeInteraction('a');
    advance(live, 1);
    expect(live.simulation.state[1]).toBeCloseTo(before - h, 12);
    expect(live.simulation.certificate.report.dynamics).toBeLessThan(1e-12);
  });

  it('keeps the parabola of Schatzman–Paoli, which needs the position before the last', () => {
    const h = 0.01;
    const paoli = { type: 'SchatzmanPaoli', numbers: { theta: 0.5 }, choices: {} };
    const live = new LiveSimulation(
      { systems: [ball('first', 10)], interactions: [] },
      settingsFor([{ ...paoli, systems: [0] }], h),
    );
    advance(live, 40);
    live.insertSystem(ball('second', 5), paoli);
    advance(live, 30);
    live.removeSystem('first');
    advance(live, 30);
    live.insertSystem(ball('third', 1), paoli);
    advance(live, 10);
    const { state, certificate } = live.simulation;
    expect(state[1]).toBeCloseTo(5 - 0.5 * 9.81 * 0.7 ** 2, 11);
    expect(state[2]).toBeCloseTo(1 - 0.5 * 9.81 * 0.1 ** 2, 11);
    expect(certificate.report.dynamics).toBeLessThan(1e-8);
  });

  it('does not count a contact that keeps pushing as one that closes', () => {
    const live = columnOf(3, 0, 0);
    advance(live, 5);
    expect(live.simulation.events).toBe(3);
    live.insertSystem(ball('bead-3', 4), moreauJean);
    live.insertInteraction(contact('gap-3', ['bead-2', 'bead-3']));
    advance(live, 5);
    expect(live.simulation.events).toBe(4);
    live.removeSystem('bead-3', 'cascade');
    advance(live, 5);
    expect(live.simulation.events).toBe(4);
  });

  it('bears the weight of what stands on it from the next step on', () => {
    const live = columnOf(2, 0, 0);
    advance(live, 3);
    const impulse = (): number => byElement(live).get('floor')?.[2] ?? 0;
    expect(impulse()).toBeCloseTo(2 * 9.81 * 1e-2, 12);
    live.insertSystem(ball('bead-2', 3), moreauJean);
    live.insertInteraction(contact('gap-2', ['bead-1', 'bead-2']));
    expect(impulse()).toBeCloseTo(2 * 9.81 * 1e-2, 12);
    advance(live, 1);
    expect(impulse()).toBeCloseTo(3 * 9.81 * 1e-2, 12);
    live.removeInteraction('floor');
    advance(live, 10);
    expect(byElement(live).get('bead-0')?.[1]).toBeCloseTo(-9.81 * 0.1, 12);
  });

  it('takes a system that comes or goes for no defect of the balance of energy', () => {
    const swinging = (id: string, v: number): ReturnType<typeof forms.system> =>
      forms.system(id, forms.linearLagrangian([0.3], [v], [[2]], { stiffness: [[50]] }));
    const live = new LiveSimulation(
      { systems: [swinging('a', 1)], interactions: [] },
      settingsFor([forms.moreauJean([0])], 1e-2),
    );
    const drift = (): number => live.simulation.certificate.energyDrift ?? Number.NaN;
    advance(live, 100);
    live.insertSystem(swinging('b', 100), moreauJean);
    expect(drift()).toBeLessThan(1e-12);
    advance(live, 100);
    live.removeSystem('b');
    advance(live, 100);
    expect(drift()).toBeLessThan(1e-12);
    // While a system without a potential is there, the balance is not defined; what happens then does not
    // count.
    const free = forms.linearLagrangian([0], [5], [[1]], { force: [3] });
    const driven: LagrangianForm = { ...free, linear: null, constantMass: null };
    live.insertSystem(forms.system('driven', driven), moreauJean);
    advance(live, 50);
    expect(live.simulation.certificate.energyDrift).toBeNull();
    live.removeSystem('driven');
    advance(live, 50);
    expect(drift()).toBeLessThan(1e-12);
  });

  it('remembers the worst step of a system that is gone, by its name', () => {
    const { model, integrators } = everyKind();
    const live = new LiveSimulation(model, settingsFor(integrators, 2e-3));
    advance(live, 300);
    const before = live.simulation.certificate.report;
    const worst = before.worstElement ?? '';
    expect(before.dynamics).toBeGreaterThan(0);
    if (live.graph.findSystem(worst) === undefined) live.removeInteraction(worst);
    else live.removeSystem(worst, 'cascade');
    expect(live.simulation.certificate.report).toEqual(before);
  });
});
