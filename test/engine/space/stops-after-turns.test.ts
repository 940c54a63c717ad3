/** Stops of an angle after whole turns, and stops that a joint is beyond at the start. */
import { expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { refusal, run } from '../support/run';
import { joint, rigid, spaceModel } from '../support/space';

/** A rod on a hinge about z that a moment turns; limits in rad. */
const hinged = (moment: number, [angleMin, angleMax]: readonly [number, number]): ModelDocument =>
  spaceModel(
    [
      rigid('rod', [0.4, 0, 0], {
        mass: 1.5,
        inertia: [0.01, 0.12, 0.12],
        gravity: [0, 0, 0],
        moment: [0, 0, moment],
        momentFrame: 'world',
      }),
    ],
    [
      joint('pin', ['rod'], {
        type: 'RevoluteJoint',
        point: [0, 0, 0],
        axis: [0, 0, 1],
        angleMin,
        angleMax,
      }),
    ],
    { h: 2e-3, tEnd: 1.2 },
  );

it('a stop beyond π is reached after whole turns, and the recorded angle has no jump', () => {
  const angle = run(hinged(20, [-9, 9])).column('pin.angle');
  for (let k = 1; k < angle.length; k++) expect(Math.abs(angle[k] - angle[k - 1])).toBeLessThan(0.1);
  expect(Math.abs(angle[angle.length - 1] - 9)).toBeLessThan(1e-6);
  expect(Math.max(...angle)).toBeLessThan(9.1);
});

it('a stop that is passed at the start is refused, with what to do', () => {
  const { code, message, remedy } = refusal(hinged(2, [0.2, 1]));
  expect(code).toBe('invalid-document');
  expect(message).toBe('“pin” starts with angle 0.000 rad, below its lower stop 0.2 rad.');
  expect(remedy).toMatch(/Move the bodies/);
});
