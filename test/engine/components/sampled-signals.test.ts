/**
 * Blocks that sample, and others that are not linear: loops whose solutions are recursions or closed forms,
 * from event to event and in steps.
 */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const SCHEMES = ['event-driven', 'time-stepping'] as const;
/** Steps that do not meet the samples, too. */
const H = { 'event-driven': 0.02, 'time-stepping': 1e-4 };

/** Value of a signal at the end of a run. */
function endOf(parts: readonly Part[], name: string, scheme: (typeof SCHEMES)[number], tEnd: number): number {
  const { column, session } = run(drawn(parts, { h: H[scheme], tEnd }), { scheme, sandbox: createSandbox });
  expect(session.certificate.dynamics).toBeLessThan(1e-7);
  return column(name).at(-1) ?? Number.NaN;
}

const T = 0.05;

describe.each(SCHEMES)('blocks that sample: %s', (scheme) => {
  const digits = scheme === 'event-driven' ? 7 : 3;

  it('sample and hold', () => {
    const parts: Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 1, frequency: 0.7 }],
      ['H', 'Sampler', ['w', 'held'], { period: T }],
      ['I', 'Integrator', ['held', 'x']],
    ];
    let expected = 0;
    for (let k = 0; k < 30; k++) expected += T * Math.sin(2 * Math.PI * 0.7 * k * T);
    expect(endOf(parts, 'x.value', scheme, 30 * T)).toBeCloseTo(expected, digits);
  });

  it('a delay of three samples', () => {
    const parts: Part[] = [
      ['W', 'RampSignal', ['w'], { rate: 1 }],
      ['D', 'SampleDelay', ['w', 'late'], { samples: 3, period: T, start: 2 }],
      ['I', 'Integrator', ['late', 'x']],
    ];
    let expected = 0;
    for (let k = 0; k < 20; k++) expected += T * (k < 3 ? 2 : (k - 3) * T);
    expect(endOf(parts, 'x.value', scheme, 20 * T)).toBeCloseTo(expected, digits);
  });

  it.each([
    ['without limits', {}, Infinity],
    ['with limits that it meets', { lower: -1.2, upper: 1.2 }, 1.2],
  ])('a digital PID controller of a lag, %s', (_, limits, most) => {
    const [Kp, Ki, Kd, end] = [3, 8, 0.05, 60];
    const parts: Part[] = [
      ['R', 'Signal', ['r'], { value: 1 }],
      ['S', 'Sum', ['r', 'x', NONE, 'e']],
      ['C', 'DigitalPID', ['e', 'u'], { Kp, Ki, Kd, period: T, ...limits }],
      ['P', 'TransferFunction', ['u', 'x'], { numerator: [1], denominator: [1, 1] }],
    ];
    const clip = (value: number, by: number): number => Math.min(Math.max(value, -by), by);
    let [x, I, before] = [0, 0, 0];
    for (let k = 0; k < end; k++) {
      const e = 1 - x;
      const rest = Kp * e + I + (Kd / T) * (e - (k === 0 ? 0 : before));
      const growth = Math.min(Math.max(0, most - rest), Math.max(Math.min(0, -most - rest), Ki * T * e));
      const u = clip(rest + growth, most);
      I += growth;
      before = e;
      x = Math.exp(-T) * x + (1 - Math.exp(-T)) * u;
    }
    expect(endOf(parts, 'x.value', scheme, end * T)).toBeCloseTo(x, digits);
  });

  it('a rate limit', () => {
    const parts: Part[] = [
      ['R', 'StepSignal', ['r'], { after: 1 }],
      ['L', 'SlewLimit', ['r', 'y'], { rate: 2, period: T }],
      ['I', 'Integrator', ['y', 'x']],
    ];
    let expected = 0;
    for (let k = 0; k < 20; k++) expected += T * Math.min(k * 2 * T, 1);
    expect(endOf(parts, 'x.value', scheme, 20 * T)).toBeCloseTo(expected, digits);
  });

  it('a quantiser', () => {
    const step = 0.3;
    const parts: Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 1, frequency: 1 }],
      ['H', 'Sampler', ['w', 'h'], { period: 0.13 }],
      ['S', 'Sum', ['w', NONE, 'h', 'u']],
      ['Q', 'Rounding', ['u', 'q'], { step }],
      ['I', 'Integrator', ['q', 'x']],
    ];
    let expected = 0;
    const close = 1e-5;
    for (let k = 0; k < 1 / close; k++) {
      const t = (k + 0.5) * close;
      const u = Math.sin(2 * Math.PI * t) + Math.sin(2 * Math.PI * 0.13 * Math.floor(t / 0.13));
      expected += close * step * Math.round(u / step);
    }
    expect(Math.abs(endOf(parts, 'x.value', scheme, 1) - expected)).toBeLessThan(
      scheme === 'event-driven' ? 2e-5 : 2e-3,
    );
  });

  it('a state space, and the same as a transfer function', () => {
    const parts: Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 1, frequency: 0.5 }],
      ...([
        [
          'A',
          'StateSpace',
          ['w', 'a'],
          {
            A: [
              [0, 1],
              [-4, -0.8],
            ],
            B: [0, 1],
            C: [3, 0.5],
            D: 0.25,
          },
        ],
        // 0.25 (s² + 0.8 s + 4) + 0.5 s + 3 over s² + 0.8 s + 4
        ['B', 'TransferFunction', ['w', 'b'], { numerator: [0.25, 0.7, 4], denominator: [1, 0.8, 4] }],
      ] as Part[]),
    ];
    const { column } = run(drawn(parts, { h: 0.01, tEnd: 5 }), { scheme, sandbox: createSandbox });
    const b = column('b.value');
    column('a.value').forEach((value, k) => expect(value).toBeCloseTo(b[k], 9));
  });

  it('a relay slides on its surface and reaches it in its time', () => {
    const parts: Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 0.5, frequency: 0.4 }],
      ['R', 'SignRelay', ['x', 'u'], { lower: -1, upper: 1 }],
      ['S', 'Sum', ['w', 'u', NONE, 'rate']],
      ['I', 'Integrator', ['rate', 'x'], { start: 0.3 }],
    ];
    const { column } = run(drawn(parts, { h: 1e-3, tEnd: 2 }), { scheme, sandbox: createSandbox });
    expect(Math.abs(column('x.value').at(-1) ?? 1)).toBeLessThan(1e-9);
    // The mean of what switches is the disturbance.
    const [u, w] = [column('u.value'), column('w.value')];
    expect(u.at(-1)).toBeCloseTo(w.at(-1) ?? 0, scheme === 'event-driven' ? 8 : 2);
  });
});

