/** Contacts in the projection of positions, in documents: runs, and what is refused. */
import { describe, expect, it } from 'vitest';
import { isCertified } from '@contract/verdict';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { run, runFailure } from '../support/run';
import { floor, rigid, spaceModel, touch } from '../support/space';

function dropped(settings: Record<string, string | number>): ModelDocument {
  const document = spaceModel(
    [floor(), rigid('low', [0, 0, 0.103]), rigid('high', [0.01, 0, 0.309])],
    [touch('contact', ['floor', 'low', 'high'], 0.4)],
    { h: 2e-3, tEnd: 0.5 },
  );
  document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5, ...settings }];
  return document;
}

const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), 0);

describe('boxes that fall on one another', () => {
  it('overlap by less than the tolerance where contacts are projected', () => {
    const plain = run(dropped({}));
    const projected = run(dropped({ projectContacts: 'yes', projectionTolerance: 1e-8 }));
    const height = (of: typeof plain, body: string): number => {
      const z = of.column(`${body}.q[2]`);
      return z[z.length - 1];
    };
    expect(height(plain, 'high')).toBeLessThan(0.3 - 5e-5);
    expect(height(projected, 'low')).toBeGreaterThan(0.1 - 1.01e-8);
    expect(height(projected, 'high')).toBeGreaterThan(0.3 - 2.02e-8);
    expect(most(projected.column('contact.overlap').slice(-50))).toBeLessThan(1.01e-8);
    expect(isCertified(projected.session.certificate)).toBe(true);
    // What lifts bodies is entered as what the scheme adds: nothing is missing in the balance.
    const [gained, taken] = [
      ['kinetic', 'potential'],
      ['contactNormal', 'contactTangent', 'numerical'],
    ].map((names) => names.map((name) => projected.column(`energy.${name}`)));
    const sum = (of: Float64Array[], k: number): number => of.reduce((total, values) => total + values[k], 0);
    const last = gained[0].length - 1;
    expect(Math.abs(sum(gained, last) - sum(gained, 0) - sum(taken, last))).toBeLessThan(1e-9);
    expect(taken[2][last]).toBeGreaterThan(1e-3);
    expect(projected.session.warnings).toEqual([]);
  });

  it('are where they were without a document that asks for it, to the last bit', () => {
    const plain = run(dropped({}));
    const same = run(dropped({ projectContacts: 'no' }));
    expect(same.column('high.q[2]')).toEqual(plain.column('high.q[2]'));
  });
});

describe('boxes that fall on one another, with combined projection', () => {
  it('do not overlap in any step, and are certified', () => {
    const { column, session } = run(
      dropped({ projection: 'combined', projectContacts: 'yes', projectionTolerance: 1e-8 }),
    );
    expect(most(column('contact.overlap'))).toBeLessThan(1.01e-8);
    expect(isCertified(session.certificate)).toBe(true);
    expect(session.warnings).toEqual([]);
  });

  it('end the run where iterations do not suffice, and say what helps', () => {
    const document = dropped({
      projection: 'combined',
      projectContacts: 'yes',
      projectionTolerance: 1e-13,
      projectionIterations: 1,
    });
    // What turns as it falls is not projected in one iteration.
    document.systems[2] = rigid('high', [0.12, 0, 0.309]);
    const { error } = runFailure(document);
    expect(error.message).toContain('projection');
    expect(error.remedy).toContain('Reduce the time step');
  });

  it.each([
    ['projectionTolerance', 0],
    ['projectionTolerance', -1],
    ['projectionIterations', 0],
    ['projectionIterations', 1001],
    ['projection', 'both'],
    ['projectContacts', 'all'],
    ['metric', 'none'],
  ])('are refused with %s = %s', (key, value) => {
    const { issues } = reportDocument(
      dropped({ projection: 'combined', projectContacts: 'yes', [key]: value }),
    );
    expect(issues.map(({ severity, pointer }) => [severity, pointer])).toContainEqual([
      'error',
      `/simulation/integrators/0/${key}`,
    ]);
  });
});

describe('is refused, or warned of', () => {
  it.each([
    [
      'without a projection',
      { projection: 'no', projectContacts: 'yes' },
      'contacts-without-projection',
      'projectContacts',
    ],
    [
      'beside the removal of overlaps',
      { projectContacts: 'yes', overlap: 1e-5 },
      'overlap-beside-projection',
      'overlap',
    ],
  ])('%s', (_, settings, code, key) => {
    const { issues } = reportDocument(dropped(settings));
    expectComplete(issues);
    expect(issues).toMatchObject([{ severity: 'error', code, pointer: `/simulation/integrators/0/${key}` }]);
  });

  it('where settings are of a projection that is off', () => {
    const { issues } = reportDocument(dropped({ projection: 'no', metric: 'euclidean' }));
    expect(issues).toMatchObject([
      {
        severity: 'warning',
        code: 'setting-without-effect',
        pointer: '/simulation/integrators/0/metric',
      },
    ]);
  });

  it('from event to event', () => {
    const document = dropped({ projection: 'combined' });
    document.simulation.scheme = 'event-driven';
    const { issues } = reportDocument(document);
    const found = issues.filter(({ code }) => code === 'setting-of-other-scheme');
    expect(found).toMatchObject([{ severity: 'warning', pointer: '/simulation/integrators/0' }]);
    expect(found[0].message).toContain('projection of positions');
  });

  it('where there are no contacts', () => {
    const document = dropped({ projectContacts: 'yes' });
    document.interactions = [];
    expect(run(document).session.warnings.join(' ')).toContain('it has no effect');
    const { issues } = reportDocument(document);
    expect(issues).toMatchObject([
      {
        severity: 'warning',
        code: 'projection-without-effect',
        pointer: '/simulation/integrators/0/projectContacts',
      },
    ]);
  });
});
