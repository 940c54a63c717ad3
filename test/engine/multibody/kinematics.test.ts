/**
 * Driven mechanisms against closed forms: slider-crank and four-bar linkage, and the efforts that drive them.
 */
import { describe, expect, it } from 'vitest';
import { uniformMotion } from '@engine/multibody/rows';
import { compile, G, SLIDER_CRANK, sliderCrank, sliderCrankBodies } from './support/mechanisms';
import { run, start } from './support/motion';

describe('a slider-crank at constant speed', () => {
  const { crank: r, rod: l, theta, omega } = SLIDER_CRANK;
  /** Position, velocity and acceleration of the piston: x = r cos θ + √(l² − r² sin² θ), differentiated. */
  function piston(angle: number): [number, number, number] {
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const root = Math.sqrt(l * l - r * r * s * s);
    const d1 = -r * s - (r * r * s * c) / root;
    const d2 = -r * c - (r * r * (c * c - s * s)) / root - (r ** 4 * s * s * c * c) / root ** 3;
    return [r * c + root, d1 * omega, d2 * omega * omega];
  }
  const h = 0.01;

  it.each([{ type: 'simplePartitioning' }, { type: 'fullPartitioning' }, { type: 'projection' }] as const)(
    'has the closed form at every step, with no freedom left to integrate: $type',
    (formulation) => {
      const motion = start(sliderCrank(uniformMotion(theta, omega)), formulation, h);
      run(motion, h, 3, () => {
        expect(motion.dynamics()).toBe('ok');
        const [x, v, a] = piston(theta + omega * motion.clock[0]);
        expect(Math.abs(motion.q[6] - x)).toBeLessThan(1e-13);
        expect(Math.abs(motion.v[6] - v)).toBeLessThan(1e-12);
        expect(Math.abs(motion.acceleration[6] - a)).toBeLessThan(1e-11);
      });
      expect(motion.formulation.size).toBe(formulation.type === 'projection' ? 18 : 0);
    },
  );

  it('is driven by the power that its energy asks for', () => {
    const system = sliderCrank(uniformMotion(theta, omega));
    const motion = start(system, { type: 'simplePartitioning' }, h);
    /** Energy of the closed-form motion when the crank stands at an angle. */
    const energyAt = (angle: number): number => {
      const bodies = sliderCrankBodies(angle, omega);
      return bodies.reduce((sum, { mass, inertia, position, velocity = [0, 0, 0] }) => {
        const [vx, vy, rate] = velocity;
        return sum + 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * rate * rate + mass * G * position[1];
      }, 0);
    };
    const driver = system.rows - 1;
    run(motion, h, 1.5, () => {
      motion.dynamics();
      const angle = theta + omega * motion.clock[0];
      const power = ((energyAt(angle + 1e-5) - energyAt(angle - 1e-5)) / 2e-5) * omega;
      // −ᵗΦ_q λ with Φ = φ − f: the motor turns the crank with −λ.
      expect(Math.abs(-motion.multipliers[driver] * omega - power)).toBeLessThan(1e-6);
    });
  });
});

describe('a four-bar linkage', () => {
  const [ground, crank, coupler, rocker] = [4, 1, 3.5, 3];
  const omega = 2;
  /**
   * Angles of coupler and rocker, open branch, from the triangle over the diagonal; rates from the loop's
   * derivative.
   */
  function closedForm(theta: number) {
    const [ax, ay] = [crank * Math.cos(theta), crank * Math.sin(theta)];
    const diagonal = Math.hypot(ground - ax, -ay);
    const towards = Math.atan2(-ay, ground - ax);
    const at = Math.acos((coupler ** 2 + diagonal ** 2 - rocker ** 2) / (2 * coupler * diagonal));
    const psi = towards + at;
    const phi = Math.atan2(ay + coupler * Math.sin(psi), ax + coupler * Math.cos(psi) - ground);
    const psiRate = (-omega * crank * Math.sin(theta - phi)) / (coupler * Math.sin(psi - phi));
    const phiRate = (omega * crank * Math.sin(theta - psi)) / (rocker * Math.sin(phi - psi));
    return { ax, ay, psi, phi, psiRate, phiRate };
  }

  function linkage(theta: number) {
    const { ax, ay, psi, phi, psiRate, phiRate } = closedForm(theta);
    const at = (length: number, angle: number): [number, number] => [
      length * Math.cos(angle),
      length * Math.sin(angle),
    ];
    const turned = ([x, y]: [number, number], rate: number): [number, number] => [-rate * y, rate * x];
    const [c, b, d] = [at(crank / 2, theta), at(coupler / 2, psi), at(rocker / 2, phi)];
    const [cv, bv, dv] = [turned(c, omega), turned(b, psiRate), turned(d, phiRate)];
    const body = (id: string, position: [number, number, number], velocity: [number, number, number]) => ({
      id,
      mass: 1,
      inertia: 1,
      position,
      velocity,
    });
    return compile(
      [
        body('crank', [c[0], c[1], theta], [cv[0], cv[1], omega]),
        body('coupler', [ax + b[0], ay + b[1], psi], [2 * cv[0] + bv[0], 2 * cv[1] + bv[1], psiRate]),
        body('rocker', [ground + d[0], d[1], phi], [dv[0], dv[1], phiRate]),
      ],
      [
        {
          type: 'revolute',
          id: 'O',
          first: { body: 'ground' },
          second: { body: 'crank', point: [-crank / 2, 0] },
        },
        {
          type: 'revolute',
          id: 'A',
          first: { body: 'crank', point: [crank / 2, 0] },
          second: { body: 'coupler', point: [-coupler / 2, 0] },
        },
        {
          type: 'revolute',
          id: 'B',
          first: { body: 'coupler', point: [coupler / 2, 0] },
          second: { body: 'rocker', point: [rocker / 2, 0] },
        },
        {
          type: 'revolute',
          id: 'C',
          first: { body: 'ground', point: [ground, 0] },
          second: { body: 'rocker', point: [-rocker / 2, 0] },
        },
        {
          type: 'driver',
          id: 'motor',
          driven: { body: 'crank' },
          coordinate: 'angle',
          motion: uniformMotion(theta, omega),
        },
      ],
    );
  }

  it('has the closed form through two turns of its crank', () => {
    const motion = start(linkage(0.3), { type: 'fullPartitioning' }, 0.02);
    run(motion, 0.02, 6.5, () => {
      const { psi, phi, psiRate, phiRate } = closedForm(0.3 + omega * motion.clock[0]);
      expect(Math.abs(Math.sin(motion.q[5] - psi))).toBeLessThan(1e-13);
      expect(Math.abs(Math.sin(motion.q[8] - phi))).toBeLessThan(1e-13);
      expect(Math.abs(motion.v[5] - psiRate)).toBeLessThan(1e-12);
      expect(Math.abs(motion.v[8] - phiRate)).toBeLessThan(1e-12);
    });
  });
});
