/**
 * Contacts of 3D bodies whose points and normals scripts give, against those of shapes and analytic
 * solutions.
 */
import { describe, expect, it } from 'vitest';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { ScriptedCheck } from '@engine/contact-dynamics/certificate/scripted-check';
import { NoContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { type ScriptedContact, ScriptedContacts } from '@engine/contact-dynamics/contacts/scripted-contacts';
import { compileSpatial } from '@engine/spatial/compile';
import type { Certificate } from '@engine/certificate/residual-maxima';
import type {
  DocumentIssue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
} from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { Examination } from '@engine/preparation/examination';
import { checkInitialState } from '@engine/preparation/initial-check';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { withFunctions } from '../support/models';
import { seeded } from '../support/random';
import { refusal, run, runFailure, start } from '../support/run';
import { G, floor, rigid, spaceModel, touch } from '../support/space';

const sandbox = { sandbox: createSandbox };
const last = (column: Float64Array): number => column[column.length - 1];

const ofScript = (
  id: string,
  systems: string[],
  name: string,
  law: InteractionDocument['law'],
  relation: object = {},
): InteractionDocument => ({
  id,
  systems,
  relation: { type: 'ScriptedContact', contact: { function: name }, ...relation },
  law,
});

const ball = (id: string, position: number[], radius: number, fields: object = {}): SystemDocument =>
  rigid(id, position, { shapes: [{ type: 'Sphere', radius }], ...fields });

/** Ball of a radius on the plane z = 0. */
const onPlane = (name: string, radius: number, first = 0): string =>
  `export const ${name}: ContactGeometry = (q, out) => {
    out[0] = out[3] = q[${first}];
    out[1] = out[4] = q[${first + 1}];
    out[5] = q[${first + 2}] - ${radius};
    out[8] = 1;
  };`;

const NAMES = [
  ...Array.from({ length: 7 }, (_, k) => `q[${k}]`),
  ...Array.from({ length: 6 }, (_, k) => `v[${k}]`),
];

/** Figures of a run without a doubt. */
function expectSound({ complementarity, coneViolation, dynamics, contactParts }: Certificate): void {
  expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-7);
  expect(contactParts?.gaps).toBe(0);
}

function expectEqual(ours: ModelDocument, theirs: ModelDocument, ids: string[], within: number): void {
  const [one, other] = [run(ours, sandbox), run(theirs, sandbox)];
  let worst = 0;
  for (const id of ids)
    for (const name of NAMES) {
      const [a, b] = [one.column(`${id}.${name}`), other.column(`${id}.${name}`)];
      expect(a.length).toBe(b.length);
      for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k] - b[k]));
    }
  expect(worst).toBeLessThanOrEqual(within);
  expectSound(one.session.certificate);
}

