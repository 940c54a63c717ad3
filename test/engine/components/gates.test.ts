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

const KINDS = ['Switch', 'Mosfet'] as const;
const SCHEMES = ['time-stepping', 'event-driven'] as const;

const circuit = (gate: string, kind: (typeof KINDS)[number] = 'Switch'): readonly Part[] => [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
  ['S1', kind, ['in', 'x'], { gate }],
  ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
];

/** The rows of a transistor and of its body diode are there by conditions that vanish together. */
const CASES = SCHEMES.flatMap((scheme) => KINDS.map((kind) => [scheme, kind] as const));

describe('a gate is on as it says', () => {
  for (const [scheme, kind] of CASES)
    it.each(GATES)(`%s, ${scheme}, ${kind}`, (gate, isOn) => {
      const document = drawn(circuit(gate, kind), { h: 1.37e-5, tEnd: 5e-3 });
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

  // Each pulse charges by Q = ∫ (U − v)/R dt, so that one that is missed shows.
  it.each(['(t mod T > T/2)*(t mod T < T/2 + D*T)', 'square(t, T, D)', '(t mod T < D*T) + (t < 0)'])(
    'however short it is, %s',
    (gate) => {
      for (const width of [0.1, 1e-4])
        for (const h of [1e-4, 1e-2]) {
          const parts: readonly Part[] = [
            ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }],
            ['S1', 'Switch', ['in', 'x'], { gate }],
            ['R1', 'Resistor', ['x', 'y'], { resistance: '100*D' }],
            ['C1', 'Capacitor', ['y', '0'], { capacitance: 1e-3 }],
          ];
          const document = drawn(parts, { h, tEnd: 20 * T });
          document.parameters = Object.entries({ T, D: width }).map(([name, value]) => ({ name, value }));
          const { column } = run(document, { sandbox: createSandbox, scheme: 'event-driven' });
          expect(column('C1.v').at(-1)).toBeCloseTo(-10 * Math.expm1((-20 * T) / 0.1), 9);
        }
    },
  );

  it('says what is wrong with it where it is written', () => {
    const { issues } = reportDocument(drawn(circuit('nothing.x > R1.v')));
    expect(issues).toContainEqual(
      expect.objectContaining({ severity: 'error', pointer: '/components/1/gate', element: 'S1' }),
    );
    expect(issues.every(({ message }) => !message.includes('junctions'))).toBe(true);
  });
});
