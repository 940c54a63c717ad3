/** Generalised-α as a document asks for it: what its runs say of themselves, and what it does not suit. */
import { measureAccuracy } from '@engine/analysis/accuracy/measure';
import type {
  DocumentIssue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun } from '@engine/run/session';
import { describe, expect, it } from 'vitest';
import { silent } from '../support/accuracy';
import { body, joint } from '../support/bodies';
import { expectComplete } from '../support/issues';
import { model, particle, withFunctions } from '../support/models';
import { run, runFailure } from '../support/run';
import { rigid, spaceModel } from '../support/space';

const flight = (spectralRadius?: number | string): TypedElement => ({
  type: 'GeneralisedAlpha',
  ...(spectralRadius === undefined ? {} : { spectralRadius }),
});

function inSteps(
  systems: SystemDocument[],
  interactions: InteractionDocument[] = [],
  more: Partial<ModelDocument['simulation']> = {},
): ModelDocument {
  const document = model(systems, interactions, { h: 0.01, tEnd: 2 });
  return {
    ...document,
    simulation: {
      ...document.simulation,
      scheme: 'event-driven',
      ...more,
      eventDriven: { flight: flight(), ...more.eventDriven },
    },
  };
}

/** Errors of a document that is refused. */
function issuesOf(document: ModelDocument): readonly DocumentIssue[] {
  const prepared = prepareRun({ document }, { sandbox: silent, sink: new MemoryChunks() });
  if (prepared.ok) throw new Error('the document was accepted');
  expectComplete(prepared.issues);
  return prepared.issues;
}

const spring = particle('mass', 1, 0, { stiffness: [[100]] });

describe('the accuracy of a run', () => {
  it.each([1, 0.5])('is measured by halved steps, and its order is 2; ρ = %f', (rho) => {
    const document = inSteps([spring], [], { h: 2e-3, eventDriven: { flight: flight(rho) } });
    const found = measureAccuracy({ document }, silent, true);
    if (!found.ok) throw new Error(found.message);
    expect(found.accuracy.order).toBeCloseTo(2, 1);
    const { column } = run(document);
    const [t, q] = [column('t'), column('mass.q')];
    let worst = 0;
    t.forEach((time, k) => (worst = Math.max(worst, Math.abs(q[k] - Math.cos(10 * time)))));
    const estimate = found.accuracy.signals.find(({ name }) => name === 'mass.q')?.error ?? NaN;
    expect(estimate / worst).toBeGreaterThan(0.9);
    expect(estimate / worst).toBeLessThan(1.1);
  });
});

it('a run is solved to rounding by its own equations, whatever the step leaves out', () => {
  const { session, column } = run(inSteps([spring], [], { h: 0.2, tEnd: 10 }));
  expect(session.certificate.dynamics).toBeLessThan(1e-13);
  expect(Math.abs(column('mass.q').at(-1)! - Math.cos(100))).toBeGreaterThan(0.1);
});

describe('a stone that slides along a bowl of radius 1', () => {
  const stone: SystemDocument = {
    ...{ id: 'stone', type: 'LagrangianLinearTI', ndof: 2 },
    mass: [
      [2, 0],
      [0, 2],
    ],
    q0: [-0.8, -0.6],
    v0: [0, 0],
    fExt: [0, -19.62],
  };
  const wall: InteractionDocument = {
    ...{ id: 'wall', systems: ['stone'], law: { type: 'NewtonImpact', e: 0 } },
    relation: { type: 'LagrangianScleronomous', size: 1, h: { function: 'inside' } },
  };
  const slide = (h: number): ReturnType<typeof run> =>
    run(
      withFunctions(
        inSteps([stone], [wall], { h, tEnd: 1.2 }),
        'export function inside(q, out) { out[0] = 1 - Math.hypot(q[0], q[1]); }',
      ),
      { sandbox: silent },
    );

  it('stays on it, with the equations of the contact and of the steps satisfied in all rows', () => {
    const { session, column } = slide(0.01);
    const { complementarity, coneViolation, dynamics } = session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-11);
    expect(Math.max(...column('wall.gap').map(Math.abs))).toBeLessThan(1e-14);
    expect(Math.max(...column('wall.gapVelocity').map(Math.abs))).toBeLessThan(1e-13);
  });

  it('keeps its energy to order 2', () => {
    const loss = (h: number): number => {
      const { column } = slide(h);
      const energy = (k: number): number =>
        column('stone.v[0]').at(k)! ** 2 +
        column('stone.v[1]').at(k)! ** 2 +
        19.62 * column('stone.q[1]').at(k)!;
      return Math.abs(energy(-1) - energy(0));
    };
    expect(Math.log2(loss(0.01) / loss(0.005))).toBeGreaterThan(1.9);
  });
});