describe('what shapes do', () => {
  const { uniform } = seeded(11);
  it.each(Array.from({ length: 12 }, (_, k) => k))('balls thrown onto a plane, case %i', (k) => {
    const radius = uniform(0.05, 0.3);
    const mu = k % 3 === 0 ? 0 : uniform(0.1, 0.8);
    const e = k % 2 === 0 ? 0 : uniform(0, 0.9);
    const thrown = ball('ball', [uniform(-1, 1), uniform(-1, 1), radius + uniform(0, 0.3)], radius, {
      velocity: [uniform(-2, 2), uniform(-2, 2), uniform(-2, 0)],
      spin: [uniform(-9, 9), uniform(-9, 9), uniform(-9, 9)],
    });
    const law = { type: 'NewtonImpactFriction3D', mu, e };
    const theirs = spaceModel([floor(), thrown], [{ ...touch('c', ['floor', 'ball']), law }], { tEnd: 0.5 });
    const ours = withFunctions(
      spaceModel([thrown], [ofScript('c', ['ball'], 'contact', law)], { tEnd: 0.5 }),
      onPlane('contact', radius),
    );
    for (const document of [ours, theirs])
      if (k % 4 > 1) document.simulation.integrators = [{ type: 'MoreauJean', theta: k % 4 === 2 ? 0.5 : 1 }];
    expectEqual(ours, theirs, ['ball'], 1e-12);
  });

  it('balls that meet in flight', () => {
    const systems = [
      ball('a', [0, 0, 0], 0.2, { velocity: [1, 0.1, 0], spin: [3, 1, 2], gravity: [0, 0, 0] }),
      ball('b', [0.6, 0.1, 0.15], 0.1, { velocity: [-1, 0, 0], spin: [0, -4, 6], gravity: [0, 0, 0] }),
    ];
    const law = { type: 'NewtonImpactFriction3D', mu: 0.4, e: 0.5 };
    const source = `export const contact: ContactGeometry = (q, out) => {
      const length = Math.hypot(q[7] - q[0], q[8] - q[1], q[9] - q[2]);
      for (let i = 0; i < 3; i++) {
        // Of a length other than one.
        out[6 + i] = 2 * (q[7 + i] - q[i]);
        out[i] = q[i] + (0.2 * (q[7 + i] - q[i])) / length;
        out[3 + i] = q[7 + i] - (0.1 * (q[7 + i] - q[i])) / length;
      }
    };`;
    const theirs = spaceModel(systems, [{ ...touch('c', ['a', 'b']), law }], { tEnd: 0.5 });
    const ours = withFunctions(
      spaceModel(systems, [ofScript('c', ['a', 'b'], 'contact', law)], { tEnd: 0.5 }),
      source,
    );
    expectEqual(ours, theirs, ['a', 'b'], 1e-12);
    expect(last(run(ours, sandbox).column('b.v[0]'))).toBeGreaterThan(0);
  });

  it('a ball on a table that is moved as prescribed', () => {
    const thrown = ball('ball', [0.1, 0, 0.25], 0.2, { velocity: [0, 0.3, 0] });
    const table = floor('table', {
      displacement: { function: 'way' },
      spin: [0.1, -0.1, 2],
    });
    const law = { type: 'NewtonImpactFriction3D', mu: 0.4, e: 0.2 };
    const way =
      'export const way: PrescribedMotion = (t, out) => { out[0] = 0.1 * Math.sin(7 * t); out[2] = 0.02 * Math.sin(11 * t); };\n';
    const source = `export const contact: ContactGeometry = (q, out) => {
      const [w, x, y, z] = q.slice(3, 7);
      const n = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
      let height = 0;
      for (let i = 0; i < 3; i++) height += n[i] * (q[7 + i] - q[i]);
      for (let i = 0; i < 3; i++) {
        out[i] = q[7 + i] - height * n[i];
        out[3 + i] = q[7 + i] - 0.2 * n[i];
        out[6 + i] = n[i];
      }
    };`;
    const theirs = withFunctions(
      spaceModel([table, thrown], [{ ...touch('c', ['table', 'ball']), law }]),
      way,
    );
    const ours = withFunctions(
      spaceModel([table, thrown], [ofScript('c', ['table', 'ball'], 'contact', law)]),
      way + source,
    );
    expectEqual(ours, theirs, ['ball'], 1e-11);
  });

  it('several contacts of one script, beside contacts of shapes', () => {
    // The second cube is let down on the four corners of its lower side by a script.
    const systems = [
      rigid('one', [0, 0, 0.15], { velocity: [1, 0, 0] }),
      rigid('two', [1, 0, 0.15], { velocity: [1, 0, 0] }),
    ];
    const source = `export const corners: ContactGeometry = (q, out) => {
      const [w, x, y, z] = q.slice(3, 7);
      for (let k = 0; k < 4; k++) {
        const s = [k % 2 === 0 ? -0.1 : 0.1, k < 2 ? -0.1 : 0.1, -0.1];
        const t = [y * s[2] - z * s[1] + w * s[0], z * s[0] - x * s[2] + w * s[1], x * s[1] - y * s[0] + w * s[2]];
        const p = [
          q[0] + s[0] + 2 * (y * t[2] - z * t[1]),
          q[1] + s[1] + 2 * (z * t[0] - x * t[2]),
          q[2] + s[2] + 2 * (x * t[1] - y * t[0]),
        ];
        for (let i = 0; i < 3; i++) out[9 * k + i] = out[9 * k + 3 + i] = p[i];
        out[9 * k + 2] = 0;
        out[9 * k + 8] = 1;
      }
    };`;
    const law = { type: 'NewtonImpactFriction3D', mu: 0.3, e: 0 };
    const mixed = withFunctions(
      spaceModel(
        [floor(), ...systems],
        [{ ...touch('c', ['floor', 'one']), law }, ofScript('d', ['two'], 'corners', law, { contacts: 4 })],
      ),
      source,
    );
    const { column, session } = run(mixed, sandbox);
    expectSound(session.certificate);
    expect(last(column('c.contacts'))).toBe(4);
    expect(last(column('d.contacts'))).toBe(4);
    const [a, b] = [column('one.q[0]'), column('two.q[0]')];
    for (let k = 0; k < a.length; k++) expect(b[k] - a[k]).toBeCloseTo(1, 9);
    // It slides 1/(2 μ g) after it has come down, and stops.
    expect(last(column('two.v[0]'))).toBe(0);
  });

  it('is the same after a step back', () => {
    const thrown = ball('ball', [0, 0, 0.3], 0.2, { velocity: [1, 0, 0] });
    const document = withFunctions(
      spaceModel(
        [thrown],
        [ofScript('c', ['ball'], 'contact', { type: 'NewtonImpactFriction3D', mu: 0.3, e: 0.5 })],
      ),
      onPlane('contact', 0.2),
    );
    const { session, column } = start(document, sandbox);
    session.advance(400);
    session.goBack(250);
    expect(session.advance(Number.MAX_SAFE_INTEGER)).toBe('done');
    expect([...column('ball.v[0]')]).toEqual([...run(document, sandbox).column('ball.v[0]')]);
  });
});

