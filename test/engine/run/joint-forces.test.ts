/** Signals of the forces of joints: what a joint does to the last of the bodies it links. */
import { describe, expect, it } from 'vitest';
import { example } from '../support/models';
import { run, type Run } from '../support/run';

const NAMES = ['forceX', 'forceY', 'moment'] as const;

describe('the rod of a pendulum', () => {
  const [m, length, g] = [2.5, 0.8, 9.81];
  const { column } = run(example('pendulum-joint'), { set: { m, length }, tEnd: 2 });
  const [x, y, vx, vy] = ['bob.q[0]', 'bob.q[1]', 'bob.v[0]', 'bob.v[1]'].map(column);
  const [forceX, forceY, moment] = NAMES.map((name) => column(`rod.${name}`));

  it('pulls with m (g cos φ + L φ̇²) along itself, and turns nothing', () => {
    x.forEach((_, row) => {
      const [cosine, rate] = [-y[row] / length, (x[row] * vy[row] - y[row] * vx[row]) / length ** 2];
      const pull = m * (g * cosine + length * rate ** 2);
      expect(Math.abs(forceX[row] + (pull * x[row]) / length)).toBeLessThan(1e-9);
      expect(Math.abs(forceY[row] + (pull * y[row]) / length)).toBeLessThan(1e-9);
      expect(Math.abs(moment[row])).toBe(0);
    });
  });

  it('holds nothing where the pendulum is let go, and as much as its energy says from there on', () => {
    expect(Math.hypot(forceX[0], forceY[0])).toBeLessThan(1e-12);
    // m L φ̇²/2 = m g cos φ: the pull is 3 m g cos φ, three times the weight at the bottom.
    x.forEach((_, row) => {
      const pull = (-3 * m * g * y[row]) / length;
      expect(Math.abs(forceX[row] + (pull * x[row]) / length)).toBeLessThan(1e-5);
      expect(Math.abs(forceY[row] + (pull * y[row]) / length)).toBeLessThan(1e-5);
    });
    expect(Math.max(...forceY)).toBeCloseTo(3 * m * g, 2);
  });
});

describe.each([
  ['Projection', {}],
  ['Direct', {}],
  ['Baumgarte', { alpha: 4, beta: 7 }],
  ['SimplePartitioning', {}],
  ['FullPartitioning', {}],
] as const)('the rod of a pendulum kept by %s', (type, settings) => {
  const [m, length, g] = [2.5, 0.8, 9.81];
  const plain = example('pendulum-joint');
  /** Released at the angle φ from the vertical with the rate ω. */
  const released = (phi: number, omega: number, tEnd: number): Run => {
    const [sine, cosine] = [Math.sin(phi), Math.cos(phi)];
    const [bob] = plain.systems;
    const swinging = {
      ...bob,
      q0: [length * sine, -length * cosine, 0],
      v0: [length * omega * cosine, length * omega * sine, 0],
    };
    const constraints = { type, ...settings };
    const simulation = { ...plain.simulation, eventDriven: { ...plain.simulation.eventDriven, constraints } };
    return run({ ...plain, systems: [swinging], simulation }, { set: { m, length, g }, tEnd });
  };
  /**
   * Largest deviation of the recorded force from a pull along the rod, over all rows, relative to the weight.
   */
  const deviation = ({ column }: Run, pull: (cosine: number) => number): number => {
    const [x, y, forceX, forceY] = ['bob.q[0]', 'bob.q[1]', 'rod.forceX', 'rod.forceY'].map(column);
    let worst = 0;
    x.forEach((_, row) => {
      const force = pull(-y[row] / length);
      const off = Math.hypot(
        forceX[row] + (force * x[row]) / length,
        forceY[row] + (force * y[row]) / length,
      );
      worst = Math.max(worst, off / (m * g));
    });
    return worst;
  };

  it.each([
    [0, 0],
    [0.3, 1.2],
    [-0.9, 2.5],
    [Math.PI / 2, 0],
    [2, -1.5],
    // Above: at a low rate the rod pushes.
    [2.8, 0.4],
  ])(
    'acts with m (g cos φ + L φ̇²) when it is released at φ = %d with φ̇ = %d, and ever after',
    (phi, omega) => {
      const result = released(phi, omega, 1.5);
      expect(result.column('t')).toHaveLength(1501);
      const [first] = result.column('rod.forceY');
      const start = m * (g * Math.cos(phi) + length * omega ** 2);
      expect(first).toBeCloseTo(start * Math.cos(phi), 11);
      expect(result.column('rod.forceX')[0]).toBeCloseTo(-start * Math.sin(phi), 11);
      // L φ̇² follows from the energy, so that the force does from the place alone.
      const pull = (cosine: number): number =>
        m * (g * cosine + length * omega ** 2 + 2 * g * (cosine - Math.cos(phi)));
      expect(deviation(result, pull)).toBeLessThan(1e-8);
      if (phi === 2.8) expect(start).toBeLessThan(-0.9 * m * g);
    },
  );
});

describe('two joints of two bars', () => {
  const { column } = run(example('double-pendulum'), { tEnd: 1 });
  const h = 1e-3;
  /** Simpson’s rule over all rows, of which there are an odd number. */
  const integral = (values: Float64Array): number =>
    values.reduce((sum, value, row) => {
      const weight = row === 0 || row === values.length - 1 ? 1 : row % 2 === 1 ? 4 : 2;
      return sum + (h / 3) * weight * value;
    }, 0);
  const change = (name: string): number => (column(name).at(-1) ?? NaN) - column(name)[0];

  it('give each bar its momentum: the elbow acts on the lower one, and back on the upper one', () => {
    expect(column('t')).toHaveLength(1001);
    const [pin, elbow] = ['pin', 'elbow'].map((id) => NAMES.map((name) => integral(column(`${id}.${name}`))));
    const weight = 9.81;
    expect(change('lower.v[0]')).toBeCloseTo(elbow[0], 6);
    expect(change('lower.v[1]')).toBeCloseTo(elbow[1] - weight, 6);
    expect(change('upper.v[0]')).toBeCloseTo(pin[0] - elbow[0], 6);
    expect(change('upper.v[1]')).toBeCloseTo(pin[1] - elbow[1] - weight, 6);
    expect(Math.abs(change('lower.v[0]'))).toBeGreaterThan(0.1);
    // Pins turn nothing.
    expect(Math.max(Math.abs(pin[2]), Math.abs(elbow[2]))).toBe(0);
  });
});

describe('by time-stepping', () => {
  it('there are no such signals: its multipliers are impulses over the step', () => {
    const { session } = run(example('pendulum-joint'), { scheme: 'time-stepping', tEnd: 0.01 });
    const own = session.signals.filter(({ element }) => element === 'rod').map(({ name }) => name);
    expect(own).toEqual(['rod.y', 'rod.yDot', 'rod.impulse']);
  });
});
