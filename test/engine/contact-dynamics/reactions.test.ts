/**
 * Impulses of joints: statics, centripetal forces, an independent dense computation, and joints that say the
 * same.
 */
import { describe, expect, it } from 'vitest';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { SpatialModel } from '@engine/spatial/compile';
import { frameAlong } from '@engine/spatial/joints/joint';
import { certified, G, simulate, weight } from './worlds';

const out = new Float64Array(6);
const applied = (dynamics: ContactDynamics, joint: number): number[] => {
  dynamics.appliedOn(joint, out);
  return [...out];
};
const close = (found: readonly number[], expected: readonly number[], digits: number): void => {
  expected.forEach((value, k) => {
    expect(found[k]).toBeCloseTo(value, digits);
  });
};

describe('forces of joints', () => {
  it('of a hanging chain are the weights below', () => {
    const dynamics = simulate({
      bodies: [
        { id: 'upper', mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5] },
        { id: 'lower', mass: 3, inertia: [0.2, 0.2, 0.2], position: [0, 0, -1.5] },
      ],
      joints: [
        {
          type: 'ball',
          id: 'top',
          first: { body: 'ground' },
          second: { body: 'upper', point: [0, 0, 0.5] },
        },
        {
          type: 'ball',
          id: 'middle',
          first: { body: 'upper', point: [0, 0, -0.5] },
          second: { body: 'lower', point: [0, 0, 0.5] },
        },
      ],
      loads: [weight(0, 0, -G)],
    });
    certified(dynamics, 10);
    close(applied(dynamics, 0), [0, 0, 5 * G, 0, 0, 0], 10);
    close(applied(dynamics, 1), [0, 0, 3 * G, 0, 0, 0], 10);
  });

  it('of a joint whose second side is the ground are what the ground bears', () => {
    const dynamics = simulate({
      bodies: [{ id: 'beam', mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.7, 0, 0] }],
      joints: [
        {
          type: 'fixed',
          id: 'clamp',
          first: { body: 'beam', point: [-0.7, 0, 0] },
          second: { body: 'ground' },
        },
      ],
      loads: [weight(0, 0, -G)],
    });
    certified(dynamics, 10);
    // A clamped beam presses the wall down, and turns it about y towards z.
    close(applied(dynamics, 0), [0, 0, -2 * G, 0, 0.7 * 2 * G, 0], 10);
  });

  it('hold a body on its circle: m ω² l towards the hinge', () => {
    const dynamics = simulate({
      bodies: [
        {
          id: 'bob',
          mass: 2,
          inertia: [0.1, 0.1, 0.1],
          position: [0.5, 0, 0],
          velocity: [0, 1.5, 0],
          spin: [0, 0, 3],
        },
      ],
      joints: [
        {
          type: 'revolute',
          id: 'hinge',
          first: { body: 'ground' },
          second: { body: 'bob', point: [-0.5, 0, 0] },
        },
      ],
    });
    certified(dynamics, 1000);
    const [x, y] = dynamics.middle;
    close(applied(dynamics, 0), [-2 * 9 * x, -2 * 9 * y, 0, 0, 0, 0], 4);
  });

  it('of hinges that say the same are flagged, and add up to what is needed', () => {
    const axis = frameAlong([1, 0, 0]);
    const hinge = (id: string, x: number): SpatialModel['joints'][number] => ({
      type: 'revolute',
      id,
      first: { body: 'ground', point: [x, 0, 0], frame: axis },
      second: { body: 'door', point: [x, 0, 0.5], frame: axis },
    });
    const dynamics = simulate({
      bodies: [{ id: 'door', mass: 4, inertia: [0.1, 0.2, 0.3], position: [0, 0, -0.5] }],
      joints: [hinge('left', -0.3), hinge('right', 0.3)],
      loads: [weight(0, 0, -G)],
    });
    certified(dynamics, 10);
    expect(dynamics.mobility.redundant).toBe(5);
    const [left, right] = [applied(dynamics, 0), applied(dynamics, 1)];
    close([left[2] + right[2]], [4 * G], 9);
    expect(dynamics.reactions.isDetermined(0)).toBe(false);
    expect(dynamics.reactions.isDetermined(1)).toBe(false);
    const single = simulate({
      bodies: [{ id: 'door', mass: 4, inertia: [0.1, 0.2, 0.3], position: [0, 0, -0.5] }],
      joints: [hinge('left', -0.3)],
    });
    certified(single, 1);
    expect(single.reactions.isDetermined(0)).toBe(true);
  });
});

