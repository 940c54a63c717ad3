/**
 * What spins: the heavy top precesses, the tippe top stands on its stem, the wing nut flips, the diver
 * somersaults.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { crossings, parameter, runExample } from '../support/example';
import { maximum } from '../support/order';
import type { Run } from '../support/run';
import { flipInterval } from '../spatial/support/free-top';

describe('the heavy top', () => {
  const value = (key: string): number => parameter('heavy-top', key);
  const [g, m, l, A, C, spin, tilt] = ['g', 'm', 'l', 'A', 'C', 'spin', 'tilt'].map(value);

  /**
   * Mean rate of precession where the axis starts at rest. With u = cos θ, a = C s/(A + m l²), b = 2 m g
   * l/(A + m l²):
   *
   *     u̇² = (u₀ − u) (b (1 − u²) − a² (u₀ − u)) = b (u₀ − u)(u − u₁)(u₂ − u),     φ̇ = a (u₀ − u)/(1 − u²)
   *
   * u = ½ (u₀ + u₁) + ½ (u₀ − u₁) cos s makes both integrals smooth and periodic, so that the midpoint rule
   * is exact to rounding.
   */
  function precession(s: number): number {
    const about = A + m * l * l;
    const [a, b] = [(C * s) / about, (2 * m * g * l) / about];
    const u0 = Math.cos(tilt);
    // b u² − a² u + a² u₀ − b = 0
    const root = Math.sqrt(a ** 4 - 4 * b * (a * a * u0 - b));
    const u2 = (a * a + root) / (2 * b);
    const u1 = (2 * (a * a * u0 - b)) / (a * a + root);
    let [angle, time] = [0, 0];
    for (let k = 0; k < 64; k++) {
      const u = (u0 + u1) / 2 + ((u0 - u1) / 2) * Math.cos((Math.PI * (k + 0.5)) / 64);
      const part = 1 / Math.sqrt(b * (u2 - u));
      time += part;
      angle += (part * a * (u0 - u)) / (1 - u * u);
    }
    return angle / time;
  }

  /**
   * Mean rate over whole nods: where the axis is highest it rests for a moment, and its azimuth is taken
   * there.
   */
  function measured({ column }: Run): { rate: number; nods: number } {
    const [t, nutation, x, y] = ['t', 'nutation', 'axisX', 'axisY'].map(column);
    let [azimuth, angle] = [Math.atan2(y[0], x[0]), 0];
    let [rate, nods] = [0, 0];
    for (let k = 1; k < t.length - 1; k++) {
      const next = Math.atan2(y[k], x[k]);
      angle += Math.atan2(Math.sin(next - azimuth), Math.cos(next - azimuth));
      azimuth = next;
      if (nutation[k] > nutation[k - 1] || nutation[k] >= nutation[k + 1]) continue;
      rate = angle / t[k];
      nods++;
    }
    return { rate, nods };
  }

  it('precesses at the mean rate of the elliptic integrals, 1.53 rad/s, and keeps its moments of momentum', () => {
    const run = runExample('heavy-top');
    const { rate, nods } = measured(run);
    expect(nods).toBeGreaterThan(80);
    expect(precession(spin)).toBeCloseTo((m * g * l) / (C * spin), 1);
    // The error is of second order.
    const error = rate / precession(spin) - 1;
    expect(Math.abs(error)).toBeLessThan(4e-3);
    const half = measured(runExample('heavy-top', {}, { h: 1e-4 })).rate / precession(spin) - 1;
    expect(Math.abs(4 * half - error)).toBeLessThan(0.1 * Math.abs(error));
    const vertical = run.column('momentumZ');
    expect(maximum(vertical.map((each) => each / vertical[0] - 1))).toBeLessThan(1e-4);
    expect(maximum(run.column('top.v[5]').map((each) => each / spin - 1))).toBeLessThan(1e-5);
  });

  it('precesses twice as fast with half the spin, and nods deeper', () => {
    const slow = runExample('heavy-top', { spin: spin / 2 }, { h: 2.5e-4 });
    expect(measured(slow).rate / precession(spin / 2)).toBeCloseTo(1, 2);
    expect(precession(spin / 2) / precession(spin)).toBeCloseTo(2, 0);
    const deepest = ({ column }: Run): number => Math.max(...column('nutation')) - tilt;
    expect(deepest(slow)).toBeGreaterThan(3 * deepest(runExample('heavy-top')));
  });
});

