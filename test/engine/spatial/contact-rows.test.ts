/**
 * Gaps and slips of contacts over random pairs of bodies: rates against differences of positions, slips
 * against the motion of the material points that touch, and γ against differences of rates.
 */
import { describe, expect, it } from 'vitest';
import { placeBodies } from '@engine/spatial/bodies/body';
import { markersOf } from '@engine/spatial/compile';
import { Limit, PointDistance } from '@engine/spatial/coordinates';
import {
  BetweenPoints,
  type ContactGeometry,
  OverPlane,
  RimGap,
  RimOverPlane,
  SurfaceSlip,
  EllipsoidGap,
  EllipsoidOverPlane,
} from '@engine/spatial/contact-rows';
import { frameAlong } from '@engine/spatial/joints/joint';
import { rotate, rotateBack, turn } from '@engine/spatial/quaternion';
import { RigidBody } from '@engine/spatial/bodies/rigid-body';
import { AxisOffset, RowSet, type SpatialRows } from '@engine/spatial/rows';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';

const BODIES = placeBodies(['one', 'other'].map((id) => new RigidBody(id, 1, [1, 1, 1])));
const [Q, V] = [14, 12];
/** s of the differences */
const STEP = 1e-4;

interface Contact {
  readonly gap: SpatialRows;
  readonly geometry: ContactGeometry;
}

type Random = () => number;
const signed = (random: Random): number => 2 * random() - 1;
const vector = (random: Random): number[] => [signed(random), signed(random), signed(random)];

/** Of each kind, with markers anywhere on two bodies that both move. */
const KINDS: Readonly<Record<string, (random: Random) => Contact>> = {
  'a ball over a plane': (random) => {
    const marker = markersOf(BODIES)('contact');
    const first = marker({ body: 'one', point: vector(random), frame: frameAlong(vector(random)) });
    const second = marker({ body: 'other', point: vector(random) });
    const radius = random();
    return {
      gap: new AxisOffset(first, second, 2, 'gap', radius),
      geometry: new OverPlane(first, second, radius),
    };
  },
  'two balls': (random) => {
    const marker = markersOf(BODIES)('contact');
    const [first, second] = ['one', 'other'].map((body) => marker({ body, point: vector(random) }));
    const radii = [random(), random()] as const;
    const gap = new Limit(new PointDistance(first, second, 'gap'), 'lower', radii[0] + radii[1]);
    return { gap, geometry: new BetweenPoints(first, second, ...radii, false) };
  },
  'a rim over a plane': (random) => {
    const marker = markersOf(BODIES)('contact');
    const first = marker({ body: 'one', point: vector(random), frame: frameAlong(vector(random)) });
    const second = marker({ body: 'other', point: vector(random), frame: frameAlong(vector(random)) });
    const radius = 0.1 + random();
    return {
      gap: new RimGap(first, second, radius, 'contact'),
      geometry: new RimOverPlane(first, second, radius, 'contact'),
    };
  },
  'an ellipsoid over a plane': (random) => {
    const marker = markersOf(BODIES)('contact');
    const first = marker({ body: 'one', point: vector(random), frame: frameAlong(vector(random)) });
    const second = marker({ body: 'other', point: vector(random), frame: frameAlong(vector(random)) });
    const semiAxes = Float64Array.of(0.2 + random(), 0.2 + random(), 0.2 + random());
    return {
      gap: new EllipsoidGap(first, second, semiAxes),
      geometry: new EllipsoidOverPlane(first, second, semiAxes),
    };
  },
};

function state(random: Random): { q: Float64Array; v: Float64Array } {
  const q = Float64Array.from({ length: Q }, () => signed(random));
  for (const at of [3, 10]) {
    const length = Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]);
    for (let i = at; i < at + 4; i++) q[i] /= length;
  }
  return { q, v: Float64Array.from({ length: V }, () => signed(random)) };
}

/** q moved by s v. */
function moved(q: Float64Array, v: Float64Array, s: number): Float64Array {
  const next = q.slice();
  for (const [at, from] of [
    [0, 0],
    [7, 6],
  ]) {
    for (let i = 0; i < 3; i++) next[at + i] += s * v[from + i];
    turn(next, at + 3, v, from + 3, s, new Float64Array(4));
  }
  return next;
}

