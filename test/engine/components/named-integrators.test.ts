/** Integrators name the systems of a drawing by the components that move in them. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { IntegratorDocument, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { plainDocument } from '@engine/preparation/plain';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { example } from '../support/models';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const WALLS: readonly Part[] = ['1', '2'].map((k) => [`wall${k}`, 'Wall', [`w${k}`]]);

/** Two masses that fly to their walls, a third on the first, and a circuit beside them. */
function flights(integrators: IntegratorDocument[], joint: readonly Part[] = []): ModelDocument {
  const document = drawn(
    [
      ...WALLS,
      ['one', 'Mass', ['n1'], { mass: 1, v0: 1 }],
      ['rider', 'Mass', ['n1'], { mass: 2 }],
      ['two', 'Mass', ['n2'], { mass: 1, v0: 1 }],
      ['stop1', 'Stop', ['n1', 'w1'], { gap: 0.2008 }],
      ['stop2', 'Stop', ['n2', 'w2'], { gap: 0.2008 }],
      ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-3, v0: 1 }],
      ['R1', 'Resistor', ['out', '0'], { resistance: 10 }],
      ...joint,
    ],
    { h: 1e-3, tEnd: 0.3 },
  );
  return { ...document, simulation: { ...document.simulation, integrators } };
}

const late = (...systems: string[]): IntegratorDocument => ({ type: 'MoreauJean', systems, forecast: 0.5 });
const early = (...systems: string[]): IntegratorDocument => ({ type: 'MoreauJean', systems, forecast: 1.5 });

const faults = (document: ModelDocument): object[] =>
  reportDocument(document)
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ code, pointer, message, remedy }) => ({ code, pointer, message, remedy }));

const ends = (document: ModelDocument): number[] => {
  const { column } = run(document, { sandbox: createSandbox, scheme: 'time-stepping' });
  return ['one.x', 'two.x'].map((name) => column(name).at(-1) ?? Number.NaN);
};

describe('integrators of a drawing', () => {
  it.each([
    ['their masses', [late('one'), early('two')]],
    ['a mass that rides on another', [late('rider'), early('two')]],
    ['two masses of one system', [late('one', 'rider'), early('two')]],
    ['the systems that they become', [late('mechanism'), early('mechanism2')]],
    ['one of them, and what is left', [late('one'), { type: 'MoreauJean', forecast: 1.5 }]],
    ['components of a circuit', [late('one'), early('two'), { type: 'EulerMoreau', systems: ['R1'] }]],
  ])('name %s', (_, integrators) => {
    const document = flights(integrators);
    expect(faults(document)).toEqual([]);
    const [first, second] = ends(document);
    expect(first).toBeCloseTo(0.2015, 9);
    expect(second).toBeCloseTo(0.2005, 9);
    // The same of plain elements, which have other names.
    const plain = readDocument(writeDocument(plainDocument(document))).document;
    expect(plain?.components).toBeUndefined();
    expect(plain?.simulation.integrators[0].systems ?? []).not.toContain('one');
    expect(faults(plain ?? document)).toEqual([]);
  });

  it('name what is inside of instances, one or all of an array', () => {
    const document = example('newtons-cradle-drawn');
    const { simulation } = document;
    const named = (...integrators: IntegratorDocument[]): ModelDocument => ({
      ...document,
      simulation: { ...simulation, integrators },
    });
    const report = reportDocument(named(late('first'), early('balls')));
    expect(report.issues).toEqual([]);
    expect(faults(named(late('balls[0].m', 'balls[1]'), early('first')))).toEqual([]);
    expect(faults(named(late('balls[0].m'), early('balls')))).toMatchObject([
      { code: 'system-twice', pointer: '/simulation/integrators/1/systems/0' },
    ]);
    expect(faults(named(late('balls[9]')))).toMatchObject([
      { code: 'unknown-system', pointer: '/simulation/integrators/0/systems/0' },
    ]);
  });

  it.each<[string, ModelDocument, object[]]>([
    [
      'name nothing',
      flights([late('three')]),
      [
        {
          code: 'unknown-system',
          pointer: '/simulation/integrators/0/systems/0',
          message:
            'The integrator MoreauJean names “three”, which is neither a system nor a component that has a motion of its own.',
          remedy: 'Systems of this model: C1, one, two.',
        },
      ],
    ],
    [
      'name what has no motion of its own',
      flights([late('one', 'stop1')]),
      [
        {
          code: 'unknown-system',
          pointer: '/simulation/integrators/0/systems/1',
          message:
            'The integrator MoreauJean names “stop1”, which is neither a system nor a component that has a motion of its own.',
          remedy: 'Systems of this model: C1, one, two.',
        },
      ],
    ],
    [
      'share what a spring joins',
      flights([late('one'), early('two')], [['k', 'Spring', ['n1', 'n2'], { stiffness: 1 }]]),
      [
        {
          code: 'system-twice',
          pointer: '/simulation/integrators/1/systems/0',
          message:
            '“two” moves in one system with “one”, “rider”, and two integrators, MoreauJean and MoreauJean, name it.',
          remedy: 'Let one integrator advance what springs and dampers join.',
        },
      ],
    ],
    [
      'are of the wrong order',
      flights([late('C1')]),
      [
        {
          code: 'integrator-order',
          pointer: '/simulation/integrators/0/systems/0',
          message:
            'MoreauJean advances Lagrangian and spatial systems; “C1” (FirstOrderLinear) is first-order.',
          remedy: 'Integrators for “C1”: EulerMoreau, ZeroOrderHold.',
        },
      ],
    ],
  ])('are refused where they %s', (_, document, expected) => {
    expect(faults(document)).toEqual(expected);
  });

  it('say nothing of names while the drawing has faults', () => {
    const document = flights([late('one'), early('two')]);
    const [first, second, ...others] = document.components ?? [];
    const broken = {
      ...document,
      components: [first, second, { ...others[0], mass: -1 }, ...others.slice(1)],
    };
    expect(faults(broken).map((fault) => (fault as { code: string }).code)).not.toContain('unknown-system');
    expect(faults(broken)).toHaveLength(1);
  });

  it.each(['a b', '1a', 'a.', '__proto__', 'a[01]', ''])('have no name like “%s”', (name) => {
    expect(faults(flights([late(name)]))).toMatchObject([{ pointer: '/simulation/integrators/0/systems/0' }]);
  });
});
