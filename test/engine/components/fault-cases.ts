/** Faulty drawings, as tests of what is said of them and of what mends them. */
import type { Part } from './drawn';

export const SUPPLY: Part = ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }];
export const LOAD: Part = ['R1', 'Resistor', ['in', '0'], { resistance: 100 }];

export interface Fault {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly code: string;
  readonly pointer: string;
  readonly message: RegExp;
  readonly severity?: 'warning';
}

export const CIRCUIT_FAULTS: readonly Fault[] = [
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

export const MASS: Part = ['m', 'Mass', ['n', 'n'], { mass: 1 }];
export const WALL: Part = ['w', 'Wall', ['g']];
const INERTIA: Part = ['J', 'Inertia', ['s', 's'], { inertia: 1 }];

export const MECHANISM_FAULTS: readonly Pick<Fault, 'title' | 'parts' | 'code' | 'pointer'>[] = [
  {
    title: 'a motion that jumps',
    parts: [
      MASS,
      ['k', 'Spring', ['table', 'n'], { stiffness: 1 }],
      ['u', 'Motion', ['table'], { value: 't < 0.4e-3 ? 0 : 1' }],
    ],
    code: 'motion-jumps',
    pointer: '/components/2/value',
  },
  {
    title: 'nothing has a mass',
    parts: [WALL, ['k', 'Spring', ['g', 'n'], { stiffness: 1 }], ['u', 'Motion', ['n'], { value: 't' }]],
    code: 'no-mass',
    pointer: '/components/1',
  },
  {
    title: 'a spring and a damper in series',
    parts: [
      MASS,
      WALL,
      ['k', 'Spring', ['g', 'between'], { stiffness: 1 }],
      ['c', 'Damper', ['between', 'n'], { damping: 1 }],
    ],
    code: 'massless',
    pointer: '/wires/2',
  },
  {
    title: 'a force on nothing',
    parts: [MASS, WALL, ['k', 'Spring', ['g', 'n'], { stiffness: 1 }], ['F', 'Force', ['far'], { value: 1 }]],
    code: 'massless',
    pointer: '/wires/2',
  },
  {
    title: 'friction at a spring without mass',
    parts: [
      MASS,
      ['k', 'Spring', ['n', 'end'], { stiffness: 1 }],
      WALL,
      ['f', 'Friction', ['g', 'end'], { limit: 1 }],
    ],
    code: 'massless',
    pointer: '/wires/1',
  },
  {
    title: 'springs that cancel',
    parts: [
      MASS,
      WALL,
      ['k1', 'Spring', ['g', 'between'], { stiffness: 1 }],
      ['k2', 'Spring', ['between', 'n'], { stiffness: -1 }],
    ],
    code: 'massless',
    pointer: '/wires/2',
  },
  {
    title: 'a loop of gears that locks',
    parts: [
      INERTIA,
      ['g1', 'GearPair', ['s', 'r'], { ratio: 2 }],
      ['g2', 'GearPair', ['s', 'r'], { ratio: 3 }],
    ],
    code: 'gears-lock',
    pointer: '/components/2',
  },
  {
    title: 'two prescribed motions on one wire',
    parts: [MASS, ['u1', 'Motion', ['n'], { value: 't' }], ['u2', 'Motion', ['n'], { value: 'sin(t)' }]],
    code: 'two-motions',
    pointer: '/components/2',
  },
  {
    title: 'starts that disagree over a gear',
    parts: [
      ['J1', 'Inertia', ['s', 's'], { inertia: 1, omega0: 1 }],
      ['J2', 'Inertia', ['r', 'r'], { inertia: 1, omega0: 1 }],
      ['g', 'GearPair', ['s', 'r'], { ratio: 2 }],
    ],
    code: 'start-disagrees',
    pointer: '/components/1',
  },
  {
    title: 'a stop between given motions',
    parts: [MASS, WALL, ['u', 'Motion', ['b'], { value: 'sin(t)' }], ['s', 'Stop', ['g', 'b'], { gap: 1 }]],
    code: 'nothing-moves',
    pointer: '/components/3',
  },
  {
    title: 'a resistor on a mass',
    parts: [MASS, ['R', 'Resistor', ['n', '0'], { resistance: 1 }]],
    code: 'mixed-domains',
    pointer: '/wires/0',
  },
  {
    title: 'a spring on a shaft',
    parts: [INERTIA, WALL, ['k', 'Spring', ['s', 'g'], { stiffness: 1 }]],
    code: 'mixed-domains',
    pointer: '/wires/0',
  },
  {
    title: 'a gear without a ratio',
    parts: [INERTIA, ['g', 'GearPair', ['s', 'r'], { ratio: 0 }]],
    code: 'zero-ratio',
    pointer: '/components/1/ratio',
  },
  {
    title: 'a negative mass',
    parts: [['m', 'Mass', ['n'], { mass: -1 }]],
    code: 'out-of-range',
    pointer: '/components/0/mass',
  },
  {
    title: 'an unknown name in a motion',
    parts: [
      MASS,
      ['u', 'Motion', ['b'], { value: 'A*sin(t)' }],
      ['k', 'Spring', ['b', 'n'], { stiffness: 1 }],
    ],
    code: 'expression',
    pointer: '/components/1/value',
  },
];
