/** Initial values that contradict each other: charge and flux are shared, and it is said. */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

/** First value of a signal, and what is warned of. */
function begin(parts: readonly Part[], ...signals: string[]): { values: number[]; places: string[] } {
  const document = drawn(parts, { h: 1e-6, tEnd: 1e-5 });
  const { column } = run(document);
  const { issues } = reportDocument(document);
  return {
    values: signals.map((name) => column(name)[0]),
    places: issues.filter(({ code }) => code === 'start-shared').map(({ pointer }) => pointer),
  };
}

describe('a circuit begins', () => {
  it('with the charge of capacitors side by side', () => {
    const { values, places } = begin(
      [
        ['C1', 'Capacitor', ['a', '0'], { capacitance: 1e-6, v0: 10 }],
        ['C2', 'Capacitor', ['a', '0'], { capacitance: 3e-6, v0: 2 }],
        ['R1', 'Resistor', ['a', '0'], { resistance: 1e6 }],
      ],
      'C1.v',
      'C2.v',
    );
    for (const value of values) expect(value).toBeCloseTo(4, 12);
    expect(places).toEqual(['/components/0/v0', '/components/1/v0']);
  });

  it('with the charge of a loop of three', () => {
    const { values } = begin(
      [
        ['C1', 'Capacitor', ['a', '0'], { capacitance: 1e-6, v0: 9 }],
        ['C2', 'Capacitor', ['a', 'b'], { capacitance: 1e-6 }],
        ['C3', 'Capacitor', ['b', '0'], { capacitance: 1e-6 }],
        ['R1', 'Resistor', ['b', '0'], { resistance: 1e6 }],
      ],
      'C1.v',
      'C2.v',
      'C3.v',
    );
    // The charge q that flows round: (9 − q) = 2 q in units of C.
    expect(values[0]).toBeCloseTo(6, 12);
    expect(values[1]).toBeCloseTo(3, 12);
    expect(values[2]).toBeCloseTo(3, 12);
  });

  it('with the flux of inductors in a row', () => {
    const { values, places } = begin(
      [
        ['L1', 'Inductor', ['a', 'b'], { inductance: 1, i0: 1 }],
        ['L2', 'Inductor', ['b', '0'], { inductance: 3, i0: 0 }],
        ['R1', 'Resistor', ['a', '0'], { resistance: 1 }],
      ],
      'L1.i',
      'L2.i',
    );
    for (const value of values) expect(value).toBeCloseTo(0.25, 12);
    expect(places).toHaveLength(2);
  });

  it('with the voltage of a source', () => {
    const { values, places } = begin(
      [
        ['V1', 'VoltageSource', ['a', '0'], { voltage: 10 }],
        ['C1', 'Capacitor', ['a', '0'], { capacitance: 1e-6, v0: 3 }],
        ['R1', 'Resistor', ['a', '0'], { resistance: 1 }],
      ],
      'C1.v',
    );
    expect(values).toEqual([10]);
    expect(places).toEqual(['/components/1/v0']);
  });

  it('as it says, where values agree', () => {
    const { values, places } = begin(
      [
        ['C1', 'Capacitor', ['a', '0'], { capacitance: 1e-6, v0: 4 }],
        ['C2', 'Capacitor', ['a', '0'], { capacitance: 3e-6, v0: 4 }],
        ['L1', 'Inductor', ['a', '0'], { inductance: 1, i0: 0.3 }],
      ],
      'C2.v',
      'L1.i',
    );
    expect(values).toEqual([4, 0.3]);
    expect(places).toEqual([]);
  });
});
