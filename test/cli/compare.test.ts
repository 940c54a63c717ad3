/** `moreau compare`: what it runs, prints and says; the numbers are proved in `test/engine/analysis`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ComparisonSummary, DifferencesSummary } from '@cli/compare/comparison-summary';
import { schemeRuns } from '@cli/compare/scheme-runs';
import type { ModelDocument } from '@engine/document/types';
import { bouncingBall, misbehavingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { modelFile as writeModel, moreau } from './support';

/** Several workers load the engine in each of these tests. */
const LOADING_MS = 180_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const modelFile = (document: unknown): string => writeModel(folder.path, document);
const parse = (out: string): ComparisonSummary => JSON.parse(out) as ComparisonSummary;

/** ẋ = −x from 1, without contact. */
function decay(): ModelDocument {
  const document = bouncingBall({ tEnd: 1, h: 0.02 });
  return {
    ...document,
    parameters: [],
    systems: [{ id: 'tank', type: 'FirstOrderLinear', n: 1, A: [[-1]], x0: [1] }],
    interactions: [],
    simulation: { ...document.simulation, integrators: [{ type: 'EulerMoreau', theta: 1 }] },
  };
}

describe('the runs of a comparison', () => {
  it('are one event-driven and h, h/2, h/4, with every step recorded and none controlled', () => {
    const document = bouncingBall({ h: 1e-3 });
    const stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 1e-2 };
    const recording = { every: 100, signals: ['ball.q'] };
    const simulation = { ...document.simulation, h: 'g/9810', stepControl, recording };
    const runs = schemeRuns({ ...document, simulation }, { signals: ['ball.v'], tEnd: 3, set: { g: 2 } }, 3);
    expect(runs.map(({ scheme, document: { simulation: s } }) => [scheme, s.h])).toEqual([
      ['event-driven', '(g/9810)/4'],
      ['time-stepping', '(g/9810)/1'],
      ['time-stepping', '(g/9810)/2'],
      ['time-stepping', '(g/9810)/4'],
    ]);
    for (const params of runs) {
      expect(params).toMatchObject({ tEnd: 3, set: { g: 2 } });
      expect(params.h).toBeUndefined();
      expect(params.signals).toBeUndefined();
      expect(params.document.simulation.recording).toEqual({ every: 1 });
      expect(params.document.simulation.stepControl).toBeUndefined();
    }
    expect(schemeRuns(document, { h: 0.5 }, 2).map(({ h }) => h)).toEqual([0.25, 0.5, 0.25]);
    const numbers = schemeRuns(document, {}, 2).map((params) => params.document.simulation.h);
    expect(numbers).toEqual([5e-4, 1e-3, 5e-4]);
  });

  it('leave a document without a simulation section to be refused as it is', () => {
    const broken = { ...bouncingBall(), simulation: 3 } as unknown as ModelDocument;
    expect(schemeRuns(broken, {}, 1).map((params) => params.document)).toEqual([broken, broken]);
  });
});

