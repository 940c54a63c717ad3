/** When a contact takes part in a step. */
import { describe, expect, it } from 'vitest';
import { ActiveFrames } from '@engine/contact-dynamics/contacts/active-frames';
import { ContactFrames } from '@engine/contact-dynamics/contacts/contact-frames';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { JointRows } from '@engine/contact-dynamics/joint-rows';
import { NewtonImpactLaw } from '@engine/model/contact-laws/newton-impact-friction';
import { BodyMobility } from '@engine/contact-dynamics/mobility';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { compileSpatial } from '@engine/spatial/compile';
import { GivenContacts } from './sources';

const H = 1e-3;
const rigid = new NewtonImpactLaw({ kind: 'impact', friction: 0, restitution: 0, tangentialRestitution: 0 });

/** A ball whose gap over a plane is given, and what it takes to keep its impulse. */
function ball(lag = 0): {
  active: ActiveFrames;
  step: (gap: number, speed?: number) => number;
  keep: (impulse: number, noise: number) => void;
} {
  const system = compileSpatial({
    bodies: [{ id: 'ball', mass: 1, inertia: [1, 1, 1], position: [0, 0, 1] }],
    joints: [],
    loads: [],
  });
  const q = system.initialPositions();
  const contacts = new GivenContacts([
    { body: 0, point: [0, 0, 0], radius: 1, normal: [0, 0, 1], offset: 0 },
  ]);
  const mobility = new BodyMobility(system);
  const frames = new ContactFrames(mobility);
  const active = new ActiveFrames(mobility, new JointRows(system, mobility, Float64Array.of(H), q), [rigid], {
    forecast: 0,
    aim: 0,
    lag,
  });
  const problem = new FrictionContactProblem(3, 4, 4);
  const step = (gap: number, speed = 0): number => {
    contacts.detect(q);
    contacts.geometry[GEOMETRY - 1] = gap;
    const u = system.initialVelocities();
    u[2] = speed;
    active.update(contacts, q, u, u, H);
    return active.contactCount;
  };
  const keep = (impulse: number, noise: number): void => {
    active.compile(problem);
    frames.clear(1);
    frames.add(q, -1, 0, contacts.geometry, 0);
    problem.r[0] = impulse;
    active.keep(frames, problem, noise, H);
  };
  return { active, step, keep };
}

describe('a contact', () => {
  it('is closed when its gap is zero to rounding of the coordinates, and counts as closing once', () => {
    const { active, step, keep } = ball();
    expect(step(1e-14)).toBe(0);
    expect(step(2e-15)).toBe(1);
    keep(1, 0);
    expect(step(-1e-3)).toBe(1);
    expect(active.closings).toBe(1);
    expect(step(1e-14)).toBe(0);
    expect(step(0)).toBe(1);
    expect(active.closings).toBe(2);
  });

  it('that pushes stays for what noise has added to its gap, also when the noise has become less', () => {
    const { step, keep } = ball();
    expect(step(0)).toBe(1);
    // A thousand steps of 10⁻¹⁰ m/s are 10⁻¹⁰ m.
    keep(1, 1e-10);
    expect(step(0.9e-10)).toBe(1);
    keep(1, 1e-17);
    expect(step(0.9e-10)).toBe(1);
    expect(step(1.1e-10)).toBe(0);
  });

  it('that moves by more than that noise in a step is open as soon as its gap is, by a forecast', () => {
    for (const sign of [-1, 1]) {
      const { step, keep } = ball(1);
      expect(step(0)).toBe(1);
      keep(1, 1e-10);
      // 0.9·10⁻¹⁰ m in a step of 10⁻³ s is within the noise of 10⁻¹⁰ m, 1.1·10⁻¹⁰ m is not.
      expect(step(0.9e-10 + sign * 0.9e-10, sign * 0.9e-7)).toBe(1);
      keep(1, 1e-10);
      expect(step(0.9e-10 + sign * 1.1e-10, sign * 1.1e-7)).toBe(0);
    }
  });

  it('that does not push any more has no such claim', () => {
    const { step, keep } = ball();
    expect(step(0)).toBe(1);
    keep(1, 1e-10);
    expect(step(0.9e-10)).toBe(1);
    keep(0, 1e-10);
    expect(step(0.9e-10)).toBe(0);
  });
});
