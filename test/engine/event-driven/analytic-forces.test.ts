/** Forces and sources of scripts that depend on time fly exactly where their source says what they are. */
import type { ModelDocument } from '@engine/document/types';
import { EngineError } from '@engine/errors';
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import type { PreparedModel } from '@engine/preparation/prepare';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { example, model, particle, withFunctions } from '../support/models';
import { run } from '../support/run';
import { prepareDocument, prepareExample, simulateExample } from './gallery';
import { kinds } from './support';

const ACCURATE = { relativeTolerance: 1e-13, absoluteTolerance: 1e-14 };

/** Runs a model both ways. @returns largest difference of rows, relative to 1 or the value */
function disagreement(
  prepared: PreparedModel,
  settings: Partial<EventDrivenSettings>,
): { worst: number; exact: EventDriven; integrated: EventDriven } {
  const exact = simulateExample(prepared, settings);
  const integrated = simulateExample(prepared, { ...settings, ...ACCURATE, flights: 'integrated' });
  let worst = 0;
  while (exact.hasNextEvent) {
    expect(exact.flight).toBe('exact');
    exact.computeOneStep();
    integrated.computeOneStep();
    expect(exact.startingTime).toBeCloseTo(integrated.startingTime, 10);
    for (let i = 1; i < exact.state.length; i++) {
      const difference = Math.abs(exact.state[i] - integrated.state[i]);
      worst = Math.max(worst, difference / Math.max(1, Math.abs(exact.state[i])));
    }
  }
  expect(integrated.hasNextEvent).toBe(false);
  expect(integrated.flight).toBe('integrated');
  expect(kinds(exact.events)).toEqual(kinds(integrated.events));
  expect(exact.counters.rates).toBe(0);
  expect(exact.certificate.worst.motion).toBeLessThan(1e-12);
  return { worst, exact, integrated };
}

/** A document with the function `f` of one line. */
const scripted = (document: ModelDocument, line: string): ModelDocument =>
  withFunctions(document, `export const f = (t: number, out: Float64Array, p: any) => { ${line} };`);

/** A mass of one coordinate with a force f(t), flown to `tEnd`. */
function flown(
  line: string,
  fields: Parameters<typeof particle>[3] = {},
  settings: Partial<EventDrivenSettings> = {},
): EventDriven {
  const mass = particle('mass', 0, 0, { fExt: { function: 'f' }, ...fields });
  const simulation = simulateExample(prepareDocument(scripted(model([mass]), line)), {
    h: 0.125,
    tEnd: 8,
    ...settings,
  });
  return simulation;
}

/** Largest error of the position at the points of the discretisation. */
function positionError(simulation: EventDriven, exact: (t: number) => number): number {
  expect(simulation.flight).toBe('exact');
  let worst = 0;
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    worst = Math.max(worst, Math.abs(simulation.state[1] - exact(simulation.startingTime)));
  }
  return worst;
}

describe('a ball that is lifted by a force that swings', () => {
  it('flies as the integration says, with all its impacts', () => {
    const { worst, exact, integrated } = disagreement(prepareExample('lift-off'), { tEnd: 10, h: 0.002 });
    expect(worst).toBeLessThan(1e-10);
    expect(kinds(exact.events)).toContain('zeno');
    exact.events.forEach(({ time }, k) => {
      expect(Math.abs(time - integrated.events[k].time)).toBeLessThan(1e-10);
    });
  });

  it.each([
    [15, 3, 9.81],
    [30, 7, 9.81],
    [9.9, 0.5, 9.81],
  ])('takes off when the force of %f N at %f rad/s exceeds the weight', (pull, omega, weight) => {
    const simulation = simulateExample(prepareExample('lift-off', { pull, omega }), { tEnd: 4, h: 0.01 });
    while (simulation.events.length === 0 && simulation.hasNextEvent) simulation.computeOneStep();
    const [{ kind, time }] = simulation.events;
    expect(kind).toBe('takeOff');
    // Where the force meets the weight almost at its crest, rounding of the force is much in time.
    const slope = pull * omega * Math.sqrt(1 - (weight / pull) ** 2);
    const rounding = (8 * Number.EPSILON * weight) / slope + 2 * Number.EPSILON;
    expect(Math.abs(time - Math.asin(weight / pull) / omega)).toBeLessThan(rounding);
  });

  it('stays where the force never exceeds the weight, which is what the floor carries less the force', () => {
    const simulation = simulateExample(prepareExample('lift-off', { pull: 9.8 }), { tEnd: 5, h: 0.01 });
    const { layout } = prepareExample('lift-off');
    while (simulation.hasNextEvent) {
      simulation.computeOneStep();
      const force = 9.81 - 9.8 * Math.sin(3 * simulation.startingTime);
      expect(Math.abs(simulation.state[layout.lambda] - force)).toBeLessThan(1e-14 * 20);
      expect(simulation.state[1]).toBe(0);
    }
    expect(simulation.flight).toBe('exact');
    expect(simulation.events).toEqual([]);
  });

  it('says so in a run of the document, and what it costs', () => {
    const { session } = run(example('lift-off'), { sandbox: createSandbox, tEnd: 1 });
    expect(session.path).toBe('exact');
  });
});

