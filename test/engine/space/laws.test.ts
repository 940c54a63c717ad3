/** Laws of contact in documents: what they become in a run, and what is refused. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument, TypedElement } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { run } from '../support/run';
import { floor, G, rigid, spaceModel, touch, turned } from '../support/space';

const last = (column: Float64Array): number => column[column.length - 1];

/** One box of 8 kg on the floor, or under a ceiling. */
function box(law: TypedElement, tEnd = 1, isUnder = false): ModelDocument {
  const support = isUnder ? floor('support', { orientation: turned(0, Math.PI) }) : floor('support');
  const document = spaceModel(
    [support, rigid('box', [0, 0, isUnder ? -0.1 : 0.1])],
    [touch('contact', ['support', 'box'])],
    { tEnd },
  );
  document.interactions[0].law = law;
  return document;
}

describe('a box', () => {
  it('on four springs is m g/4k deep, and that is its overlap', () => {
    const { column, session } = run(box({ type: 'CompliantFriction3D', k: 2e4, c: 300, mu: 0.5 }, 2));
    const depth = (8 * G) / (4 * 2e4);
    expect(0.1 - last(column('box.q[2]'))).toBeCloseTo(depth, 10);
    expect(last(column('contact.overlap'))).toBeCloseTo(depth, 10);
    expect(last(column('contact.normalImpulse'))).toBeCloseTo(1e-3 * 8 * G, 10);
    expect(session.certificate.complementarity).toBeLessThan(1e-6);
  });

  it('without a damper swings on them', () => {
    const { column } = run(box({ type: 'CompliantFriction3D', k: 2e4, mu: 0 }, 0.2));
    const z = column('box.q[2]');
    const lowest = z.reduce((least, value) => Math.min(least, value), 1);
    // Twice the depth at rest, less what the scheme damps in half a period.
    expect((0.1 - lowest) / ((8 * G) / (4 * 2e4))).toBeGreaterThan(1.8);
    expect((0.1 - lowest) / ((8 * G) / (4 * 2e4))).toBeLessThan(2);
  });

  it.each([
    ['returns', 1.01, true],
    ['breaks', 1.01, true],
    ['returns', 0.99, false],
    ['breaks', 0.99, false],
  ])('whose bond %s hangs from a ceiling by its corners with %f of its weight: %s', (bond, part, holds) => {
    const law = { type: 'CohesiveFriction3D', pull: (part * 8 * G) / 4, bond, mu: 0.5, e: 0 };
    const { column } = run(box(law, 0.5, true));
    const z = last(column('box.q[2]'));
    if (holds) {
      expect(z).toBeCloseTo(-0.1, 12);
      expect(last(column('contact.normalImpulse'))).toBeCloseTo(-1e-3 * 8 * G, 10);
    } else expect(z).toBeLessThan(-1);
  });
});

describe('a box that falls', () => {
  it('with Frémond’s law springs back with (k − m)/(k + m) of the mass that a corner of it feels', () => {
    const document = box({ type: 'FremondImpactFriction3D', k: 6, mu: 0.3 }, 0.15);
    document.systems[1].position = [0, 0, 0.15];
    const { column, session } = run(document);
    const v = column('box.v[2]');
    const [lowest, highest] = [Math.min(...v), Math.max(...v)];
    // Four corners with 2 kg each, and the weight of the step.
    expect(highest).toBeCloseTo((-(6 / 2 - 1) * lowest - 1e-3 * G) / (6 / 2 + 1), 7);
    expect(session.certificate.complementarity).toBeLessThan(1e-7);
  });
});

describe('a box that is glued to a ceiling', () => {
  const glued = (w: number): ModelDocument =>
    box({ type: 'AdhesiveFriction3D', cn: 4e5, ct: 4e5, w, mu: 0.5 }, 0.1, true);

  it('hangs by its four bonds, and records their intensity', () => {
    const { column, session } = run(glued(0.02));
    const rest = (8 * G) / (4 * 4e5);
    const z = column('box.q[2]');
    expect(-0.1 - Math.min(...z)).toBeGreaterThan(1.9 * rest);
    expect(-0.1 - Math.min(...z)).toBeLessThan(2.1 * rest);
    expect([...column('contact.intensity')].every((value) => value === 1)).toBe(true);
    expect(last(column('contact.leastIntensity'))).toBe(1);
    expect(session.certificate.complementarity).toBeLessThan(1e-7);
  });

  it('falls where the weight takes them apart, and has none left then', () => {
    // Damage begins at √(w/C), a tenth of m g/4C.
    const { column } = run(glued(4e5 * (0.1 * ((8 * G) / (4 * 4e5))) ** 2));
    const [mean, least] = [column('contact.intensity'), column('contact.leastIntensity')];
    expect(mean[0]).toBe(1);
    for (let k = 1; k < mean.length; k++) expect(mean[k]).toBeLessThanOrEqual(mean[k - 1]);
    expect(last(least)).toBe(0);
    expect(last(column('box.q[2]'))).toBeLessThan(-0.12);
  });
});

