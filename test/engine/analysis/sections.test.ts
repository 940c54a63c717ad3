/** Sections taken while a model runs, against closed forms. */
import { readDocument } from '@engine/document/read';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import { compileSection, type SectionChoice } from '@engine/preparation/section';
import { describe, expect, it } from 'vitest';

const K = 16;
const H = 0.013;

/** q̈ = −16 q from q = 1 at rest, between a wall that bounces at q = −0.6 and none. */
function oscillator(scheme: SchemeName, hasWall: boolean, h = H): ModelDocument {
  const text = JSON.stringify({
    formatVersion: 3,
    title: 'oscillator',
    parameters: [{ name: 'k', value: K }],
    systems: [
      { id: 'mass', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], stiffness: [['k']], q0: [1], v0: [0] },
    ],
    interactions: hasWall
      ? [
          {
            id: 'wall',
            systems: ['mass'],
            relation: { type: 'LagrangianLinear', H: [[1]], b: [0.6] },
            law: { type: 'NewtonImpact', e: 0.8 },
          },
        ]
      : [],
    simulation: {
      scheme,
      t0: 0,
      tEnd: 10,
      h,
      integrators: [{ type: 'MoreauJean', theta: 0.5 }],
      problem: { type: 'LCP' },
      solver: { type: 'auto' },
    },
    observables: [{ name: 'twice', expression: '2*mass.q' }],
    scripts: [],
  });
  const { document, issues } = readDocument(text);
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return document;
}

/** t, q, v and the observable of each point; the last row of the run behind them */
function take(
  document: ModelDocument,
  choice: SectionChoice | null,
): { points: number[][]; last: number[]; impacts: number[] } {
  const compiled = compileRun({ document }, undefined, () => {
    throw new Error('there are no scripts');
  });
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { layout, settings, model } = compiled.prepared;
  const simulation = schemes[settings.scheme].create(compiled.prepared, { loop: undefined, certify: false });
  const withParameters = (row: Float64Array): Float64Array => {
    row[layout.parameters] = K;
    return row;
  };
  simulation.rows.forEach(withParameters);
  const points: number[][] = [];
  const twice = layout.slotOf.get('twice') ?? -1;
  const section =
    choice === null
      ? null
      : simulation.takeSection(
          {
            trigger: compileSection(choice, model, layout),
            t0: settings.t0,
            from: null,
            complete: (row) => (row[twice] = 2 * row[layout.q]),
            take: (row) => points.push([row[0], row[layout.q], row[layout.v], row[twice]]),
          },
          () => withParameters(new Float64Array(layout.size)),
        );
  while (!simulation.isAtEnd) simulation.advance();
  section?.finish();
  const row = simulation.rows[simulation.rows.length - 1];
  const impacts = simulation.events.filter(({ kind }) => kind === 'impact').map(({ time }) => time);
  return { points, last: [row[0], row[layout.q], row[layout.v]], impacts };
}

const omega = Math.sqrt(K);

describe('a stroboscopic section', () => {
  it('of a motion from event to event has the states at its times, to rounding', () => {
    const { points } = take(oscillator('event-driven', false), {
      kind: 'stroboscopic',
      period: 0.37,
      phase: 0.25,
    });
    expect(points.map(([t]) => t)).toEqual(
      Array.from({ length: points.length }, (_, k) => expect.closeTo((0.25 + k) * 0.37, 12) as number),
    );
    expect(points.length).toBe(Math.floor(10 / 0.37 - 0.25) + 1);
    for (const [t, q, v, twice] of points) {
      expect(Math.abs(q - Math.cos(omega * t))).toBeLessThan(1e-12);
      expect(Math.abs(v + omega * Math.sin(omega * t))).toBeLessThan(1e-11);
      expect(twice).toBe(2 * q);
    }
  });

  it('has its last point where the run ends with it, and the state after an event at its time', () => {
    const { points, last } = take(oscillator('event-driven', false, 0.01), {
      kind: 'stroboscopic',
      period: 0.5,
      phase: 0,
    });
    expect(points.length).toBe(21);
    expect(points.at(-1)?.slice(0, 3)).toEqual(last);
  });

  it('by time-stepping is exact where the period is a multiple of the step, and linear between steps', () => {
    const exact = take(oscillator('time-stepping', false, 0.01), {
      kind: 'stroboscopic',
      period: 0.5,
      phase: 0,
    });
    expect(exact.points.length).toBe(21);
    expect(exact.points.at(-1)?.slice(0, 3)).toEqual(exact.last);
    const between = take(oscillator('time-stepping', false, 0.001), {
      kind: 'stroboscopic',
      period: 0.3703,
      phase: 0,
    });
    for (const [t, q] of between.points) expect(Math.abs(q - Math.cos(omega * t))).toBeLessThan(2e-4);
  });
});

describe('a section on impact', () => {
  it.each(['before', 'after'] as const)('has the state %s each', (state) => {
    const { points, impacts } = take(oscillator('event-driven', true), {
      kind: 'impact',
      contact: 'wall',
      state,
    });
    expect(points.map(([t]) => t)).toEqual(impacts);
    expect(points.length).toBeGreaterThan(6);
    for (const [, q, v] of points) {
      expect(Math.abs(q + 0.6)).toBeLessThan(1e-14);
      expect(Math.sign(v)).toBe(state === 'before' ? -1 : 1);
    }
    const [first, second] = points;
    expect(Math.abs(first[2])).toBeCloseTo((state === 'before' ? 1 : 0.8) * omega * 0.8, 12);
    expect(Math.abs(second[2] / first[2])).toBeCloseTo(0.8, 12);
  });

  it('by time-stepping has one point for each', () => {
    const { impacts } = take(oscillator('event-driven', true), null);
    const document = oscillator('time-stepping', true, 1e-3);
    const { points } = take(document, { kind: 'impact', contact: 'wall', state: 'after' });
    points.slice(0, 8).forEach(([t], k) => expect(Math.abs(t - impacts[k])).toBeLessThan(0.02));
    expect(points[0][2]).toBeGreaterThan(0);
  });
});

