/** The certificate of runs of bodies in space: what it is measured by, and where the worst was found. */
import { describe, expect, it } from 'vitest';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';
import { run } from '../support/run';

describe('the certificate of bodies in space', () => {
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
