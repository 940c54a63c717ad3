/** Whatever is said of what components have become is said of the components. */
import { describe, expect, it } from 'vitest';
import { drawnNames, inDrawnNames } from '@engine/components/drawn-names';
import type { ModelDocument } from '@engine/document/types';
import { examine } from '@engine/inspection/examine';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { refusal, runFailure, start } from '../support/run';
import { drawn, type Part } from './drawn';

const SUPPLY: Part = ['V1', 'VoltageSource', ['a', '0'], { voltage: 12 }];
const issuesOf = (parts: readonly Part[]) => reportDocument(drawn(parts)).issues;
const failureOf = (
  parts: readonly Part[],
  times: { h: number; tEnd: number },
  scheme: 'event-driven' | 'time-stepping' = 'event-driven',
) => runFailure(drawn(parts, times), { scheme, sandbox: createSandbox }).error;

describe('what is said of a compiled model', () => {
  it('names a source that gives no number', () => {
    const error = failureOf(
      [
        ['V2', 'VoltageSource', ['c', '0'], { voltage: 'sin(t)' }],
        ['V1', 'VoltageSource', ['a', '0'], { voltage: 'sqrt(0.5 - t)' }],
        ['R1', 'Resistor', ['a', 'b'], { resistance: 1 }],
        ['R2', 'Resistor', ['c', 'b'], { resistance: 1 }],
        ['C1', 'Capacitor', ['b', '0'], { capacitance: 1 }],
      ],
      { h: 1e-2, tEnd: 1 },
    );
    expect(error.where).toBe('V1');
    expect(error.message).toMatch(/^The expression of “V1” gave NaN at t = 0\.50/);
  });

  it('names the inductor whose rate is beyond all numbers', () => {
    const error = failureOf(
      [
        SUPPLY,
        ['D1', 'Diode', ['a', 'b']],
        ['L1', 'Inductor', ['b', 'c'], { inductance: 1e-300 }],
        ['R1', 'Resistor', ['c', 'd'], { resistance: 1 }],
        ['C1', 'Capacitor', ['d', '0'], { capacitance: 1 }],
      ],
      { h: 1e-2, tEnd: 1 },
    );
    expect(error.where).toBe('L1.i');
  });

  it('names states of drawings and their units, and blocks without such', () => {
    const { session } = start(
      drawn([
        SUPPLY,
        ['R1', 'Resistor', ['a', 'b'], { resistance: 1 }],
        ['L1', 'Inductor', ['b', 'c'], { inductance: 1 }],
        ['C1', 'Capacitor', ['c', '0'], { capacitance: 1 }],
        ['W', 'StepSignal', ['w'], { after: 2, time: 1e-4 }],
        ['G', 'TransferFunction', ['w', 'o'], { numerator: [1], denominator: [1, 1] }],
        ['S1', 'Switch', ['c', 'd'], { gate: 't > 1' }],
        ['R2', 'Resistor', ['d', '0'], { resistance: 1 }],
      ]),
      { sandbox: createSandbox },
    );
    const names = session.drawnNames;
    expect(names.get('circuit.x[0]')).toEqual({ name: 'L1.i', unit: 'A' });
    expect([...names.values()]).toContainEqual({ name: 'C1.v', unit: 'V' });
    expect([...names.values()]).toContainEqual({ name: 'a state of G', unit: '' });
    expect(inDrawnNames('error in circuit.x[0], junctions.S1', names)).toBe('error in L1.i, junctions.S1');
  });

  it('names coordinates of mechanisms as positions and velocities', () => {
    const names = drawnNames({
      part: { rows: ['m.x', 'J.phi'], of: 'coordinates' },
      stop: { rows: ['stop'] },
    });
    expect(names.get('part.v[1]')).toEqual({ name: 'J.omega', unit: 'rad/s' });
    expect(names.get('part.q[0]')).toEqual({ name: 'm.x', unit: 'm' });
    expect(names.get('stop.lambda')).toEqual({ name: 'multiplier of stop', unit: '' });
  });
});