describe('moreau compare', { timeout: LOADING_MS }, () => {
  it('compares both schemes on a model with a contact, as JSON with the keys of its contract', async () => {
    const { code, out, notes } = await moreau(['compare', modelFile(bouncingBall({ tEnd: 1 })), '--json']);
    expect(notes).not.toContain('moreau:');
    expect(code).toBe(0);
    const summary = parse(out);
    expect(Object.keys(summary)).toEqual(['status', 'title', 'runs', 'whole', 'together']);
    expect(summary).toMatchObject({ status: 'done', title: 'Bouncing ball', together: null });
    expect(summary.runs.map(({ scheme, h, steps }) => [scheme, h, steps])).toEqual([
      ['event-driven', 2.5e-4, 4000],
      ['time-stepping', 1e-3, 1000],
      ['time-stepping', 5e-4, 2000],
      ['time-stepping', 2.5e-4, 4000],
    ]);
    for (const run of summary.runs) {
      expect(Object.keys(run)).toEqual([
        ...['scheme', 'h', 'status', 'steps', 'events', 'wallSeconds', 'stepsPerSecond', 'worstResidual'],
        ...['certified', 'complete', 'warnings'],
      ]);
      expect(run.worstResidual).toBeLessThan(1e-9);
      expect(run.stepsPerSecond).toBeGreaterThan(0);
    }
    const { from, to, signals, differences, orders } = summary.whole as DifferencesSummary;
    expect([from, to]).toEqual([0, 1]);
    expect(signals.map(({ name }) => name)).toEqual(['ball.q', 'ball.v']);
    expect(differences.map(({ h }) => h)).toEqual([1e-3, 5e-4, 2.5e-4]);
    for (const { h, interpolated, contacts } of differences) {
      expect(interpolated).toBe(0);
      expect(contacts).toMatchObject([{ element: 'table', matched: 1, missed: 0, extra: 0 }]);
      expect(contacts[0].pairs.reference[0]).toBeCloseTo(Math.sqrt(2 / 9.81), 12);
      expect(contacts[0].largest).toBeLessThan(1.5 * (h ?? 0) + 1e-9);
    }
    expect(orders.map(({ hCoarse, hFine }) => [hCoarse, hFine])).toEqual([
      [1e-3, 5e-4],
      [5e-4, 2.5e-4],
    ]);
  });

  it('compares a circuit without contacts, and shows order 1 of the implicit Euler method in its table', async () => {
    const { code, out } = await moreau(['compare', modelFile(decay()), '--levels', '2']);
    expect(code).toBe(0);
    expect(out).toContain('Time-stepping less event-driven, 0 s … 1 s');
    expect(out).toContain('tank.x, up to 1');
    const [, , fine] = out
      .split('tank.x, up to 1')[1]
      .split('\n')
      .filter((line) => line !== '');
    const cells = fine.trim().split(/ {2,}/);
    // |x_h − x| ≈ (h/2) t e^{−t}, the mean of which over [0, 1] is (1 − 2/e) h/2.
    expect(cells[0]).toBe('1.00e-2');
    expect(Number(cells[1])).toBeCloseTo(((1 - 2 / Math.E) * 0.01) / 2, 4);
    expect(Number(cells[2])).toBeGreaterThan(0.9);
    expect(Number(cells[2])).toBeLessThan(1.1);
    expect(out).not.toContain('times of impact');
  });

  it('compares the signals that are asked for only, with the step and parameters given', async () => {
    const argv = [
      'compare',
      modelFile(bouncingBall()),
      '--signals',
      'ball.q,table.gap',
      '--h',
      '0.01',
      '--levels',
      '1',
    ];
    const { code, out } = await moreau([...argv, '--t-end', '0.5', '--set', 'g=4', '--json']);
    expect(code).toBe(0);
    const { runs, whole } = parse(out);
    expect(runs.map(({ h }) => h)).toEqual([0.01, 0.01]);
    expect(whole).toMatchObject({
      to: 0.5,
      signals: [{ name: 'ball.q' }, { name: 'table.gap' }],
      orders: [],
    });
    // Flight under gravity is exact at the nodes for θ = ½ and falls 2 t² here.
    expect(whole?.signals[0].scale).toBe(1);
    expect(whole?.differences[0].contacts[0]).toMatchObject({ referenceImpacts: 0, impacts: 0 });
  });

  it('compares runs that separate for as long as they agree, too', async () => {
    const argv = ['compare', 'example:cam-follower-660', '--t-end', '0.8', '--h', '4e-4', '--levels', '2'];
    const { code, out } = await moreau([...argv, '--json']);
    expect(code).toBe(0);
    const { whole, together } = parse(out);
    expect(whole?.to).toBe(0.8);
    expect(together?.to).toBeLessThan(0.8);
    expect(together?.to).toBeGreaterThan(0.016);
    const agreement = whole?.differences.flatMap(({ signals }) =>
      signals.map(({ agreesUntil }) => agreesUntil),
    );
    expect(together?.to).toBe(Math.min(...(agreement ?? [])));
    const text = await moreau(argv);
    expect(text.out).toContain('the runs have separated');
    expect(text.out).toContain('no difference: lift');
  });

  it('ends with the error of a model that the event-driven scheme cannot simulate', async () => {
    const { code, out, notes } = await moreau(['compare', 'example:gene-network', '--json']);
    expect(code).toBe(2);
    expect(notes).toContain('cannot simulate “steps”');
    expect(parse(out)).toMatchObject({ status: 'failed', whole: null, error: { where: 'steps' } });
  });

  it('ends with 3 when a run fails on its way, and prints what the others did', async () => {
    const document = misbehavingBall("throw new Error('the spring broke');");
    const { code, out, notes } = await moreau(['compare', modelFile(document), '--t-end', '5', '--json']);
    expect(code).toBe(3);
    expect(notes).toContain('the spring broke');
    const { status, runs, whole, error } = parse(out);
    expect([status, whole, error?.code]).toEqual(['failed', null, 'script-error']);
    expect(runs.some((run) => run.status === 'failed')).toBe(true);
    expect(runs.every((run) => run.status !== 'done')).toBe(true);
  });

  it('says which signal there is not, before anything long is computed', async () => {
    const argv = ['compare', modelFile(bouncingBall({ tEnd: 1e5 })), '--signals', 'bal.q', '--json'];
    const { code, out, notes } = await moreau(argv);
    expect(code).toBe(2);
    expect(notes).toContain('There is no signal “bal.q”');
    expect(notes).toContain('Did you mean ball.q?');
    expect(parse(out)).toMatchObject({ status: 'failed', whole: null, error: { code: 'unknown-signal' } });
  });

  it('is cancelled by an interrupt', async () => {
    const model = modelFile(bouncingBall({ tEnd: 1e5 }));
    const { code, out, notes } = await moreau(['compare', model, '--json'], { interruptAt: '%' });
    expect(code).toBe(4);
    expect(notes).toContain('cancelled');
    expect(parse(out)).toMatchObject({ status: 'cancelled', whole: null, together: null });
    const atOnce = await moreau(['compare', model], { interruptAtOnce: true });
    expect(atOnce.code).toBe(4);
    expect(atOnce.out).toBe('');
  });

  it.each(['0', '9', '2.5', 'many'])('refuses --levels %s', async (levels) => {
    const { code, notes } = await moreau(['compare', modelFile(bouncingBall()), '--levels', levels]);
    expect(code).toBe(2);
    expect(notes).toContain('--levels needs a whole number from 1 to 8');
  });

  it('has help that says what it does', async () => {
    const { code, out } = await moreau(['compare', '--help']);
    expect(code).toBe(0);
    for (const word of ['--levels', '--signals', 'event-driven', 'L1']) expect(out).toContain(word);
  });
});
