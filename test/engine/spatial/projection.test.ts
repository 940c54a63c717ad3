/**
 * Projection onto joints and stops: item by item what the notes claim of it, and what an answer has to
 * satisfy.
 */
import { describe, expect, it } from 'vitest';
import { PositionProjection, type ProjectionMetric, type QuaternionNorm } from '@engine/spatial/projection';
import type { SpatialSystem } from '@engine/spatial/system';
import { createSolver } from '@engine/solvers/registry';
import { seeded } from '../support/random';
import { compile, turnAbout, vector } from './support/models';

const METRICS: readonly ProjectionMetric[] = ['euclidean', 'velocity', 'mass'];
const free = Number.POSITIVE_INFINITY;

/** A body pinned at a point, whose tip must not go below the floor: three equations and a stop. */
const pinned = (pin: number[], tip: number[], position: number[], orientation: number[]): SpatialSystem =>
  compile(
    [{ id: 'body', mass: 2, inertia: [1, 2, 2.5], position, orientation }],
    [
      { type: 'ball', id: 'pin', first: { body: 'ground' }, second: { body: 'body', point: pin } },
      {
        type: 'pointPlane',
        id: 'floor',
        first: { body: 'ground' },
        second: { body: 'body', point: tip },
        limits: { gap: [0, free] },
      },
    ],
  );

const example = (): SpatialSystem =>
  pinned([0.8, 0.8, 0.8], [0.2, -0.2, -0.3], [-0.3, -0.4, -0.6], [1, 0.5, 0.6, -0.4]);
/** A start as after a step. */
const slight = (): SpatialSystem =>
  pinned([-0.5, 0, 0], [0.5, 0.1, -0.02], [0.53, 0.02, 0.01], turnAbout([3, 4, 0], 0.1));

const project = (
  system: SpatialSystem,
  metric: ProjectionMetric,
  norm?: QuaternionNorm,
): { q: Float64Array; projection: PositionProjection; status: string } => {
  const settings = norm === undefined ? { metric } : { metric, norm };
  const projection = new PositionProjection(system, settings, createSolver('auto', 16));
  const q = system.initialPositions();
  return { q, projection, status: projection.project(q) };
};
const norm = (q: Float64Array, k = 0): number => Math.hypot(...q.subarray(7 * k + 3, 7 * k + 7));
const largest = (system: SpatialSystem, q: Float64Array): number => {
  const equations = new Float64Array(system.equations.count);
  const limits = new Float64Array(system.limits.count);
  system.equations.position(q, equations);
  system.limits.position(q, limits);
  return Math.max(0, ...equations.map(Math.abs), ...limits.map((x) => -x));
};

describe('a pinned body over a floor', () => {
  it('converges quadratically with |Q| − 1 among the equations: 3.6e-2, 4.9e-4, 5.4e-8, rounding', () => {
    const { q, projection, status } = project(example(), 'euclidean');
    expect(status).toBe('ok');
    const [first, second, third, last] = projection.violations.subarray(1, 5);
    expect(first).toBeCloseTo(3.6e-2, 3);
    expect(second).toBeCloseTo(4.9e-4, 5);
    expect(third).toBeCloseTo(5.4e-8, 9);
    expect(last).toBeLessThan(4e-15);
    expect(projection.iterations).toBe(4);
    expect(Math.abs(norm(q) - 1)).toBeLessThan(1e-14);
  });

  it('leaves the sphere when |Q| − 1 is not among them', () => {
    const { q, status } = project(slight(), 'euclidean', 'ignored');
    expect(status).toBe('ok');
    expect(Math.abs(norm(q) - 1)).toBeGreaterThan(1e-2);
  });

  it('converges only linearly when Q is normalised afterwards', () => {
    const { projection, status } = project(slight(), 'euclidean', 'renormalised');
    expect(status).toBe('ok');
    expect(projection.iterations).toBeGreaterThan(15);
    const ratios = Array.from(
      { length: 8 },
      (_, k) => projection.violations[k + 6] / projection.violations[k + 5],
    );
    for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0], 1);
    expect(ratios[0]).toBeGreaterThan(0.2);
  });

  it('does all three from one start after explicit steps, that have made Q too long', () => {
    const start = Float64Array.of(0.549, 0.052, -0.026, 1.024, -0.131, 0.005, 0.037);
    const from = (norm: QuaternionNorm): { q: Float64Array; projection: PositionProjection } => {
      const system = pinned([-0.5, 0, 0], [0.5, 0, 0], [0.5, 0, 0], [1, 0, 0, 0]);
      const settings = { metric: 'euclidean', norm } as const;
      const projection = new PositionProjection(system, settings, createSolver('auto', 16));
      const q = start.slice();
      expect(projection.project(q)).toBe('ok');
      return { q, projection };
    };
    const { q, projection } = from('constrained');
    const figures = [3.6e-2, 4.9e-4, 5.4e-8];
    figures.forEach((figure, k) => expect(projection.violations[k] / figure).toBeCloseTo(1, 2));
    expect(projection.violations[3]).toBeLessThan(4e-15);
    expect(Math.abs(norm(q) - 1)).toBeLessThan(1e-14);
    expect(Math.abs(norm(from('ignored').q) - 1)).toBeCloseTo(4.2e-2, 3);
    const { violations, iterations } = from('renormalised').projection;
    expect(iterations).toBeGreaterThan(15);
    for (let k = 5; k < 12; k++) expect(violations[k + 1] / violations[k]).toBeGreaterThan(0.2);
  });

  it.each(METRICS)('converges quadratically in the %s metric', (metric) => {
    for (const system of [example(), slight()]) {
      const { q, projection, status } = project(system, metric);
      expect(status).toBe('ok');
      expect(largest(system, q)).toBeLessThan(1e-13);
      expect(Math.abs(norm(q) - 1)).toBeLessThan(1e-14);
      const v = projection.violations;
      for (let k = 1; k < projection.iterations; k++)
        if (v[k] > 1e-7 && v[k] < 0.1) expect(v[k + 1]).toBeLessThan(2 * v[k] * v[k]);
    }
  });

  it('leaves alone what violates nothing, and a stop that is open', () => {
    const system = pinned([-0.5, 0, 0], [0.5, 0, 0.3], [0.5, 0, 0], [1, 0, 0, 0]);
    for (const metric of METRICS) {
      const { q, projection, status } = project(system, metric);
      expect(status).toBe('ok');
      expect(projection.iterations).toBe(0);
      expect([...q]).toEqual([...system.initialPositions()]);
    }
  });
});

