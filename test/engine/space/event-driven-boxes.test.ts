/**
 * Boxes with friction from event to event: against closed forms, integrations of the planar equations, and
 * the balance of energy.
 */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import type { FieldValue, InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { example } from '../support/example';
import { run, type Run } from '../support/run';
import { floor, G, rigid, spaceModel, touch, turned } from '../support/space';

function fromEventToEvent(
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  { tEnd = 1, h = 0.02 }: { tEnd?: number; h?: number } = {},
): ModelDocument {
  const document = spaceModel(systems, interactions, { h, tEnd });
  document.simulation.scheme = 'event-driven';
  return document;
}

const last = ({ column }: Run, signal: string): number => column(signal).at(-1) ?? Number.NaN;
const vector = (result: Run, signal: string, from: number): number[] =>
  [0, 1, 2].map((k) => last(result, `${signal}[${from + k}]`));
const kinds = ({ session }: Run, ...which: string[]): { kind: string; time: number }[] =>
  session.eventRecords.filter(({ kind }) => which.includes(kind));

function expectSound({ session }: Run): void {
  const { complementarity, coneViolation, dynamics } = session.certificate;
  expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-9);
  expect(session.complete).toBe(true);
  expect(session.energyDrift).toBeLessThan(1e-9);
}

const A = 0.2;
const M = 1000 * A ** 3;
const box = (fields: Record<string, FieldValue> = {}): SystemDocument =>
  rigid('box', [0, 0, A / 2], { shapes: [{ type: 'Box', size: [A, A, A] }], ...fields });
const rough = (mu: number, e = 0): InteractionDocument => touch('ground', ['box', 'floor'], mu, e);

describe('a box on a floor', () => {
  it('slides without turning, and stops at v/(μ g) after v²/(2 μ g)', () => {
    const [mu, v] = [0.3, 1.2];
    const start = box({ velocity: [v * 0.6, v * 0.8, 0], orientation: turned(2, 0.3) });
    const result = run(fromEventToEvent([start, floor()], [rough(mu)]));
    expectSound(result);
    const stick = kinds(result, 'stick');
    expect(stick).toHaveLength(4);
    for (const { time } of stick) expect(Math.abs(time - v / (mu * G))).toBeLessThan(1e-9);
    const [x, y] = vector(result, 'box.q', 0);
    const way = (v * v) / (2 * mu * G);
    expect(Math.hypot(x - 0.6 * way, y - 0.8 * way)).toBeLessThan(1e-9);
    expect(last(result, 'box.q[6]')).toBeCloseTo(Math.sin(0.15), 9);
    expect(last(result, 'ground.normalForce')).toBeCloseTo(M * G, 8);
  });

  it('spins about the vertical until ω I/(μ m g r)', () => {
    const [mu, w] = [0.3, 5];
    const result = run(fromEventToEvent([box({ spin: [0, 0, w] }), floor()], [rough(mu)], { tEnd: 0.2 }));
    expectSound(result);
    const stop = (w * A) / (6 * mu * G * Math.SQRT1_2);
    const stick = kinds(result, 'stick');
    expect(stick).toHaveLength(4);
    for (const { time } of stick) expect(Math.abs(time - stop)).toBeLessThan(1e-9);
    expect(2 * Math.asin(last(result, 'box.q[6]'))).toBeCloseTo((w * stop) / 2, 9);
  });

  it('slides and spins as corners of one stiffness have it', () => {
    const [mu, sides] = [0.25, [0.3, 0.16, 0.24]];
    const start = box({
      shapes: [{ type: 'Box', size: sides }],
      position: [0, 0, sides[2] / 2],
      velocity: [0.9, 0.2, 0],
      spin: [0, 0, 4],
    });
    const exact = slidingBox(mu, sides, [0, 0, 0, 0.9, 0.2, 4], 0.2, 4000);
    const result = run(fromEventToEvent([start, floor()], [rough(mu)], { tEnd: 0.2 }));
    expectSound(result);
    const found = [
      ...[0, 1].map((k) => last(result, `box.q[${k}]`)),
      2 * Math.asin(last(result, 'box.q[6]')),
      ...[0, 1, 5].map((k) => last(result, `box.v[${k}]`)),
    ];
    for (const [k, value] of found.entries()) expect(Math.abs(value - exact[k])).toBeLessThan(1e-9);
    // It stops as a whole, with no time for one corner to rest before the others.
    const whole = run(fromEventToEvent([start, floor()], [rough(mu)], { tEnd: 1 }));
    expectSound(whole);
    const stick = kinds(whole, 'stick');
    expect(stick).toHaveLength(4);
    expect(stick[3].time - stick[0].time).toBeLessThan(1e-9);
    expect(vector(whole, 'box.v', 0).every((value) => Math.abs(value) < 1e-12)).toBe(true);
  });

  it('that falls flat keeps flat, and loses μ times what stops it', () => {
    const [mu, v, down] = [0.2, 1, 1.5];
    const start = box({ position: [0, 0, A / 2 + 1e-3], velocity: [v, 0, -down] });
    const result = run(fromEventToEvent([start, floor()], [rough(mu)], { tEnd: 0.05, h: 0.01 }));
    expectSound(result);
    const speed = Math.sqrt(down * down + 2 * G * 1e-3);
    const time = (speed - down) / G;
    expect(last(result, 'box.v[0]')).toBeCloseTo(v - mu * speed - mu * G * (0.05 - time), 10);
    for (const k of [2, 3, 4, 5]) expect(Math.abs(last(result, `box.v[${k}]`))).toBeLessThan(1e-11);
  });

  it('that falls on an edge turns about it', () => {
    const [mu, tilt, speed] = [2, 0.2, 1];
    // Distance of the edge from the mass centre.
    const [across, up] = [
      (A / 2) * (Math.cos(tilt) - Math.sin(tilt)),
      (A / 2) * (Math.cos(tilt) + Math.sin(tilt)),
    ];
    const start = box({ position: [0, 0, up], orientation: turned(1, tilt), velocity: [0, 0, -speed] });
    const result = run(fromEventToEvent([start, floor()], [rough(mu)], { tEnd: 1e-6, h: 1e-6 }));
    expectSound(result);
    const about = (A * A) / 6 + across * across + up * up;
    expect(Math.abs(last(result, 'box.v[4]'))).toBeCloseTo((speed * across) / about, 4);
    expect(last(result, 'ground.contacts')).toBe(2);
    const [impact] = kinds(result, 'impact');
    expect(impact.time).toBe(0);
    expect(last(result, 'energy.kinetic')).toBeCloseTo((M * (speed * across) ** 2) / about / 2, 3);
  });

  it('that comes to rest on a corner after tumbling ends flat, certified', () => {
    const start = box({
      position: [0, 0, 0.4],
      orientation: [0.8, 0.3, 0.4, Math.sqrt(1 - 0.64 - 0.09 - 0.16)],
      velocity: [0.3, 0.1, 0],
      spin: [1, -2, 0.5],
    });
    const result = run(fromEventToEvent([start, floor()], [rough(0.4)], { tEnd: 2 }));
    expectSound(result);
    expect(last(result, 'box.q[2]')).toBeCloseTo(A / 2, 9);
    expect(last(result, 'ground.contacts')).toBe(4);
    expect(last(result, 'energy.numerical')).toBeCloseTo(0, 8);
  });
});

