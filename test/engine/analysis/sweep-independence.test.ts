/**
 * Points of a sweep share what is read of the document, and functions of scripts that keep nothing. What a
 * point comes to is that of a sweep of this point alone, whatever points were computed before it.
 */
import { readFileSync } from 'node:fs';
import { computePoint, type PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';

function example(name: string): ModelDocument {
  const path = new URL(`../../../resources/examples/${name}.moreau.json`, import.meta.url);
  const { document } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error(`${name} cannot be opened`);
  return document;
}

/** The model with other lines in its scripts. */
const rewritten = (document: ModelDocument, from: string, to: string): ModelDocument => ({
  ...document,
  scripts: document.scripts.map((script) => ({
    ...script,
    source: script.source.map((line) => line.replace(from, to)),
  })),
});

const compute = (job: SweepJob, value: number): PointResult => {
  const result = computePoint(job, Float64Array.of(value), null, { sandbox: createSandbox });
  if (result === null) throw new Error('it was given up');
  return result;
};

/** Points by their values, of jobs of their own. */
const alone = (job: SweepJob, values: readonly number[]): PointResult[] =>
  values.map((value) => compute({ ...job }, value));

/** The same of one job, in this order. */
const inOrder = (job: SweepJob, values: readonly number[]): Map<number, PointResult> => {
  const one = { ...job };
  return new Map(values.map((value) => [value, compute(one, value)]));
};

function expectIndependence(job: SweepJob, values: readonly number[]): void {
  const wanted = alone(job, values);
  const up = inOrder(job, values);
  const down = inOrder(job, [...values].reverse());
  expect(values.map((value) => up.get(value))).toEqual(wanted);
  expect(values.map((value) => down.get(value))).toEqual(wanted);
}

const over = (parameter: string): Pick<SweepJob, 'plan'> => ({
  plan: { kind: 'grid', axes: [{ parameter, from: 0, to: 1, count: 2 }] },
});

const cam = example('cam-follower-event-driven-660');
const camJob: SweepJob = {
  ...over('rpm'),
  document: cam,
  tEnd: 1.5,
  section: { section: { kind: 'stroboscopic', period: '60/rpm' }, transient: 1, count: 8 },
  measures: ['max follower.q', 'max lift', 'events'],
};

describe('points of a sweep do not depend on each other', () => {
  it('where scripts keep nothing', () => {
    expectIndependence(camJob, [310, 660, 425, 660]);
  });

  it('where a script counts its calls', () => {
    const counting = rewritten(cam, '=> lift(angle(t, p));', '=> lift(angle(t, p)) + 0.001 * calls++;');
    const [{ source, ...script }] = counting.scripts;
    const document = { ...counting, scripts: [{ ...script, source: ['let calls = 0;', ...source] }] };
    const job = { ...camJob, document };
    expect(compute({ ...job }, 660).measures[1]).toBeGreaterThan(0.4);
    expectIndependence(job, [310, 660, 425]);
  });

  it('where a script draws numbers', () => {
    const document = rewritten(cam, '=> lift(angle(t, p));', '=> lift(angle(t, p)) + Math.random();');
    const job = { ...camJob, document };
    expect(compute({ ...job }, 660).measures[1]).toBeGreaterThan(0.4);
    expectIndependence(job, [310, 660, 425]);
  });

  it('in steps, with conditions that are held beside them', () => {
    expectIndependence({ ...camJob, scheme: 'time-stepping', tEnd: 0.5 }, [310, 660, 425]);
  });

  it('of a circuit whose functions are made of expressions', () => {
    const job: SweepJob = {
      ...over('E'),
      document: example('buck-bifurcation-drawn'),
      tEnd: 0.002,
      measures: ['events'],
    };
    expectIndependence(job, [22, 33, 27]);
  });

  it('where the friction of a script decides', () => {
    expectIndependence(
      {
        ...over('friction'),
        document: example('friction-belt'),
        tEnd: 4,
        measures: ['events', 'max body.q'],
      },
      [0.5, 1, 0.8],
    );
  });

  it('where some fail, of which the same is said each time', () => {
    const document = rewritten(
      cam,
      'const turns = (p.rpm / 60) * t + 0.25;',
      "if (p.rpm > 500 && t > 0.1) throw new Error('no cam'); const turns = (p.rpm / 60) * t + 0.25;",
    );
    const job = { ...camJob, document };
    expectIndependence(job, [310, 660, 425, 700]);
    const { error } = compute(job, 660);
    expect(error?.message).toContain('no cam');
    expect(error?.script?.line).toBe(
      cam.scripts[0].source.findIndex((line) => line.includes('const turns')) + 1,
    );
  });

  it('where a value of a script stops being a number', () => {
    const document = rewritten(
      cam,
      'return 2 * Math.PI * (turns - Math.floor(turns));',
      'const w = p.rpm < 500 || t < 0.1 ? 0 : Number.NaN; return 2 * Math.PI * (turns - Math.floor(turns)) + w;',
    );
    const job = { ...camJob, document };
    expectIndependence(job, [310, 660, 425, 700]);
    expect(compute(job, 660).status).toBe('failed');
  });
});
