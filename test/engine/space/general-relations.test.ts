/** Relations between 3D bodies that scripts give, against joints, formulas and finite differences. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { GeneralRow } from '@engine/spatial/general-relation';
import { expectComplete } from '../support/issues';
import { withFunctions } from '../support/models';
import { seeded } from '../support/random';
import { run, runFailure } from '../support/run';
import { G, joint, rigid, spaceModel } from '../support/space';

const last = (column: Float64Array): number => column[column.length - 1];
const sandbox = { sandbox: createSandbox };

/** A model with one scripted relation. */
function scripted(
  systems: ModelDocument['systems'],
  linked: string[],
  source: string,
  law: { type: string; [key: string]: string | number } = { type: 'Equality' },
  relation: object = {},
): ModelDocument {
  return withFunctions(
    spaceModel(systems, [
      {
        id: 'link',
        systems: linked,
        relation: { type: 'NewtonEulerRelation', h: { function: 'h' }, ...relation },
        law,
      },
    ]),
    source,
  );
}

const rod = rigid('rod', [0.3, 0, 0], { mass: 2, inertia: [0.01, 0.08, 0.08], spin: [1, 0.2, 0.3] });

describe('equations', () => {
  it('are what the joint is that says the same', () => {
    // The end of the rod, x + R (0.5, 0, 0), keeps its distance from the origin.
    const source = [
      'export const h = (q: Float64Array, out: Float64Array) => {',
      '  const [x, y, z, w, a, b, c] = q;',
      '  const px = x + 0.5 * (1 - 2 * (b * b + c * c));',
      '  const py = y + 0.5 * 2 * (a * b + w * c);',
      '  const pz = z + 0.5 * 2 * (a * c - w * b);',
      '  out[0] = (px * px + py * py + pz * pz) / 1.6 - 0.4;',
      '};',
    ].join('\n');
    const ours = run(scripted([rod], ['rod'], source), sandbox);
    const relation = { type: 'DistanceJoint', given: 'bodies', point2: [0.5, 0, 0], length: 0.8 };
    const theirs = run(spaceModel([rod], [joint('link', ['rod'], relation)]));
    for (let k = 0; k < 7; k++)
      expect(last(ours.column(`rod.q[${k}]`))).toBeCloseTo(last(theirs.column(`rod.q[${k}]`)), 7);
    expect(Math.max(...ours.column('link.y').map(Math.abs))).toBeLessThan(1e-9);
  });

  it('link as many bodies as they like: three on one rope over pulleys', () => {
    const masses = [1, 2, 4];
    const systems = masses.map((mass, k) => rigid(`m${k}`, [k, 0, 1], { mass, inertia: [1, 1, 1] }));
    const document = scripted(
      systems,
      ['m0', 'm1', 'm2'],
      'export const h = (q: Float64Array, out: Float64Array) => { out[0] = q[2] + q[9] + q[16] - 3; };',
    );
    const { column } = run(document, sandbox);
    const tension = (3 * G) / masses.reduce((sum, mass) => sum + 1 / mass, 0);
    masses.forEach((mass, k) => expect(last(column(`m${k}.v[2]`))).toBeCloseTo(tension / mass - G, 9));
    expect(last(column('link.lambda'))).toBeCloseTo(tension, 9);
  });

  it('take a Jacobian that is given', () => {
    const body = rigid('b', [0, 0, 1], { mass: 1, inertia: [1, 1, 1] });
    const source = [
      'export const h = (q: Float64Array, out: Float64Array) => { out[0] = q[2] - 1; };',
      'export const dh = (q: Float64Array, out: Float64Array) => { out[2] = 1; };',
    ].join('\n');
    const { column } = run(
      scripted([body], ['b'], source, { type: 'Equality' }, { jacobian: { function: 'dh' } }),
      sandbox,
    );
    expect(last(column('b.q[2]'))).toBe(1);
    expect(last(column('link.lambda'))).toBeCloseTo(G, 10);
  });
});

it('stops spring back with their restitution', () => {
  const body = rigid('b', [0, 0, 1], { mass: 1, inertia: [1, 1, 1] });
  const document = scripted(
    [body],
    ['b'],
    'export const h = (q: Float64Array, out: Float64Array) => { out[0] = q[2] - 0.5; };',
    { type: 'NewtonImpact3D', e: 0.6 },
  );
  const { column } = run(document, sandbox);
  const v = column('b.v[2]');
  const hit = v.findIndex((value) => value > 0);
  expect(v[hit]).toBeCloseTo(-0.6 * v[hit - 1], 12);
  expect(Math.min(...column('link.gap'))).toBeGreaterThan(-0.01);
});