/** Times at which a column goes through zero upwards. */
function risings(t: Float64Array, x: Float64Array): number[] {
  const found: number[] = [];
  for (let k = 1; k < x.length; k++)
    if (x[k - 1] < 0 && x[k] >= 0) found.push(t[k - 1] + ((t[k] - t[k - 1]) * x[k - 1]) / (x[k - 1] - x[k]));
  return found;
}

/** A ball of radius r in a spherical bowl of radius 1 about the origin. */
const BOWL = `export const bowl: ContactGeometry = (q, out) => {
  const length = Math.hypot(q[0], q[1], q[2]);
  for (let i = 0; i < 3; i++) {
    out[i] = q[i] / length;
    out[3 + i] = q[i] + (0.2 * q[i]) / length;
    out[6 + i] = -q[i] / length;
  }
};`;

describe('what formulas say', () => {
  it.each([
    ['slides', 0, 1],
    ['rolls', 0.8, 5 / 7],
  ])('a ball that %s in a spherical bowl swings as a pendulum', (_, mu, factor) => {
    const swing = 0.8 * Math.sin(0.02);
    const placed = ball('ball', [-swing, 0, -0.8 * Math.cos(0.02)], 0.2);
    const document = withFunctions(
      spaceModel([placed], [ofScript('c', ['ball'], 'bowl', { type: 'NewtonImpactFriction3D', mu, e: 0 })], {
        h: 5e-4,
        tEnd: 8,
      }),
      BOWL,
    );
    const { column, session } = run(document, sandbox);
    expectSound(session.certificate);
    const times = risings(column('t'), column('ball.q[0]'));
    const period = (times[times.length - 1] - times[0]) / (times.length - 1);
    // To second order in the amplitude 0.02.
    const small = 2 * Math.PI * Math.sqrt(0.8 / (factor * G));
    expect(times.length).toBeGreaterThan(3);
    expect(period / (small * (1 + 0.02 ** 2 / 16))).toBeCloseTo(1, 4);
    expect(Math.max(...column('c.overlap'))).toBeLessThan(1e-5);
  });

  it('a point on a paraboloid goes round with √(2 a g) in any circle', () => {
    const a = 0.7;
    const source = `export const dish: ContactGeometry = (q, out) => {
      const n = [-2 * ${a} * q[0], -2 * ${a} * q[1], 1];
      const length = Math.hypot(...n);
      const gap = (q[2] - ${a} * (q[0] * q[0] + q[1] * q[1])) / length;
      for (let i = 0; i < 3; i++) {
        out[3 + i] = q[i];
        out[i] = q[i] - (gap * n[i]) / length;
        out[6 + i] = n[i];
      }
    };`;
    const rate = Math.sqrt(2 * a * G);
    for (const radius of [0.2, 0.5]) {
      const point = rigid('point', [radius, 0, a * radius ** 2], {
        mass: 1,
        inertia: [1, 1, 1],
        shapes: undefined,
        velocity: [0, radius * rate, 0],
      });
      const law = { type: 'NewtonImpact3D', e: 0 };
      const { column } = run(
        withFunctions(
          spaceModel([point], [ofScript('c', ['point'], 'dish', law)], { h: 2e-4, tEnd: 4 }),
          source,
        ),
        sandbox,
      );
      const times = risings(column('t'), column('point.q[1]'));
      expect(((times[times.length - 1] - times[0]) / (times.length - 1)) * rate).toBeCloseTo(2 * Math.PI, 3);
    }
  });

  it('positions are projected onto them', () => {
    const document = withFunctions(
      spaceModel(
        [ball('ball', [0.3, 0, -0.6], 0.2)],
        [ofScript('c', ['ball'], 'bowl', { type: 'NewtonImpactFriction3D', mu: 0, e: 0 })],
        { tEnd: 2 },
      ),
      BOWL,
    );
    document.simulation.integrators = [
      { type: 'MoreauJean', projectContacts: 'yes', projectionTolerance: 1e-9 },
    ];
    const { column, session } = run(document, sandbox);
    const [x, y, z] = [0, 1, 2].map((i) => column(`ball.q[${i}]`));
    for (let k = 0; k < x.length; k++) expect(Math.hypot(x[k], y[k], z[k])).toBeLessThan(0.8 + 1.1e-9);
    expectSound(session.certificate);
  });
});

