/** Tall stacks: what a solver leaves of velocities adds up from the ground to the top. */
import { expect, it } from 'vitest';
import { worldOf } from '@cli/bench/falling-bodies';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import { certifiedLimit } from '@engine/model/settings/friction-solvers';
import { box } from '@engine/model/shapes/box';

it.each([
  ['at rest', 0],
  ['dropped with gaps', 1e-3],
])('a stack of sixty boxes, %s, is certified', (_, gap) => {
  const { dynamics, material } = worldOf(
    Array.from({ length: 60 }, (__, k) => ({
      shape: box(0.1, 0.1, 0.1),
      position: [0, 0, 0.1 + gap + k * (0.2 + gap)] as const,
    })),
  );
  const certificate = new ContactDynamicsCertificate(dynamics, [material]);
  for (let k = 0; k < 120; k++) {
    expect(dynamics.advance(), `step ${k}`).toBe('ok');
    certificate.judge();
  }
  expect(Math.max(...certificate.worst)).toBeLessThan(certifiedLimit(1e-8));
  expect(dynamics.u.every((speed) => speed === 0)).toBe(true);
});
