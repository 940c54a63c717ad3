/**
 * Sources of time that jump, and what they switch: values on both sides, and nothing left behind by a jump.
 */
import type { LawForm, RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import {
  complementarity,
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { ofKind, simulateEvents } from './support';

/** y = C x + D λ + e(t), r = λ of one state. */
function sourced(c: number, d: number, e: (t: number) => number): RelationForm {
  const still = linearRelation([[c]], [[1]], d === 0 ? {} : { D: [[d]] });
  return {
    ...still,
    isTimeDependent: true,
    output: (clock, x, lambda, out) => {
      still.output(clock, x, lambda, out);
      out[0] += e(clock[0]);
    },
  };
}

const oneState = (x0: number, relation: RelationForm, law: LawForm): NonSmoothDynamicalSystem => ({
  systems: [system('plant', linearFirstOrder([[-0.1]], [x0]))],
  interactions: [interaction('law', [0], relation, law)],
});

describe('a diode in series with a sine source', () => {
  // Blocked, ẋ = −x/10; conducting, λ = 2 sin t − x and ẋ = −1.1 x + 2 sin t: both in closed form, joined
  // where y and λ come to zero.
  const conducting = (t: number): number => (2 * (1.1 * Math.sin(t) - Math.cos(t))) / (1 + 1.1 ** 2);
  const root = (f: (t: number) => number, from: number, to: number): number => {
    let [a, b] = [from, to];
    for (let k = 0; k < 100; k++) {
      const middle = 0.5 * (a + b);
      if (f(middle) > 0 === f(a) > 0) a = middle;
      else b = middle;
    }
    return b;
  };
  function exact(end: number): number {
    let [t, x] = [0, 1];
    for (let isBlocked = true; ; isBlocked = !isBlocked) {
      const [start, from] = [t, x];
      const at = (s: number): number =>
        isBlocked
          ? from * Math.exp(-0.1 * (s - start))
          : conducting(s) + (from - conducting(start)) * Math.exp(-1.1 * (s - start));
      const excess = (s: number): number => at(s) - 2 * Math.sin(s);
      let next = start + 1e-6;
      while (next < end && excess(next) > 0 === isBlocked) next += 0.01;
      t = next < end ? root(excess, next - 0.01, next) : end;
      x = at(t);
      if (t === end) return x;
    }
  }

  it.each([0.001, 0.01, 0.5])('conducts when the source is above the state, recorded every %d s', (h) => {
    const model = oneState(
      1,
      sourced(1, 1, (t) => -2 * Math.sin(t)),
      complementarity(),
    );
    const simulation = simulateEvents(model, { tEnd: 20, h });
    simulation.run();
    expect(simulation.state[1]).toBeCloseTo(exact(20), 9);
    expect(exact(20)).toBeCloseTo(1.1704, 4);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-10);
  });
});

describe('a relay against a sawtooth', () => {
  const model = oneState(
    0,
    sourced(0, 0, (t) => 0.25 - (t - Math.floor(t))),
    relay(0, 1),
  );

  it.each([false, true])('switches at each crossing and at each jump; jumps scheduled: %s', (isScheduled) => {
    const simulation = simulateEvents(model, { tEnd: 3.5, h: 0.1 });
    if (isScheduled) for (const time of [1, 2, 3]) simulation.schedule(time, () => undefined);
    const rows: number[][] = [];
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      if (simulation.rowsAtEvent === 2 && simulation.state[0] === 2)
        rows.push(Array.from(simulation.before), Array.from(simulation.state));
    }
    const times = simulation.events.map(({ time }) => time);
    const expected = [0.25, 1, 1.25, 2, 2.25, 3, 3.25];
    expect(times).toHaveLength(expected.length);
    times.forEach((time, k) => {
      expect(time).toBeCloseTo(expected[k], 12);
    });
    // Values of their side in both rows at a jump: t, x, slot of ẋ, y, ẏ, λ.
    expect(rows).toHaveLength(2);
    expect(rows[0][3]).toBeCloseTo(-0.75, 9);
    expect(rows[0][5]).toBe(1);
    expect(rows[1][3]).toBeCloseTo(0.25, 9);
    expect(rows[1][5]).toBe(0);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-12);
  });
});

describe('a stop and dry friction on one coordinate', () => {
  const stop = interaction('stop', [0], lagrangianRelation([[1]]), impact(0.3));
  const dryLaw: LawForm = { ...relay(-1, 1), level: 'velocity' };
  const dry = interaction('dry', [0], lagrangianRelation([[1]]), dryLaw);

  it.each([
    ['stop first', [stop, dry]],
    ['friction first', [dry, stop]],
  ])('friction carries a push off the stop, %s', (_name, interactions) => {
    const pushed = linearLagrangian([0], [0], [[1]], { force: [0.6] });
    const simulation = simulateEvents(
      { systems: [system('mass', pushed)], interactions },
      { tEnd: 1, h: 0.1 },
    );
    simulation.run();
    const { names } = simulation.laws;
    const [q, v] = [simulation.state[1], simulation.state[2]];
    expect([q, v]).toEqual([0, 0]);
    // y of both rows, ẏ of both, λ of both
    const lambda = Array.from(simulation.state.subarray(7, 9));
    expect(lambda[names.indexOf('stop')]).toBeCloseTo(0, 12);
    expect(lambda[names.indexOf('dry')]).toBeCloseTo(-0.6, 12);
    expect(ofKind(simulation, 'impact')).toEqual([]);
  });
});

describe('a source that jumps under a diode without resistance', () => {
  it('makes the state jump by an impulse of the diode', () => {
    const model = oneState(
      0,
      sourced(1, 0, (t) => (t < 0.5 ? 0 : -1)),
      complementarity(),
    );
    const simulation = simulateEvents(model, { tEnd: 1, h: 0.1 });
    simulation.schedule(0.5, () => undefined);
    let impulse = 0;
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      impulse = Math.max(impulse, simulation.impulses[0]);
    }
    // x ≥ 1 from then on; λ = x/10 keeps it there.
    expect(impulse).toBeCloseTo(1, 12);
    expect(simulation.x[0]).toBeCloseTo(1, 12);
    const { complementarity: law, dynamics } = simulation.certificate.report;
    expect(Math.max(law, dynamics)).toBeLessThan(1e-12);
  });
});
