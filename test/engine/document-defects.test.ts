/**
 * Defects inside a document that opens: each is listed with its code, its place, its element and a remedy.
 */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import { structuralIssues } from '@engine/document/structure';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from './support/issues';
import { changedText as text, contact, example, model, particle } from './support/models';

type Loose = Record<string, Record<string, unknown>[]>;

/** A defect inside the sections: the document opens, with this issue. */
interface Defect {
  change: (document: Loose & { simulation: Record<string, unknown> }) => void;
  code: string;
  pointer: string;
  element?: string;
  says?: string;
}

const defects: Record<string, Defect> = {
  'an unknown key': {
    change: ({ systems }) => (systems[0].massMatrix = 1),
    code: 'unknown-key',
    pointer: '/systems/0/massMatrix',
    element: 'ball',
    says: 'massMatrix',
  },
  'an unknown key with a slash': {
    change: ({ systems }) => (systems[0]['a/b~c'] = 1),
    code: 'unknown-key',
    pointer: '/systems/0/a~1b~0c',
    element: 'ball',
  },
  'an unknown key of the document': {
    change: (d) => ((d as Record<string, unknown>).colour = 'red'),
    code: 'unknown-key',
    pointer: '/colour',
  },
  'an unknown system type': {
    change: ({ systems }) => (systems[1].type = 'FirstOrder'),
    code: 'unknown-type',
    pointer: '/systems/1/type',
    element: 'block',
    says: 'Did you mean FirstOrderLinear?',
  },
  'an unknown relation type': {
    change: ({ interactions }) => ((interactions[0].relation as Record<string, unknown>).type = 'Linear'),
    code: 'unknown-type',
    pointer: '/interactions/0/relation/type',
    element: 'floor',
    says: 'LagrangianLinear, LagrangianScleronomous',
  },
  'an unknown law': {
    change: ({ interactions }) => ((interactions[0].law as Record<string, unknown>).type = 'Coulomb'),
    code: 'unknown-type',
    pointer: '/interactions/0/law/type',
    element: 'floor',
    says: 'NewtonImpact',
  },
  'an unknown solver': {
    change: ({ simulation }) => (simulation.solver = { type: 'PATH' }),
    code: 'unknown-type',
    pointer: '/simulation/solver/type',
    says: 'PrincipalPivoting',
  },
  'a missing type': {
    change: ({ systems }) => delete systems[0].type,
    code: 'unknown-type',
    pointer: '/systems/0/type',
    element: 'ball',
    says: 'The type is missing. Known types here: LagrangianLinearTI',
  },
  'an axis of a sweep without a type': {
    change: (document) =>
      (document.analyses = [
        { id: 'map', type: 'sweep', axes: [{ parameter: 'g', from: 1, to: 2 }], measures: 'max ball.q' },
      ]),
    code: 'unknown-type',
    pointer: '/analyses/0/axes/0/type',
    element: 'map',
    says: 'The type is missing. Known types here: range, values',
  },
  'a view without a type': {
    change: (document) => (document.views = [{ id: 'plot', signals: ['ball.q'] }]),
    code: 'unknown-type',
    pointer: '/views/0/type',
    element: 'plot',
    says: 'The type is missing. Known types here: time-series',
  },
  'a missing mass': {
    change: ({ systems }) => delete systems[0].mass,
    code: 'missing-field',
    pointer: '/systems/0/mass',
    element: 'ball',
    says: 'Mass matrix (mass)',
  },
  'a missing gap matrix': {
    change: ({ interactions }) => delete (interactions[0].relation as Record<string, unknown>).H,
    code: 'missing-field',
    pointer: '/interactions/0/relation/H',
    element: 'floor',
    says: 'Gap matrix (H)',
  },
  'a missing coefficient of restitution': {
    change: ({ interactions }) => delete (interactions[0].law as Record<string, unknown>).e,
    code: 'missing-field',
    pointer: '/interactions/0/law/e',
    element: 'floor',
  },
  'a matrix that is a number': {
    change: ({ systems }) => (systems[0].mass = 3),
    code: 'wrong-value',
    pointer: '/systems/0/mass',
    element: 'ball',
    says: 'Mass matrix is 3',
  },
  'an entry that is null': {
    change: ({ systems }) => (systems[0].q0 = [null]),
    code: 'wrong-value',
    pointer: '/systems/0/q0/0',
    element: 'ball',
    says: 'is null',
  },
  'an entry of a matrix that is an object': {
    change: ({ systems }) => (systems[0].mass = [[{}]]),
    code: 'wrong-value',
    pointer: '/systems/0/mass/0/0',
    element: 'ball',
  },
  'no degree of freedom': {
    change: ({ systems }) => (systems[0].ndof = 0),
    code: 'wrong-value',
    pointer: '/systems/0/ndof',
    element: 'ball',
    says: 'Degrees of freedom is 0',
  },
  'a broken number of degrees of freedom': {
    change: ({ systems }) => (systems[0].ndof = 1.5),
    code: 'wrong-value',
    pointer: '/systems/0/ndof',
    element: 'ball',
  },
  'an id with a blank': {
    change: ({ systems }) => (systems[0].id = 'the ball'),
    code: 'bad-name',
    pointer: '/systems/0/id',
    says: 'the ball',
  },
  'an id that is no key like others': {
    change: ({ systems }) => (systems[0].id = '__proto__'),
    code: 'bad-name',
    pointer: '/systems/0/id',
  },
  'an id that is a number': {
    change: ({ systems }) => (systems[0].id = 7),
    code: 'bad-name',
    pointer: '/systems/0/id',
  },
  'a missing id': {
    change: ({ systems }) => delete systems[0].id,
    code: 'missing-key',
    pointer: '/systems/0/id',
  },
  'an interaction without systems': {
    change: ({ interactions }) => (interactions[0].systems = []),
    code: 'no-linked-system',
    pointer: '/interactions/0/systems',
    element: 'floor',
  },
  'an interaction whose systems are no names': {
    change: ({ interactions }) => (interactions[0].systems = [{}]),
    code: 'bad-name',
    pointer: '/interactions/0/systems/0',
    element: 'floor',
  },
  'a unit that is a number': {
    change: (d) => (d.parameters = [{ name: 'a', value: 1, unit: 5 }]),
    code: 'wrong-value',
    pointer: '/parameters/0/unit',
    element: 'a',
  },
  'an unknown coordinate unit': {
    change: ({ systems }) => (systems[0].coordinateUnit = 'ft'),
    code: 'wrong-value',
    pointer: '/systems/0/coordinateUnit',
    element: 'ball',
    says: '"ft"',
  },
  'a parameter without a value': {
    change: (d) => (d.parameters = [{ name: 'a' }]),
    code: 'missing-key',
    pointer: '/parameters/0/value',
    element: 'a',
  },
  'an unknown scheme': {
    change: ({ simulation }) => (simulation.scheme = 'leapfrog'),
    code: 'wrong-value',
    pointer: '/simulation/scheme',
    says: 'leapfrog',
  },
  'a missing end time': {
    change: ({ simulation }) => delete simulation.tEnd,
    code: 'missing-key',
    pointer: '/simulation/tEnd',
  },
  'a missing title': {
    change: (d) => delete (d as Record<string, unknown>).title,
    code: 'missing-key',
    pointer: '/title',
  },
  'a script whose name is a path': {
    change: (d) => (d.scripts = [{ name: '../x.ts', role: 'functions', source: [] }]),
    code: 'bad-name',
    pointer: '/scripts/0/name',
  },
  'an unknown view': {
    change: (d) => (d.views = [{ type: 'hologram', id: 'v' }]),
    code: 'unknown-type',
    pointer: '/views/0/type',
    says: 'hologram',
  },
};