describe('what is refused', () => {
  it.each<[string, TypedElement, Partial<DocumentIssue>]>([
    [
      'a spring without stiffness',
      { type: 'CompliantFriction3D', k: 0, mu: 0.5 },
      { code: 'out-of-range', pointer: '/interactions/0/law/k' },
    ],
    [
      'a damper that drives',
      { type: 'CompliantFriction3D', k: 1e3, c: -1, mu: 0.5 },
      { code: 'out-of-range', pointer: '/interactions/0/law/c' },
    ],
    [
      'percussions without viscosity',
      { type: 'FremondImpactFriction3D', k: 0, mu: 0.5 },
      { code: 'out-of-range', pointer: '/interactions/0/law/k' },
    ],
    [
      'a bond without normal stiffness',
      { type: 'AdhesiveFriction3D', cn: 0, ct: 1e5, w: 0.01, mu: 0.5 },
      { code: 'out-of-range', pointer: '/interactions/0/law/cn' },
    ],
    [
      'a bond without tangential stiffness',
      { type: 'AdhesiveFriction3D', cn: 1e5, ct: 0, w: 0.01, mu: 0.5 },
      { code: 'out-of-range', pointer: '/interactions/0/law/ct' },
    ],
    [
      'a bond without work',
      { type: 'AdhesiveFriction3D', cn: 1e5, ct: 1e5, w: 0, mu: 0.5 },
      { code: 'out-of-range', pointer: '/interactions/0/law/w' },
    ],
    [
      'a damage that heals',
      { type: 'AdhesiveFriction3D', cn: 1e5, ct: 1e5, w: 0.01, mu: 0.5, b: -1 },
      { code: 'out-of-range', pointer: '/interactions/0/law/b' },
    ],
    [
      'an intensity above one',
      { type: 'AdhesiveFriction3D', cn: 1e5, ct: 1e5, w: 0.01, mu: 0.5, beta: 1.1 },
      { code: 'out-of-range', pointer: '/interactions/0/law/beta' },
    ],
    [
      'a pull below zero',
      { type: 'CohesiveFriction3D', pull: -1, mu: 0.5, e: 0 },
      { code: 'out-of-range', pointer: '/interactions/0/law/pull' },
    ],
    [
      'a range below zero',
      { type: 'CohesiveFriction3D', pull: 1, range: -1, mu: 0.5, e: 0 },
      { code: 'out-of-range', pointer: '/interactions/0/law/range' },
    ],
  ])('%s', (_, law, issue) => {
    const { issues } = reportDocument(box(law));
    expectComplete(issues);
    expect(issues).toMatchObject([issue]);
  });

  it('a bond of another kind', () => {
    const { issues } = reportDocument(
      box({ type: 'CohesiveFriction3D', pull: 1, bond: 'melts', mu: 0.5, e: 0 }),
    );
    expectComplete(issues);
    expect(issues[0]?.pointer).toBe('/interactions/0/law/bond');
  });
});

describe('a ball with rolling and spinning friction', () => {
  const ball = (law: Partial<TypedElement>, motion: Record<string, number[]>, tEnd = 0.3): ModelDocument => {
    const document = spaceModel(
      [floor(), rigid('ball', [0, 0, 0.1], { shapes: [{ type: 'Sphere', radius: 0.1 }], ...motion })],
      [touch('contact', ['floor', 'ball'])],
      { tEnd },
    );
    document.interactions[0].law = { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0, ...law };
    return document;
  };
  const weight = (1000 * 4 * Math.PI * 1e-3 * G) / 3;

  it('records the moments over a step, and their work with that of friction', () => {
    const motion = { velocity: [0.5, 0, 0], spin: [0, 5, 7] };
    const { column, session } = run(ball({ rollingFriction: 4e-3, spinningFriction: 1e-3 }, motion));
    expect(last(column('contact.rollingImpulse'))).toBeCloseTo(1e-3 * 4e-3 * weight, 12);
    expect(last(column('contact.spinningImpulse'))).toBeCloseTo(1e-3 * 1e-3 * weight, 12);
    const speed = 0.5 - ((5 / 7) * 4e-3 * G * 0.3) / 0.1;
    expect(last(column('ball.v[0]'))).toBeCloseTo(speed, 9);
    const kinetic = column('energy.kinetic');
    expect(last(column('energy.contactTangent'))).toBeCloseTo(last(kinetic) - kinetic[0], 9);
    expect(session.certificate.complementarity).toBeLessThan(1e-7);
  });

  it('has signals of the moments that its law has only', () => {
    const names = (law: Partial<TypedElement>): string[] =>
      run(ball(law, {}, 0.01))
        .session.signals.map(({ name }) => name)
        .filter((name) => name.startsWith('contact.'));
    expect(names({})).not.toContain('contact.rollingImpulse');
    expect(names({ rollingFriction: 0 })).toContain('contact.rollingImpulse');
    expect(names({ rollingFriction: 0 })).not.toContain('contact.spinningImpulse');
    expect(names({ spinningFriction: 1e-3 }).at(-1)).toBe('contact.spinningImpulse');
  });

  it.each(['ADMM', 'FrictionInteriorPoint', 'DeSaxce', 'Tresca'])('is not solved by %s', (type) => {
    const document = ball({ rollingFriction: 1e-3 }, {});
    document.simulation.solver = { type };
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'solver-of-moments', pointer: '/simulation/solver/type' }]);
    expect(issues[0].remedy).toContain('auto, or one of NSGS, ExtrapolatedNSGS');
    document.interactions[0].law = { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 };
    expect(reportDocument(document).issues).toEqual([]);
  });

  it.each<[TypedElement, string]>([
    [{ type: 'NewtonImpactFriction3D', mu: 0.5, e: 0, rollingFriction: -1e-3 }, 'rollingFriction'],
    [{ type: 'NewtonImpactFriction3D', mu: 0.5, e: 0, spinningFriction: -1e-3 }, 'spinningFriction'],
    [{ type: 'CompliantFriction3D', k: 1e4, mu: 0.5, rollingFriction: -1 }, 'rollingFriction'],
    [{ type: 'CohesiveFriction3D', pull: 1, mu: 0.5, e: 0, spinningFriction: -1 }, 'spinningFriction'],
  ])('is refused with less than none: %j', (law, key) => {
    const { issues } = reportDocument(box(law));
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'out-of-range', pointer: `/interactions/0/law/${key}` }]);
  });
});