describe('a box on a slope', () => {
  const slope = (angle: number): SystemDocument => floor('floor', { orientation: turned(1, angle) });
  const placed = (angle: number, height: number, fields: Record<string, FieldValue> = {}): SystemDocument =>
    box({
      orientation: turned(1, angle),
      position: [(height / 2) * Math.sin(angle), 0, (height / 2) * Math.cos(angle)],
      ...fields,
    });

  it('sticks below the angle of friction and slides above, at g (sin α − μ cos α)', () => {
    const angle = 0.4;
    for (const mu of [Math.tan(angle) + 1e-6, Math.tan(angle) - 1e-3, 0.3]) {
      const result = run(fromEventToEvent([placed(angle, A), slope(angle)], [rough(mu)], { tEnd: 0.5 }));
      expectSound(result);
      const [x, , z] = vector(result, 'box.v', 0);
      const slides = Math.max(0, G * (Math.sin(angle) - mu * Math.cos(angle)) * 0.5);
      expect(Math.abs(Math.hypot(x, z) - slides)).toBeLessThan(1e-9);
    }
  });

  it('tips about its lower edge where it is too tall', () => {
    const [angle, width, height] = [0.4, 0.1, 0.3];
    const tall = placed(angle, height, { shapes: [{ type: 'Box', size: [width, width, height] }] });
    const result = run(fromEventToEvent([tall, slope(angle)], [rough(2)], { tEnd: 0.15 }));
    expectSound(result);
    expect(last(result, 'ground.contacts')).toBe(2);
    // A pendulum upside down about the edge: ½ J ω² = m g R (cos β₀ − cos β), β from the vertical.
    const reach = Math.hypot(width, height) / 2;
    const inertia = (width ** 2 + height ** 2) / 12 + reach ** 2;
    const [beta, omega] = [2 * Math.asin(last(result, 'box.q[5]')), last(result, 'box.v[4]')];
    const [start, end] = [angle, beta].map((turn) => turn - Math.atan2(width, height));
    expect(start).toBeGreaterThan(0);
    expect(omega ** 2 / 2).toBeCloseTo((G * reach * (Math.cos(start) - Math.cos(end))) / inertia, 9);
    expect(last(result, 'ground.slip')).toBeLessThan(1e-11);
  });
});

