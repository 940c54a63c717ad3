/**
 * What a document says of its views, dashboards and layout never keeps its model from running, whatever it
 * is.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkStructure } from '@engine/document/structure';
import type { ModelDocument, SectionDocument, ViewDocument } from '@engine/document/types';
import { compileRun } from '@engine/run/compile-run';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from './support/issues';
import { contact, example, EXAMPLES, model, particle } from './support/models';

const ball = model([particle('ball', 1, 0)], [contact('floor', ['ball'], [[1]], 0)]);

const noScripts = (): never => {
  throw new Error('the model has no scripts');
};

/** What is said of a document, none of which keeps it from running. */
function warnings(change: object): ReturnType<typeof reportDocument>['issues'] {
  const document: ModelDocument = { ...ball, ...change };
  const { issues } = reportDocument(document);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(compileRun({ document }, undefined, noScripts).ok).toBe(true);
  return issues;
}

/** Every view of the gallery: each kind, with what it may hold. */
const sound = EXAMPLES.flatMap((name) => example(name).views as unknown[]);

/** A copy of a value in which some members are gone, others are something else, and some are new. */
const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  const entries = Object.entries(value as Record<string, unknown>);
  return fc
    .record({
      key: fc.constantFrom(...entries.map(([key]) => key), 'unheardOf'),
      put: fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.constantFrom('', 0, -1, [], {}, null)),
      inside: fc.boolean(),
    })
    .chain(({ key, put, inside }) => {
      const known = (value as Record<string, unknown>)[key];
      const next = inside && typeof known === 'object' && known !== null ? mutated(known) : fc.constant(put);
      return next.map((member) => {
        const copy: Record<string, unknown> = { ...(value as object), [key]: member };
        if (member === undefined) Reflect.deleteProperty(copy, key);
        return Array.isArray(value) ? Object.values(copy) : copy;
      });
    });
};

describe('a model runs', () => {
  it('with views that were changed at random', () => {
    const view = fc.constantFrom(...sound).chain(mutated);
    fc.assert(
      fc.property(fc.array(view, { minLength: 1, maxLength: 4 }), (views) => void warnings({ views })),
      { seed: 20, numRuns: 60 },
    );
  });

  it('with anything in the place of views, dashboards, units and layout', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('views', 'dashboards', 'displayUnits', 'layout'),
        fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
        (section, value) => void warnings({ [section]: value }),
      ),
      { seed: 21, numRuns: 60 },
    );
  });

  it('with sound views among them, which keep their places in what is said', () => {
    const views = [
      { type: 'nothing', id: 'a' },
      { type: 'section', id: 'b', section: 'gone', x: '', y: '' },
      3,
    ];
    const dashboards = [{ id: 'd', layout: { tabs: ['a', 'b'] } }];
    const issues = warnings({ views, dashboards });
    expectComplete(issues);
    expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unknown-type', '/views/0/type'],
      [expect.any(String), '/views/2'],
      ['unknown-section', '/views/1/section'],
    ]);
    expect(checkStructure({ ...ball, views, dashboards })).toMatchObject({
      document: { views: [{ id: 'b' }], dashboards },
      viewPlaces: [1],
    });
  });

  it('with more defects of its views than are listed, but not with one of physics behind them', () => {
    const views = Array.from({ length: 300 }, (_, k) => ({ type: 'nothing', id: `v${k}` }));
    expect(warnings({ views }).length).toBeGreaterThanOrEqual(200);
    const { issues } = reportDocument({ ...ball, views: views as never, systems: [{ id: 'x' }] as never });
    expect(issues[0]).toMatchObject({ severity: 'error', pointer: '/systems/0/type' });
  });
});

describe('a plot of a section', () => {
  const plot = (section: string): ViewDocument => ({
    type: 'section',
    id: 'p',
    section,
    x: 'ball.q',
    y: 'ball.v',
  });
  const strobe: SectionDocument = { id: 'strobe', type: 'stroboscopic', period: 0.1, phase: 0 };

  it('shows the first section where it names none, and warns where there is none', () => {
    const simulation = { ...ball.simulation, sections: [strobe] };
    expect(warnings({ views: [plot('')], simulation })).toEqual([]);
    expect(warnings({ views: [plot('strobe')], simulation })).toEqual([]);
    for (const issues of [
      warnings({ views: [plot('')] }),
      warnings({ views: [plot('other')], simulation }),
      warnings({ views: [{ type: 'table', id: 't', signals: [], section: 'other' }] }),
    ]) {
      expectComplete(issues);
      expect(issues).toEqual([
        expect.objectContaining({
          severity: 'warning',
          code: 'unknown-section',
          pointer: '/views/0/section',
        }),
      ]);
    }
  });
});
