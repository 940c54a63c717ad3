/**
 * 3D bodies by steps with contact forces against D1MinusLinearOSI of Siconos, state by state: a free body,
 * which turns by a Cayley transform at q_k there in place of the exponential, so that angular velocities are
 * the same and orientations differ by the order of the steps; and a ball, which is one of coordinates there.
 * Siconos 4.4 has no contacts of NewtonEulerDS by this integrator: it asks for accelerations of their rows,
 * which the kernel does not compute.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { observedOrder } from '../engine/support/order';
import { floor, rigid, spaceModel, touch } from '../engine/support/space';
import { fallingBall } from './d1-models';
import { runRecorded } from './run-engine';
import { MECHANISMS } from './run-mechanisms';
import { runProgram, toolchain } from './run-program';

interface States {
  q: number[][];
  v: number[][];
}

function there(program: string, input: readonly (number | string)[]): States {
  if (!toolchain.ok) throw new Error('no compiler');
  return JSON.parse(runProgram(program, input, toolchain.toolchain, MECHANISMS)) as States;
}

/** States of a body after every step. */
function here(document: ModelDocument, steps: number): States {
  // As Siconos has them.
  document.simulation.integrators = [
    { type: 'D1MinusLinear', direction: 'predicted', besideImpacts: 'dropped' },
  ];
  const { signals } = runRecorded(document);
  const states = (letter: string, size: number): number[][] =>
    Array.from({ length: steps }, (_, k) =>
      Array.from({ length: size }, (__, i) => signals.get(`body.${letter}[${i}]`)?.[k + 1] ?? Number.NaN),
    );
  return { q: states('q', 7), v: states('v', 6) };
}

/** Largest difference of numbers of both, by their place. */
const difference = (a: number[][], b: number[][], places: readonly number[]): number =>
  Math.max(...a.map((row, k) => Math.max(...places.map((i) => Math.abs(row[i] - b[k][i])))));

const MASS = 1.5;
const MOMENTS = [0.02, 0.08, 0.09];
const VELOCITY = [0.3, -0.2, 4];
const SPIN = [1, 6, 3];

describe.skipIf(!toolchain.ok)('states of bodies after every step', () => {
  it('of a body that flies and spins', () => {
    const lengths = [4e-3, 2e-3, 1e-3];
    const differences = lengths.map((h) => {
      const steps = Math.round(1 / h);
      const body = rigid('body', [0, 0, 1], { mass: MASS, inertia: MOMENTS });
      body.velocity = VELOCITY;
      body.spin = SPIN;
      const ours = here(spaceModel([body], [], { h, tEnd: h * steps }), steps);
      const input = [h, steps, MASS, ...MOMENTS, 0, 0, 1, 1, 0, 0, 0, ...VELOCITY, ...SPIN, 9.81];
      const theirs = there('d1-bodies.cpp', input);
      expect(difference(ours.q, theirs.q, [0, 1, 2])).toBeLessThan(1e-12);
      expect(difference(ours.v, theirs.v, [0, 1, 2, 3, 4, 5])).toBeLessThan(1e-12);
      return difference(ours.q, theirs.q, [3, 4, 5, 6]);
    });
    expect(observedOrder(lengths, differences)).toBeGreaterThan(1.9);
    expect(differences[2]).toBeLessThan(5e-3);
  });

  it.each([
    [0.9, 5e-4, 8000],
    [0, 1e-3, 2000],
  ])('of a ball that bounces with e = %d', (e, h, steps) => {
    const model = fallingBall({ h, steps }, e);
    const theirs = there('d1-minus-linear.cpp', ['velocity', ...model.input]);
    const [height] = model.document.systems[0].q0 as number[];
    const ball = rigid('body', [0, 0, height + 0.1], { mass: 1, shapes: [{ type: 'Sphere', radius: 0.1 }] });
    const document = spaceModel([floor(), ball], [touch('contact', ['floor', 'body'], 0, e)], {
      ...{ h, tEnd: h * steps },
    });
    const ours = here(document, steps);
    const worst = (a: number[][], b: number[][], shift: number): number =>
      Math.max(...a.map((row, k) => Math.abs(row[2] - shift - b[k][0])));
    expect(worst(ours.q, theirs.q, 0.1)).toBeLessThan(1e-11);
    expect(worst(ours.v, theirs.v, 0)).toBeLessThan(1e-11);
  });
});
