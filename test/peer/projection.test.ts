/**
 * Direct and combined projection of positions against Siconos, run live, every state of every step: balls and
 * a column of ten throughout, and linkages with play up to their first contact.
 *
 * There the algorithms part. Siconos’ direct projection leaves the gaps of contacts that do not take part as
 * they were before it, and keeps a contact that has taken part until it parts; its combined projection looks
 * for violated contacts before positions are projected, and has rows of the unprojected positions and draws
 * contacts that spring back down to zero. With one
 * contact, or none that springs back, none of this matters.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../engine/support/run';
import { type ProjectedModel, type Projection, ball, column, fourBar, sliderCrank } from './projected-models';
import { missingSiconos, runPeer } from './run-siconos';

const reason = missingSiconos();

interface Answer {
  q: number[][];
  v: number[][];
}

interface Case {
  kind: string;
  name: string;
  model: ProjectedModel;
  /** contact up to which the two agree; null where they do throughout */
  until: string | null;
}

const CASES: Case[] = (['yes', 'combined'] as const).flatMap((projection) => {
  const asked = (h: number, steps: number): Projection => ({
    projection,
    metric: 'mass',
    forecast: 0.5,
    h,
    steps,
  });
  const of = (model: ProjectedModel, until: string | null = null): Case => ({
    kind: projection === 'yes' ? 'direct' : 'combined',
    name: model.name,
    model,
    until,
  });
  return [
    ...(projection === 'yes' ? [0, 0.6, 0.9] : [0]).map((e) => of(ball(asked(0.005, 600), e))),
    of(column(asked(0.005, 400), 0)),
    // Contacts close in steps 492 and 375; what follows is not compared.
    of(sliderCrank(asked(1e-4, 500)), 'loose.impulse'),
    of(fourBar(asked(2e-4, 380)), 'loose.impulse'),
  ];
});

describe.skipIf(reason !== null)(
  `projected positions against Siconos${reason === null ? '' : `: ${reason}`}`,
  () => {
    let answers: Answer[] = [];
    beforeAll(async () => {
      answers = await Promise.all(
        CASES.map(async ({ model }) => (await runPeer('projection.py', model.input)) as Answer),
      );
    });

    it.each(CASES.map((one, k) => ({ ...one, k })))('$kind: $name', ({ model, until, k }) => {
      const { session, column: read } = run(model.document, { sandbox: createSandbox });
      const { q, v } = answers[k];
      const first = until === null ? -1 : read(until).findIndex((impulse) => impulse > 0);
      const rows = until === null ? q.length : first;
      const names = model.document.systems.flatMap(({ id, ndof }) =>
        Array.from({ length: Number(ndof) }, (_, i) => [id, Number(ndof) === 1 ? '' : `[${i}]`]),
      );
      names.forEach(([id, index], i) => {
        const [positions, velocities] = ['q', 'v'].map((of) => read(`${id}.${of}${index}`));
        for (let row = 0; row < rows; row++) {
          expect(Math.abs(positions[row] - q[row][i])).toBeLessThan(1e-10);
          expect(Math.abs(velocities[row] - v[row][i])).toBeLessThan(1e-9);
        }
      });
      expect(rows).toBeGreaterThan(350);
      expect(session.certificate.dynamics).toBeLessThan(1e-12);
    });
  },
);