describe('a driven arm of two bars with limits, friction and a motor', () => {
  const up = frameAlong([0, 1, 0]);
  const model: SpatialModel = {
    bodies: [
      { id: 'upper', mass: 2, inertia: [0.02, 0.2, 0.2], position: [0.5, 0, 0] },
      { id: 'fore', mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.4, 0, 0] },
    ],
    joints: [
      {
        type: 'revolute',
        id: 'shoulder',
        first: { body: 'ground', frame: up },
        second: { body: 'upper', point: [-0.5, 0, 0], frame: up },
        limits: { angle: [-0.4, 0.6] },
        restitution: 0.3,
        friction: { angle: 0.8 },
      },
      {
        type: 'revolute',
        id: 'elbow',
        first: { body: 'upper', point: [0.5, 0, 0], frame: up },
        second: { body: 'fore', point: [-0.4, 0, 0], frame: up },
        limits: { angle: [-0.3, 0.5] },
        motors: { angle: { speed: -1, limit: 2.5 } },
      },
    ],
    loads: [weight(0, 0, -G)],
  };

  it('has in each step the impulses that enumeration of all modes finds', () => {
    const dynamics = simulate(model, { h: 2e-3 });
    let closedSteps = 0;
    let moving = 0;
    const modes = new Set<string>();
    certified(dynamics, 1500, undefined, () => {
      const { answer, mode } = enumerate(dynamics);
      modes.add(mode);
      const { rowImpulses } = dynamics.reactions;
      // At rest on a stop of the shoulder its friction may take any part of the load: only what acts on the
      // angle is unique.
      const rests = [0, 1].some(
        (k) =>
          dynamics.jointRows.isActive[k] === 1 &&
          Math.abs(dynamics.jointRows.rate(k, dynamics.before)) < 1e-9,
      );
      const onShoulder = (r: ArrayLike<number>): number => r[0] - r[1] + r[4];
      expect(Math.abs(onShoulder(answer) - onShoulder(rowImpulses))).toBeLessThan(1e-10);
      answer.forEach((value, k) => {
        if (rests && (k < 2 || k === 4)) return;
        expect(Math.abs(value - rowImpulses[k])).toBeLessThan(1e-10);
      });
      if (!rests) moving++;
      if (rowImpulses.subarray(0, 4).some((value) => value > 0)) closedSteps++;
    });
    expect(closedSteps).toBeGreaterThan(20);
    expect(moving).toBeGreaterThan(250);
    expect(modes.size).toBeGreaterThan(5);
  });
});

/**
 * Impulses of limits, friction and motors by enumeration: each row is at one of its bounds or has its rate,
 * the equations of joints among the unknowns of one dense system M Δ − ᵗG λ − ᵗH R = 0. The mode that
 * satisfies all laws.
 */
function enumerate(dynamics: ContactDynamics): { answer: number[]; mode: string } {
  const { system, middle, free, before, jointRows, h } = dynamics;
  const n = system.velocities;
  const { equations } = system;
  const g = new Float64Array(equations.count * n);
  equations.jacobian(middle, g, n, 'velocity');
  const mass = new Float64Array(n * n);
  system.mass(mass);
  const rows = jointRows.list.map(({ rows: own, kind, restitution, speed, bound }, k) => {
    const row = new Float64Array(n);
    own.jacobian(middle, row, 0, n, 'velocity');
    const value = new Float64Array(1);
    own.position(middle, value, 0);
    const product = (u: Float64Array): number => row.reduce((sum, x, i) => sum + x * u[i], 0);
    const isLimit = kind === 'limit';
    return {
      k,
      row,
      isActive: !isLimit || value[0] <= 1e-12,
      rate: product(free) + restitution * product(before) - speed,
      lower: isLimit ? 0 : -bound * h,
      upper: isLimit ? Number.POSITIVE_INFINITY : bound * h,
    };
  });
  const active = rows.filter(({ isActive }) => isActive);
  const choices = active.map(({ upper }) => (upper === Number.POSITIVE_INFINITY ? 'lf' : 'lfu'));
  const count = choices.reduce((product, own) => product * own.length, 1);
  for (let number = 0; number < count; number++) {
    let rest = number;
    const mode = choices.map((own) => {
      const choice = own[rest % own.length];
      rest = Math.floor(rest / own.length);
      return choice;
    });
    const size = n + equations.count + active.length;
    const a = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[i][j] = mass[i * n + j];
    for (let r = 0; r < equations.count; r++)
      for (let j = 0; j < n; j++) {
        a[n + r][j] = g[r * n + j];
        a[j][n + r] = -g[r * n + j];
      }
    active.forEach(({ row, rate, lower, upper }, k) => {
      const own = n + equations.count + k;
      for (let j = 0; j < n; j++) a[j][own] = -row[j];
      if (mode[k] === 'f') {
        for (let j = 0; j < n; j++) a[own][j] = row[j];
        a[own][size] = -rate;
      } else {
        a[own][own] = 1;
        a[own][size] = mode[k] === 'l' ? lower : upper;
      }
    });
    const x = solve(a);
    if (x === null) continue;
    const holds = active.every(({ row, rate, lower, upper }, k) => {
      const impulse = x[n + equations.count + k];
      const slip = rate + row.reduce((sum, value, j) => sum + value * x[j], 0);
      if (mode[k] === 'f') return impulse >= lower - 1e-12 && impulse <= upper + 1e-12;
      return mode[k] === 'l' ? slip >= -1e-12 : slip <= 1e-12;
    });
    if (!holds) continue;
    const answer = rows.map(() => 0);
    active.forEach(({ k }, place) => {
      answer[k] = x[n + equations.count + place];
    });
    return { answer, mode: active.map(({ k }, place) => `${k}${mode[place]}`).join(' ') };
  }
  throw new Error('no mode satisfies all laws');
}

/** Gauss with row pivoting. */
function solve(a: number[][]): number[] | null {
  const n = a.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[pivot][k])) pivot = i;
    if (Math.abs(a[pivot][k]) < 1e-12) return null;
    [a[k], a[pivot]] = [a[pivot], a[k]];
    for (let i = 0; i < n; i++) {
      if (i === k || a[i][k] === 0) continue;
      const factor = a[i][k] / a[k][k];
      for (let j = k; j <= n; j++) a[i][j] -= factor * a[k][j];
    }
  }
  return a.map((row, k) => row[n] / row[k]);
}