describe('the certificate', () => {
  const contact: ScriptedContact = {
    id: 'c',
    material: 3,
    sides: [{ body: 0, at: 0, pose: null }],
    size: 1,
    evaluate: (z, out) => {
      for (let i = 0; i < 3; i++) {
        out[i] = z[i] / Math.hypot(z[0], z[1], z[2]);
        out[3 + i] = z[i];
        out[6 + i] = -z[i];
      }
    },
  };
  const system = compileSpatial({
    isPlanar: false,
    bodies: [
      {
        id: 'b',
        mass: 1,
        inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1],
        inertiaLaw: null,
        position: [0.3, -0.5, 0.7],
        orientation: [1, 0, 0, 0],
        velocity: [0, 0, 0],
        spin: [0, 0, 0],
      },
    ],
    joints: [],
    relations: [],
    loads: [],
  });
  const q = system.initialPositions();
  const missed = (spoil: (list: ScriptedContacts) => void): number => {
    const list = new ScriptedContacts([contact], new NoContacts(), false);
    expect(list.detect(q, null)).toBe(list);
    spoil(list);
    const check = new ScriptedCheck(system, [contact], null);
    check.judge(list, Float64Array.of(list.geometry[GEOMETRY - 1]), q);
    expect([...check.materials]).toEqual([3]);
    return check.missed[0];
  };

  it('finds nothing where the contact is right', () => {
    expect(missed(() => undefined)).toBe(0);
  });

  it.each([
    ['a point', 1, 1e-9],
    ['a normal', 4, 1e-9],
    ['a gap', 6, 1e-9],
  ])('finds %s that is off', (_, entry, by) => {
    const found = missed(({ geometry }) => (geometry[entry] += by));
    expect(found).toBeGreaterThan(0.5e-9);
    expect(found).toBeLessThan(1e-6);
  });

  it('finds a contact that is lost, and one of another body', () => {
    expect(missed((list) => (list.count = 0))).toBe(1);
    expect(missed(({ bodies }) => bodies.reverse())).toBe(1);
  });
});

function issuesOf(document: ModelDocument): DocumentIssue[] {
  const environment = { sandbox: createSandbox, begin: () => true };
  const issues = checkInitialState(new Examination(document, undefined), environment);
  if (issues.length > 0) expectComplete(issues);
  return issues;
}

