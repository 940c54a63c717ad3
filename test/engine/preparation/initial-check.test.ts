/**
 * Initial states that do not satisfy the joints of a model: what is said of them, and where they are moved.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { examine } from '@engine/inspection/examine';
import { Examination } from '@engine/preparation/examination';
import { checkInitialState, projectDocument } from '@engine/preparation/initial-check';
import { refusal, run } from '../support/run';

const environment = { sandbox: createSandbox, begin: () => true };

/** Two carts of 1 kg and 3 kg that a rigid bar of length 1 m keeps apart. */
function carts(edit: (document: ModelDocument) => void = () => undefined): ModelDocument {
  const cart = (id: string, mass: number, q0: number, v0: number) => ({
    id,
    type: 'LagrangianLinearTI',
    ndof: 1,
    mass: [[mass]],
    q0: [q0],
    v0: [v0],
    coordinateUnit: 'm',
  });
  const document: ModelDocument = {
    formatVersion: 3,
    title: 'carts',
    parameters: [{ name: 'length', value: 1 }],
    systems: [cart('left', 1, 0, 0), cart('right', 3, 1.2, 0.4)],
    interactions: [
      {
        id: 'bar',
        systems: ['left', 'right'],
        relation: { type: 'LagrangianLinear', H: [[-1, 1]], b: ['-length'] },
        law: { type: 'Equality', level: 'position' },
      },
    ],
    simulation: {
      scheme: 'event-driven',
      t0: 0,
      tEnd: 1,
      h: 0.1,
      integrators: [],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
  edit(document);
  return document;
}

describe('an initial state that violates a joint', () => {
  it('is reported with the joint and the size of the violation', () => {
    const issues = checkInitialState(new Examination(carts(), undefined), environment);
    expect(issues).toMatchObject([
      {
        severity: 'error',
        code: 'initial-position-inconsistent',
        element: 'bar',
        pointer: '/interactions/0',
      },
    ]);
    expect(issues[0].message).toMatch(/“bar” .*0\.2000/);
    expect(issues[0].remedy).toContain('Project');
  });

  it('is a warning by time-stepping, which runs it', () => {
    const document = carts(({ simulation }) => (simulation.scheme = 'time-stepping'));
    expect(checkInitialState(new Examination(document, undefined), environment)).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  it('is refused from event to event', () => {
    const { where, message } = refusal(carts());
    expect(where).toBe('bar');
    expect(message).toContain('2.000e-1');
  });

  it('is moved onto the joint in the metric of the masses', () => {
    // The gap of 0.2 m and the relative velocity of 0.4 m/s are shared as 3 : 1, and the momentum 1.2 N s is
    // kept.
    const projection = projectDocument(carts(), undefined, environment);
    if (projection.status !== 'ok') throw new Error(projection.message);
    const [left, right] = projection.systems;
    expect(left).toEqual({ id: 'left', q0: [expect.closeTo(0.15, 12)], v0: [expect.closeTo(0.3, 12)] });
    expect(right).toEqual({ id: 'right', q0: [expect.closeTo(1.15, 12)], v0: [expect.closeTo(0.3, 12)] });
    expect(projection.largest).toEqual([expect.closeTo(0.15, 12), expect.closeTo(0.3, 12)]);
  });

  it('is moved before a run that asks for it', () => {
    const { column } = run(carts(), { project: true });
    expect(column('left.q').at(-1)).toBeCloseTo(0.15 + 0.3, 10);
    expect(column('bar.y')[0]).toBeCloseTo(0, 12);
  });

  it('is found where the joint is a script function, which is executed', () => {
    const document = carts((model) => {
      model.interactions[0].relation = { type: 'LagrangianScleronomous', size: 1, h: { function: 'bar' } };
      model.scripts = [
        {
          name: 'bar.ts',
          role: 'functions',
          source: [
            'export function bar(q: Float64Array, out: Float64Array): void {',
            '  out[0] = q[1] - q[0] - 1;',
            '}',
          ],
        },
      ];
    });
    expect(checkInitialState(new Examination(document, undefined), environment)).toMatchObject([
      { element: 'bar' },
    ]);
    expect(projectDocument(document, undefined, environment).status).toBe('ok');
    const refused = { ...environment, begin: () => false };
    expect(checkInitialState(new Examination(document, undefined), refused)).toEqual([]);
    expect(projectDocument(document, undefined, refused).status).toBe('notExamined');
  });
});

describe('joints that say the same', () => {
  const twice = carts((document) => {
    document.systems[1].q0 = ['length'];
    document.systems[1].v0 = [0];
    document.interactions.push({
      ...document.interactions[0],
      id: 'second',
    });
  });

  it('are reported with their rank', () => {
    const issues = checkInitialState(new Examination(twice, undefined), environment);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'redundant-joints', element: 'second' }]);
    expect(issues[0].message).toMatch(/2 constraint equations have rank 1.*“bar”/);
  });

  it('are reported by a run that goes on with them', () => {
    const { session, column } = run(twice);
    expect(session.warnings.join()).toMatch(/2 constraint equations have rank 1.*“second”.*“bar”/);
    expect(column('bar.y').at(-1)).toBeCloseTo(0, 12);
  });

  it('cannot be satisfied where they contradict each other', () => {
    const document: ModelDocument = structuredClone(twice);
    document.interactions[1].relation = { ...document.interactions[1].relation, b: [-2] };
    const projection = projectDocument(document, undefined, environment);
    expect(projection.status).not.toBe('ok');
    expect(refusal(document, { project: true }).code).toBe('projection-failed');
  });
});

describe('a model without joints', () => {
  it('is not examined', () => {
    const document = carts((model) => (model.interactions = []));
    expect(checkInitialState(new Examination(document, undefined), environment)).toEqual([]);
    const projection = projectDocument(document, undefined, environment);
    expect(projection).toMatchObject({
      status: 'notExamined',
      message: expect.stringContaining('no joints') as string,
    });
  });
});

describe('a model that a builder script makes', () => {
  const written = carts();
  const { systems, interactions } = written;
  const builder = { name: 'carts.ts', role: 'builder' as const, source: ['export default () => undefined;'] };

  it('has its joints named at their places behind those of the document', () => {
    const document = { ...written, interactions: [], scripts: [builder] };
    const issues = checkInitialState(new Examination(document, { systems: [], interactions }), environment);
    expect(issues).toMatchObject([{ element: 'bar', pointer: '/interactions/0' }]);
  });

  it('is projected where the systems that move are in the document, and only there', () => {
    const joint = { ...written, interactions: [], scripts: [builder] };
    expect(projectDocument(joint, { systems: [], interactions }, environment).status).toBe('ok');
    const all = { ...joint, systems: [] };
    const projection = projectDocument(all, { systems, interactions }, environment);
    if (projection.status === 'ok') throw new Error('there is nothing to be changed in the document');
    expect(projection.status).toBe('builtByScript');
    expect(projection.message).toContain('“left”');
    expect(projection.remedy).toContain('--project');
  });
});

describe('an equality at velocity level whose output does not start at zero', () => {
  const kept = (edit: (document: ModelDocument) => void = () => undefined): ModelDocument =>
    carts((document) => {
      document.interactions[0].law = { type: 'Equality' };
      document.systems[1].v0 = [0];
      edit(document);
    });
  const issuesOf = (document: ModelDocument) =>
    checkInitialState(new Examination(document, undefined), environment);

  it.each(['event-driven', 'time-stepping'] as const)('is warned of, as it keeps it: %s', (scheme) => {
    const document = kept(({ simulation }) => (simulation.scheme = scheme));
    expect(issuesOf(document)).toMatchObject([
      { severity: 'warning', code: 'initial-output-kept', element: 'bar', pointer: '/interactions/0' },
    ]);
    expect(issuesOf(document)[0].message).toMatch(/“bar” .*0\.2000/);
  });

  it('is moved to zero by a projection', () => {
    const projection = projectDocument(kept(), undefined, environment);
    expect(projection).toMatchObject({
      status: 'ok',
      systems: [{ q0: [expect.closeTo(0.15, 12)] }, { q0: [expect.closeTo(1.15, 12)] }],
    });
  });

  it('is meant where the interaction comes and goes, or the relation takes it in', () => {
    const coming = kept(({ interactions }) => {
      interactions[0].while = { type: 'Condition', condition: ['t - 0.5'] };
    });
    expect(issuesOf(coming)).toEqual([]);
    const taken = kept(({ interactions }) => (interactions[0].relation.b = ['-length - 0.2']));
    expect(issuesOf(taken)).toEqual([]);
  });
});

it.each(['event-driven', 'time-stepping'] as const)(
  'a joint that has no number at the start is an error at its place, not the end of the check: %s',
  (scheme) => {
    const document = carts((edited) => {
      edited.simulation.scheme = scheme;
      edited.interactions[0].relation = { type: 'LagrangianScleronomous', size: 1, h: { function: 'bar' } };
      edited.scripts = [
        {
          name: 'bar.ts',
          role: 'functions',
          source: ['export const bar = (q, out) => { out[0] = q[1] * Math.sqrt(-1 - q[0]); };'],
        },
      ];
    });
    const issues = examine(document, undefined).check(environment);
    expect(issues).toMatchObject([{ severity: 'error', element: 'bar', pointer: '/interactions/0' }]);
    expect(issues[0].message).toContain('NaN');
  },
);
