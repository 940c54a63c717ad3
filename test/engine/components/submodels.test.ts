/** Sub-models: written out they are the drawing that one would have drawn without them. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type {
  ComponentDocument,
  Expression,
  ModelDocument,
  SubmodelDocument,
  WireDocument,
} from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { reportDocument } from '@engine/preparation/report';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

/** A leg of a bridge: two transistors, of which one is on. */
const LEG: SubmodelDocument = {
  id: 'Leg',
  title: 'Phase leg',
  ports: [
    { name: 'p', wire: 'top' },
    { name: 'n', wire: 'bottom' },
    { name: 'out', wire: 'middle' },
  ],
  parameters: [
    { name: 'gate', value: 't mod T < T/2' },
    { name: 'T', value: 1e-3, unit: 's' },
    { name: 'Ron', value: '1e-6/T', unit: 'Ω' },
  ],
  components: [
    { id: 'Q1', type: 'Mosfet', gate: 'gate', onResistance: 'Ron' },
    { id: 'Q2', type: 'Mosfet', gate: '-(gate)', onResistance: 'Ron' },
  ],
  wires: [
    { id: 'top', ends: ['Q1.d'] },
    { id: 'middle', ends: ['Q1.s', 'Q2.d'] },
    { id: 'bottom', ends: ['Q2.s'] },
  ],
};

const gates = ['sin(w*t)', 'sin(w*t - 2*pi/3)', 'sin(w*t + 2*pi/3)'];
const LOAD: readonly Part[] = [
  ['V1', 'VoltageSource', ['p', '0'], { voltage: 100 }],
  ...gates.flatMap((_, k): Part[] => [
    [`R${k}`, 'Resistor', [`u${k}`, `l${k}`], { resistance: 2 }],
    [`L${k}`, 'Inductor', [`l${k}`, 'star'], { inductance: 0.01 }],
  ]),
];

/** A three-phase inverter of three legs. */
function inverter(change: (document: ModelDocument) => void = () => undefined): ModelDocument {
  const document = drawn(LOAD, { h: 1e-5, tEnd: 0.04 });
  const ground = document.wires.find(({ ends }) => ends.includes('ground.p'));
  const supply = document.wires.find(({ id }) => id === 'p');
  gates.forEach((_, k) => {
    supply?.ends.push(`leg${k}.p`);
    ground?.ends.push(`leg${k}.n`);
    document.wires.find(({ id }) => id === `u${k}`)?.ends.push(`leg${k}.out`);
  });
  const result: ModelDocument = {
    ...document,
    parameters: [{ name: 'w', value: '2*pi*50' }],
    instances: gates.map((gate, k) => ({ id: `leg${k}`, of: 'Leg', values: { gate, Ron: 1e-3 } })),
    submodels: [structuredClone(LEG)],
  };
  change(result);
  return result;
}

/** The same without sub-models. */
const writtenOut = (): ModelDocument => ({
  ...drawn(
    [
      ...LOAD,
      ...gates.flatMap((gate, k): Part[] => [
        [`Q1${k}`, 'Mosfet', ['p', `u${k}`], { gate, onResistance: 1e-3 }],
        [`Q2${k}`, 'Mosfet', [`u${k}`, '0'], { gate: `-(${gate})`, onResistance: 1e-3 }],
      ]),
    ],
    { h: 1e-5, tEnd: 0.04 },
  ),
  parameters: [{ name: 'w', value: '2*pi*50' }],
});

