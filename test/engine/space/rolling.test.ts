/**
 * Bodies whose points of contact move over them: they stay on the ground, keep their energy, and the
 * certificate sees what does not.
 */
import { describe, expect, it } from 'vitest';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import { cylinder } from '@engine/model/shapes/cylinder';
import type { ModelDocument } from '@engine/document/types';
import { certified, detected, dry, simulate, weight } from '../contact-dynamics/worlds';
import { runExample } from '../support/example';
import { run } from '../support/run';
import { floor, G, rigid, spaceModel, touch, turned } from '../support/space';

const RADIUS = 0.05;
const TILT = 0.7;
const MASS = 0.2;
/**
 * Of a thin disc that rolls on its rim about a mass centre at rest: Ω² = 4 g/(r sin α), and it turns with Ω
 * sin α about the diameter through the contact.
 */
const PRECESSION = Math.sqrt((4 * G) / (RADIUS * Math.sin(TILT)));
const THICKNESS = 1e-5;
/** The rim is half of the thickness below the middle of the disc. */
const HEIGHT = RADIUS * Math.sin(TILT) + 0.5 * THICKNESS * Math.cos(TILT);
/**
 * Ḣ u of its contact is ω × ρ̇: ω = Ω sin α along the radius ρ to the contact, which goes round with |ρ̇| = Ω
 * r cos α. So |Ḣ u| = Ω² r sin α cos α, m/s².
 */
const TURNING = 4 * G * Math.cos(TILT);
const INERTIA = [0.25, 0.25, 0.5].map((part) => part * MASS * RADIUS ** 2);

const disc = (h: number, tEnd: number): ModelDocument =>
  spaceModel(
    [
      floor(),
      rigid('disc', [0, 0, HEIGHT], {
        mass: MASS,
        inertia: INERTIA,
        orientation: turned(1, TILT),
        spin: [PRECESSION * Math.sin(TILT), 0, 0],
        shapes: [{ type: 'Cylinder', radius: RADIUS, height: THICKNESS }],
      }),
    ],
    [touch('rim', ['floor', 'disc'], 1.5)],
    { h, tEnd },
  );

interface Rolled {
  loss: number;
  rise: number;
  turned: number;
  overlap: number;
}

function roll(h: number): Rolled {
  const tEnd = 0.3;
  const { session, column } = run(disc(h, tEnd));
  const { coneViolation, complementarity, dynamics, limit } = session.certificate;
  expect(Math.max(coneViolation, complementarity, dynamics)).toBeLessThan(limit ?? 0);
  const [kinetic, potential] = [column('energy.kinetic'), column('energy.potential')];
  const energy = kinetic.map((value, k) => value + potential[k]);
  const q = [3, 4, 5, 6].map((i) => column(`disc.q[${i}]`));
  let angle = 0;
  let last = 0;
  for (let k = 0; k < energy.length; k++) {
    const [w, x, y, z] = q.map((values) => values[k]);
    const heading = Math.atan2(2 * (y * z - w * x), 2 * (x * z + w * y));
    if (k > 0) angle += Math.atan2(Math.sin(heading - last), Math.cos(heading - last));
    last = heading;
  }
  const z = column('disc.q[2]');
  return {
    loss: Math.abs(energy[energy.length - 1] / energy[0] - 1),
    rise: Math.abs(z[z.length - 1] - HEIGHT),
    turned: Math.abs(angle / (PRECESSION * tEnd)),
    overlap: Math.max(...column('rim.overlap')),
  };
}

describe('a disc that rolls on its rim about a centre at rest', () => {
  it('neither sinks nor loses energy, and goes round with √(4 g/(r sin α)), of order 2', () => {
    const [coarse, fine] = [roll(4e-4), roll(2e-4)];
    expect(fine.loss).toBeLessThan(2e-5);
    expect(fine.rise).toBeLessThan(1e-6);
    expect(fine.overlap).toBeLessThan(TURNING * 2e-4 ** 2);
    expect(Math.abs(fine.turned - 1)).toBeLessThan(2e-4);
    for (const name of ['loss', 'overlap'] as const) {
      expect(coarse[name] / fine[name]).toBeGreaterThan(3);
      expect(coarse[name] / fine[name]).toBeLessThan(7);
    }
  });

  it('that is pushed into the ground by hand is no longer certified', () => {
    const material = dry(1.5);
    const dynamics = simulate(
      {
        bodies: [
          {
            id: 'disc',
            mass: MASS,
            inertia: INERTIA,
            position: [0, 0, HEIGHT],
            orientation: turned(1, TILT),
            spin: [PRECESSION * Math.sin(TILT), 0, 0],
          },
        ],
        loads: [weight(0, 0, -G)],
      },
      { h: 2e-4, tolerance: 1e-10 },
      detected([cylinder(RADIUS, 0.5 * THICKNESS)]),
      material,
    );
    certified(dynamics, 200, material);
    const certificate = new ContactDynamicsCertificate(dynamics, [material]);
    for (let k = 0; k < 100; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
      // Up to h² |Ḣ u| a step lifts again by itself.
      dynamics.q[2] -= 4 * TURNING * 2e-4 ** 2;
    }
    expect(CONTACT_RESIDUALS.filter((_, k) => certificate.worst[k] > 1e-6)).toContain('gaps');
  });
});

it('a small ball slides on a large one from its top, without friction, and leaves it where cos θ is two thirds of that at the start', () => {
  const [start, distance, h] = [0.2, 1.05, 1e-3];
  const { column, session } = run(
    spaceModel(
      [
        { id: 'dome', type: 'FixedBody', shapes: [{ type: 'Sphere', radius: 1 }] },
        rigid('ball', [distance * Math.sin(start), 0, distance * Math.cos(start)], {
          mass: 1,
          shapes: [{ type: 'Sphere', radius: 0.05 }],
        }),
      ],
      [touch('slide', ['dome', 'ball'], 0)],
      { h, tEnd: 1 },
    ),
  );
  const [x, z, force] = [column('ball.q[0]'), column('ball.q[2]'), column('slide.normalImpulse')];
  let last = force.length - 1;
  while (force[last] === 0) last--;
  // m v²/L = m g cos θ and v² = 2 g L (cos θ₀ − cos θ); a step late or early, cos θ changes by h v sin θ/L.
  const cosine = (2 / 3) * Math.cos(start);
  const speed = Math.sqrt(G * distance * cosine);
  expect(Math.abs(z[last] / distance - cosine)).toBeLessThan((h * speed) / distance);
  // Held from the first step to the last: the normal turns by h v/L in a step, and the gap is off by ½h²
  // v²/L.
  expect(session.events).toBe(1);
  for (let k = 0; k < last; k++)
    expect(Math.abs(Math.hypot(x[k], z[k]) - distance)).toBeLessThan((h * speed) ** 2 / (2 * distance));
});

it('a ball whose mass centre is off its middle spins on the table and does not go through it', () => {
  const { column, session } = runExample('tippe-top', { spin: 380 }, { h: 5e-4, tEnd: 1 });
  expect(Math.max(...column('table.overlap'))).toBeLessThan(0.01 * 0.02);
  const { coneViolation, complementarity, dynamics, limit } = session.certificate;
  expect(Math.max(coneViolation, complementarity, dynamics)).toBeLessThan(limit ?? 0);
});