describe('defects inside the sections', () => {
  it.each(Object.entries(defects))('%s', (_, { change, code, pointer, element, says }) => {
    const { document, issues } = readDocument(
      text((d) => change(d as unknown as Parameters<typeof change>[0])),
    );
    expect(document).not.toBeNull();
    expectComplete(issues);
    const issue = issues.find((candidate) => candidate.pointer === pointer);
    // A view that cannot be shown keeps no model from running.
    const severity = pointer.startsWith('/views') ? 'warning' : 'error';
    expect(issue).toMatchObject({ code, pointer, severity });
    expect(issue?.element).toBe(element ?? issue?.element);
    expect(`${issue?.message} ${issue?.remedy}`).toContain(says ?? '');
    expect(issues).toHaveLength(1);
  });

  it('unknown keys stay in the document', () => {
    const { document } = readDocument(
      text((d) => ((d.systems as Record<string, unknown>[])[0].colour = 'red')),
    );
    expect(document?.systems[0].colour).toBe('red');
  });

  it('numbers too large for a double are named as what they are', () => {
    const { document, issues } = readDocument(text(() => undefined).replace('"tEnd": 1', '"tEnd": 1e999'));
    expect(document).not.toBeNull();
    expect(issues[0]).toMatchObject({ code: 'wrong-value', pointer: '/simulation/tEnd' });
    expect(issues[0].message).toContain('Infinity');
    expectComplete(issues);
  });

  it('are all listed, up to a number that can be read', () => {
    const many = {
      ...model([]),
      systems: Array.from({ length: 5000 }, () => ({ id: 'x', type: 'Nothing' })),
    };
    const issues = structuralIssues(many);
    expect(issues.length).toBeGreaterThanOrEqual(200);
    expect(issues.length).toBeLessThan(1000);
  });
});