describe('a sub-model', () => {
  it('moves as what is drawn in it, and names its signals by path', () => {
    const [a, b] = [run(inverter()), run(writtenOut())];
    for (const [mine, theirs] of [
      ['L0.i', 'L0.i'],
      ['L2.i', 'L2.i'],
      ['leg1.Q1.i', 'Q11.i'],
      ['leg1.middle.v', 'u1.v'],
      ['u1.v', 'u1.v'],
    ]) {
      const [x, y] = [a.column(mine), b.column(theirs)];
      const size = y.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      expect(size).toBeGreaterThan(1);
      expect(
        x.every((value, k) => Math.abs(value - y[k]) <= 1e-9 * size),
        mine,
      ).toBe(true);
    }
  });

  it('changes everywhere when its definition does', () => {
    const doubled = inverter(({ submodels = [] }) => {
      submodels[0].components[0].onResistance = '1000*Ron';
      submodels[0].components[1].onResistance = '1000*Ron';
    });
    const [a, b] = [run(inverter()), run(doubled)];
    for (const name of ['L0.i', 'L1.i', 'L2.i'])
      expect(b.column(name).at(-1)).not.toBe(a.column(name).at(-1));
  });

  it('may be within another', () => {
    const nested = inverter((document) => {
      const around: SubmodelDocument = {
        id: 'Around',
        ports: LEG.ports,
        parameters: [{ name: 'of', value: 1 }],
        components: [],
        instances: [{ id: 'leg', of: 'Leg', values: { gate: 'of', Ron: 1e-3 } }],
        wires: [
          { id: 'top', ends: ['leg.p'] },
          { id: 'middle', ends: ['leg.out'] },
          { id: 'bottom', ends: ['leg.n'] },
        ],
      };
      document.submodels?.push(around);
      document.instances = gates.map((gate, k) => ({ id: `leg${k}`, of: 'Around', values: { of: gate } }));
    });
    const [a, b] = [run(inverter()), run(nested)];
    expect(b.column('L0.i')).toEqual(a.column('L0.i'));
    expect(b.column('leg2.leg.Q1.v')).toEqual(a.column('leg2.Q1.v'));
  });

  it('is read and written as it is', () => {
    const text = writeDocument(inverter());
    const { document, issues } = readDocument(text);
    expect(issues).toEqual([]);
    if (document === null) throw new Error('the document does not open');
    expect(document).toEqual(JSON.parse(JSON.stringify(inverter())));
    expect(writeDocument(document)).toBe(text);
  });

  it('takes ids for names of signals only', () => {
    const named = inverter((document) => {
      document.parameters.push({ name: 'Q1', value: 1e-3 });
      for (const component of document.submodels?.[0].components ?? []) component.onResistance = 'Q1';
      document.instances = gates.map((gate, k) => ({ id: `leg${k}`, of: 'Leg', values: { gate } }));
    });
    expect(run(named).column('L0.i')).toEqual(run(inverter()).column('L0.i'));
  });

  it('warns of a pin that is not connected', () => {
    const { issues } = reportDocument(
      inverter(({ wires = [] }) => {
        for (const { ends } of wires) if (ends.includes('leg1.out')) ends.splice(ends.indexOf('leg1.out'), 1);
      }),
    );
    expect(issues).toContainEqual(
      expect.objectContaining({ severity: 'warning', code: 'open-pin', pointer: '/instances/1' }),
    );
  });

  it.each<[string, (document: ModelDocument) => void, string, string]>([
    [
      'that is not there',
      ({ instances = [] }) => (instances[1].of = 'Log'),
      'unknown-submodel',
      '/instances/1/of',
    ],
    [
      'inside of itself',
      ({ submodels = [] }) => (submodels[0].instances = [{ id: 'again', of: 'Leg' }]),
      'submodel-within-itself',
      '/submodels/0/instances/0/of',
    ],
    [
      'with a value for no parameter',
      ({ instances = [] }) => (instances[0].values = { gat: 't' }),
      'unknown-parameter',
      '/instances/0/values/gat',
    ],
    [
      'with a wire at a pin that it has not',
      ({ wires = [] }) => wires[0].ends.push('leg0.q'),
      'unknown-pin',
      '/wires/0/ends/4',
    ],
    [
      'with a pin that leads nowhere',
      ({ submodels = [] }) => (submodels[0].ports[0].wire = 'roof'),
      'unknown-wire',
      '/wires/0/ends/1',
    ],
    [
      'with a parameter that has the name of the time',
      ({ submodels = [] }) => (submodels[0].parameters[1].name = 't'),
      'name-taken',
      '/submodels/0/parameters/1/name',
    ],
    [
      'with two components of one id',
      ({ submodels = [] }) => (submodels[0].components[1].id = 'Q1'),
      'duplicate-id',
      '/submodels/0/components/1/id',
    ],
    [
      'with a parameter where a unit may be meant',
      ({ submodels = [] }) => {
        submodels[0].parameters.push({ name: 'm', value: 2 });
        submodels[0].components[0].onResistance = '4.7 m';
      },
      'parameter-or-unit',
      '/submodels/0/components/0/onResistance',
    ],
    [
      'with a fault inside',
      ({ submodels = [] }) => (submodels[0].components[1].onResistance = 'Rx'),
      'expression',
      '/submodels/0/components/1/onResistance',
    ],
    [
      'with a part inside that is joined to what is not there',
      ({ submodels = [] }) => submodels[0].wires[0].ends.push('Q9.d'),
      'unknown-component',
      '/submodels/0/wires/0/ends/1',
    ],
  ])('%s is a fault with its place', (_, change, code, pointer) => {
    const { issues } = reportDocument(inverter(change));
    expect(issues.filter(({ severity }) => severity === 'error')).toContainEqual(
      expect.objectContaining({ code, pointer }),
    );
  });
});

