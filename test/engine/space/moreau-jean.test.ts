/** Documents of 3D bodies whose integrator is the θ-method. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { run, runFailure } from '../support/run';
import { floor, G, rigid, spaceModel, touch } from '../support/space';

const H = 1e-3;

function dropped(integrator: Record<string, string | number>): ModelDocument {
  const ball = rigid('ball', [0, 0, 1], { mass: 2, shapes: [{ type: 'Sphere', radius: 0.1 }] });
  const document = spaceModel([floor(), ball], [touch('ground', ['floor', 'ball'], 0.3, 0.5)], {
    h: H,
    tEnd: 0.3,
  });
  document.simulation.integrators = [{ type: 'MoreauJean', ...integrator }];
  return document;
}

const last = (values: Float64Array): number => values[values.length - 1];

describe('a document with Moreau–Jean for bodies', () => {
  it.each([0, 0.5, 1])('takes θ = %d from its field', (theta) => {
    const { column } = run(dropped({ theta }));
    // Free fall: z = 1 − g h² Σ (k + θ) over 300 steps.
    expect(last(column('ball.q[2]'))).toBeCloseTo(1 - G * H * H * (44_850 + 300 * theta), 12);
    expect(last(column('energy.numerical'))).toBeCloseTo((theta - 0.5) * H * 2 * G * -(G * 0.3), 10);
  });

  it.each([
    [0.5, 1],
    [0, 2],
  ])('takes the forecast γ = %d from its field', (forecast, after) => {
    const document = dropped({ forecast });
    document.systems[1].position = [0, 0, 0.1 + 1.5e-3];
    document.systems[1].velocity = [0, 0, -4];
    document.simulation.tEnd = 5 * H;
    const contacts = run(document).column('ground.contacts');
    // The gap at the start is 1.5 mm, and half a step 2 mm.
    expect(contacts.findIndex((count) => count > 0)).toBe(after);
  });

  it('says where loads were not found, and what to do', () => {
    const document = dropped({ theta: 1 });
    document.systems[1].load = { function: 'syrup' };
    document.scripts = [
      {
        name: 'loads.ts',
        role: 'functions',
        source: [
          'export const syrup: BodyForce = (t, q, v, out) => {',
          '  for (let i = 0; i < 3; i++) out[i] = -1e5 * v[i];',
          '};',
        ],
      },
    ];
    const { error } = runFailure(document, { sandbox: createSandbox });
    expect(error.code).toBe('space-loadsNotConverged');
    expect(error.message).toContain('t = 0.001 s');
    expect(error.remedy).toContain('Reduce the time step');
  });
});

describe('the law of activation of bodies is the literal one', () => {
  // Until the bounces have become steps at rest, and long after that.
  const cases = [0.5, 1, 1.5, 2].flatMap((forecast) =>
    [0.5, 0.75, 1].flatMap((theta) => [0.9, 0.5].map((e) => [forecast, theta, e] as const)),
  );

  it.each(cases)('γ = %d, θ = %d, e = %d', (forecast, theta, e) => {
    const h = 5e-3;
    const radius = 0.1;
    const ball = rigid('ball', [0, 0, 1], { mass: 2, shapes: [{ type: 'Sphere', radius }] });
    const document = spaceModel([floor(), ball], [touch('ground', ['floor', 'ball'], 0, e)], { h, tEnd: 12 });
    document.simulation.integrators = [{ type: 'MoreauJean', theta, forecast }];
    const heights = run(document).column('ball.q[2]');
    let [z, v] = [1, 0];
    let worst = 0;
    for (const height of heights.subarray(1)) {
      const free = v - h * G;
      const after = z - radius + forecast * h * v <= 0 ? Math.max(free, -e * v) : free;
      z += h * (theta * after + (1 - theta) * v);
      v = after;
      worst = Math.max(worst, Math.abs(height - z));
    }
    expect(heights).toHaveLength(2401);
    expect(worst).toBeLessThan(1e-11);
  });
});

describe('rows of joints of a document', () => {
  const pendulum = (integrator: Record<string, string | number>): ModelDocument => {
    const body = rigid('rod', [0.5, 0, 0], { mass: 1, inertia: [0.02, 0.08, 0.08] });
    body.velocity = [0, 2, -1];
    body.spin = [3, 2, 4];
    const joint = { id: 'knee', systems: ['rod'], relation: { type: 'KneeJoint', point: [0, 0, 0] } };
    const document = spaceModel([body], [{ ...joint, law: { type: 'Equality' } }], { h: 2e-3, tEnd: 0.2 });
    document.simulation.integrators = [{ type: 'MoreauJean', ...integrator }];
    return document;
  };

  it('stand where the document has them, and are certified there', () => {
    const ends = ['start', 'predicted', 'end'].map((relationPoint) => {
      const { column, session } = run(pendulum({ relationPoint }));
      expect(session.certificate.dynamics).toBeLessThan(1e-10);
      expect(session.certificate.complementarity).toBeLessThan(1e-10);
      return last(column('rod.q[2]'));
    });
    expect(Math.abs(ends[0] - ends[1])).toBeGreaterThan(1e-6);
    expect(Math.abs(ends[2] - ends[1])).toBeGreaterThan(1e-6);
    expect(ends[0]).not.toBe(ends[2]);
  });

  it('are refused beside combined projection, with what to do', () => {
    const { issues } = reportDocument(pendulum({ relationPoint: 'end', projection: 'combined' }));
    expect(issues).toContainEqual(
      expect.objectContaining({
        code: 'rows-of-combined-projection',
        pointer: '/simulation/integrators/0/relationPoint',
        remedy: 'Choose the predicted position, or projection of the positions alone.',
      }),
    );
  });

  it('ask for a shorter step where their end is not found', () => {
    const document = pendulum({ relationPoint: 'end' });
    document.simulation.h = 0.5;
    document.simulation.tEnd = 5;
    document.systems[0].spin = [300, 200, 400];
    const { error } = runFailure(document);
    expect(error.remedy).toContain('Reduce the time step');
  });
});