describe('forces of time', () => {
  it('in resonance, and t sin ωt, are followed as they should be', () => {
    // ẍ + 4x = cos 2t
    const resonance = flown('out[0] = Math.cos(2 * t);', { stiffness: [[4]] });
    expect(positionError(resonance, (t) => (t / 4) * Math.sin(2 * t))).toBeLessThan(2e-14);
    // ẍ + 4x = t sin 2t
    const growing = flown('out[0] = t * Math.sin(2 * t);', { stiffness: [[4]] });
    const solution = (t: number): number => (-t * t * Math.cos(2 * t)) / 8 + (t * Math.sin(2 * t)) / 16;
    expect(positionError(growing, solution)).toBeLessThan(1e-13);
    expect(growing.certificate.worst.motion).toBeLessThan(1e-13);
  });

  it('that are polynomials leave the flight a polynomial, of one arc', () => {
    const simulation = flown('out[0] = 6 * t - 12 * t ** 2 + 5;');
    expect(positionError(simulation, (t) => 2.5 * t * t + t ** 3 - t ** 4)).toBeLessThan(4096 * 1e-14);
  });

  it('that decay are followed at a start that is not zero', () => {
    // ẍ = e^(−t/2) from rest at t = 3: ẋ = 2 (e^(−3/2) − e^(−t/2))
    const simulation = flown('out[0] = Math.exp(-t / 2);', {}, { t0: 3, tEnd: 9 });
    const start = Math.exp(-1.5);
    const position = (t: number): number => 2 * start * (t - 3) + 4 * (Math.exp(-t / 2) - start);
    expect(positionError(simulation, position)).toBeLessThan(1e-14);
  });

  it('act on bodies in the plane', () => {
    const body = {
      id: 'body',
      type: 'PlanarBody',
      mass: 2,
      inertia: 0.5,
      q0: [0, 0, 0],
      v0: [1, 0, 0],
      gravity: [0, -10],
      fExt: { function: 'f' },
    };
    const document = scripted(model([body]), 'out[0] = 4 * Math.sin(t); out[2] = t;');
    const simulation = simulateExample(prepareDocument(document), { tEnd: 2, h: 0.25 });
    expect(simulation.flight).toBe('exact');
    simulation.run();
    expect(Math.abs(simulation.state[1] - (2 + 2 * (2 - Math.sin(2))))).toBeLessThan(1e-14);
    expect(Math.abs(simulation.state[2] + 20)).toBeLessThan(1e-13);
    expect(Math.abs(simulation.state[3] - 8 / 3)).toBeLessThan(1e-14);
  });

  it('move masses that a joint holds together, and its force follows', () => {
    const masses = {
      id: 'masses',
      type: 'LagrangianLinearTI',
      ndof: 2,
      mass: [
        [1, 0],
        [0, 3],
      ],
      q0: [0, 0],
      v0: [0, 0],
      fExt: { function: 'f' },
    };
    const rod = {
      id: 'rod',
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: [[1, -1]] },
      law: { type: 'Equality' },
    };
    const prepared = prepareDocument(scripted(model([masses], [rod]), 'out[0] = 8 * Math.cos(2 * t);'));
    const simulation = simulateExample(prepared, { tEnd: 3, h: 0.1 });
    let worst = 0;
    while (simulation.hasNextEvent) {
      expect(simulation.flight).toBe('exact');
      simulation.computeOneStep();
      const t = simulation.startingTime;
      // 4 ẍ = 8 cos 2t, and the rod takes three quarters of the force from the first mass
      worst = Math.max(worst, Math.abs(simulation.state[1] - 0.5 * (1 - Math.cos(2 * t))));
      worst = Math.max(worst, Math.abs(simulation.state[prepared.layout.lambda] + 6 * Math.cos(2 * t)));
    }
    expect(worst).toBeLessThan(1e-13);
  });

  it('push a block that sticks and slides', () => {
    const block = particle('block', 0, 0, {
      ndof: 2,
      mass: [
        [1, 0],
        [0, 1],
      ],
      q0: [0, 0],
      v0: [0, 0],
      fExt: { function: 'f' },
    });
    const ground = {
      id: 'ground',
      systems: ['block'],
      relation: {
        type: 'LagrangianLinear',
        H: [
          [0, 1],
          [1, 0],
        ],
      },
      law: { type: 'NewtonImpactFriction', e: 0, mu: 0.4 },
    };
    const document = scripted(model([block], [ground]), 'out[0] = 6 * Math.sin(2 * t); out[1] = -10;');
    const { worst, exact } = disagreement(prepareDocument(document), { tEnd: 7, h: 0.01 });
    expect(worst).toBeLessThan(1e-9);
    expect(kinds(exact.events)).toContain('slip');
    expect(Math.abs(exact.events[0].time - Math.asin(4 / 6) / 2)).toBeLessThan(1e-13);
  });
});

