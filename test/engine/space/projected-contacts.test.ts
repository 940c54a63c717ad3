/** Contacts in the projection of positions, in documents: runs, and what is refused. */
import { describe, expect, it } from 'vitest';
import { isCertified } from '@contract/verdict';
import { ContactGaps } from '@engine/contact-dynamics/positions/contact-gaps';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { sample } from '../../support/prove';
import { expectComplete } from '../support/issues';
import { seeded } from '../support/random';
import { run, runFailure, start } from '../support/run';
import { floor, G, rigid, spaceModel, touch } from '../support/space';

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

const RADIUS = 0.1;

/** Smooth balls in a square shaft: they settle on one another beside their middles, where gaps are curved. */
function shaft(seed: number) {
  const random = seeded(seed);
  const width = random.uniform(2.2, 4) * RADIUS;
  const names = Array.from({ length: random.integer(2, 6) }, (_, k) => `ball${k}`);
  const room = 0.5 * width - RADIUS;
  const masses = names.map(() => random.uniform(0.3, 2.3));
  const systems = names.map((id, k) =>
    rigid(
      id,
      [random.uniform(-room, room), random.uniform(-room, room), 0.11 + 0.21 * k + random.uniform(0, 0.01)],
      { mass: masses[k], shapes: [{ type: 'Sphere', radius: RADIUS }] },
    ),
  );
  const walls = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ].map(([x, y], k) =>
    floor(`wall${k}`, { shapes: [{ type: 'Plane', normal: [x, y, 0], offset: -0.5 * width }] }),
  );
  const fixed = [floor(), ...walls];
  const smooth = (id: string, of: string[]) => ({
    ...touch(id, of),
    law: { type: 'NewtonImpact3D', e: seed % 2 === 0 ? 0 : 0.5 },
  });
  const document = spaceModel(
    [...fixed, ...systems],
    [...fixed.map(({ id }) => smooth(`on_${id}`, [id, ...names])), smooth('between', names)],
    { h: seed % 3 === 0 ? 5e-3 : 2e-3, tEnd: 0.4 },
  );
  document.simulation.integrators = [{ type: 'MoreauJean', projection: 'combined', projectContacts: 'yes' }];
  return { document, names, masses, width };
}

describe('smooth balls in a shaft, with combined projection', () => {
  it('overlap in no step, gain no energy, and are certified', () => {
    const count = sample(6, 300);
    let ended = 0;
    for (let seed = 0; seed < count; seed++) {
      const { document, names, masses, width } = shaft(seed);
      const { column, session } = start(document);
      // One that is jammed from all sides may be held by more contacts than a step finds a place for.
      if (session.advance(Number.MAX_SAFE_INTEGER) !== 'done') ended++;
      const q = names.map((name) => [0, 1, 2].map((i) => column(`${name}.q[${i}]`)));
      const kinetic = column('energy.kinetic');
      let least = Number.POSITIVE_INFINITY;
      const energies = [...kinetic].map((e, row) => {
        const at = q.map((of) => of.map((values) => values[row]));
        at.forEach(([x, y, z], k) => {
          least = Math.min(least, z - RADIUS, 0.5 * width - RADIUS - Math.max(Math.abs(x), Math.abs(y)));
          for (const other of at.slice(0, k))
            least = Math.min(least, Math.hypot(x - other[0], y - other[1], z - other[2]) - 2 * RADIUS);
        });
        return at.reduce((sum, [, , z], k) => sum + masses[k] * G * z, e);
      });
      expect(least, `case ${seed}`).toBeGreaterThan(-1.01e-10);
      // Lifting out of overlaps is paid by nothing; a step of 5 ms falls by some mm into one.
      expect(most(Float64Array.from(energies)), `case ${seed}`).toBeLessThan(1.01 * energies[0]);
      expect(isCertified(session.certificate), `case ${seed}`).toBe(true);
    }
    expect(ended).toBeLessThanOrEqual(0.005 * count);
  });

  it('are not certified where one that is lifted off along a curve has no contact', () => {
    const { depth } = ContactGaps.prototype;
    ContactGaps.prototype.depth = () => 0;
    try {
      expect(isCertified(run(shaft(4).document).session.certificate)).toBe(false);
    } finally {
      ContactGaps.prototype.depth = depth;
    }
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
