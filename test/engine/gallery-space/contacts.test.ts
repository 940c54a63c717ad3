/**
 * What touches: balls slide and then roll, bricks stick or slip, arches stand or fall, a rod is jammed or
 * not.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { parameter, runExample } from '../support/example';
import { maximum } from '../support/order';
import type { Run } from '../support/run';

const G = 9.81;

describe('the break', () => {
  const BALLS = ['cue', ...Array.from({ length: 15 }, (_, k) => `ball${k + 1}`)];
  const RADIUS = 0.028575;
  let column: Run['column'];
  let t: Float64Array;
  beforeAll(() => {
    ({ column } = runExample('billiards'));
    t = column('t');
  });

  const total = (signal: string, k: number): number =>
    BALLS.reduce((sum, ball) => sum + column(`${ball}.${signal}`)[k], 0);
  /**
   * Velocity of the point of contact, in the middle of the overlap; the axes of the spin turn with the ball.
   */
  const slip = (ball: string): ((k: number) => number) => {
    const q = [3, 4, 5, 6].map((i) => column(`${ball}.q[${i}]`));
    const v = [0, 1, 2, 3, 4, 5].map((i) => column(`${ball}.v[${i}]`));
    const height = column(`${ball}.q[2]`);
    return (k) => {
      const lever = (height[k] + RADIUS) / 2;
      const [a, b, c, d] = q.map((values) => values[k]);
      const [x, y, z] = v.slice(3).map((values) => values[k]);
      const along = (1 - 2 * (c * c + d * d)) * x + 2 * (b * c - a * d) * y + 2 * (b * d + a * c) * z;
      const across = 2 * (b * c + a * d) * x + (1 - 2 * (b * b + d * d)) * y + 2 * (c * d - a * b) * z;
      return Math.hypot(v[0][k] - lever * across, v[1][k] + lever * along);
    };
  };

  it('begins with a cue ball that slides, its slip falling by 7/2 μ g', () => {
    const of = slip('cue');
    for (const k of [50, 100, 150])
      expect(of(k)).toBeCloseTo(parameter('billiards', 'speed') - 3.5 * 0.2 * G * t[k], 2);
  });

  it('keeps the momentum in the step in which the cue ball meets the others, but for the friction of the cloth', () => {
    const speed = column('cue.v[0]');
    const k = speed.findIndex((each, i) => i > 0 && each < 0.7 * speed[i - 1]);
    expect(t[k]).toBeCloseTo((1.2 - 2 * RADIUS) / 6, 1);
    const friction = column('on_cloth.frictionImpulse')[k] / 0.17;
    for (const axis of ['v[0]', 'v[1]'])
      expect(Math.abs(total(axis, k) - total(axis, k - 1))).toBeLessThan(friction + 1e-9);
    expect(friction).toBeLessThan(0.1);
    expect(total('v[0]', k)).toBeGreaterThan(0.9 * 6);
  });

  it('ends with balls that roll, and have done so for a while', () => {
    const end = t.length - 1;
    let rolling = 0;
    for (const ball of BALLS) {
      const of = slip(ball);
      const speed = Math.hypot(column(`${ball}.v[0]`)[end], column(`${ball}.v[1]`)[end]);
      if ([end - 200, end - 100, end].every((k) => of(k) < 1e-9)) rolling++;
      expect(column(`${ball}.q[2]`)[end]).toBeCloseTo(RADIUS, 3);
      expect(speed).toBeGreaterThan(0.05);
    }
    expect(rolling).toBeGreaterThanOrEqual(14);
  });
});

describe('the brick on a slope', () => {
  const mu = parameter('brick-on-slope', 'mu');

  it('has not moved by the last bit a thousandth below the angle of friction, and slips a thousandth above it', () => {
    const at = (alpha: number): Run => runExample('brick-on-slope', { alpha });
    for (const alpha of [0.4, Math.atan(mu) - 1e-3]) {
      const { column } = at(alpha);
      expect(maximum(column('joint.slip'))).toBe(0);
      for (let i = 0; i < 7; i++) expect(new Set(column(`brick.q[${i}]`)).size).toBe(1);
    }
    for (const excess of [1e-3, 0.1]) {
      const { column } = at(Math.atan(mu) + excess);
      const [expected] = column('expected');
      expect(expected).toBeGreaterThan(0);
      expect(column('speed').at(-1)).toBeCloseTo(expected, 6);
      expect(column('expectedSpeed').at(-1)).toBeCloseTo(expected, 12);
    }
  });
});