it('names impacts inside by path, whatever stands outside', () => {
  const ball = (id: string): ComponentDocument[] => [
    { id: `${id}m`, type: 'Mass', mass: 1, x0: 0.1, gravity: -10 },
    { id: `${id}s`, type: 'Stop', restitution: 0.5 },
    { id: `${id}w`, type: 'Wall' },
  ];
  const wires = (id: string): WireDocument[] => [
    { id: `${id}low`, ends: [`${id}w.a`, `${id}s.a`] },
    { id: `${id}high`, ends: [`${id}s.b`, `${id}m.a`] },
  ];
  const empty = drawn([], { h: 1e-3, tEnd: 0.5 });
  const document: ModelDocument = {
    ...empty,
    // Its stop has the name that the other one would have outside.
    components: ball('a_').map((one) => (one.type === 'Mass' ? { ...one, x0: 0.2 } : one)),
    wires: wires('a_'),
    instances: [{ id: 'a', of: 'Ball' }],
    submodels: [{ id: 'Ball', ports: [], parameters: [], components: ball(''), wires: wires('') }],
  };
  document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
  const alone = run({ ...empty, simulation: document.simulation, components: ball('b'), wires: wires('b') });
  const result = run(document);
  expect(result.column('a.m.v')).toEqual(alone.column('bm.v'));
  expect(result.column('a.s.impulse')).toEqual(alone.column('bs.impulse'));
  expect(Math.max(...result.column('a.s.impulse'))).toBeGreaterThan(1);
  expect(result.column('a_s.impulse')).not.toEqual(alone.column('bs.impulse'));
});

describe('the unit of a parameter', () => {
  const valued = (R: Expression | undefined, unit = 'Ω', value: Expression = 1): ModelDocument => {
    const document: ModelDocument = {
      ...drawn([['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }]]),
      instances: [{ id: 'half', of: 'Half', ...(R !== undefined && { values: { R } }) }],
      submodels: [
        {
          id: 'Half',
          ports: [
            { name: 'a', wire: 'top' },
            { name: 'b', wire: 'end' },
          ],
          parameters: [{ name: 'R', value, unit }],
          components: [{ id: 'R1', type: 'Resistor', resistance: 'R/2' }],
          wires: [
            { id: 'top', ends: ['R1.a'] },
            { id: 'end', ends: ['R1.b'] },
          ],
        },
      ],
    };
    document.wires?.forEach(({ ends }, k) => ends.push(`half.${k === 0 ? 'a' : 'b'}`));
    return document;
  };

  it.each([
    ['4.7k', 4700],
    ['4.7 kΩ', 4700],
    ['2*(5 mΩ)', 0.01],
    ['2.2e3', 2200],
  ])('lets %s be its number', (given, ohms) => {
    const i = run(valued(given)).column('half.R1.i').at(-1) ?? NaN;
    expect(Math.abs(i / (20 / ohms) - 1)).toBeLessThan(1e-12);
    const [byDefault] = run(valued(undefined, 'Ω', given))
      .column('half.R1.i')
      .slice(-1);
    expect(byDefault).toBe(i);
  });

  it('refuses that of another quantity where it is given', () => {
    const errors = reportDocument(valued('10 mm')).issues.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/instances/0/values/R']);
    expect(errors[0].message).toMatch(/“R” of “half”.*is in m, and Ω is wanted/);
    expect(errors[0].remedy).toMatch(/Ω/);
  });
});