describe('what it does not suit is refused with the place and a remedy', () => {
  it('a spectral radius beyond 1, below 0, or none', () => {
    for (const radius of [1.2, -0.1]) {
      const [issue] = issuesOf(inSteps([spring], [], { eventDriven: { flight: flight(radius) } }));
      expect(issue).toMatchObject({ pointer: '/simulation/eventDriven/flight/spectralRadius' });
    }
    const [issue] = issuesOf(inSteps([spring], [], { eventDriven: { flight: flight('nothing') } }));
    expect(issue).toMatchObject({ pointer: '/simulation/eventDriven/flight/spectralRadius' });
  });

  it('3D bodies', () => {
    const document = spaceModel([rigid('stone', [0, 0, 1])], []);
    const issues = issuesOf({
      ...document,
      simulation: { ...document.simulation, scheme: 'event-driven', eventDriven: { flight: flight() } },
    });
    expect(issues).toMatchObject([
      { code: 'flight-of-bodies', pointer: '/simulation/eventDriven/flight/type' },
    ]);
  });

  it('partitioned coordinates', () => {
    const rod = joint('rod', ['bob'], { type: 'Distance', length: 1 });
    const partitioned = (type: string): ModelDocument =>
      inSteps([body('bob', [1, 0, 0])], [rod], { eventDriven: { constraints: { type } } });
    expect(issuesOf(partitioned('FullPartitioning'))).toMatchObject([
      { code: 'flight-of-partitions', pointer: '/simulation/eventDriven/constraints/type' },
    ]);
    expect(run(partitioned('Projection')).session.certificate.dynamics).toBeLessThan(1e-12);
    expect(run(partitioned('Baumgarte')).session.certificate.dynamics).toBeLessThan(1e-12);
    // Without a joint there is nothing to partition.
    run(inSteps([spring], [], { eventDriven: { constraints: { type: 'FullPartitioning' } } }));
  });

  it('analyses that follow disturbances, with a warning; sweeps are left', () => {
    const document = inSteps([spring]);
    document.analyses = [{ id: 'periodic', type: 'orbit', period: 1 }];
    const { issues } = reportDocument(document);
    expect(issues).toMatchObject([
      { severity: 'warning', code: 'not-analysed', pointer: '/analyses/0/type', element: 'periodic' },
    ]);
    expectComplete(issues);
  });
});

it('a step whose equations have no solution ends the run with the time, the coordinate and a remedy', () => {
  const braking = particle('mass', 0, 0.1, { type: 'LagrangianNonLinear', fInt: { function: 'brake' } });
  const document = withFunctions(
    inSteps([braking], [], { h: 0.1 }),
    'export function brake(t, q, v, out) { out[0] = 1000 * Math.tanh(1e6 * v[0]); }',
  );
  const { error, session } = runFailure(document, { sandbox: silent });
  expect(error).toMatchObject({ code: 'smooth-notSolved', where: 'mass.v[0]', time: 0.1 });
  expect(error.remedy).toContain('Shorten the step');
  expect(session.rows).toBe(1);
});