it('the row has H and γ of its function, as finite differences say', () => {
  const { uniform } = seeded(7);
  // Two bodies; a function of everything, with its derivative written out.
  const h = (z: Float64Array, out: Float64Array): void => {
    out[0] = z[0] * z[8] + Math.sin(z[3] * z[11]) + z[5] * z[5] * z[13] + z[2] * z[6];
  };
  const jacobian = (z: Float64Array, out: Float64Array): void => {
    out.fill(0);
    out[0] = z[8];
    out[8] = z[0];
    out[3] = z[11] * Math.cos(z[3] * z[11]);
    out[11] = z[3] * Math.cos(z[3] * z[11]);
    out[5] = 2 * z[5] * z[13];
    out[13] = z[5] * z[5];
    out[2] = z[6];
    out[6] = z[2];
  };
  const row = new GeneralRow(
    {
      bodies: [
        { positions: 7, velocities: 6 },
        { positions: 0, velocities: 0 },
      ],
      size: 1,
      h,
      jacobian,
    },
    0,
  );
  const unit = (): number[] => {
    const Q = [0, 1, 2, 3].map(() => uniform(-1, 1));
    return Q.map((x) => x / Math.hypot(...Q));
  };
  const q = Float64Array.from([
    uniform(-1, 1),
    uniform(-1, 1),
    uniform(-1, 1),
    ...unit(),
    uniform(-1, 1),
    uniform(-1, 1),
    uniform(-1, 1),
    ...unit(),
  ]);
  const v = Float64Array.from({ length: 12 }, () => uniform(-1, 1));
  /** q after a motion with constant v for a short time, by many small steps of the exact rate. */
  const moved = (time: number): Float64Array => {
    const at = q.slice();
    const steps = 64;
    const dt = time / steps;
    for (let s = 0; s < steps; s++)
      for (let b = 0; b < 2; b++) {
        const [w, x, y, z] = [3, 4, 5, 6].map((i) => at[7 * b + i]);
        const [p, r, t] = [3, 4, 5].map((i) => (v[6 * b + i] * dt) / 2);
        for (let i = 0; i < 3; i++) at[7 * b + i] += v[6 * b + i] * dt;
        // A quaternion product with the exponential, to third order.
        const angle = Math.hypot(p, r, t);
        const [c, k] = [Math.cos(angle), angle === 0 ? 1 : Math.sin(angle) / angle];
        at[7 * b + 3] = w * c - k * (x * p + y * r + z * t);
        at[7 * b + 4] = x * c + k * (w * p + y * t - z * r);
        at[7 * b + 5] = y * c + k * (w * r + z * p - x * t);
        at[7 * b + 6] = z * c + k * (w * t + x * r - y * p);
      }
    return at;
  };
  const value = (at: Float64Array): number => {
    const out = new Float64Array(1);
    row.position(at, out, 0);
    return out[0];
  };
  const H = new Float64Array(12);
  row.jacobian(q, H, 0, 12, 'velocity');
  const d = 1e-4;
  const [before, now, after] = [value(moved(-d)), value(q), value(moved(d))];
  expect(H.reduce((sum, x, i) => sum + x * v[i], 0)).toBeCloseTo((after - before) / (2 * d), 6);
  const gamma = new Float64Array(1);
  row.gamma(q, v, gamma, 0);
  // ḧ = H v̇ − γ with v̇ = 0.
  expect(-gamma[0]).toBeCloseTo((after - 2 * now + before) / (d * d), 5);
});

describe('what is refused', () => {
  const body = rigid('b', [0, 0, 1], { mass: 1, inertia: [1, 1, 1] });
  const flat = 'export const h = (q: Float64Array, out: Float64Array) => { out[0] = q[2] - 1; };';

  it('a law with a tangent plane', () => {
    const { issues } = reportDocument(
      scripted([body], ['b'], flat, { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 }),
    );
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'law-of-relation', pointer: '/interactions/0/law/type' }]);
  });

  it('a law of contacts that is none of impacts, with or without friction', () => {
    for (const law of [
      { type: 'CompliantFriction3D', k: 1, mu: 0 },
      { type: 'CohesiveFriction3D', pull: 1, mu: 0, e: 0 },
    ]) {
      const { issues } = reportDocument(scripted([body], ['b'], flat, law));
      expectComplete(issues);
      expect(issues).toMatchObject([{ code: 'law-of-relation', pointer: '/interactions/0/law/type' }]);
    }
  });

  it('a function that does not exist', () => {
    const { issues } = reportDocument(scripted([body], ['b'], 'export const other = () => {};'));
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'unknown-function', pointer: '/interactions/0/relation/h' }]);
  });

  it('equations that do not hold at the start, once they can be evaluated', () => {
    expect(() => run(scripted([body], ['b'], flat.replace('- 1', '- 2')), sandbox)).toThrow(
      /does not fit at the start/,
    );
  });

  it('a value that is not finite, with the relation that it is of', () => {
    const source =
      'export const h = (q: Float64Array, out: Float64Array) => { out[0] = 1 + Math.sqrt(q[2] - 0.9); };';
    const { error } = runFailure(scripted([body], ['b'], source, { type: 'NewtonImpact3D', e: 0 }), sandbox);
    expect(error.code).toBe('script-not-finite');
    expect(error.where).toBe('link');
  });
});
