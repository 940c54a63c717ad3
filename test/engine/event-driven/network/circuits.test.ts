/** Circuits in whose modes the index changes, against closed forms and matrix-free references. */
import { describe, expect, it } from 'vitest';
import type { EventDriven } from '@engine/event-driven/event-driven';
import { EventCertificate } from '@engine/event-driven/certificate/certificate';
import { TangentMotion } from '@engine/event-driven/tangent/tangent-motion';
import { placeState } from '@engine/model/state-places';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { model } from '../../support/models';
import { euler, networkModel, type PassiveNetwork } from '../../support/passive-networks';
import { run } from '../../support/run';
import { simulateEvents } from '../support';

const none = { u: (): number[] => [], e: (): number[] => [], isTimed: false };

/* A buck converter: x = i_L, v_C; y_s = i_L − λ_d of the switch, y_d = V + λ_s of the diode. */
const [V, L, C, R] = [24, 20e-3, 47e-6, 22];

function buck(period: number, duty: number, periods: number): ModelDocument {
  const condition = `t/${period} - floor(t/${period}) - ${duty}`;
  const laws: TypedElement[] = [
    { type: 'Equality', name: 'S', while: { type: 'Condition', condition: [condition] } },
    { type: 'Complementarity', name: 'D' },
  ];
  const A = [
    [0, -1 / L],
    [1 / C, -1 / (R * C)],
  ];
  const relation = {
    type: 'FirstOrderLinearTI',
    C: [
      [1, 0],
      [0, 0],
    ],
    D: [
      [0, -1],
      [1, 0],
    ],
    B: [
      [1 / L, 0],
      [0, 0],
    ],
    e: [0, V],
  };
  const document = model(
    [{ id: 'c', type: 'FirstOrderLinear', n: 2, x0: [0, 0], A, b: [V / L, 0] }],
    [{ id: 'net', systems: ['c'], relation, law: { type: 'PerRow', laws } }],
    { h: period / 10, tEnd: periods * period },
  );
  document.simulation.scheme = 'event-driven';
  return document;
}

/** The same by Runge and Kutta, phase by phase, with the end of the current by bisection. */
function buckStates(period: number, duty: number, periods: number): [number, number] {
  const step = (i: number, v: number, h: number, source: number): [number, number] => {
    const f = (a: number, b: number): [number, number] => [(source - b) / L, (a - b / R) / C];
    const k1 = f(i, v);
    const k2 = f(i + (h / 2) * k1[0], v + (h / 2) * k1[1]);
    const k3 = f(i + (h / 2) * k2[0], v + (h / 2) * k2[1]);
    const k4 = f(i + h * k3[0], v + h * k3[1]);
    const sum = (j: 0 | 1): number => (h / 6) * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    return [i + sum(0), v + sum(1)];
  };
  let [i, v] = [0, 0];
  const steps = 2000;
  for (let k = 0; k < periods; k++) {
    for (let n = 0; n < steps; n++) [i, v] = step(i, v, (duty * period) / steps, V);
    const h = ((1 - duty) * period) / steps;
    for (let n = 0; n < steps; n++) {
      if (i === 0) {
        v *= Math.exp(-h / (R * C));
        continue;
      }
      const next = step(i, v, h, 0);
      if (next[0] > 0) {
        [i, v] = next;
        continue;
      }
      let [from, to] = [0, h];
      for (let b = 0; b < 60; b++) {
        const middle = (from + to) / 2;
        if (step(i, v, middle, 0)[0] > 0) from = middle;
        else to = middle;
      }
      v = step(i, v, to, 0)[1] * Math.exp(-(h - to) / (R * C));
      i = 0;
    }
  }
  return [i, v];
}