describe('a product', () => {
  const SINE: Part = ['W', 'SineSignal', ['w'], { amplitude: 1, frequency: 1 }];

  it.each(SCHEMES)('of signals of time, and with a constant: %s', (scheme) => {
    const parts: Part[] = [
      SINE,
      ['P', 'Product', ['w', 'w', 'square']],
      ['K', 'Signal', ['k'], { value: 3 }],
      ['I', 'Integrator', ['square', 'x']],
      ['Q', 'Product', ['x', 'k', 'y']],
      ['R', 'Product', ['square', 'w', 'cube']],
      ['J', 'Integrator', ['cube', 'z']],
    ];
    expect(endOf(parts, 'y.value', scheme, 1)).toBeCloseTo(1.5, scheme === 'event-driven' ? 6 : 3);
    expect(endOf(parts, 'z.value', scheme, 0.5)).toBeCloseTo(
      2 / (3 * Math.PI),
      scheme === 'event-driven' ? 6 : 3,
    );
  });

  it.each(SCHEMES)('of a state with what is on or off: %s', (scheme) => {
    const parts: Part[] = [
      ['C', 'Signal', ['c'], { value: 0.25 }],
      ['M', 'PWM', ['c', 'on'], { period: 0.1 }],
      ['P', 'Product', ['on', 'x', 'y']],
      ['G', 'Gain', ['y', 'g'], { gain: -2 }],
      ['I', 'Integrator', ['g', 'x'], { start: 1 }],
    ];
    expect(endOf(parts, 'x.value', scheme, 1)).toBeCloseTo(Math.exp(-0.5), scheme === 'event-driven' ? 6 : 3);
  });

  it('of two states is refused', () => {
    const parts: Part[] = [SINE, ['I', 'Integrator', ['w', 'x']], ['P', 'Product', ['x', 'x', 'y']]];
    const { issues } = reportDocument(drawn(parts));
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'product-of-states', pointer: '/components/2', severity: 'error' }),
    );
  });
});