describe('the tippe top', () => {
  const value = (key: string): number => parameter('tippe-top', key);
  const [m, R, a] = ['m', 'R', 'a'].map(value);

  describe('as the example has it', () => {
    let column: Run['column'];
    beforeAll(() => {
      ({ column } = runExample('tippe-top'));
    });

    it('turns over and spins on its stem to the end, higher by twice the distance of its mass centre and more', () => {
      const [t, tilt, height, slip] = ['t', 'tiltOfAxis', 'height', 'table.slip'].map(column);
      const stands = t.findIndex((time) => time > 1.75);
      expect(Math.min(...tilt.slice(stands))).toBeGreaterThan((170 / 180) * Math.PI);
      // On the stem's end, which is a tenth of the radius beyond the ball.
      expect(height[t.length - 1]).toBeGreaterThan(0.98 * (a + 1.1 * R));
      expect(height[0]).toBeLessThan(R - a * 0.99);
      expect(column('top.v[5]')[t.length - 1]).toBeLessThan(-0.6 * value('spin'));
      expect(maximum(slip)).toBeGreaterThan(1);
    });

    it('keeps Jellett’s product of the moment of momentum with the lever of the contact until the stem touches', () => {
      const [t, tilt, q3, q4, q5, q6] = [
        't',
        'tiltOfAxis',
        'top.q[3]',
        'top.q[4]',
        'top.q[5]',
        'top.q[6]',
      ].map(column);
      const spin = ['top.v[3]', 'top.v[4]', 'top.v[5]'].map(column);
      // The lever is a e₃ − R e_z: with I the same about all axes the product is I (R Ω_z − a Ω₃).
      const product = t.map((_, k) => {
        const vertical =
          2 * spin[0][k] * (q4[k] * q6[k] - q3[k] * q5[k]) +
          2 * spin[1][k] * (q5[k] * q6[k] + q3[k] * q4[k]) +
          spin[2][k] * (1 - 2 * (q4[k] ** 2 + q5[k] ** 2));
        return 0.4 * m * R * R * (R * vertical - a * spin[2][k]);
      });
      const until = tilt.findIndex((angle) => angle > 2.4);
      expect(t[until]).toBeGreaterThan(1);
      expect(maximum(product.slice(0, until).map((each) => each / product[0] - 1))).toBeLessThan(5e-3);
    });
  });

  it('stays upright without friction, and does not get onto its stem with 120 rad/s', () => {
    const largest = (set: Record<string, number>): number =>
      maximum(runExample('tippe-top', set).column('tiltOfAxis'));
    expect(largest({ mu: 0 })).toBeLessThan(value('tilt') + 1e-6);
    expect(largest({ spin: 120 })).toBeLessThan((150 / 180) * Math.PI);
  });
});

it('the wing nut flips at the interval of the elliptic integral, and keeps its moment of momentum', () => {
  const { column } = runExample('dzhanibekov');
  const [I1, I2, I3, spin, deviation] = ['I1', 'I2', 'I3', 'spin', 'deviation'].map((key) =>
    parameter('dzhanibekov', key),
  );
  // π² < 2 E I₂: the first and the third axis change their parts.
  const interval = flipInterval([I3, I2, I1], [0, spin, deviation]);
  const flips = crossings(column('t'), column('wing_nut.v[4]'));
  expect(flips.length).toBeGreaterThan(4);
  for (let n = 1; n < flips.length; n++)
    expect(Math.abs((flips[n] - flips[n - 1]) / interval - 1)).toBeLessThan(1e-4);
  const momentum = column('momentum');
  expect(maximum(momentum.map((each) => each / momentum[0] - 1))).toBeLessThan(1e-12);
});

describe('the diver', () => {
  const value = (key: string): number => parameter('diver', key);
  /** Angle turned through until the end, ∫ L/I dt, by the midpoint rule. */
  function turned(opening: number): number {
    const [takeoff, stretched, tucked, tuck, duration] = [
      'takeoff',
      'stretched',
      'tucked',
      'tuck',
      'duration',
    ].map(value);
    const done = (since: number): number => {
      const part = Math.min(1, Math.max(0, since / duration));
      return part * part * (3 - 2 * part);
    };
    const n = 20_000;
    const h = 1.76 / n;
    let angle = 0;
    for (let k = 0; k < n; k++) {
      const t = (k + 0.5) * h;
      const inertia = stretched + (done(t - tuck) - done(t - opening)) * (tucked - stretched);
      angle += (h * stretched * takeoff) / inertia;
    }
    return angle;
  }

  it('turns as fast as the inertia lets him, and as far as ∫ L/I dt says, whenever he opens', () => {
    for (const opening of [value('open'), 0.6]) {
      const { column } = runExample('diver', { open: opening });
      const [t, upright, spin, inertia] = ['t', 'upright', 'diver.v[4]', 'moment_of_inertia'].map(column);
      const end = t.length - 1;
      expect(t[end]).toBeCloseTo(1.76, 12);
      expect(upright[end]).toBeCloseTo(Math.cos(turned(opening)), 4);
      expect(Math.max(...spin)).toBeCloseTo((value('stretched') * value('takeoff')) / value('tucked'), 3);
      expect(spin[end] / spin[0]).toBeCloseTo(1, 9);
      expect(Math.min(...inertia)).toBeCloseTo(value('tucked'), 3);
      // Two somersaults and a little with the example's opening, not quite one and a half with the earlier
      // one.
      expect(crossings(t, upright).length).toBe(Math.round((2 * turned(opening)) / (2 * Math.PI)));
    }
  });

  it('pays for tucking and gets it back', () => {
    const { column } = runExample('diver');
    const work = column('energy.motors');
    const [L, stretched, tucked] = [
      value('stretched') * value('takeoff'),
      value('stretched'),
      value('tucked'),
    ];
    // Half L² (1/I′ − 1/I) at the most, and nothing when he is stretched again.
    expect(Math.max(...work)).toBeCloseTo((L * L * (1 / tucked - 1 / stretched)) / 2, 1);
    expect(Math.abs(work[work.length - 1])).toBeLessThan(1e-6 * Math.max(...work));
  });
});
