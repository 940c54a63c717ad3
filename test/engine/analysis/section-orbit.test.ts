/**
 * Orbits shot from a section against those at a phase, and limit cycles on their sections against those with
 * a phase condition.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import type { FoundOrbit } from '@engine/analysis/jobs/outcome';
import { readDocument } from '@engine/document/read';
import type { AnalysisDocument, ModelDocument, SectionDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '../../../resources/examples');

function example(name: string, set: Readonly<Record<string, number>> = {}): ModelDocument {
  const { document } = readDocument(readFileSync(join(EXAMPLES, `${name}.moreau.json`), 'utf8'));
  if (document === null) throw new Error(`${name} cannot be opened`);
  const parameters = document.parameters.map((one) => ({ ...one, value: set[one.name] ?? one.value }));
  return { ...document, parameters };
}

const withSections = (document: ModelDocument, ...sections: SectionDocument[]): ModelDocument => ({
  ...document,
  simulation: { ...document.simulation, sections },
});

function outcome(
  document: ModelDocument,
  orbit: Record<string, unknown>,
): ReturnType<typeof computeAnalysis> {
  const analysis = { id: 'orbit', type: 'orbit', ...orbit } as AnalysisDocument;
  const job = analysisJob({ ...document, analyses: [analysis] }, 'orbit');
  if (job.kind !== 'orbit') throw new Error(job.kind);
  return computeAnalysis(job, { sandbox: createSandbox, progress: () => undefined });
}

function orbitOf(document: ModelDocument, orbit: Record<string, unknown>): FoundOrbit {
  const found = outcome(document, orbit);
  if (found.status !== 'done' || found.kind !== 'orbit')
    throw new Error(found.status === 'failed' ? `${found.error.code}: ${found.error.message}` : found.kind);
  return found;
}

function expectSameMultipliers(a: FoundOrbit, real: readonly number[], imaginary: readonly number[]): void {
  expect(a.real.length).toBe(real.length);
  real.forEach((re, k) => {
    expect(Math.abs(a.real[k] - re)).toBeLessThan(1e-8);
    expect(Math.abs(Math.abs(a.imaginary[k]) - Math.abs(imaginary[k]))).toBeLessThan(1e-8);
  });
}

describe('the cam-follower on its impacts', () => {
  const hits = (state: 'before' | 'after'): SectionDocument => ({
    id: 'hits',
    type: 'impact',
    contact: 'cam',
    state,
  });
  const period = '60/rpm';

  it.each(['after', 'before'] as const)(
    'at 358 rpm has the multipliers of the stroboscopic map to 1e-8, from the state %s the impact',
    (state) => {
      const document = withSections(example('cam-follower-event-driven-660', { rpm: 358 }), hits(state));
      const strobe = orbitOf(document, { period });
      const orbit = orbitOf(document, { period, section: 'hits' });
      expect(orbit.multiple).toBe(3);
      expect(orbit.section).toEqual({ id: 'hits', kind: 'impact', returns: 8 });
      expect(orbit.impacts).toBe(8);
      expect(orbit.isStable).toBe(true);
      expect(orbit.period).toBe(strobe.period);
      expectSameMultipliers(orbit, [...strobe.real], [...strobe.imaginary]);
      expect(Math.abs(orbit.real[0] * orbit.real[1] - 0.8 ** 16)).toBeLessThan(1e-11);
      expect(strobe.section).toBeNull();
      expect(strobe.impacts).toBe(8);
      // It starts at one of the impacts of the other, modulo the period.
      const phases = strobe.events.map(({ time }) => (strobe.t0 + time) % strobe.period);
      const phase = orbit.t0 % strobe.period;
      expect(Math.min(...phases.map((one) => Math.abs(one - phase)))).toBeLessThan(1e-9);
      expect(orbit.events[state === 'before' ? 0 : 7].time).toBeCloseTo(
        state === 'before' ? 0 : orbit.period,
        9,
      );
      // A run from there comes back to it.
      const last = orbit.curve.slice(-3);
      expect(last[0]).toBeCloseTo(orbit.period, 12);
      expect(Math.abs(last[1] - orbit.x[0])).toBeLessThan(1e-9);
    },
  );
});

/** Of n multipliers, those without the one that is 1. */
function withoutNeutral({ real, imaginary }: FoundOrbit): [number[], number[]] {
  const distances = Array.from(real, (re, k) => Math.hypot(re - 1, imaginary[k]));
  const neutral = distances.indexOf(Math.min(...distances));
  expect(distances[neutral]).toBeLessThan(1e-7);
  return [[...real].filter((_, k) => k !== neutral), [...imaginary].filter((_, k) => k !== neutral)];
}

