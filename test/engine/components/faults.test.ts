/** What is wrong with a drawing is said at the component or wire that it is about. */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { drawn, type Part } from './drawn';

const SUPPLY: Part = ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }];
const LOAD: Part = ['R1', 'Resistor', ['in', '0'], { resistance: 100 }];

interface Fault {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly code: string;
  readonly pointer: string;
  readonly message: RegExp;
  readonly severity?: 'warning';
}

const FAULTS: readonly Fault[] = [
  {
    title: 'a source whose ends are joined',
    parts: [['V1', 'VoltageSource', ['0', '0'], { voltage: 10 }], LOAD],
    code: 'short-circuit',
    pointer: '/components/0',
    message: /“V1” is short-circuited/,
  },
  {
    title: 'two sources side by side',
    parts: [SUPPLY, ['V2', 'VoltageSource', ['in', '0'], { voltage: 5 }], LOAD],
    code: 'voltage-loop',
    pointer: '/components/1',
    message: /V2 and V1 close a loop of given voltages/,
  },
  {
    title: 'a source that an ammeter shorts',
    parts: [SUPPLY, LOAD, ['A1', 'Ammeter', ['in', '0']]],
    code: 'voltage-loop',
    pointer: '/components/2',
    message: /A1 and V1/,
  },
  {
    title: 'ammeters side by side',
    parts: [
      SUPPLY,
      ['A1', 'Ammeter', ['in', 'x']],
      ['A2', 'Ammeter', ['in', 'x']],
      ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
    ],
    code: 'wire-loop',
    pointer: '/components/2',
    message: /close a loop of wires/,
  },
  {
    title: 'a source of current without a way back',
    parts: [
      SUPPLY,
      LOAD,
      ['I1', 'CurrentSource', ['x', '0'], { current: 1 }],
      ['C1', 'Capacitor', ['x', 'y'], { capacitance: 1e-6 }],
    ],
    code: 'current-cut',
    pointer: '/components/2',
    message: /I1 alone leads to a part of the circuit/,
  },
  {
    title: 'a capacitor beside a source that varies, with a current that something needs',
    parts: [
      ['V1', 'SineVoltage', ['in', '0'], { amplitude: 1, frequency: 50 }],
      ['C1', 'Capacitor', ['in', 'x'], { capacitance: 1e-6 }],
      ['C2', 'Capacitor', ['x', '0'], { capacitance: 1e-6 }],
    ],
    code: 'capacitor-loop',
    pointer: '/components/1',
    message: /C1/,
  },
  {
    title: 'an amplifier without feedback or limits',
    parts: [
      SUPPLY,
      LOAD,
      ['U1', 'OpAmp', ['in', '0', 'out']],
      ['R2', 'Resistor', ['out', '0'], { resistance: 1 }],
    ],
    code: 'no-unique-solution',
    pointer: '/components/2',
    message: /Nothing determines the output of U1/,
  },
  {
    title: 'resistances that cancel',
    parts: [
      SUPPLY,
      ['R1', 'Resistor', ['in', 'x'], { resistance: 100 }],
      ['R2', 'Resistor', ['x', '0'], { resistance: -100 }],
    ],
    code: 'out-of-range',
    pointer: '/components/2/resistance',
    message: /at least 0/,
  },
  {
    title: 'a part that floats',
    parts: [
      SUPPLY,
      LOAD,
      ['M1', 'Voltmeter', ['in', 'x']],
      ['R2', 'Resistor', ['x', 'y'], { resistance: 1 }],
      ['V2', 'VoltageSource', ['x', 'y'], { voltage: 1 }],
    ],
    code: 'floating',
    pointer: '/components/2',
    message: /“M1” is between parts of the circuit that nothing joins/,
  },
  {
    title: 'a part without ground',
    parts: [
      SUPPLY,
      LOAD,
      ['R2', 'Resistor', ['x', 'y'], { resistance: 1 }],
      ['V2', 'VoltageSource', ['x', 'y'], { voltage: 1 }],
    ],
    code: 'no-ground',
    pointer: '/components/2',
    message: /R2 and V2 have no ground/,
    severity: 'warning',
  },
  {
    title: 'a pin that is not connected',
    parts: [SUPPLY, LOAD, ['R2', 'Resistor', ['in'], { resistance: 1 }]],
    code: 'open-pin',
    pointer: '/components/2',
    message: /The pin “b” of “R2” is not connected/,
    severity: 'warning',
  },
  {
    title: 'couplings that no windings have',
    parts: [
      SUPPLY,
      LOAD,
      ['L1', 'Inductor', ['in', 'x'], { inductance: 1 }],
      ['L2', 'Inductor', ['x', '0'], { inductance: 1 }],
      ['L3', 'Inductor', ['x', '0'], { inductance: 1 }],
      ['K1', 'Coupling', [], { inductors: ['L1', 'L2'], coupling: 0.9 }],
      ['K2', 'Coupling', [], { inductors: ['L2', 'L3'], coupling: 0.9 }],
      ['K3', 'Coupling', [], { inductors: ['L1', 'L3'], coupling: -0.9 }],
    ],
    code: 'impossible-coupling',
    pointer: '/components/5/coupling',
    message: /energy below zero/,
  },
  {
    title: 'a coupling of what is no inductor',
    parts: [
      SUPPLY,
      LOAD,
      ['L1', 'Inductor', ['in', '0'], { inductance: 1 }],
      ['K1', 'Coupling', [], { inductors: ['L1', 'R1'], coupling: 0.5 }],
    ],
    code: 'unknown-inductor',
    pointer: '/components/3/inductors',
    message: /no inductor “R1”/,
  },
  {
    title: 'an unknown name in a waveform',
    parts: [['V1', 'VoltageSource', ['in', '0'], { voltage: '10*sin(w*t)' }], LOAD],
    code: 'expression',
    pointer: '/components/0/voltage',
    message: /“w” is neither the time t nor a parameter/,
  },
  {
    title: 'an unknown signal in a gate',
    parts: [
      SUPPLY,
      ['S1', 'Switch', ['in', 'x'], { gate: 'R1.u > 3' }],
      ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
    ],
    code: 'expression',
    pointer: '/components/1/gate',
    message: /“R1.u” is no signal/,
  },
  {
    title: 'a gate that cannot be read',
    parts: [
      SUPPLY,
      ['S1', 'Switch', ['in', 'x'], { gate: 't <' }],
      ['R1', 'Resistor', ['x', '0'], { resistance: 1 }],
    ],
    code: 'expression',
    pointer: '/components/1/gate',
    message: /“t <”/,
  },
  {
    title: 'one limit of an amplifier',
    parts: [SUPPLY, LOAD, ['U1', 'OpAmp', ['in', 'out', 'out'], { lower: -5 }]],
    code: 'one-limit',
    pointer: '/components/2/lower',
    message: /One limit/,
  },
];