describe('a source that something short-circuits', () => {
  const CONVERTER: readonly Part[] = [
    SUPPLY,
    ['L1', 'Inductor', ['a', 'sw'], { inductance: 1e-3 }],
    ['Q1', 'Switch', ['sw', '0'], { gate: 't mod 10u < 5u' }],
    ['D1', 'Diode', ['sw', 'o']],
    ['C1', 'Capacitor', ['o', '0'], { capacitance: 1e-5 }],
    ['R1', 'Resistor', ['o', '0'], { resistance: 10 }],
  ];
  const SHORT: Part = ['SX', 'Switch', ['a', '0'], { gate: 't - 0.5m' }];

  it('is warned of at the switch, with the name of the source', () => {
    const found = issuesOf([...CONVERTER, SHORT]).filter(({ code }) => code === 'shorts-source');
    expect(found).toMatchObject([{ element: 'SX', severity: 'warning' }]);
    expect(found[0].message).toContain('short-circuits “V1”');
    expect(found[0].mends?.map(({ label }) => label)).toEqual(['Put 1 mΩ in series with “SX”']);
    expect(issuesOf(CONVERTER)).toEqual([]);
  });

  it.each([
    ['a switch', SHORT, 'SX'],
    ['a diode', ['DX', 'Diode', ['a', '0']] as Part, 'DX'],
  ])('by %s: the failure names that alone', (_, part, name) => {
    const document = drawn([...CONVERTER, part], { h: 1e-6, tEnd: 1e-3 });
    const options = { scheme: 'event-driven', sandbox: createSandbox } as const;
    const { where, message } =
      name === 'DX' ? refusal(document, options) : runFailure(document, options).error;
    expect(where).toBe(name);
    expect(message).toContain(`the law of “${name}” cannot hold`);
  });

  it('by both switches of a leg', () => {
    const error = failureOf(
      [
        SUPPLY,
        ['S1', 'Switch', ['a', 'sw'], { gate: '0.5m - t' }],
        ['S2', 'Switch', ['sw', '0'], { gate: 't - 0.4m' }],
        ['L1', 'Inductor', ['sw', 'o'], { inductance: 1e-3 }],
        ['R1', 'Resistor', ['o', '0'], { resistance: 1 }],
      ],
      { h: 1e-5, tEnd: 1e-3 },
    );
    expect(error.code).toBe('sources-contradict');
    expect(error.where).toMatch(/S[12]/);
    expect(error.time).toBeCloseTo(4e-4, 9);
  });

  it('in steps has the remedy of circuits', () => {
    const { remedy } = failureOf([...CONVERTER, SHORT], { h: 1e-6, tEnd: 1e-3 }, 'time-stepping');
    expect(remedy).toMatch(/^Look for sources that contradict/);
  });

  it('by two grounds names these, and takes one away', () => {
    const document = drawn([
      SUPPLY,
      ['R1', 'Resistor', ['a', '0'], { resistance: 1 }],
      ['G2', 'Ground', ['a']],
    ]);
    const { issues } = reportDocument(document);
    expect(issues.map(({ code }) => code)).toEqual(['short-circuit']);
    expect(issues[0].message).toContain('“V1” is short-circuited by the grounds G2 and ground');
    expect(issues[0].mends?.map(({ label }) => label)).toContain('Remove “G2”');
  });
});

describe('a sensor at nothing', () => {
  it('beside a driven mechanism or a circuit is warned of, and no error', () => {
    const parts: readonly Part[] = [
      ['J1', 'Inertia', ['m'], { inertia: 1 }],
      ['T', 'Torque', ['m', 'r']],
      ['REF', 'Signal', ['r'], { value: 1 }],
      ['W', 'RotarySpeedSensor', []],
    ];
    expect(issuesOf(parts).map(({ severity, code }) => `${severity} ${code}`)).toEqual(['warning open-pin']);
  });

  it('alone is an error at itself', () => {
    const errors = issuesOf([['W', 'RotarySpeedSensor', []]]).filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ code: 'no-mass', element: 'W' }]);
  });
});

it('a gate that reads what its switch decides is refused at the gate, in its words', () => {
  const document = drawn(
    [
      SUPPLY,
      ['R1', 'Resistor', ['a', 'sw'], { resistance: 1 }],
      ['Q1', 'Switch', ['sw', '0'], { gate: 'sw.v < 5' }],
    ],
    { h: 1e-3, tEnd: 1 },
  );
  document.simulation.scheme = 'event-driven';
  const { report, check } = examine(document, undefined);
  expect(report.issues).toEqual([]);
  const issues = check({ sandbox: createSandbox, begin: () => true });
  expect(issues).toMatchObject([{ pointer: '/components/2/gate', element: 'Q1' }]);
  expect(issues[0].message).toContain('“sw.v < 5” of “Q1”');
  expect(issues[0].message).not.toMatch(/junctions|lambda/);
});