describe('the arch', () => {
  const crown = ({ column }: Run): Float64Array => column('stone14.q[2]');

  it('of 27 stones stands at 0.108 to the last bit, and falls at 0.106', () => {
    const standing = runExample('masonry-arch', { thickness: 0.108 }, { tEnd: 0.25 });
    expect(new Set(crown(standing)).size).toBe(1);
    const falling = crown(runExample('masonry-arch', { thickness: 0.106 }, { tEnd: 0.25 }));
    const fallen = falling.map((height) => falling[0] - height);
    const end = fallen.length - 1;
    expect(fallen[end]).toBeGreaterThan(1e-3);
    // Faster and faster: it has not come to rest on what has opened.
    expect(fallen[end]).toBeGreaterThan(4 * fallen[end >> 1]);
  });

  it('has lost stones where friction is too little', () => {
    const { column } = runExample('masonry-arch', { mu: 0.25, count: 11 }, { tEnd: 0.25 });
    expect(maximum(column('joints.slip'))).toBeGreaterThan(0.05);
  });
});

describe('Painlevé’s rods', () => {
  const alarm = ({ session }: Run): string[] => session.warnings.filter((text) => text.includes('Painlevé'));

  it('are one that is jammed and jumps, and one of which the run says that it might have been', () => {
    const run = runExample('painleve-rod');
    const impulses = run.column('table.normalImpulse');
    const weight = G * parameter('painleve-rod', 'step');
    const jump = impulses.findIndex((each) => each > 0);
    expect(impulses[jump]).toBeGreaterThan(100 * weight);
    expect(run.column('table.slip')[jump]).toBeLessThan(1e-12);
    // The end slides with 2 m/s until then; what is seen of it goes on from there.
    expect(run.column('end')[jump - 1]).toBeCloseTo(parameter('painleve-rod', 'speed'), 9);
    expect(Math.abs(run.column('end')[jump])).toBeLessThan(0.05);
    expect(maximum(impulses.slice(jump + 1, jump + 50))).toBeLessThan(weight);
    expect(run.session.warnings).toHaveLength(1);
    expect(alarm(run)[0]).toMatch(/“turningEnd” has 3 solutions/);
    // Of the three it is the one without an impulse.
    expect(run.column('turningEnd.normalImpulse')[1]).toBe(0);
    expect(run.column('turning.q[2]')[400]).toBeGreaterThan(0.85);
  });

  it('have no alarm with little friction, and none where the second does not turn', () => {
    for (const set of [{ mu: 0.3 }, { spin: 0 }])
      expect(alarm(runExample('painleve-rod', set, { tEnd: 0.01 }))).toEqual([]);
  });
});

describe('a smaller granular column', () => {
  let column: Run['column'];
  const grains = Array.from({ length: 72 }, (_, k) => `grain${k + 1}`);
  beforeAll(() => {
    ({ column } = runExample('granular-column', { across: 3, layers: 8 }, { tEnd: 0.8 }));
  });

  it('collapses into a heap that is wider and lower, and stays on the floor', () => {
    const end = column('t').length - 1;
    const heights = (k: number): number[] => grains.map((id) => column(`${id}.q[2]`)[k]);
    const reach = (k: number): number =>
      Math.max(...grains.map((id) => Math.hypot(column(`${id}.q[0]`)[k], column(`${id}.q[1]`)[k])));
    expect(Math.max(...heights(end))).toBeLessThan(0.7 * Math.max(...heights(0)));
    expect(reach(end)).toBeGreaterThan(2 * reach(0));
    // A ball of 2.5 cm, overlapping by what a step moves it at most.
    expect(Math.min(...heights(end))).toBeGreaterThan(0.025 - 5e-3);
  });

  it('loses a third of its energy, and gains none but of the first order in h', () => {
    const kinetic = column('energy.kinetic');
    const potential = column('energy.potential');
    const sum = kinetic.map((each, k) => each + potential[k]);
    // A contact holds along the normal of the middle of a step, which turns as balls roll over one another.
    for (let k = 1; k < sum.length; k++) expect(sum[k]).toBeLessThan(sum[k - 1] + 1e-5 * sum[0]);
    expect(sum.at(-1)).toBeLessThan(0.7 * sum[0]);
  });
});