describe('sources of circuits', () => {
  const circuit = (fields: object, interactions: Parameters<typeof model>[1] = []): ModelDocument =>
    model([{ id: 'x', type: 'FirstOrderLinear', n: 1, A: [[-1]], x0: [0], ...fields }], interactions);
  const source = { b: { function: 'f' } };
  /** ẋ = −x + 10 sin 3t */
  const solution = (t: number): number => Math.sin(3 * t) - 3 * Math.cos(3 * t) + 3 * Math.exp(-t);
  const line = 'out[0] = 10 * Math.sin(3 * t);';

  it.each<[string, object]>([
    ['a source', source],
    ['a control', { u: { function: 'f' }, T: [[1]], controlSize: 1 }],
    ['a control and a constant', { b: [0], u: { function: 'f' }, T: [[1]], controlSize: 1 }],
    ['a matrix of the rates', { A: [[-2]], mass: [[2]], u: { function: 'f' }, T: [[2]], controlSize: 1 }],
  ])('drive a coil: %s', (_what, fields) => {
    const simulation = simulateExample(prepareDocument(scripted(circuit(fields), line)), { tEnd: 6, h: 0.1 });
    expect(positionError(simulation, solution)).toBeLessThan(2e-14);
  });

  it('add up where there is a source and a control', () => {
    const fields = { b: { function: 'f' }, u: { function: 'g' }, T: [[2]], controlSize: 1 };
    const document = withFunctions(
      scripted(circuit(fields), 'out[0] = 4 * Math.sin(3 * t) + 1;'),
      'export const g = (t: number, out: Float64Array) => { out[0] = 3 * Math.sin(3 * t) - 0.5; };',
    );
    const simulation = simulateExample(prepareDocument(document), { tEnd: 6, h: 0.1 });
    expect(positionError(simulation, solution)).toBeLessThan(2e-14);
  });

  it('are integrated where one of them is not known', () => {
    const fields = { b: { function: 'f' }, u: { function: 'g' }, T: [[1]], controlSize: 1 };
    const unknown = 'export const g = (t: number, out: Float64Array) => { out[0] = Math.abs(t); };';
    for (const [f, g] of [
      ['f', 'g'],
      ['g', 'f'],
    ]) {
      const document = circuit({ ...fields, b: { function: f }, u: { function: g } });
      const prepared = prepareDocument(withFunctions(scripted(document, line), unknown));
      expect(prepared.model.systems[0].form.analytic).toBeUndefined();
      expect(simulateExample(prepared, {}).flight).toBe('integrated');
    }
    const varying = circuit({ ...source, A: { function: 'g' } });
    const prepared = prepareDocument(withFunctions(scripted(varying, line), unknown));
    expect(simulateExample(prepared, {}).flight).toBe('integrated');
  });

  it('switch a diode', () => {
    const diode = {
      id: 'diode',
      systems: ['x'],
      relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] },
      law: { type: 'Complementarity' },
    };
    const prepared = prepareDocument(scripted(circuit(source, [diode]), line));
    const { worst, exact } = disagreement(prepared, { tEnd: 9, h: 0.01 });
    expect(worst).toBeLessThan(1e-10);
    expect(exact.events.length).toBeGreaterThan(6);
    // From 0 at rest x rises while the source does, and is held at 0 from where it comes down to it.
    const [first] = exact.events.filter(({ time }) => time > 0);
    expect(Math.abs(solution(first.time))).toBeLessThan(1e-13);
  });
});

describe('what is not known of a force', () => {
  it('is integrated, and named where exact flight is asked for', () => {
    const line = 'out[0] = Math.abs(Math.sin(t));';
    expect(flown(line).flight).toBe('integrated');
    expect(() => flown(line, {}, { flights: 'exact' })).toThrow(EngineError);
    expect(() => flown(line, {}, { flights: 'exact' })).toThrow(
      /“mass”: its force depends on time and is not known to be a sum of polynomials/,
    );
  });

  it('is what a polynomial loses in powers of t', () => {
    const line = 'out[0] = (t - 1000) ** 3;';
    expect(flown(line, {}, { t0: 0, tEnd: 8 }).flight).toBe('exact');
    expect(flown(line, {}, { t0: 996, tEnd: 1004 }).flight).toBe('integrated');
  });

  it('is integrated also where a force ends in what is no number', () => {
    const simulation = flown('out[0] = Math.exp(100 * t);', { mass: [['1e300']] }, { tEnd: 8 });
    expect(simulation.flight).toBe('integrated');
    expect(() => {
      simulation.run();
    }).toThrow(/“f” of “mass” gave Infinity/);
  });

  it('is not what bodies with forces of their own need', () => {
    const body = {
      id: 'body',
      type: 'PlanarBody',
      mass: 2,
      inertia: 0.5,
      q0: [0, 0, 0],
      v0: [0, 0, 0],
      fExt: { function: 'f' },
      fInt: { function: 'drag' },
    };
    const drag =
      'export const drag = (t: number, q: Float64Array, v: Float64Array, out: Float64Array) => { out[0] = v[0] ** 3; };';
    const prepared = prepareDocument(withFunctions(scripted(model([body]), 'out[0] = t;'), drag));
    expect(simulateExample(prepared, {}).flight).toBe('integrated');
  });
});