describe('a fault of an instance', () => {
  /** A ladder of cells of a resistor and a capacitor. */
  const ladder = (instance: object, cell: object = {}, end = 'cells[3].b'): ModelDocument => {
    const document = drawn([SUPPLY, ['RL', 'Resistor', ['o', '0'], { resistance: 1 }]]);
    const submodel = {
      id: 'Cell',
      parameters: [{ name: 'R', value: 1000 }],
      ports: [
        { name: 'a', wire: 'in' },
        { name: 'b', wire: 'out' },
        { name: 'n', wire: 'low' },
      ],
      components: [
        { id: 'R1', type: 'Resistor', resistance: 'R' },
        { id: 'C1', type: 'Capacitor', capacitance: 1e-6 },
      ],
      wires: [
        { id: 'in', ends: ['R1.a'] },
        { id: 'out', ends: ['R1.b', 'C1.a'] },
        { id: 'low', ends: ['C1.b'] },
      ],
      ...cell,
    };
    const wires = document.wires.map(({ id, ends }) => ({
      id,
      ends: [
        ...ends,
        ...(id === 'a' ? ['cells[0].a'] : []),
        ...(id === 'o' ? [end] : []),
        ...(id === 'node0' ? [0, 1, 2, 3].map((k) => `cells[${k}].n`) : []),
      ],
    }));
    const cells = { id: 'cells', of: 'Cell', count: 4, chain: { from: 'b', to: 'a' }, ...instance };
    return { ...document, wires, submodels: [submodel], instances: [cells] };
  };
  const errorsOf = (document: ModelDocument) =>
    reportDocument(document).issues.filter(({ severity }) => severity === 'error');

  it('is none of the ladder as it should be', () => {
    expect(reportDocument(ladder({ values: { R: '2k' } })).issues).toEqual([]);
  });

  it.each([
    ['a unit that is none of a resistance', { values: { R: '50 mF' } }],
    ['a value out of range at some members', { values: { R: '15 - 10*index' } }],
  ])('in its values is located there, once: %s', (_, instance) => {
    const errors = errorsOf(ladder(instance));
    expect(errors).toMatchObject([{ pointer: '/instances/0/values/R' }]);
    expect(errors[0].mends ?? []).toEqual([]);
  });

  it('in the sub-model stays there, once for all members', () => {
    const errors = errorsOf(ladder({}, { parameters: [{ name: 'R', value: -1 }] }));
    expect(errors).toMatchObject([{ pointer: '/submodels/0/components/0/resistance' }]);
  });

  it.each([
    ['a sub-model that is misspelt', { of: 'Cel' }, '/instances/0/of'],
    ['a pin of the chain that is not there', { chain: { from: 'c', to: 'a' } }, '/instances/0/chain/from'],
  ])('of a whole array is said once: %s', (_, instance, pointer) => {
    expect(errorsOf(ladder(instance))).toMatchObject([{ pointer }]);
  });

  it('at a member beyond the last says which there are', () => {
    const [error] = errorsOf(ladder({ count: 3 }));
    expect(error.remedy).toBe('Correct the end: “cells” has 3 members, cells[0] to cells[2].');
  });
});

describe('a document with values that cannot be', () => {
  const with_ = (change: (document: Record<string, never>) => void) => {
    const document = drawn([SUPPLY, ['R1', 'Resistor', ['a', '0'], { resistance: 1 }]]) as unknown as Record<
      string,
      never
    >;
    change(document);
    return reportDocument(document as never).issues;
  };

  it.each([
    [
      'simulation',
      'scheme',
      'event',
      '“scheme” is "event", which it cannot be.',
      /Did you mean "event-driven"\?$/,
    ],
    [
      'wires/0',
      'ends',
      [],
      '“ends” is a list of 0; it must be at least 1 entry.',
      /^Give at least 1 entry\.$/,
    ],
    ['wires/0', 'ends', 'R1.a', '“ends” is "R1.a", and not a list.', /^Write it as a list: \["R1\.a"\]\.$/],
    ['instances/0', 'count', 0, '“count” is 0; it must be at least 1.', /^Give at least 1\.$/],
    [
      'instances/0',
      'count',
      1e7,
      '“count” is 10000000; it must be at most 100000.',
      /^Give at most 100000\.$/,
    ],
    ['instances/0', 'count', 1.5, '“count” is 1.5, and not a whole number.', /^Give a whole number\.$/],
  ])('says what %s/%s may be: %j', (place, key, value, message, remedy) => {
    const issues = with_((document) => {
      Object.assign(document, { instances: [{ id: 'cells', of: 'Cell', count: 2 }] });
      const at = place.split('/').reduce<never>((inner, part) => inner[part], document as never);
      Object.assign(at, { [key]: value });
    });
    const own = issues.find(({ pointer }) => pointer === `/${place}/${key}`);
    expect(own).toMatchObject({ message, remedy: expect.stringMatching(remedy) as string });
    expect(`${own?.message} ${own?.remedy}`).not.toMatch(/Invalid|Too (?:small|big)|expected/);
  });
});

describe('a pin that nothing is joined with', () => {
  it('is warned of where a wire begins at it that leads nowhere, as where it has none', () => {
    for (const nodes of [['a'], ['a', 'loose']])
      expect(
        issuesOf([
          SUPPLY,
          ['R1', 'Resistor', ['a', '0'], { resistance: 1 }],
          ['C1', 'Capacitor', nodes, { capacitance: 1 }],
        ]),
      ).toMatchObject([
        { code: 'open-pin', element: 'C1', message: 'The pin “b” of “C1” is not connected.' },
      ]);
  });
});

it('a component called t leaves the time to gates', () => {
  const parts: readonly Part[] = [
    SUPPLY,
    ['t', 'Resistor', ['a', 'b'], { resistance: 1 }],
    ['S1', 'Switch', ['b', '0'], { gate: 't mod 1m < 0.5m' }],
  ];
  expect(issuesOf(parts)).toEqual([]);
});

it('a section at a contact with a fault of its own has none', () => {
  const document = drawn([
    ['m', 'Mass', ['n'], { mass: 1 }],
    ['S', 'Stop', ['n', 'g'], { restitution: 1.6 }],
    ['W', 'Wall', ['g']],
  ]);
  document.simulation.sections = [{ id: 'onhit', type: 'impact', contact: 'S' }];
  const errors = reportDocument(document).issues.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/components/1/restitution']);
});