describe('a fault of a drawing', () => {
  it.each(FAULTS.map((fault) => [fault.title, fault] as const))('%s', (_, fault) => {
    const { issues } = reportDocument(drawn(fault.parts));
    const found = issues.find(({ code }) => code === fault.code);
    expect(found, JSON.stringify(issues)).toMatchObject({
      pointer: fault.pointer,
      severity: fault.severity ?? 'error',
      message: expect.stringMatching(fault.message) as string,
    });
    expect(found?.remedy).not.toBe('');
    const others = issues.filter(({ code, severity }) => severity === 'error' && code !== fault.code);
    expect(others).toEqual([]);
  });

  it.each([
    ['an end at a component that is not there', ['R9.a'], 'unknown-component', /no component “R9”/],
    ['an end at a pin that is not there', ['R1.c'], 'unknown-pin', /no pin “c”/],
    ['a pin that another wire has', ['R1.a'], 'pin-twice', /is at two wires/],
  ])('%s', (_, ends, code, message) => {
    const document = drawn([SUPPLY, LOAD]);
    document.wires.push({ id: 'more', ends });
    const { issues } = reportDocument(document);
    expect(issues.map((issue) => issue.code)).toContain(code);
    const issue = issues.find((one) => one.code === code);
    expect(issue?.pointer).toBe('/wires/2/ends/0');
    expect(issue?.message).toMatch(message);
  });

  it('two elements of one id', () => {
    const document = drawn([SUPPLY, LOAD]);
    document.wires[0].id = 'R1';
    const { issues } = reportDocument(document);
    expect(issues).toContainEqual(expect.objectContaining({ code: 'duplicate-id', pointer: '/wires/0/id' }));
  });
});
