/** Coulomb friction of 3D contacts from event to event: against closed forms and the balance of energy. */
import { describe, expect, it } from 'vitest';
import type { FieldValue, InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { run, type Run } from '../support/run';
import { floor, G, rigid, spaceModel, touch } from '../support/space';

const ACCURATE = { relativeTolerance: 1e-12, absoluteTolerance: 1e-13 };

function fromEventToEvent(
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  { tEnd = 1, h = 0.02 }: { tEnd?: number; h?: number } = {},
): ModelDocument {
  const document = spaceModel(systems, interactions, { h, tEnd });
  document.simulation.scheme = 'event-driven';
  document.simulation.eventDriven = { flight: { type: 'DormandPrince', ...ACCURATE } };
  return document;
}

const last = ({ column }: Run, signal: string): number => column(signal).at(-1) ?? Number.NaN;
const vector = (result: Run, signal: string, from: number): number[] =>
  [0, 1, 2].map((k) => last(result, `${signal}[${from + k}]`));

function expectSound({ session }: Run): void {
  const { complementarity, coneViolation, dynamics } = session.certificate;
  expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-8);
  expect(session.complete).toBe(true);
  expect(session.energyDrift).toBeLessThan(1e-9);
}

const R = 0.1;
const ball = (fields: Record<string, FieldValue>): SystemDocument =>
  rigid('ball', [0, 0, R], { density: 1000, shapes: [{ type: 'Sphere', radius: R }], ...fields });
const rough = (mu: number, e = 0): InteractionDocument => touch('ground', ['ball', 'floor'], mu, e);
const kinds = ({ session }: Run, ...which: string[]): { kind: string; time: number }[] =>
  session.eventRecords.filter(({ kind }) => which.includes(kind));

describe('a ball on a table', () => {
  it('slides until 2 v/(7 μ g), and rolls with 5/7 of its speed', () => {
    const [mu, v] = [0.3, 2];
    const result = run(fromEventToEvent([ball({ velocity: [v, 0, 0] }), floor()], [rough(mu)], { tEnd: 1 }));
    expectSound(result);
    const [stick] = kinds(result, 'stick');
    expect(Math.abs(stick.time - (2 * v) / (7 * mu * G))).toBeLessThan(1e-9);
    expect(last(result, 'ball.v[0]')).toBeCloseTo((5 / 7) * v, 9);
    expect(last(result, 'ball.v[4]')).toBeCloseTo(((5 / 7) * v) / R, 8);
  });

  it('with a spin across curves, along a parabola, and then rolls straight', () => {
    const [mu, v, w] = [0.2, 1.5, 30];
    const spinning = ball({ velocity: [v, 0, 0], spin: [w, 0, 0] });
    const result = run(fromEventToEvent([spinning, floor()], [rough(mu)], { tEnd: 1.5 }));
    expectSound(result);
    // Slip u = (v, w R) shrinks along itself at 7/2 μ g.
    const slip = [v, w * R];
    const speed = Math.hypot(...slip);
    const [stick] = kinds(result, 'stick');
    expect(Math.abs(stick.time - (2 * speed) / (7 * mu * G))).toBeLessThan(1e-9);
    expect(last(result, 'ball.v[0]')).toBeCloseTo(v - (2 / 7) * slip[0], 8);
    expect(last(result, 'ball.v[1]')).toBeCloseTo(-(2 / 7) * slip[1], 8);
  });

  it('bounces, takes up spin, and comes to roll or rest', () => {
    const [mu, e] = [0.25, 0.6];
    const thrown = ball({ position: [0, 0, 0.6], velocity: [1, 0.5, 0], spin: [3, -20, 7] });
    const result = run(fromEventToEvent([thrown, floor()], [rough(mu, e)], { tEnd: 4 }));
    expectSound(result);
    expect(kinds(result, 'zeno')).toHaveLength(1);
    const [x, y, z] = vector(result, 'ball.v', 0);
    expect(Math.abs(z)).toBeLessThan(1e-10);
    // Rolling: V = ω×r, with the first impact by the closed form of a ball with friction.
    expect(last(result, 'ground.slip')).toBeLessThan(1e-9);
    expect(Math.hypot(x, y)).toBeGreaterThan(0.1);
  });
});