/** Issues of a document whose structure is sound. */
const issuesOf = (document: ModelDocument): DocumentIssue[] => reportDocument(document).issues;

describe('defects of a sound structure', () => {
  const ball = particle('ball', 1, 0);
  const floor = contact('floor', ['ball'], [[1]], 0.5);

  it.each<[string, ModelDocument, Partial<DocumentIssue>]>([
    [
      'a system id used twice',
      model([ball, ball]),
      { code: 'duplicate-id', pointer: '/systems/1/id', element: 'ball' },
    ],
    [
      'an interaction called as a system',
      model([ball], [{ ...floor, id: 'ball' }]),
      { code: 'duplicate-id', pointer: '/interactions/0/id', element: 'ball' },
    ],
    [
      'a link to no system',
      model([ball], [contact('floor', ['bell'], [[1]], 0)]),
      { code: 'unknown-system', pointer: '/interactions/0/systems/0', element: 'floor' },
    ],
    [
      'a link given twice',
      model([ball], [contact('floor', ['ball', 'ball'], [[1, 1]], 0)]),
      { code: 'system-twice', pointer: '/interactions/0/systems/1', element: 'floor' },
    ],
    [
      'a function that is not there',
      model([particle('ball', 0, 0, { fExt: { function: 'gravity' } })]),
      { code: 'unknown-function', pointer: '/systems/0/fExt', element: 'ball' },
    ],
    [
      'a mass matrix of the wrong shape',
      model([
        particle('ball', 0, 0, {
          mass: [
            [1, 0],
            [0, 1],
          ],
        }),
      ]),
      { code: 'matrix-shape', pointer: '/systems/0/mass', element: 'ball' },
    ],
    [
      'a ragged matrix',
      model([particle('ball', 0, 0, { ndof: 2, mass: [[1, 0], [0]], q0: [0, 0], v0: [0, 0] })]),
      { code: 'matrix-shape', pointer: '/systems/0/mass', element: 'ball' },
    ],
    [
      'a vector of the wrong length',
      model([particle('ball', 0, 0, { q0: [0, 1] })]),
      { code: 'vector-length', pointer: '/systems/0/q0', element: 'ball' },
    ],
    [
      'a coefficient of restitution out of range',
      model([ball], [contact('floor', ['ball'], [[1]], 1.5)]),
      { code: 'out-of-range', pointer: '/interactions/0/law/e', element: 'floor' },
    ],
    [
      'an expression that names nothing',
      model([particle('ball', 0, 0, { q0: ['height'] })]),
      { code: 'expression', pointer: '/systems/0/q0/0', element: 'ball' },
    ],
    [
      'an expression that divides by zero',
      model([particle('ball', 0, 0, { q0: ['1/0'] })]),
      { code: 'not-finite', pointer: '/systems/0/q0/0', element: 'ball' },
    ],
    ['no system at all', model([]), { code: 'no-systems', pointer: '/systems' }],
    ['a step of zero', model([ball], [], { h: 0 }), { code: 'out-of-range', pointer: '/simulation/h' }],
    [
      'a negative step',
      model([ball], [], { h: '-1e-3' }),
      { code: 'out-of-range', pointer: '/simulation/h' },
    ],
    [
      'an end before the start',
      model([ball], [], { tEnd: -1 }),
      { code: 'out-of-range', pointer: '/simulation/tEnd' },
    ],
    [
      'a step longer than the run',
      model([ball], [], { h: 3, tEnd: 2 }),
      { code: 'step-too-long', pointer: '/simulation/h' },
    ],
    ['too many steps', model([ball], [], { h: 1e-12 }), { code: 'too-many-steps', pointer: '/simulation/h' }],
    [
      'an infinite end time',
      model([ball], [], { tEnd: '1/0' }),
      { code: 'not-finite', pointer: '/simulation/tEnd' },
    ],
    [
      'a weight θ out of range',
      model([ball], [], { theta: 2 }),
      { code: 'out-of-range', pointer: '/simulation/integrators/0/theta' },
    ],
    [
      'a parameter defined twice',
      {
        ...model([ball]),
        parameters: [
          { name: 'm', value: 1 },
          { name: 'm', value: 2 },
        ],
      },
      { code: 'duplicate-id', pointer: '/parameters/1/name', element: 'm' },
    ],
    [
      'an empty slider range',
      { ...model([ball]), parameters: [{ name: 'm', value: 1, min: 2, max: 1 }] },
      { code: 'empty-range', pointer: '/parameters/0/max', element: 'm' },
    ],
    [
      'an observable of nothing',
      { ...model([ball]), observables: [{ name: 'x' }] },
      { code: 'observable-source', pointer: '/observables/0/expression', element: 'x' },
    ],
    [
      'an observable of an unknown signal',
      { ...model([ball]), observables: [{ name: 'x', expression: 'ball.w' }] },
      { code: 'expression', pointer: '/observables/0/expression', element: 'x' },
    ],
    [
      'an observable of an unknown function',
      { ...model([ball]), observables: [{ name: 'x', function: 'f', system: 'ball' }] },
      { code: 'unknown-function', pointer: '/observables/0/function', element: 'x' },
    ],
    [
      'a recorded signal that does not exist',
      { ...model([ball]), simulation: { ...model([ball]).simulation, recording: { signals: ['ball.x'] } } },
      { code: 'unknown-signal', pointer: '/simulation/recording/signals/0' },
    ],
  ])('%s', (_, document, expected) => {
    const issues = issuesOf(document);
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject(expected);
  });

  it('an observable of an unknown system', () => {
    const issues = issuesOf({
      ...model([ball]),
      observables: [{ name: 'x', function: 'f', system: 'bell' }],
    });
    expect(issues.map(({ code }) => code)).toEqual(['unknown-function', 'unknown-system']);
    expectComplete(issues);
  });

  it('the known elements are offered', () => {
    const [unknownSystem] = issuesOf(model([ball], [contact('floor', ['bell'], [[1]], 0)]));
    expect(unknownSystem.remedy).toContain('ball');
    const document = example('cam-follower-358');
    document.interactions[0].relation.h = { function: 'gap' };
    const [unknownFunction] = issuesOf(document);
    expect(unknownFunction.remedy).toContain('camGap, camGapRate, camLift');
  });
});