const positions = (rows: RowSet, q: Float64Array): Float64Array => {
  const out = new Float64Array(rows.count);
  rows.position(q, out);
  return out;
};

function rates(rows: RowSet, q: Float64Array, v: Float64Array): Float64Array {
  const jacobian = new Float64Array(rows.count * V);
  rows.jacobian(q, jacobian, V, 'velocity');
  return Float64Array.from({ length: rows.count }, (_, r) =>
    v.reduce((sum, x, k) => sum + x * jacobian[r * V + k], 0),
  );
}

/** From two central differences, of order 4. */
const difference = (f: (s: number) => Float64Array): Float64Array => {
  const [near, far] = [STEP, 2 * STEP].map((s) => {
    const [above, below] = [f(s), f(-s)];
    return above.map((x, r) => (x - below[r]) / (2 * s));
  });
  return near.map((x, r) => x + (x - far[r]) / 3);
};

/** Where a point of the world that is fixed to a body goes. */
function carried(q: Float64Array, next: Float64Array, at: number, point: Float64Array): Float64Array {
  const arm = point.map((x, i) => x - q[at + i]);
  rotateBack(q, at + 3, arm, 0, arm, 0);
  rotate(next, at + 3, arm, 0, arm, 0);
  return arm.map((x, i) => x + next[at + i]);
}

describe.each(Object.entries(KINDS))('%s', (_, create) => {
  const random = seeded(71);
  const cases = Array.from({ length: sample(20, 2000) }, () => ({
    ...create(() => random.uniform(0, 1)),
    ...state(() => random.uniform(0, 1)),
  }));
  const close = (found: ArrayLike<number>, exact: ArrayLike<number>, digits: number): void => {
    for (let r = 0; r < exact.length; r++)
      expect(Math.abs(found[r] - exact[r])).toBeLessThan(digits * (1 + Math.abs(exact[r])));
  };

  it('has a gap whose rate is H v', () => {
    for (const { gap, q, v } of cases) {
      const rows = new RowSet([gap]);
      close(
        rates(rows, q, v),
        difference((s) => positions(rows, moved(q, v, s))),
        1e-7,
      );
    }
  });

  it('has γ that is what differences of rates are, of gap and slips', () => {
    for (const { gap, geometry, q, v } of cases) {
      const rows = new RowSet([gap, new SurfaceSlip(geometry, 2)]);
      const gamma = new Float64Array(rows.count);
      rows.gamma(q, v, gamma);
      close(
        gamma.map((x) => -x),
        difference((s) => rates(rows, moved(q, v, s), v)),
        1e-5,
      );
    }
  });

  it('has slips that are those of the material points', () => {
    for (const { geometry, q, v } of cases) {
      geometry.place(q);
      const { axes, arms } = geometry;
      const [first, second] = [geometry.first.point, geometry.second.point].map((point, k) =>
        point.map((x, i) => x + arms[3 * k + i]),
      );
      const slip = difference((s) => {
        const next = moved(q, v, s);
        return carried(q, next, 7, second).map((x, i) => x - carried(q, next, 0, first)[i]);
      });
      const along = [3, 6].map((t) => slip.reduce((sum, x, i) => sum + x * axes[t + i], 0));
      close(rates(new RowSet([new SurfaceSlip(geometry, 2)]), q, v), along, 1e-7);
    }
  });

  it('has axes at right angles', () => {
    for (const { geometry, q } of cases) {
      geometry.place(q);
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const product = [0, 1, 2].reduce(
            (sum, i) => sum + geometry.axes[3 * a + i] * geometry.axes[3 * b + i],
            0,
          );
          expect(Math.abs(product - (a === b ? 1 : 0))).toBeLessThan(1e-12);
        }
    }
  });
});

it('a rim that lies flat has no lowest point, and says so', () => {
  const marker = markersOf(BODIES)('coin');
  const gap = new RimGap(marker({ body: 'one' }), marker({ body: 'other' }), 1, 'coin');
  const flat = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0);
  expect(() => gap.position(flat, new Float64Array(1), 0)).toThrow(/touches with all of its rim/);
});