it('a Euclidean projection moves along the gradients: q − q̃ is in their span to second order', () => {
  const system = slight();
  const { q } = project(system, 'euclidean');
  const given = system.initialPositions();
  const rows = 5;
  const gradients = new Float64Array(rows * 7);
  system.equations.jacobian(q, gradients, 7, 'position');
  system.limits.jacobian(q, gradients, 7, 'position', 3);
  gradients.set(q.subarray(3), 4 * 7 + 3);
  // Gram–Schmidt: what is left of the displacement orthogonal to the gradients.
  const rest = q.map((x, i) => x - given[i]);
  const size = Math.hypot(...rest);
  for (let r = 0; r < rows; r++) {
    const row = gradients.subarray(7 * r, 7 * r + 7);
    for (let s = 0; s < r; s++) {
      const other = gradients.subarray(7 * s, 7 * s + 7);
      const share = row.reduce((sum, x, i) => sum + x * other[i], 0);
      row.forEach((x, i) => (row[i] = x - share * other[i]));
    }
    const length = Math.hypot(...row);
    row.forEach((x, i) => (row[i] = x / length));
    const share = row.reduce((sum, x, i) => sum + x * rest[i], 0);
    rest.forEach((x, i) => (rest[i] = x - share * row[i]));
  }
  expect(Math.hypot(...rest)).toBeLessThan(0.2 * size * size + 1e-3 * size);
});

it('in the metric of the mass what is heavy gives way least', () => {
  const system = compile(
    [
      { id: 'heavy', mass: 3, inertia: [1, 1, 1], position: [0, 0, 0] },
      { id: 'light', mass: 1, inertia: [1, 1, 1], position: [0.4, 0, 0] },
    ],
    [{ type: 'ball', id: 'j', first: { body: 'heavy' }, second: { body: 'light' } }],
  );
  const mass = project(system, 'mass').q;
  expect(mass[0]).toBeCloseTo(0.1, 13);
  expect(mass[7]).toBeCloseTo(0.1, 13);
  const velocity = project(system, 'velocity').q;
  expect(velocity[0]).toBeCloseTo(0.2, 13);
});

it.each(METRICS)('assembles a chain of five bodies from a disturbed start in the %s metric', (metric) => {
  const random = seeded(3);
  const bodies = Array.from({ length: 5 }, (_, k) => ({
    id: `b${k}`,
    mass: 1 + k,
    inertia: [0.1, 0.2, 0.25],
    position: [k + 0.5 + random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0],
    orientation: [1, ...vector(random, 3, 0.05)],
  }));
  const ends = (k: number) => ({
    id: `j${k}`,
    first: { body: k === 0 ? 'ground' : `b${k - 1}`, point: k === 0 ? [0, 0, 0] : [0.5, 0, 0] },
    second: { body: `b${k}`, point: [-0.5, 0, 0] },
  });
  const system = compile(bodies, [
    { type: 'revolute', ...ends(0), limits: { angle: [-0.02, 0.02] } },
    { type: 'universal', ...ends(1) },
    { type: 'fixed', ...ends(2) },
    { type: 'knee', ...ends(3), limits: { bend: [0.01, 0.05] } },
    { type: 'ball', ...ends(4) },
  ]);
  const { q, status } = project(system, metric);
  expect(status).toBe('ok');
  expect(largest(system, q)).toBeLessThan(1e-12);
  for (let k = 0; k < 5; k++) expect(Math.abs(norm(q, k) - 1)).toBeLessThan(1e-12);
  expect(Math.hypot(...q.map((x, i) => x - system.initialPositions()[i]))).toBeLessThan(0.5);
});

