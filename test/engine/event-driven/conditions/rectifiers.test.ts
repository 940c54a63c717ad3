/**
 * Rectifiers whose source is a script with glitches: feedthrough, so that margins are asked for beside
 * multipliers that follow from the same function.
 */
import { expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../../support/prove';
import { seeded } from '../../support/random';
import { run } from '../../support/run';
import { documentOf, last } from './support';

const cases = (): number => sample(16, 400);

interface Rectifier {
  readonly U: number;
  readonly f: number;
  readonly R: number;
  readonly C: number;
  /** source resistance, Ω */
  readonly Rs: number;
  readonly glitch: { readonly at: number; readonly width: number; readonly size: number };
}

const END = 0.05;
const digits = (value: number): number => Number(value.toPrecision(4));

/**
 * ẋ = −x/RC + max(0, u(t) − x)/(Rs C) by the classical method of order 4 in short steps, which end where the
 * glitch begins and ends.
 */
function reference({ U, f, R, C, Rs, glitch }: Rectifier): number {
  let x = 0;
  const stops = [0, glitch.at, glitch.at + glitch.width, END];
  for (let k = 0; k + 1 < stops.length; k++) {
    const extra = k === 1 ? glitch.size : 0;
    const rate = (t: number, value: number): number =>
      -value / (R * C) + Math.max(0, U * Math.sin(2 * Math.PI * f * t) + extra - value) / (Rs * C);
    const steps = Math.max(50, Math.ceil((stops[k + 1] - stops[k]) / 5e-7));
    const h = (stops[k + 1] - stops[k]) / steps;
    for (let i = 0; i < steps; i++) {
      const t = stops[k] + i * h;
      const k1 = rate(t, x);
      const k2 = rate(t + h / 2, x + (h / 2) * k1);
      const k3 = rate(t + h / 2, x + (h / 2) * k2);
      const k4 = rate(t + h, x + h * k3);
      x += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
  return x;
}

it('rectifiers with a glitch in their source charge as a reference does, by whatever of the diode is the output', () => {
  const random = seeded(20261128);
  for (let k = 0; k < cases(); k++) {
    const one: Rectifier = {
      U: digits(random.uniform(3, 20)),
      f: digits(random.uniform(30, 90)),
      R: digits(10 ** random.uniform(2, 4)),
      C: digits(10 ** random.uniform(-5.5, -4)),
      Rs: digits(random.uniform(5, 100)),
      glitch: {
        at: digits(random.uniform(0.004, 0.04)),
        width: digits(10 ** random.uniform(-6, -2.5)),
        size: digits(random.uniform(-40, 40)),
      },
    };
    const { U, f, R, C, Rs, glitch } = one;
    const end = glitch.at + glitch.width;
    const inside = [
      `t >= ${glitch.at} && t < ${end}`,
      `t > ${glitch.at} && t <= ${end}`,
      `Math.abs(t - ${glitch.at + glitch.width / 2}) < ${glitch.width / 2}`,
    ][k % 3];
    const u = `(${U} * Math.sin(2 * Math.PI * ${f} * t) + (${inside} ? ${glitch.size} : 0))`;
    const isVoltage = random.uniform(0, 1) < 0.5;
    // y is the voltage over the diode and λ its current, or the other way round.
    const system = isVoltage
      ? { A: [[-1 / (R * C)]] }
      : { A: [[-(1 / Rs + 1 / R) / C]], b: { function: 'b' } };
    const relation = isVoltage
      ? { C: [[1]], D: [[Rs]], B: [[1 / C]], e: { function: 'e' } }
      : { C: [[-1 / Rs]], D: [[1 / Rs]], B: [[1 / (Rs * C)]], e: { function: 'e' } };
    const document = documentOf({
      systems: [{ id: 'store', type: 'FirstOrderLinear', n: 1, x0: [0], ...system }],
      interactions: [
        {
          id: 'diode',
          systems: ['store'],
          relation: { type: 'FirstOrderLinearTI', ...relation },
          law: { type: 'Complementarity' },
        },
      ],
      script: `export const e: TimeVector = (t, out, p) => { out[0] = ${isVoltage ? `-${u}` : `${u} / ${Rs}`}; };
export const b: TimeVector = (t, out, p) => { out[0] = ${u} / ${Rs * C}; };`,
      simulation: { tEnd: END, h: 1e-3 },
    });
    const what = JSON.stringify({ ...one, inside, isVoltage });
    const found = run(document, { sandbox: () => createSandbox() });
    const exact = reference(one);
    expect(Math.abs(last(found, 'store.x') - exact), what).toBeLessThan(1e-7 * (U + Math.abs(glitch.size)));
    expect(found.session.complete, what).toBe(true);
    expect(found.session.certificate.complementarity, what).toBeLessThan(1e-8);
  }
});
