/**
 * The web cutter of S2, put together from joints: its printed Jacobian, γ, velocities and accelerations come
 * out.
 */
import { describe, expect, it } from 'vitest';
import { compileMultibody } from '../oracles/planar/compile';
import { IndexReduced } from '../oracles/planar/index-reduced';
import { Partition } from '@engine/multibody/partition';
import { Projection } from '@engine/multibody/consistency';
import { webCutterModel } from './support/mechanisms';
import * as printed from './support/web-cutter-tables';

const clock = Float64Array.of(0);

/** The mechanism at the printed position with the velocities that its constraints and its driver allow. */
function cutter() {
  const system = compileMultibody(webCutterModel(true));
  const q = system.initialPositions();
  const v = system.initialVelocities();
  expect(new Projection(system).velocity(clock, q, v)).toBe('ok');
  return { system, q, v };
}

describe('the web cutter', () => {
  it('is assembled at the printed position', () => {
    const { system, q } = cutter();
    const residual = new Float64Array(9);
    system.position(clock, q, residual);
    expect(Math.max(...residual.map(Math.abs))).toBeLessThan(1e-14);
    // Its fixed pivot and the lengths of its links, as reconstructed.
    const pivot = system.constraints[3].first.point;
    expect(pivot[0]).toBeCloseTo(13.21, 3);
    expect(pivot[1]).toBeCloseTo(-2.03, 3);
    expect(Math.hypot(pivot[0], pivot[1])).toBeCloseTo(13.365, 3);
    const joints = system.constraints.map(({ second }) => second.point);
    const link = (one: number, two: number): number =>
      Math.hypot(joints[two][0] - joints[one][0], joints[two][1] - joints[one][1]);
    expect(link(0, 1)).toBeCloseTo(4, 12);
    expect(link(1, 2)).toBeCloseTo(14.23, 3);
    expect(link(2, 3)).toBeCloseTo(20.32, 3);
  });

  it('has the printed Jacobian', () => {
    const { system, q } = cutter();
    const jacobian = new Float64Array(81);
    system.jacobian(clock, q, jacobian);
    const table = printed.JACOBIAN.flat();
    jacobian.forEach((value, k) => expect(Math.abs(value - table[k])).toBeLessThan(5e-5));
  });

  it('moves with the velocities and γ of its crank at 60 rpm', () => {
    const { system, q, v } = cutter();
    // Arms are known to half a unit of their fourth decimal, and are multiplied by ω = 6.28 and ω² = 39.5.
    v.forEach((value, k) => expect(Math.abs(value - printed.VELOCITIES[k])).toBeLessThan(5e-4));
    const gamma = new Float64Array(9);
    system.gamma(clock, q, v, gamma);
    gamma.forEach((value, k) => expect(Math.abs(value - printed.GAMMA[k])).toBeLessThan(3e-3));
    expect(v[5] ** 2).toBeCloseTo(1.14008, 3);
    expect(v[8] ** 2).toBeCloseTo(0.34422, 3);
  });

  it('accelerates as printed, whatever its masses', () => {
    const { system, q, v } = cutter();
    const acceleration = new Float64Array(9);
    const multipliers = new Float64Array(9);
    expect(new IndexReduced(system).solve(clock, q, v, acceleration, multipliers)).toBe('ok');
    acceleration.forEach((value, k) => expect(Math.abs(value - printed.ACCELERATIONS[k])).toBeLessThan(5e-3));
  });

  it('reports the condition of both choices of its independent coordinate', () => {
    const system = compileMultibody(webCutterModel(false));
    const q = system.initialPositions();
    const choose = (lastRow: 'asPrinted' | 'full'): Partition => {
      const partition = new Partition(system, { lastRow, policy: 'whenNeeded', limit: 1e3 });
      expect(partition.begin(clock, q)).toBe('ok');
      return partition;
    };
    const [asPrinted, full] = [choose('asPrinted'), choose('full')];
    expect([...asPrinted.independent]).toEqual([1]);
    expect([...full.independent]).toEqual([3]);
    expect(system.coordinateLabel(3)).toBe('coupler.x');
    // 379.7 of the table's four decimals; the unrounded arms of the crank move the poor choice in its fourth
    // digit.
    expect(Math.abs(asPrinted.condition[0] - 379.7)).toBeLessThan(0.5);
    expect(full.condition[0]).toBeCloseTo(34.2, 1);
    // Against the whole Jacobian both look a little worse.
    expect(full.condition[1]).toBeGreaterThan(full.condition[0]);
    expect(full.condition[1]).toBeLessThan(1.1 * full.condition[0]);
  });
});