it('the solvers agree on the answer', () => {
  const [reference, ...others] = ['Lemke', 'PrincipalPivoting', 'Enumeration', 'ConvexQP'].map((name) => {
    const system = slight();
    const q = system.initialPositions();
    const projection = new PositionProjection(system, { metric: 'mass' }, createSolver(name, 16));
    expect(projection.project(q)).toBe('ok');
    return q;
  });
  for (const q of others)
    expect(Math.max(...q.map((x, i) => Math.abs(x - reference[i])))).toBeLessThan(1e-12);
});

it.each(METRICS)('takes redundant joints, two hinges on one axis, in the %s metric', (metric) => {
  const system = compile(
    [
      {
        id: 'door',
        mass: 1,
        inertia: [1, 2, 3],
        position: [0.01, -0.02, 0.03],
        orientation: [1, 0.02, -0.03, 0.01],
      },
    ],
    [-1, 1].map((z) => ({
      type: 'revolute',
      id: `hinge at ${z}`,
      first: { body: 'ground', point: [0, 0, z] },
      second: { body: 'door', point: [0, 0, z] },
      limits: { angle: [0.1, 1] },
    })),
  );
  for (const name of ['auto', 'Lemke', 'PrincipalPivoting', 'Enumeration', 'ConvexQP']) {
    const q = system.initialPositions();
    const projection = new PositionProjection(system, { metric }, createSolver(name, 16));
    expect(projection.project(q)).toBe('ok');
    expect(projection.iterations).toBeLessThanOrEqual(5);
    expect(largest(system, q)).toBeLessThan(1e-13);
    // The stop is met to second order in the correction.
    const angle = 2 * Math.atan2(q[6], q[3]);
    expect(angle).toBeGreaterThan(0.1 - 1e-13);
    expect(angle).toBeLessThan(0.1 + 1e-5);
  }
});

describe('a projection that fails leaves q as it was and says why', () => {
  const ends = { first: { body: 'ground' }, second: { body: 'body' } };
  const body = { id: 'body', mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] };

  it('projectionNotConverged where joints contradict each other', () => {
    const system = compile(
      [body],
      [
        { type: 'ball', id: 'one', ...ends },
        { type: 'ball', id: 'other', ...ends, first: { body: 'ground', point: [0, 0, 1] } },
      ],
    );
    for (const metric of METRICS) {
      const { q, status } = project(system, metric);
      expect(status).toBe('projectionNotConverged');
      expect([...q]).toEqual([...system.initialPositions()]);
    }
  });

  it('projectionUnsolved where the solver does not solve the linear problem', () => {
    const system = slight();
    const solver = createSolver('PGS', 16, { maxIterations: 1 });
    const projection = new PositionProjection(system, { metric: 'mass' }, solver);
    const q = system.initialPositions();
    expect(projection.project(q)).toBe('projectionUnsolved');
    expect(projection.result.status).toBe('maxIterations');
    expect([...q]).toEqual([...system.initialPositions()]);
  });

  it('projectionNotConverged where a rod cannot reach', () => {
    const system = compile(
      [{ ...body, position: [1, 0, 0.3] }],
      [
        { type: 'ball', id: 'pin', ...ends, second: { body: 'body', point: [0.1, 0, 0] } },
        {
          type: 'distance',
          id: 'rod',
          ...ends,
          second: { body: 'body', point: [-0.2, 0.1, 0] },
          length: 3,
        },
      ],
    );
    const { q, status } = project(system, 'velocity');
    expect(status).toBe('projectionNotConverged');
    expect([...q]).toEqual([...system.initialPositions()]);
  });

  it('notFinite for positions that are not', () => {
    const system = compile([body], [{ type: 'ball', id: 'pin', ...ends }]);
    for (const metric of METRICS) {
      const projection = new PositionProjection(system, { metric }, createSolver('auto', 16));
      const q = Float64Array.of(Number.NaN, 0, 0, 1, 0, 0, 0);
      expect(projection.project(q)).toBe('notFinite');
      const zero = Float64Array.of(1, 0, 0, 0, 0, 0, 0);
      expect(projection.project(zero)).toBe('notFinite');
    }
  });
});