describe('a brick that is pulled to and fro', () => {
  it('slips where the pull exceeds friction, and stops where its momentum is used up', () => {
    const [F, omega, mu, m] = [10, 2 * Math.PI, 0.3, 2];
    const result = run(example('brick-shaken'), {
      scheme: 'event-driven',
      sandbox: createSandbox,
      tEnd: 1.2,
    });
    expectSound(result);
    const bound = mu * m * 9.81;
    // F cos ω t > μ m g at first; from the stop on until F cos ω t = −μ m g.
    const slips = kinds(result, 'slip').map(({ time }) => time);
    const begins = Math.acos(-bound / F) / omega;
    expect(Math.abs(slips[0] - begins)).toBeLessThan(1e-8);
    const impulse = (from: number, to: number): number =>
      (F * (Math.sin(omega * to) - Math.sin(omega * from))) / omega + bound * (to - from);
    const stop = kinds(result, 'stick').find(({ time }) => time > begins)?.time ?? Number.NaN;
    expect(Math.abs(impulse(begins, stop))).toBeLessThan(1e-8);
    expect(stop).toBeGreaterThan(begins + 0.1);
  });
});

/**
 * A box that slides and spins on a floor, (x, y, ϑ, ẋ, ẏ, ω), by Runge and Kutta’s method in `steps` steps.
 * The load of its corners is linear in their places, as that of springs of one stiffness, and turns neither
 * of its horizontal axes.
 */
function slidingBox(mu: number, [a, b, c]: number[], start: number[], tEnd: number, steps: number): number[] {
  const rate = ([, , angle, vx, vy, omega]: number[]): number[] => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const corners = [-1, 1].flatMap((i) =>
      [-1, 1].map((j) => {
        const [p, q] = [(i * a) / 2, (j * b) / 2];
        const [x, y] = [cos * p - sin * q, sin * p + cos * q];
        const [ux, uy] = [vx - omega * y, vy + omega * x];
        const speed = Math.hypot(ux, uy);
        return { x, y, fx: (-mu * ux) / speed, fy: (-mu * uy) / speed };
      }),
    );
    // Load α + β x + γ y: its sum is m g, and with friction at the depth c/2 it has no moment about x and y.
    const system = [
      corners.map(() => 1),
      corners.map(({ y, fy }) => y + (c / 2) * fy),
      corners.map(({ x, fx }) => x + (c / 2) * fx),
    ].map((row) => [
      row.reduce((sum, value) => sum + value, 0),
      row.reduce((sum, value, k) => sum + value * corners[k].x, 0),
      row.reduce((sum, value, k) => sum + value * corners[k].y, 0),
    ]);
    const [alpha, beta, gamma] = solve3(system, [G, 0, 0]);
    const load = corners.map(({ x, y }) => alpha + beta * x + gamma * y);
    const sum = (of: (corner: (typeof corners)[number]) => number): number =>
      corners.reduce((total, corner, k) => total + load[k] * of(corner), 0);
    return [
      vx,
      vy,
      omega,
      sum(({ fx }) => fx),
      sum(({ fy }) => fy),
      (12 * sum(({ x, y, fx, fy }) => x * fy - y * fx)) / (a * a + b * b),
    ];
  };
  const h = tEnd / steps;
  const along = (x: number[], k: number[], part: number): number[] =>
    x.map((value, i) => value + part * k[i]);
  let x = start;
  for (let step = 0; step < steps; step++) {
    const k1 = rate(x);
    const k2 = rate(along(x, k1, h / 2));
    const k3 = rate(along(x, k2, h / 2));
    const k4 = rate(along(x, k3, h));
    x = x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return x;
}

/** By Cramer’s rule. */
function solve3(rows: number[][], right: number[]): number[] {
  const determinant = (m: number[][]): number =>
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  const whole = determinant(rows);
  return [0, 1, 2].map(
    (c) => determinant(rows.map((row, r) => row.map((value, k) => (k === c ? right[r] : value)))) / whole,
  );
}