describe('messages for the usual slips', () => {
  const issuesOf = (change: (document: ModelDocument) => void): string[] => {
    const document = model([particle('ball', 1, 1)], [contact('floor', ['ball'], [[1]], 0.5)]);
    change(document);
    return reportDocument(document).issues.map(({ message }) => message);
  };

  it('a decimal comma is distinguished from an argument list', () => {
    expect(issuesOf((d) => (d.parameters = [{ name: 'e', value: '0,7' }]))).toEqual([
      'Parameter “e” = “0,7”: decimals are written with a point: 0.7.',
    ]);
  });

  it('what follows from a broken parameter is not reported again', () => {
    const messages = issuesOf((d) => {
      d.parameters = [{ name: 'a', value: 'b +' }];
      d.systems[0].mass = [['2*a']];
      d.simulation.h = 'a';
      d.observables = [{ name: 'twice', expression: '2*a' }];
    });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('Parameter “a”');
  });

  it('an interaction that lost its systems says so', () => {
    expect(issuesOf((d) => (d.interactions[0].systems = []))).toContain(
      'The interaction “floor” is not linked to any system.',
    );
  });

  it('an empty end time says so', () => {
    expect(issuesOf((d) => (d.simulation.tEnd = ''))).toEqual(['The end time is empty.']);
  });
});
