/**
 * Sources of time with conditions: no pulse is passed over and no jump is smeared, whatever the step of the
 * discretisation.
 */
import { describe, expect, it } from 'vitest';
import { sample } from '../../../support/prove';
import { seeded } from '../../support/random';
import { randomSource } from './random-sources';
import { documentOf, last, runDocument, type Settings, source } from './support';
import { run } from '../../support/run';
import { createSandbox } from '@engine/script/sandbox';

const cases = (): number => sample(24, 2000);

const drive = (script: string, simulation: Settings): ReturnType<typeof runDocument> =>
  runDocument({ systems: [source([0], { b: { function: 'f' } })], script, simulation });

const filling = (text: string): string =>
  `export const f: TimeVector = (t, out, p) => { out[0] = ${text}; };`;

describe('a source of time that a script gives', () => {
  it('shows its narrow pulse at every step of the discretisation', () => {
    for (const h of [0.013, 0.5, 3, 20])
      expect(last(drive(filling('t > 7 && t < 7.02 ? 5000 : 0'), { tEnd: 20, h }), 'c.x')).toBeCloseTo(
        100,
        9,
      );
  });

  it('shows a pulse of a nanosecond', () => {
    const text = 't >= 3 && t < 3 + 1e-9 ? 1e9 : 0';
    const { session, column } = drive(filling(text), { tEnd: 10, h: 1 });
    // The end of the pulse is known to rounding of the time.
    expect(Math.abs((column('c.x').at(-1) ?? 0) - 1)).toBeLessThan(1e-6);
    expect(session.complete).toBe(true);
  });

  it('is integrated in closed form to 1e-8 in random combinations of pulses, tables, sawteeth, waves and ramps', () => {
    const random = seeded(20261126);
    for (let k = 0; k < cases(); k++) {
      const { head, text, integral, size } = randomSource(() => random.uniform(0, 1));
      const h = [0.37, 1.4, 4, 10][k % 4];
      const { session, column } = drive(`${head}\n${filling(text)}`, { tEnd: 10, h });
      const end = session.time;
      const exact = integral(end);
      // The edges of a pulse are known to rounding of the time.
      const allowed = 1e-8 * (1 + Math.abs(exact)) + 16 * Number.EPSILON * end * size;
      expect(Math.abs((column('c.x').at(-1) ?? Number.NaN) - exact), text).toBeLessThan(allowed);
      expect(session.complete, text).toBe(true);
    }
  });

  it('goes on for hundreds of turns of a cam, whose angle is known to rounding of the time only', () => {
    const script = `const beta = (t: number): number => {
  const turns = 5.97 * t + 0.25;
  const angle = 2 * Math.PI * (turns - Math.floor(turns));
  return angle > Math.PI ? 2 * Math.PI - angle : angle;
};
const step = (b: number): number => (b < 2.62 ? 1 : b < 2.79 ? 2 : 3);
export const f: TimeVector = (t, out, p) => { out[0] = step(beta(t)); };
export const g: TimeVector = (t, out, p) => { const b = beta(t); out[0] = b >= 1 && b < 2.62 ? 1 : b >= 2.62 && b < 2.79 ? 2 : 0; };`;
    const turns = 200;
    const tEnd = turns / 5.97;
    const systems = ['f', 'g'].map((name) => ({ ...source([0], { b: { function: name } }), id: name }));
    const { session, column } = runDocument({ systems, script, simulation: { tEnd, h: tEnd / 7 } });
    const sums = [2.62 + 0.17 * 2 + (Math.PI - 2.79) * 3, 1.62 + 0.17 * 2];
    ['f', 'g'].forEach((name, k) =>
      expect((column(`${name}.x`).at(-1) ?? 0) / ((tEnd * sums[k]) / Math.PI)).toBeCloseTo(1, 11),
    );
    expect(session.complete).toBe(true);
  });

  it('drives a mass through a spike of a table', () => {
    const script = `const at = [0, 20, 20.04, 20.08, 40];
const value = [0, 0, 10000, 0, 0];
export const f: ExternalForce = (t, out, p) => {
  let k = 0;
  while (k < at.length - 2 && at[k + 1] < t) k++;
  out[0] = value[k] + ((t - at[k]) / (at[k + 1] - at[k])) * (value[k + 1] - value[k]);
};`;
    const mass = {
      id: 'm',
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      q0: [0],
      v0: [0],
      fExt: { function: 'f' },
    };
    for (const h of [0.1, 1, 7]) {
      const simulation = { tEnd: 40, h, integrators: [{ type: 'MoreauJean', theta: 0.5 }] };
      const { session, column } = runDocument({ systems: [mass], script, simulation });
      const times = column('t');
      const k = times.findLastIndex((t) => t > 21);
      expect(column('m.v')[k]).toBeCloseTo(400, 8);
      expect(column('m.q')[k]).toBeCloseTo(400 * (times[k] - 20.04), 7);
      expect(session.path).toBe('integrated');
    }
  });

  it('leaves no rows where only a force jumps', () => {
    const { column } = drive(filling('t % 0.5 < 0.1 ? 1 : 0'), { tEnd: 4, h: 1 });
    expect([...column('t')]).toEqual([0, 1, 2, 3, 4]);
  });

  it('switches a relay at its jump, and again where it crosses zero behind it', () => {
    const relay = {
      id: 'd',
      systems: ['c'],
      relation: { type: 'FirstOrderLinearTI', C: [[0]], B: [[1]], e: { function: 'e' } },
      law: { type: 'Relay', lower: [0], upper: [1] },
    };
    const script =
      'export const e: TimeVector = (t, out, p) => { const s = t / p.T; out[0] = 0.25 - (s - Math.floor(s)); };';
    // On from n + 1/4 to n + 1.
    const exact = (end: number): number => {
      let x = 0;
      for (let n = 0; n + 0.25 < end; n++) {
        const [on, off] = [n + 0.25, Math.min(n + 1, end)];
        x += 10 * (Math.exp(-0.1 * (end - off)) - Math.exp(-0.1 * (end - on)));
      }
      return x;
    };
    const parameters = [{ name: 'T', value: 1 }];
    const decaying = source([0], { A: [[-0.1]] });
    const jumps = [1, 2, 3, 4].map((n) => `${n} * T`);
    for (const eventDriven of [{}, { jumps }]) {
      const simulation = { tEnd: 4.4, h: 0.1, eventDriven };
      const document = documentOf({
        systems: [decaying],
        interactions: [relay],
        parameters,
        script,
        simulation,
      });
      const { session, column } = run(document, { sandbox: createSandbox });
      expect(column('c.x').at(-1)).toBeCloseTo(exact(session.time), 9);
      // Both sides of a jump carry the values of their side.
      const times = column('t');
      const y = column('d.y');
      const at = times.indexOf(1);
      expect(times[at + 1]).toBe(1);
      expect(y[at]).toBeCloseTo(-0.75, 9);
      expect(y[at + 1]).toBeCloseTo(0.25, 9);
    }
  });
});