describe('a buck converter of ideal parts', () => {
  it.each([
    ['continuous conduction', 2e-4, 0.3, 20],
    ['continuous conduction at high duty', 2e-4, 0.85, 20],
    ['discontinuous conduction', 8e-3, 0.2, 6],
  ])('goes through its modes exactly: %s', (_name, period, duty, periods) => {
    const { session, column } = run(buck(period, duty, periods));
    const [i, v] = buckStates(period, duty, periods);
    expect(column('c.x[1]').at(-1)! / v).toBeCloseTo(1, 9);
    expect(column('c.x[0]').at(-1)).toBeCloseTo(i, 9);
    const { dynamics, complementarity, coneViolation } = session.certificate;
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-12);
    const open = column('net.lambda[1]').filter(
      (value, k) => value === 0 && column('net.S.present')[k] === 1,
    );
    expect(open.length > 0).toBe(period > 1e-3);
  });
});

describe('rectifiers', () => {
  it('an inductor behind a diode: conduction ends where its closed form does', () => {
    const [l, r, w] = [0.5, 1, 2 * Math.PI];
    const network: PassiveNetwork = {
      stores: [l],
      A: [[-r / l]],
      B: [[1 / l]],
      E: [[1]],
      D: [[0]],
      x0: [0],
      lower: [0],
      upper: [Infinity],
      u: (t) => [Math.sin(w * t) / l],
      e: () => [0],
      isTimed: true,
    };
    const current = (t: number): number =>
      (r * Math.sin(w * t) - w * l * (Math.cos(w * t) - Math.exp((-r * t) / l))) / (r * r + w * w * l * l);
    let [from, to] = [0.5, 1];
    for (let k = 0; k < 60; k++) {
      const middle = (from + to) / 2;
      if (current(middle) > 0) from = middle;
      else to = middle;
    }
    const simulation = simulateEvents(networkModel(network), { tEnd: 1.25, h: 0.05 });
    simulation.run();
    const released = simulation.events.filter(({ kind }) => kind === 'closing' || kind === 'release');
    expect(released.some(({ time }) => Math.abs(time - to) < 1e-10)).toBe(true);
    expect(simulation.x[0]).toBeCloseTo(current(0.25), 9);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });

  it('a bridge between an inductive source and a capacitor', () => {
    const w = 3;
    const network: PassiveNetwork = {
      stores: [0.4, 0.7],
      A: [
        [-0.2 / 0.4, 0],
        [0, -1 / 0.7],
      ],
      B: [
        [0, 0, 1 / 0.4, 1 / 0.4],
        [1 / 0.7, 1 / 0.7, 0, 0],
      ],
      E: [
        [0, 1],
        [0, 1],
        [1, 0],
        [1, 0],
      ],
      D: [
        [0, 0, -1, 0],
        [0, 0, 0, -1],
        [1, 0, 0, 0],
        [0, 1, 0, 0],
      ],
      x0: [0.3, -0.5],
      lower: [0, 0, 0, 0],
      upper: [Infinity, Infinity, Infinity, Infinity],
      u: (t) => [(2 * Math.sin(w * t + 0.3)) / 0.4, 0],
      e: () => [0, 0, 0, 0],
      isTimed: true,
    };
    const [coarse, fine] = [2000, 4000].map((steps) => euler(network, 4, 2, steps)!);
    const simulation = simulateEvents(networkModel(network), { tEnd: 4, h: 0.05 });
    simulation.run();
    [0, 1].forEach((s) => {
      expect(Math.abs(simulation.x[s] - (2 * fine[1][s] - coarse[1][s]))).toBeLessThan(1e-3);
    });
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });

  it('a capacitor charged by a diode without resistance follows its source, and holds its peak', () => {
    const network: PassiveNetwork = {
      ...none,
      stores: [2],
      A: [[0]],
      B: [[0.5]],
      E: [[1]],
      D: [[0]],
      x0: [-1],
      lower: [0],
      upper: [Infinity],
      u: () => [0],
      e: (t) => [-Math.sin(t)],
      isTimed: true,
    };
    const simulation = simulateEvents(networkModel(network), { tEnd: 3, h: 0.1 });
    expect(simulation.impulses[0]).toBeCloseTo(2, 12);
    expect(simulation.x[0]).toBeCloseTo(0, 12);
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const t = simulation.state[0];
      expect(simulation.x[0]).toBeCloseTo(Math.sin(Math.min(t, Math.PI / 2)), 9);
    }
    expect(simulation.certificate.report.dynamics).toBeLessThan(1e-9);
  });
});

