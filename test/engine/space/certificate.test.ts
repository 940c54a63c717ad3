/** The certificate of runs of 3D bodies: what it is measured by, and where the worst was found. */
import { describe, expect, it } from 'vitest';
import { CONTACT_RESIDUALS, createContactMaxima } from '@engine/contact-dynamics/certificate/certificate';
import type { ContactResidual } from '@engine/certificate/residual-maxima';
import { prepare } from '@engine/preparation/prepare';
import { residualElements } from '@engine/run/spatial/stepping';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';
import { run } from '../support/run';

describe('the element of the worst figure', () => {
  const model = prepare(
    spaceModel(
      [floor(), rigid('a', [0, 0, 1]), rigid('b', [1, 0, 1]), rigid('c', [2, 0, 1])],
      [
        joint('ball', ['a', 'b'], { type: 'BallJoint', point: [0.5, 0, 1] }),
        touch('ground', ['floor', 'a', 'b']),
        joint('wheel', ['b', 'c'], { type: 'RevoluteJoint', point: [1.5, 0, 1], angleSpeed: 2 }),
        touch('corner', ['floor', 'c']),
      ],
    ),
    {
      functions: () => null,
      functionNames: [],
      derivatives: () => {
        throw new Error('no function is differentiated');
      },
    },
  );
  const space = model.prepared?.space;
  const found = (name: ContactResidual, place: number, value = 1e-3): string | null => {
    if (space === null || space === undefined) throw new Error('the model was refused');
    const maxima = createContactMaxima(residualElements(space));
    const clock = Float64Array.of(1);
    const enter = (k: number, residual: number, at: number): void => {
      maxima.raise(k, residual, 1, clock, at);
    };
    CONTACT_RESIDUALS.forEach((_, k) => {
      enter(k, 1e-12, 0);
    });
    enter(CONTACT_RESIDUALS.indexOf(name), value, place);
    enter(CONTACT_RESIDUALS.indexOf('law'), 1e-6, 0);
    return maxima.report.worstElement;
  };

  it('is the interaction of a contact, the body of a momentum, the joint of a row', () => {
    expect([found('law', 0), found('law', 1), found('cone', 1)]).toEqual(['ground', 'corner', 'corner']);
    expect([0, 1, 2].map((body) => found('momentum', body))).toEqual(['a', 'b', 'c']);
    // Three rows of the ball, five of the wheel, and the speed of its motor.
    expect([0, 2, 3, 7, 8].map((row) => found('joints', row))).toEqual([
      'ball',
      'ball',
      'wheel',
      'wheel',
      'wheel',
    ]);
  });

  it('is the joint of a stop, and of friction or a motor', () => {
    expect([found('limits', 0), found('drives', 1)]).toEqual(['ball', 'wheel']);
  });

  it('is none where the certificate has not singled one out', () => {
    expect(found('law', -1)).toBeNull();
    expect(found('limits', -1)).toBeNull();
    expect(found('joints', 9)).toBeNull();
  });

  it('is that of what is not a number', () => {
    expect(found('momentum', 1, NaN)).toBe('b');
  });
});

describe('the certificate of 3D bodies', () => {
  it('lists what it is made of, the worst of each', () => {
    const { session } = run(
      spaceModel([floor(), rigid('b', [0, 0, 0.5])], [touch('ground', ['floor', 'b'])]),
      { tEnd: 0.6 },
    );
    const { contactParts, dynamics, complementarity, coneViolation } = session.certificate;
    const of = (...names: ContactResidual[]): number => Math.max(...names.map((name) => contactParts![name]));
    expect(Object.keys(contactParts!)).toEqual(CONTACT_RESIDUALS);
    expect(of('momentum', 'joints', 'positions', 'motion')).toBe(dynamics);
    expect(of('law', 'limits', 'moments')).toBe(complementarity);
    expect(of('cone', 'drives', 'gaps')).toBe(coneViolation);
    expect(dynamics).toBeGreaterThan(0);
  });

  it('names the contacts, the body or the joint of its worst figure', () => {
    const pile = spaceModel(
      [floor(), ...[0, 1, 2].map((k) => rigid(`b${k}`, [0.03 * k, 0, 0.1 + 0.2 * k]))],
      [touch('pile', ['floor', 'b0', 'b1', 'b2'])],
      { tEnd: 0.05 },
    );
    expect(['pile', 'b0', 'b1', 'b2']).toContain(run(pile).session.certificate.worstElement);
    const swing = spaceModel(
      [rigid('arm', [1, 0, 0])],
      [joint('pin', ['arm'], { type: 'RevoluteJoint', axis: [0, 1, 0], point: [0, 0, 0] })],
      { tEnd: 0.05 },
    );
    expect(['pin', 'arm']).toContain(run(swing).session.certificate.worstElement);
  });

  it('asks for thirty times the tolerance of the solver', () => {
    const document = spaceModel([floor(), rigid('box', [0, 0, 0.1])], [touch('ground', ['floor', 'box'])], {
      tEnd: 0.01,
    });
    expect(run(document).session.certificate.limit).toBeCloseTo(3e-7, 12);
    document.simulation.solver = { type: 'NSGS', tolerance: 1e-5 };
    const { certificate } = run(document).session;
    expect(certificate.limit).toBeCloseTo(3e-4, 9);
    expect(
      Math.max(certificate.complementarity, certificate.coneViolation, certificate.dynamics),
    ).toBeLessThan(3e-4);
  });

  it('judges a pile of many contacts as it judges one: what is solved is satisfied', () => {
    const boxes = Array.from({ length: 40 }, (_, k) => rigid(`b${k}`, [0, 0, 0.1 + 0.2 * k]));
    const document = spaceModel(
      [floor(), ...boxes],
      [touch('pile', ['floor', ...boxes.map(({ id }) => id)])],
      {
        h: 5e-3,
        tEnd: 0.1,
      },
    );
    const { complementarity, coneViolation, dynamics, limit } = run(document).session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(limit ?? 0);
  });
});