describe('what is refused', () => {
  const law = { type: 'NewtonImpactFriction3D', mu: 0.3, e: 0 };
  const one = ball('ball', [0, 0, 0.5], 0.2);
  const document = (source: string, systems = [one], linked = ['ball'], ofLaw: object = law): ModelDocument =>
    withFunctions(
      spaceModel(systems, [ofScript('c', linked, 'contact', ofLaw as InteractionDocument['law'])]),
      source,
    );
  const found = (source: string): unknown[] => issuesOf(document(source));
  const place = { element: 'c', pointer: '/interactions/0/relation/contact' };

  it('a normal of length zero, at the start and later', () => {
    const zero = 'export const contact: ContactGeometry = (q, out) => { out[5] = q[2]; };';
    expect(refusal(document(zero), sandbox).message).toMatch(/normal of length zero/);
    expect(found(zero)).toMatchObject([{ severity: 'error', code: 'contact-normal-zero', ...place }]);
    const later =
      'export const contact: ContactGeometry = (q, out) => { out[0] = out[3] = q[0]; out[1] = out[4] = q[1]; out[5] = q[2] - 0.2; out[8] = q[2] > 0.3 ? 1 : 0; };';
    const { error } = runFailure(document(later), sandbox);
    expect(error).toMatchObject({ code: 'contact-normal-zero', where: 'c' });
    expect(error.remedy).toBeTruthy();
  });

  it('numbers that are none', () => {
    const source = onPlane('contact', 0.2).replace('- 0.2', '- Math.sqrt(q[2] - 0.4)');
    const { error } = runFailure(document(source), sandbox);
    expect(error).toMatchObject({ code: 'script-not-finite', where: 'c' });
  });

  it('warns of points that are not opposite each other, and of a normal that is not that of the gap', () => {
    const aside = onPlane('contact', 0.2).replace(
      'out[0] = out[3] = q[0]',
      'out[0] = out[3] = q[0]; out[0] += 0.1',
    );
    expect(found(aside)).toMatchObject([{ severity: 'warning', code: 'contact-points-aside', ...place }]);
    // The plane is z = 0.1 x, the normal that of z = 0.
    const wrong = `export const contact: ContactGeometry = (q, out) => {
      out[0] = out[3] = q[0];
      out[1] = out[4] = q[1];
      out[2] = 0.1 * q[0];
      out[5] = q[2] - 0.2;
      out[8] = 1;
    };`;
    expect(found(wrong)).toMatchObject([{ severity: 'warning', code: 'contact-normal-off', ...place }]);
    // The report has it with its place: the run does not say it once more.
    expect(run(document(wrong), sandbox).session.warnings).toEqual([]);
    expect(found(wrong)).toMatchObject([{ code: 'contact-normal-off', ...place }]);
    expect(found(onPlane('contact', 0.2))).toEqual([]);
    // Through which the body would fall: the other side of the plane is then the free one.
    expect(found(onPlane('contact', 0.2).replace('out[8] = 1', 'out[8] = -1'))).toMatchObject([
      { severity: 'warning', code: 'contact-overlap', ...place },
    ]);
    expect(issuesOf(document(BOWL.replace('bowl', 'contact')))).toEqual([]);
  });

  it('a law that is none of surfaces, a body that deforms, and a third body', () => {
    const flat = onPlane('contact', 0.2);
    const codes = (of: ModelDocument): string[] => {
      const { issues } = reportDocument(of);
      expectComplete(issues);
      return issues.map(({ code }) => code);
    };
    expect(codes(document(flat, [one], ['ball'], { type: 'Equality' }))).toEqual(['law-of-contact']);
    const soft = {
      id: 'ball',
      type: 'PseudoRigidBody',
      position: [0, 0, 1],
      density: 1000,
      young: 1e5,
      poisson: 0.3,
      volume: 0.008,
      euler: [1, 1, 1],
      shapes: [{ type: 'Box', size: [0.2, 0.2, 0.2] }],
    };
    expect(codes(document(flat, [soft]))).toContain('relation-links');
    const three = [one, ball('b', [2, 0, 2], 0.1), ball('c2', [4, 0, 2], 0.1)];
    expect(codes(document(flat, three, ['ball', 'b', 'c2']))).toEqual(['relation-links']);
  });

  it('Galerkin steps, by the name of the contact', () => {
    const model = document(onPlane('contact', 0.2));
    model.simulation.integrators = [{ type: 'D1MinusLinear' }];
    expect(reportDocument(model).issues).toMatchObject([
      { code: 'contact-without-forces', element: 'c', pointer: '/interactions/0/relation' },
    ]);
  });

  it('the event-driven scheme, by the name of the contact', () => {
    const model = document(onPlane('contact', 0.2));
    model.simulation.scheme = 'event-driven';
    expect(refusal(model, sandbox)).toMatchObject({ code: 'event-driven-contact', where: 'c' });
  });
});