/** q̈ = −q + 0.2 q̇, which winds up by itself, with a wall at q = 1 that takes what it gains. */
function impacting(): ModelDocument {
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'self-excited',
      parameters: [{ name: 'e', value: 0.5 }],
      systems: [
        {
          id: 'mass',
          type: 'LagrangianLinearTI',
          ndof: 1,
          mass: [[1]],
          stiffness: [[1]],
          damping: [[-0.2]],
          q0: [0.5],
          v0: [0],
        },
      ],
      interactions: [
        {
          id: 'wall',
          systems: ['mass'],
          relation: { type: 'LagrangianLinear', H: [[-1]], b: [1] },
          law: { type: 'NewtonImpact', e: 'e' },
        },
      ],
      simulation: {
        scheme: 'event-driven',
        t0: 0,
        tEnd: 10,
        h: 0.05,
        integrators: [{ type: 'MoreauJean', theta: 0.5 }],
        problem: { type: 'LCP' },
        solver: { type: 'auto' },
      },
      observables: [],
      scripts: [],
    }),
  );
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return document;
}

/** A plant of third order whose relay switches, and never slides. */
function switching(): ModelDocument {
  const model = example('relay-oscillator');
  const [plant] = model.systems;
  const [relay] = model.interactions;
  return {
    ...model,
    parameters: [],
    systems: [
      {
        ...plant,
        x0: [0.6, 0, 0],
        A: [
          [0, 1, 0],
          [0, 0, 1],
          [-2, -3, -1.2],
        ],
      },
    ],
    interactions: [{ ...relay, relation: { ...relay.relation, B: [[0], [0], [4]] } }],
  };
}

describe('a limit cycle on its section', () => {
  const SURFACE: SectionDocument = { id: 'here', type: 'surface', g: 'mass.v', direction: 'rising' };

  it.each([
    ['the impact, after', impacting, 6, { id: 'here', type: 'impact', contact: 'wall', state: 'after' }],
    ['the impact, before', impacting, 6, { id: 'here', type: 'impact', contact: 'wall', state: 'before' }],
    ['a surface', impacting, 6, SURFACE],
    [
      'the surface on which a relay switches',
      switching,
      3.5,
      { id: 'here', type: 'surface', g: 'plant.x[0]', direction: 'rising' },
    ],
    [
      'a surface of a relay that slides',
      () => example('relay-oscillator'),
      6,
      { id: 'here', type: 'surface', g: 'plant.x[2]', direction: 'rising' },
    ],
    [
      'the turning point of stick-slip',
      () => example('friction-belt'),
      6.5,
      { id: 'here', type: 'surface', g: 'mass.v', direction: 'falling' },
    ],
  ] as const)('is the one of the phase condition: %s', (_, model, period, section) => {
    const document = withSections(model(), section);
    const search = { forcing: 'none', period, settle: 60 };
    const plain = orbitOf(document, search);
    const orbit = orbitOf(document, { ...search, section: 'here' });
    const turns = plain.period / orbit.period;
    expect(Math.abs(turns - Math.round(turns))).toBeLessThan(1e-9);
    expect(orbit.section).toMatchObject({ id: 'here' });
    expect(orbit.multiple).toBe(1);
    expect(orbit.isStable).toBe(true);
    expect(orbit.residual).toBeLessThan(1e-10);
    expectSameMultipliers(orbit, ...withoutNeutral(plain));
  });

  it.each([
    [
      'a surface that is left along itself, at the end of sliding',
      () => example('relay-oscillator'),
      { period: 6, forcing: 'none', settle: 60 },
      { id: 'here', type: 'surface', g: 'plant.x[0]', direction: 'rising' },
      'section-touched',
      'here',
    ],
    [
      'one that the motion does not come to',
      impacting,
      { period: 6, forcing: 'none', settle: 60 },
      { id: 'here', type: 'surface', g: 'mass.q - 2', direction: 'rising' },
      'section-not-met',
      'here',
    ],
    [
      'one that it jumps across',
      impacting,
      { period: 6, forcing: 'none', settle: 60 },
      { id: 'here', type: 'surface', g: 'mass.v', direction: 'falling' },
      'section-jump',
      'wall',
    ],
    [
      'one whose points do not repeat',
      () => example('cam-follower-event-driven-660'),
      { period: '60/rpm' },
      { id: 'here', type: 'impact', contact: 'cam' },
      'not-periodic',
      undefined,
    ],
    [
      'a number of returns that is not one of a whole number of periods',
      () => example('cam-follower-event-driven-660', { rpm: 700 }),
      { period: '60/rpm', returns: 3, multiple: 2 },
      { id: 'here', type: 'impact', contact: 'cam' },
      'not-periodic',
      'here',
    ],
    [
      'a contact that there is not',
      impacting,
      { period: 6, forcing: 'none' },
      { id: 'here', type: 'impact', contact: 'floor' },
      'invalid-section',
      'floor',
    ],
  ] as const)('says what is wrong with %s', (_, model, search, section, code, where) => {
    const document = withSections(model(), section);
    const found = outcome(document, { ...search, section: 'here' });
    expect(found).toMatchObject({ status: 'failed', error: { code } });
    if (found.status !== 'failed') return;
    expect(found.error.where).toBe(where);
    expect(found.error.remedy).toBeTruthy();
  });
});
