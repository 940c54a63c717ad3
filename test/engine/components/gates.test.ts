/** When a switch is on: the voltage behind it says so, against the gate evaluated in JavaScript. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const [T, D, w] = [1e-3, 0.4, 2 * Math.PI * 700];
const phase = (t: number): number => t % T;

const GATES: readonly (readonly [string, (t: number) => boolean])[] = [
  ['t mod T < D*T', (t) => phase(t) < D * T],
  ['(t mod T < D*T)', (t) => phase(t) < D * T],
  ['-(t mod T < D*T)', (t) => !(phase(t) < D * T)],
  ['-((t mod T < D*T))', (t) => !(phase(t) < D * T)],
  ['1 - (t mod T < D*T)', (t) => !(phase(t) < D * T)],
  ['square(t, T, D)', (t) => phase(t) < D * T],
  ['-(square(t, T, D))', (t) => !(phase(t) < D * T)],
  ['(t mod T < D*T)*(sin(w*t) > 0)', (t) => phase(t) < D * T && Math.sin(w * t) > 0],
  ['(t mod T < D*T) + (sin(w*t) > 0)', (t) => phase(t) < D * T || Math.sin(w * t) > 0],
  ['t mod T < D*T ? sin(w*t) : -1', (t) => phase(t) < D * T && Math.sin(w * t) > 0],
  ['min(D*T - t mod T, sin(w*t))', (t) => phase(t) < D * T && Math.sin(w * t) > 0],
  ['sin(w*t) > 0', (t) => Math.sin(w * t) > 0],
  ['sin(w*t)', (t) => Math.sin(w * t) > 0],
  ['-(sin(w*t) > 0)', (t) => Math.sin(w * t) <= 0],
  ['sign(sin(w*t))', (t) => Math.sin(w * t) > 0],
  ['0', () => false],
  ['1', () => true],
  ['D > 1', () => false],
  ['-(D > 1)', () => true],
];

const circuit = (gate: string): readonly Part[] => [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
  ['S1', 'Switch', ['in', 'x'], { gate }],
  ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
];

describe('a gate is on as it says', () => {
  for (const scheme of ['time-stepping', 'event-driven'] as const)
    it.each(GATES)(`%s, ${scheme}`, (gate, isOn) => {
      const document = drawn(circuit(gate), { h: 1.37e-5, tEnd: 5e-3 });
      document.parameters = Object.entries({ T, D, w }).map(([name, value]) => ({ name, value }));
      const { column } = run(document, { sandbox: createSandbox, scheme });
      const [times, voltages] = [column('t'), column('R1.v')];
      // By steps it is looked at one step before; next to a change either may be.
      const slack = scheme === 'time-stepping' ? 1.4e-5 : 1e-9;
      let compared = 0;
      times.forEach((t, k) => {
        const around = [t - slack, t, t + slack].map((at) => isOn(Math.max(0, at)));
        if (t < slack || around.some((one) => one !== around[0])) return;
        compared++;
        expect(voltages[k], `t = ${t}`).toBe(around[0] ? 1 : 0);
      });
      expect(compared).toBeGreaterThan(200);
    });

  it('says what is wrong with it where it is written', () => {
    const { issues } = reportDocument(drawn(circuit('nothing.x > R1.v')));
    expect(issues).toContainEqual(
      expect.objectContaining({ severity: 'error', pointer: '/components/1/gate', element: 'S1' }),
    );
    expect(issues.every(({ message }) => !message.includes('junctions'))).toBe(true);
  });
});