describe('two capacitors that a diode joins', () => {
  const network: PassiveNetwork = {
    ...none,
    stores: [1, 3],
    A: [
      [0, 1],
      [-1 / 3, 0],
    ],
    B: [[1], [-1 / 3]],
    E: [[1, -1]],
    D: [[0]],
    x0: [-1, 1],
    lower: [0],
    upper: [Infinity],
    u: () => [0, 0],
    e: () => [0],
  };
  const simulate = (): EventDriven => simulateEvents(networkModel(network), { tEnd: 1, h: 0.1 });

  it('share their charge at once, and lose energy', () => {
    const simulation = simulate();
    const [a, b] = simulation.x;
    expect(a).toBeCloseTo(0.5, 12);
    expect(b).toBeCloseTo(0.5, 12);
    expect(simulation.impulses[0]).toBeCloseTo(1.5, 12);
    expect(a + 3 * b).toBeCloseTo(-1 + 3, 12);
  });

  it('wrong modes, missed switchings and dropped jumps are seen', () => {
    const simulation = simulate();
    const [before, after] = [simulation.before.slice(), simulation.state.slice()];
    const built = networkModel(network);
    const places = placeState(built);
    const judge = (change: (certificate: EventCertificate) => void): number => {
      const certificate = new EventCertificate(built, places);
      change(certificate);
      return Math.max(certificate.report.dynamics, certificate.report.complementarity);
    };
    const facts = {
      impactCount: 0,
      isTimed: false,
      isPlastic: new Uint8Array(1),
      energyChange: 0,
      phases: [],
      phaseCount: 0,
    };
    const row = after.slice();
    expect(judge((one) => one.row(row))).toBe(0);
    expect(judge((one) => one.impact(before, after, simulation.impulses, facts))).toBeLessThan(1e-12);
    // The impulse is left out, or the jump, or it pulls.
    expect(judge((one) => one.impact(before, after, new Float64Array(1), facts))).toBeGreaterThan(0.1);
    expect(judge((one) => one.impact(before, before, simulation.impulses, facts))).toBeGreaterThan(0.1);
    expect(judge((one) => one.impact(after, before, Float64Array.of(-1.5), facts))).toBeGreaterThan(0.1);
    // An output below zero, and a multiplier that pulls.
    const missed = before.slice();
    expect(judge((one) => one.row(missed))).toBeGreaterThan(0.1);
    const wrong = after.slice();
    wrong[places.lambda] = -0.4;
    expect(judge((one) => one.row(wrong))).toBeGreaterThan(0.1);
  });

  it('have the tangent of what their charges do at once', () => {
    const jumping = { ...network, e: (t: number) => [t < 0.5 ? 0 : -4], isTimed: true };
    const begin = (x0: number[]): EventDriven => {
      const simulation = simulateEvents(networkModel({ ...jumping, x0 }), { tEnd: 1, h: 0.1 });
      simulation.schedule(0.5, () => undefined);
      return simulation;
    };
    const end = (x0: number[]): Float64Array => {
      const simulation = begin(x0);
      simulation.run();
      return simulation.x.slice(0, 2);
    };
    const simulation = begin([1, -1]);
    const motion = simulation.observe((parts) => new TangentMotion(parts, 2, true));
    simulation.run();
    expect(motion.broken).toBeNull();
    // All of it is affine: any difference is the derivative.
    const columns = [end([1.25, -1]), end([1, -0.75])].map((moved) =>
      Array.from(moved, (value, i) => (value - simulation.x[i]) / 0.25),
    );
    columns.flat().forEach((value, k) => {
      expect(motion.frame[k]).toBeCloseTo(value, 12);
    });
    // The two voltages differ by that of the source from there on.
    expect(motion.frame[0] - motion.frame[1]).toBeCloseTo(0, 12);
  });
});