describe('a section on a surface', () => {
  it.each([
    ['rising', (k: number) => (1.5 + 2 * k) * (Math.PI / omega)],
    ['falling', (k: number) => (0.5 + 2 * k) * (Math.PI / omega)],
    ['both', (k: number) => (0.5 + k) * (Math.PI / omega)],
  ] as const)('that is passed %s has all crossings, several on a step too', (direction, time) => {
    // Long steps of the discretisation: one exact arc has many crossings.
    const { points } = take(oscillator('event-driven', false, 2.5), {
      kind: 'surface',
      g: 'mass.q',
      direction,
    });
    const expected = Array.from({ length: 40 }, (_, k) => time(k)).filter((t) => t <= 10);
    expect(points.length).toBe(expected.length);
    points.forEach(([t, q], k) => {
      expect(Math.abs(t - expected[k])).toBeLessThan(1e-12);
      expect(Math.abs(q)).toBeLessThan(1e-12);
    });
  });

  it('may contain parameters, time and observables', () => {
    const { points: late } = take(oscillator('event-driven', false), {
      kind: 'surface',
      g: 't - 7.5 + 0*twice',
      direction: 'rising',
    });
    expect(late.map(([t]) => t)).toEqual([expect.closeTo(7.5, 12)]);
  });

  it('by time-stepping is met where the line between two steps meets it', () => {
    const { points } = take(oscillator('time-stepping', false, 1e-3), {
      kind: 'surface',
      g: 'mass.q',
      direction: 'rising',
    });
    points.forEach(([t], k) => expect(Math.abs(t - (1.5 + 2 * k) * (Math.PI / omega))).toBeLessThan(1e-4));
    expect(points.length).toBe(6);
  });
});

describe('a surface that the state jumps across at an impact', () => {
  // v < 0 into the wall and v > 0 after it; in flight v falls through zero at the other end of the way.
  const g = 'mass.v*sqrt(k)';

  it.each([
    ['rising', 0],
    ['falling', 1],
    ['both', 2],
  ] as const)('has the same points in both schemes, up to the step: %s', (direction, kind) => {
    const exact = take(oscillator('event-driven', true), { kind: 'surface', g, direction });
    const { impacts } = exact;
    expect(impacts.length).toBe(8);
    const isImpact = ([t]: number[]): boolean => impacts.some((impact) => Math.abs(impact - t) < 1e-9);
    const jumps = exact.points.filter(isImpact);
    expect(jumps.length).toBe(kind === 1 ? 0 : impacts.length);
    // The state after the jump, never one between the two.
    for (const [, q, v] of jumps) {
      expect(q).toBeCloseTo(-0.6, 12);
      expect(v).toBeGreaterThan(0.4);
    }
    const h = 1e-4;
    const stepped = take(oscillator('time-stepping', true, h), { kind: 'surface', g, direction });
    expect(stepped.points.length).toBe(exact.points.length);
    stepped.points.forEach(([t, q, v], k) => {
      const [time, position, speed] = exact.points[k];
      expect(Math.abs(t - time)).toBeLessThan(40 * h);
      expect(Math.abs(q - position)).toBeLessThan(40 * h);
      expect(Math.abs(v - speed)).toBeLessThan(200 * h);
    });
  });

  it('is crossed by the motion where that does, also in a step with an impact', () => {
    const near = { kind: 'surface', g: 'mass.q + 0.59', direction: 'falling' } as const;
    const exact = take(oscillator('event-driven', true), near);
    const stepped = take(oscillator('time-stepping', true, 2e-3), near);
    expect(stepped.points.length).toBe(exact.points.length);
    for (const [, q] of stepped.points) expect(q).toBeCloseTo(-0.59, 9);
  });

  it('has no point where it is touched: the gap of the wall itself', () => {
    const { points, impacts } = take(oscillator('event-driven', true), {
      kind: 'surface',
      g: 'wall.gap',
      direction: 'both',
    });
    expect(impacts.length).toBe(8);
    expect(points).toEqual([]);
  });
});

describe('taking a section', () => {
  it('changes no bit of the motion', () => {
    const plain = take(oscillator('event-driven', true), null);
    for (const choice of [
      { kind: 'stroboscopic', period: 0.11, phase: 0 },
      { kind: 'impact', contact: 'wall', state: 'before' },
      { kind: 'surface', g: 'mass.q - 0.1', direction: 'both' },
    ] as const)
      expect(take(oscillator('event-driven', true), choice).last).toEqual(plain.last);
  });

  it.each([
    [{ kind: 'stroboscopic', period: 0, phase: 0 }, 'no duration'],
    [{ kind: 'impact', contact: 'ceiling', state: 'after' }, 'Contacts are wall'],
    [{ kind: 'surface', g: 'mass.w', direction: 'both' }, 'mass.w'],
    [{ kind: 'surface', g: '2 +', direction: 'both' }, '2 +'],
  ] as const)('that is not possible is refused: %o', (choice, words) => {
    const attempt = (): unknown => take(oscillator('event-driven', true), choice);
    expect(attempt).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ code: 'invalid-section' }) as unknown }),
    );
    try {
      attempt();
    } catch (error) {
      expect(JSON.stringify((error as { details: unknown }).details)).toContain(words);
    }
  });
});
