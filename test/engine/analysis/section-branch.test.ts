/**
 * Branches of orbits that are shot from a section, against single orbits from there at values of the
 * parameter.
 */
import { joinedPoints } from '@engine/analysis/jobs/branch';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import type { FoundBranch, SingleOutcome } from '@engine/analysis/jobs/outcome';
import type { AnalysisDocument, ModelDocument, SectionDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { example } from '../support/models';

function outcome(
  document: ModelDocument,
  section: SectionDocument,
  analysis: Record<string, unknown>,
  set: Readonly<Record<string, number>> = {},
): SingleOutcome {
  const job = analysisJob(
    {
      ...document,
      parameters: document.parameters.map((one) => ({ ...one, value: set[one.name] ?? one.value })),
      simulation: { ...document.simulation, sections: [section] },
      analyses: [{ id: 'it', section: 'here', ...analysis } as unknown as AnalysisDocument],
    },
    'it',
  );
  if (job.kind !== 'orbit' && job.kind !== 'branch') throw new Error(job.kind);
  return computeAnalysis(job, { sandbox: createSandbox, progress: () => undefined });
}

function branchOf(...asked: Parameters<typeof outcome>): FoundBranch {
  const found = outcome(...asked);
  if (found.status === 'done' && found.kind === 'branch') return found;
  throw new Error(found.status === 'failed' ? `${found.error.code}: ${found.error.message}` : found.kind);
}

/** The states of the k-th orbit. */
function statesAt({ x, others, states, section }: FoundBranch, k: number): number[][] {
  const n = states.length;
  const rest = (section!.curves - 1) * n;
  const all = [...x.subarray(k * n, (k + 1) * n), ...others.subarray(k * rest, (k + 1) * rest)];
  return Array.from({ length: section!.curves }, (_, curve) => all.slice(curve * n, (curve + 1) * n));
}

const hits = (contact: string, state: 'before' | 'after'): SectionDocument => ({
  id: 'here',
  type: 'impact',
  contact,
  state,
});

describe('a branch of orbits from a section', () => {
  it.each([
    [
      'the impacts of a ball on a vibrating table, before them',
      'vibrating-table',
      hits('table', 'before'),
      { parameter: 'Gamma', from: 1.15, to: 1.5, at: 1.2, period: '1/20' },
      1,
    ],
    [
      'the impacts of the cam-follower, after them',
      'cam-follower-event-driven-660',
      hits('cam', 'after'),
      { parameter: 'rpm', from: 357.9, to: 358.1, at: 358, period: '60/rpm', maxPoints: 6 },
      8,
    ],
    [
      'the turning point of stick-slip',
      'friction-belt',
      { id: 'here', type: 'surface', g: 'mass.v', direction: 'falling' },
      { parameter: 'speed', from: 0.1, to: 0.3, at: 0.2, period: 6.5, forcing: 'none', settle: 60 },
      1,
    ],
  ] as const)('has the points of the orbits there: %s', (_, name, section, asked, curves) => {
    const document = example(name);
    const branch = branchOf(document, section, { type: 'branch', longestStep: 0.1, ...asked });
    expect(branch.section).toEqual({ id: 'here', kind: section.type, curves });
    expect(branch.p.length).toBeGreaterThan(6);
    for (let k = 1; k < branch.p.length; k += 4) {
      const { parameter, from: _from, to: _to, at: _at, ...search } = { maxPoints: 0, ...asked };
      const { maxPoints: _most, ...orbit } = search;
      const found = outcome(document, section, { type: 'orbit', ...orbit }, { [parameter]: branch.p[k] });
      if (found.status !== 'done' || found.kind !== 'orbit') throw new Error(JSON.stringify(found));
      expect(found.period).toBeCloseTo(branch.period[k], 8);
      // The orbit starts at one of them, in whatever order they are.
      const apart = statesAt(branch, k).map((state) =>
        Math.max(...state.map((value, i) => Math.abs(value - found.x[i]) / Math.max(1e-3, Math.abs(value)))),
      );
      expect(Math.min(...apart)).toBeLessThan(1e-7);
    }
  });

  it('says what is wrong with its section', () => {
    const document = example('vibrating-table');
    const asked = { type: 'branch', parameter: 'Gamma', from: 1.15, to: 1.5, at: 1.2, period: '1/20' };
    const above: SectionDocument = { id: 'here', type: 'surface', g: 'ball.q - 5', direction: 'rising' };
    expect(outcome(document, above, asked)).toMatchObject({
      status: 'failed',
      error: { code: 'section-not-met', where: 'here' },
    });
    expect(outcome(document, hits('table', 'after'), { ...asked, returns: 3, multiple: 1 })).toMatchObject({
      status: 'failed',
      error: { code: 'not-periodic', where: 'here' },
    });
    const strobe: SectionDocument = { id: 'here', type: 'stroboscopic', period: '1/20' };
    expect(() => outcome(document, strobe, asked)).toThrow('stroboscopic');
  });
});

describe('points of neighbouring orbits', () => {
  const at = (...values: number[]): Float64Array[] => values.map((value) => Float64Array.of(value));

  it('stay on their curves in whatever order they come, and where one more is there or not', () => {
    const orbits = [at(1, 2), at(2.1, 1.1), at(1.2, 1.7, 2.2), at(2.3, 1.3)];
    const joined = joinedPoints(orbits, 1).map((states) => states.map(([value]) => value));
    expect(joined).toEqual([
      [1, 2, NaN],
      [1.1, 2.1, NaN],
      [1.2, 2.2, 1.7],
      [1.3, 2.3, NaN],
    ]);
    expect(joinedPoints([[], []], 1)).toEqual([[Float64Array.of(NaN)], [Float64Array.of(NaN)]]);
  });
});
