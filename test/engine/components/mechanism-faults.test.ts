/** Faults of drawn mechanisms are located at their components and wires, with a remedy. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { drawn, type Part } from './drawn';

const issuesOf = (document: ModelDocument): readonly DocumentIssue[] => reportDocument(document).issues;

interface Fault {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly code: string;
  readonly pointer: string;
}

const MASS: Part = ['m', 'Mass', ['n', 'n'], { mass: 1 }];
const WALL: Part = ['w', 'Wall', ['g']];
const INERTIA: Part = ['J', 'Inertia', ['s', 's'], { inertia: 1 }];

const FAULTS: readonly Fault[] = [
  {
    name: 'nothing has a mass',
    parts: [WALL, ['k', 'Spring', ['g', 'n'], { stiffness: 1 }], ['u', 'Motion', ['n'], { value: 't' }]],
    code: 'no-mass',
    pointer: '/components/1',
  },
  {
    name: 'a spring and a damper in series',
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
    name: 'a force on nothing',
    parts: [MASS, WALL, ['k', 'Spring', ['g', 'n'], { stiffness: 1 }], ['F', 'Force', ['far'], { value: 1 }]],
    code: 'massless',
    pointer: '/wires/2',
  },
  {
    name: 'friction at a spring without mass',
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
    name: 'springs that cancel',
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
    name: 'a loop of gears that locks',
    parts: [
      INERTIA,
      ['g1', 'GearPair', ['s', 'r'], { ratio: 2 }],
      ['g2', 'GearPair', ['s', 'r'], { ratio: 3 }],
    ],
    code: 'gears-lock',
    pointer: '/components/2',
  },
  {
    name: 'two prescribed motions on one wire',
    parts: [MASS, ['u1', 'Motion', ['n'], { value: 't' }], ['u2', 'Motion', ['n'], { value: 'sin(t)' }]],
    code: 'two-motions',
    pointer: '/components/2',
  },
  {
    name: 'starts that disagree over a gear',
    parts: [
      ['J1', 'Inertia', ['s', 's'], { inertia: 1, omega0: 1 }],
      ['J2', 'Inertia', ['r', 'r'], { inertia: 1, omega0: 1 }],
      ['g', 'GearPair', ['s', 'r'], { ratio: 2 }],
    ],
    code: 'start-disagrees',
    pointer: '/components/1',
  },
  {
    name: 'a stop between given motions',
    parts: [MASS, WALL, ['u', 'Motion', ['b'], { value: 'sin(t)' }], ['s', 'Stop', ['g', 'b'], { gap: 1 }]],
    code: 'nothing-moves',
    pointer: '/components/3',
  },
  {
    name: 'a resistor on a mass',
    parts: [MASS, ['R', 'Resistor', ['n', '0'], { resistance: 1 }]],
    code: 'mixed-domains',
    pointer: '/wires/0',
  },
  {
    name: 'a spring on a shaft',
    parts: [INERTIA, WALL, ['k', 'Spring', ['s', 'g'], { stiffness: 1 }]],
    code: 'mixed-domains',
    pointer: '/wires/0',
  },
  {
    name: 'a gear without a ratio',
    parts: [INERTIA, ['g', 'GearPair', ['s', 'r'], { ratio: 0 }]],
    code: 'zero-ratio',
    pointer: '/components/1/ratio',
  },
  {
    name: 'a negative mass',
    parts: [['m', 'Mass', ['n'], { mass: -1 }]],
    code: 'out-of-range',
    pointer: '/components/0/mass',
  },
  {
    name: 'an unknown name in a motion',
    parts: [
      MASS,
      ['u', 'Motion', ['b'], { value: 'A*sin(t)' }],
      ['k', 'Spring', ['b', 'n'], { stiffness: 1 }],
    ],
    code: 'expression',
    pointer: '/components/1/value',
  },
];

describe('a fault of a mechanism', () => {
  it.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_, { parts, code, pointer }) => {
    const errors = issuesOf(drawn(parts)).filter(({ severity }) => severity === 'error');
    const own = errors.find((issue) => issue.code === code);
    expect(own?.pointer, JSON.stringify(errors)).toBe(pointer);
    expect(own?.remedy).toMatch(/\.$/);
  });

  it('leaves a sound mechanism without errors', () => {
    const parts: Part[] = [
      MASS,
      WALL,
      ['k1', 'Spring', ['g', 'between'], { stiffness: 1 }],
      ['k2', 'Spring', ['between', 'n'], { stiffness: 1 }],
    ];
    const document = drawn(parts);
    document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
    expect(issuesOf(document).filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
