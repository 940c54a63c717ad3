/**
 * What is jointed: linkages keep to their geometry, clearances to their size, stops to their limits, and
 * energy is lost at impacts only.
 */
import { describe, expect, it } from 'vitest';
import { parameter, runExample } from '../support/example';
import { maximum } from '../support/order';

describe('the four-bar linkage with play', () => {
  /** Lengths of crank, coupler and rocker, and the distance of the bearings, m. */
  const [CRANK, COUPLER, ROCKER, GROUND] = [0.1, 0.38, 0.25, 0.4];

  /**
   * Angle of the rocker without play, from the x axis, for the pin of the crank at (x, z): where two circles
   * meet, the upper one.
   */
  function ideal(x: number, z: number): number {
    const [dx, dz] = [GROUND - x, -z];
    const d = Math.hypot(dx, dz);
    const along = (d * d + COUPLER ** 2 - ROCKER ** 2) / (2 * d);
    const off = Math.sqrt(COUPLER ** 2 - along ** 2);
    return Math.atan2(z + (along * dz + off * dx) / d, x + (along * dx - off * dz) / d - GROUND);
  }

  it.each([2e-3, 1e-4])(
    'stays within a clearance of %d m, strikes and leaves its bush, and leads the rocker as without',
    (clearance) => {
      const { column } = runExample('four-bar-clearance', { clearance });
      const [length, x, z, rockerX, rockerZ] = [
        'loose_pin.length',
        'crank.q[0]',
        'crank.q[2]',
        'rocker.q[0]',
        'rocker.q[2]',
      ].map(column);
      expect(Math.max(...length)).toBeLessThan(1.1 * clearance);
      expect(Math.max(...length)).toBeGreaterThan(0.99 * clearance);
      // It begins in the middle.
      const leaves = (k: number): boolean =>
        k > 0 && length[k - 1] > 0.95 * clearance && length[k] < 0.95 * clearance;
      expect(length.filter((_, k) => leaves(k)).length).toBeGreaterThan(0);
      // The mass centres of the crank and the rocker are in their middles.
      const off = x.map((_, k) => {
        const angle = Math.atan2(rockerZ[k], rockerX[k] - GROUND);
        return angle - ideal((x[k] * CRANK) / 0.05, (z[k] * CRANK) / 0.05);
      });
      expect(maximum(off)).toBeLessThan((3 * clearance) / ROCKER);
    },
  );
});

describe('the slider-crank in space', () => {
  it('has its slider where the geometry says, and its motor brings it to speed and keeps it there', () => {
    const { column } = runExample('slider-crank-3d');
    const [t, y, z, slider, rate] = ['t', 'crank.q[1]', 'crank.q[2]', 'slider.q[0]', 'bearing.angleRate'].map(
      column,
    );
    // The pin is twice as far from the bearing, at (0, 0.1, 0.12), as the mass centre of the crank; the rod
    // is 0.3 m long.
    const off = t.map((_, k) => {
      const [py, pz] = [2 * y[k] - 0.1, 2 * z[k] - 0.12];
      return slider[k] - Math.sqrt(0.09 - py * py - pz * pz);
    });
    expect(maximum(off)).toBeLessThan(1e-9);
    const speed = parameter('slider-crank-3d', 'speed');
    expect(maximum(rate)).toBeGreaterThan(0.99 * speed);
    expect(maximum(column('bearing.momentX'))).toBeLessThan(10);
    const at = rate.findIndex((each) => Math.abs(Math.abs(each) / speed - 1) < 1e-9);
    expect(t[at]).toBeGreaterThan(0);
    // It turns three times in three seconds, less what it takes to start.
    const angle = column('bearing.angle');
    expect(Math.abs(angle[angle.length - 1])).toBeGreaterThan(0.8 * speed * 3);
  });
});

describe('the chain of knees and prisms', () => {
  it('reaches its stops and passes none, and its tail is faster than anything that falls as far', () => {
    const { column } = runExample('knees-and-prisms');
    for (const knee of ['knee1', 'knee2', 'knee3']) {
      const bend = column(`${knee}.bend`);
      expect(Math.max(...bend)).toBeLessThan(1.01);
      expect(Math.max(...bend)).toBeGreaterThan(0.99);
    }
    for (const prism of ['prism1', 'prism2']) {
      const displacement = column(`${prism}.displacement`);
      expect(Math.min(...displacement)).toBeGreaterThan(-1e-3);
      expect(Math.max(...displacement)).toBeLessThan(0.101);
      expect(Math.max(...displacement)).toBeGreaterThan(0.099);
    }
    const height = column('limb6.q[2]');
    const speeds = [0, 1, 2].map((i) => column(`limb6.v[${i}]`));
    const lead = Math.max(
      ...height.map((z, k) => Math.hypot(...speeds.map((v) => v[k])) - Math.sqrt(2 * 9.81 * Math.max(0, -z))),
    );
    expect(lead).toBeGreaterThan(1);
  });

  it('loses energy at its stops and by friction, and by nothing else', () => {
    const { column, session } = runExample('knees-and-prisms');
    const [kinetic, potential, stops, friction] = ['kinetic', 'potential', 'stops', 'jointFriction'].map(
      (name) => column(`energy.${name}`),
    );
    const end = kinetic.length - 1;
    const lost = kinetic[0] + potential[0] - kinetic[end] - potential[end];
    expect(lost).toBeGreaterThan(1);
    expect(stops[end]).toBeLessThan(-0.1);
    expect(friction[end]).toBeLessThan(-0.1);
    expect(Math.abs(lost + stops[end] + friction[end])).toBeLessThan(0.01 * lost);
    expect(session.energyDrift).toBeLessThan(1e-2);
  });
});

describe('the double pendulum against a wall', () => {
  it('is the smooth one between impacts, which alone take energy, and is not thrown through the wall', () => {
    const { column } = runExample('double-pendulum-wall');
    const [kinetic, potential, impulse, normal, tangent, overlap] = [
      'energy.kinetic',
      'energy.potential',
      'impact.normalImpulse',
      'energy.contactNormal',
      'energy.contactTangent',
      'impact.overlap',
    ].map(column);
    const total = kinetic.map((each, k) => each + potential[k]);
    expect(impulse.filter((each) => each > 0.1).length).toBeGreaterThan(3);
    expect(Math.min(...overlap)).toBeGreaterThan(-5e-3);
    const loss = (k: number): number => total[0] - total[k] + normal[k] + tangent[k];
    expect(Math.max(...total.map((_, k) => Math.abs(loss(k))))).toBeLessThan(2e-3 * Math.max(...kinetic));
    expect(total[total.length - 1]).toBeLessThan(total[0] - 0.1);
  });
});