describe('a sphere on a slope', () => {
  const slope = (angle: number): SystemDocument =>
    floor('floor', { orientation: [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0] });
  const placed = (angle: number): SystemDocument =>
    ball({ position: [R * Math.sin(angle), 0, R * Math.cos(angle)] });

  it('rolls at 5/7 g sin α where friction suffices, and slides where it does not', () => {
    const angle = 0.6;
    for (const mu of [0.3, 0.1]) {
      const result = run(fromEventToEvent([placed(angle), slope(angle)], [rough(mu)], { tEnd: 0.5 }));
      expectSound(result);
      const rolls = mu > (2 / 7) * Math.tan(angle);
      const acceleration = rolls
        ? (5 / 7) * G * Math.sin(angle)
        : G * (Math.sin(angle) - mu * Math.cos(angle));
      const [x, , z] = vector(result, 'ball.v', 0);
      expect(Math.hypot(x, z)).toBeCloseTo(acceleration * 0.5, 8);
    }
  });
});

describe('a flat disc on its rim', () => {
  const [radius, half] = [0.04, 1e-6];
  const disc = (fields: Record<string, FieldValue>): SystemDocument =>
    rigid('disc', [0, 0, radius], {
      mass: 0.4,
      inertia: [0.25, 0.25, 0.5].map((part) => part * 0.4 * radius * radius),
      shapes: [{ type: 'Cylinder', radius, height: 2 * half }],
      ...fields,
    });
  const rim = touch('ground', ['disc', 'floor'], 1);

  it('goes round at √(4 g/(R sin θ)) with its centre at rest, as Euler’s disc does', () => {
    const tilt = 0.4;
    const rate = Math.sqrt((4 * G) / (radius * Math.sin(tilt)));
    const start = disc({
      position: [0, 0, radius * Math.sin(tilt) + half * Math.cos(tilt)],
      orientation: [Math.cos(tilt / 2), 0, Math.sin(tilt / 2), 0],
      spin: [-rate * Math.sin(tilt), 0, 0],
    });
    const result = run(fromEventToEvent([start, floor()], [rim], { tEnd: 0.5 }));
    expectSound(result);
    expect(kinds(result, 'slip', 'takeOff')).toEqual([]);
    const [x, y, z] = vector(result, 'disc.q', 0);
    expect(Math.hypot(x, y)).toBeLessThan(1e-4 * radius);
    // The rate is that of a disc without thickness, so that one with it nods a little.
    expect(z / (radius * Math.sin(tilt) + half * Math.cos(tilt))).toBeCloseTo(1, 5);
    // The axis has turned about the vertical by rate · t.
    const q = [3, 4, 5, 6].map((k) => last(result, `disc.q[${k}]`));
    const azimuth = Math.atan2(2 * (q[2] * q[3] - q[0] * q[1]), 2 * (q[1] * q[3] + q[0] * q[2]));
    const turned = azimuth - rate * 0.5;
    expect(Math.abs(Math.atan2(Math.sin(turned), Math.cos(turned)))).toBeLessThan(1e-3);
    expect(last(result, 'ground.normalForce')).toBeCloseTo(0.4 * G, 4);
  });

  it('whose end comes to lie flat ends the run with the reason', () => {
    const flat = disc({ position: [0, 0, half + 0.01] });
    expect(() => run(fromEventToEvent([flat, floor()], [rim], { tEnd: 0.5 }))).toThrow(/flat end/);
  });
});

it('a cylinder on its side rolls down a slope at 2/3 g sin α', () => {
  const [angle, radius] = [0.3, 0.1];
  const slope = floor('floor', { orientation: [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0] });
  // Its axis along y: a turn by a quarter about x.
  const roller = rigid('ball', [radius * Math.sin(angle), 0, radius * Math.cos(angle)], {
    orientation: [Math.SQRT1_2, -Math.SQRT1_2, 0, 0],
    shapes: [{ type: 'Cylinder', radius, height: 0.3 }],
  });
  const result = run(fromEventToEvent([roller, slope], [rough(0.5)], { tEnd: 0.5 }));
  expectSound(result);
  const [x, y, z] = vector(result, 'ball.v', 0);
  expect(Math.hypot(x, z)).toBeCloseTo((2 / 3) * G * Math.sin(angle) * 0.5, 8);
  expect(Math.abs(y)).toBeLessThan(1e-10);
});
