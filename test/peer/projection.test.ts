/**
 * Direct and combined projection of positions against Siconos, run live, every state of every step: balls, a
 * column of ten and linkages with play, through their contacts, of coordinates; balls one above the other and
 * a body held at a point, of 3D bodies.
 *
 * What Siconos does otherwise:
 *
 * - Direct: a contact takes part as long as y + γ h ẏ ≤ 10⁻⁷ m, its default. Small bounces end by that, as
 *   of the four-bar in its fifth contact; linkages are compared with 0. Bodies at rest need it, or rounding
 *   lets them fall; here they are half the tolerance below zero.
 * - Direct: the gap of a contact that takes no part is that before the projection, so that others in a column
 *   that springs back take part in other steps.
 * - Combined: rows of velocities are those of the unprojected position, here of the projected one where rows
 *   are at the end of the step. At the predicted position they are the same, and so are states. By one
 *   iteration Siconos has ẏ of the step before, so that this is compared without restitution.
 * - Combined: a contact that springs back is drawn down to y = 0.
 * - 3D bodies, direct: the overlap of the step in which a contact closes stays for that step; here all that
 *   overlap are projected. Positions of other steps are the same.
 * - 3D bodies, combined: joints are as by direct projection; here velocities obey G(q⁺) u⁺ = 0, by a
 *   correction of the order h². The metric is that of the coordinates.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../engine/support/run';
import { heldBody, spheres } from './projected-bodies';
import { type ProjectedModel, type Projection, ball, column, fourBar, sliderCrank } from './projected-models';
import { missingSiconos, runPeer } from './run-siconos';

const reason = missingSiconos();

interface Answer {
  q: number[][];
  v: number[][];
  /** [row][contact] */
  gap: number[][];
}

type Kind = Projection['projection'];

const asked = (projection: Kind, h: number, steps: number): Projection => ({
  projection,
  metric: 'mass',
  forecast: 0.5,
  h,
  steps,
});
const predicted = (settings: Projection): Projection => ({ ...settings, relationPoint: 'predicted' });

/** States that agree throughout. */
const COORDINATES: readonly (readonly [string, ProjectedModel])[] = [
  ...[0, 0.6, 0.9].map((e) => ['direct', ball(asked('yes', 0.005, 600), e)] as const),
  ['direct', column(asked('yes', 0.005, 400), 0)],
  ['direct', sliderCrank(asked('yes', 1e-4, 3000), 0.4)],
  ['direct', fourBar(asked('yes', 2e-4, 700), 0.3)],
  ['combined', ball(asked('combined', 0.005, 600), 0)],
  ['combined', column(asked('combined', 0.005, 400), 0)],
  ['combined', sliderCrank(predicted(asked('combined', 1e-4, 700)), 0)],
  ['combined', fourBar(predicted(asked('combined', 2e-4, 600)), 0)],
];

/** Combined, with restitution and rows at the end of the step: up to the first contact. */
const UNTIL_CONTACT: readonly ProjectedModel[] = [
  sliderCrank(asked('combined', 1e-4, 500), 0.4),
  fourBar(asked('combined', 2e-4, 380), 0.3),
];

const euclidean = (settings: Projection): Projection => ({ ...settings, metric: 'euclidean' });
const BALLS: readonly (readonly [Kind, ProjectedModel])[] = [
  ...[0, 0.6, 0.9].map((e) => ['yes', spheres(euclidean(asked('yes', 0.005, 300)), 1, e)] as const),
  ['yes', spheres(euclidean(asked('yes', 0.005, 300)), 5, 0)],
  ['combined', spheres(euclidean(asked('combined', 0.005, 300)), 1, 0)],
  ['combined', spheres(euclidean(asked('combined', 0.005, 300)), 5, 0)],
];

/** Signals of positions, or of velocities, in the order of Siconos. */
const namesOf = ({ document }: ProjectedModel, letter: 'q' | 'v'): string[] =>
  document.systems
    .filter(({ type }) => type !== 'FixedBody')
    .flatMap(({ id, type, ndof }) => {
      const count = type === 'RigidBody' ? (letter === 'q' ? 7 : 6) : Number(ndof);
      return Array.from({ length: count }, (_, i) => `${id}.${letter}${count > 1 ? `[${i}]` : ''}`);
    });

/** Runs a model here. @returns the largest differences of rows, and what else there is to ask */
function compared(model: ProjectedModel, answer: Answer) {
  const { session, column: read } = run(model.document, { sandbox: createSandbox });
  const [q, v] = (['q', 'v'] as const).map((letter) => namesOf(model, letter).map(read));
  const differ = (columns: readonly ArrayLike<number>[], theirs: number[][], row: number): number =>
    Math.max(...columns.map((signal, i) => Math.abs(signal[row] - theirs[row][i])));
  expect(answer.q).toHaveLength(q[0].length);
  return {
    session,
    read,
    rows: answer.q.length,
    positions: (row: number): number => differ(q, answer.q, row),
    velocities: (row: number): number => differ(v, answer.v, row),
  };
}

const ask = async (model: ProjectedModel, more: object = {}): Promise<Answer> =>
  (await runPeer('projection.py', { ...model.input, ...more })) as Answer;

describe.skipIf(reason !== null)(
  `projected positions against Siconos${reason === null ? '' : `: ${reason}`}`,
  () => {
    let answers: Map<ProjectedModel, Answer>;
    beforeAll(async () => {
      const models = [...COORDINATES.map(([, model]) => model), ...UNTIL_CONTACT, ...BALLS.map(([, m]) => m)];
      const given = await Promise.all(models.map(async (model) => [model, await ask(model)] as const));
      answers = new Map(given);
    });
    const answerOf = (model: ProjectedModel): Answer => {
      const answer = answers.get(model);
      if (answer === undefined) throw new Error('not asked');
      return answer;
    };

    it.each(COORDINATES.map(([kind, model]) => ({ kind, name: model.name, model })))(
      '$kind: $name',
      ({ model }) => {
        const { session, read, rows, positions, velocities } = compared(model, answerOf(model));
        if (session.signals.some(({ name: one }) => one === 'loose.impulse'))
          expect(read('loose.impulse').filter((impulse) => impulse > 0).length).toBeGreaterThan(50);
        for (let row = 0; row < rows; row++) {
          expect(positions(row)).toBeLessThan(1e-10);
          expect(velocities(row)).toBeLessThan(1e-9);
        }
        expect(session.certificate.dynamics).toBeLessThan(1e-12);
      },
    );

    it.each(UNTIL_CONTACT.map((model) => ({ name: model.name, model })))(
      'combined, with restitution: $name, up to its first contact',
      ({ model }) => {
        const answer = answerOf(model);
        const { read, positions, velocities } = compared(model, answer);
        const impulse = read('loose.impulse');
        const first = impulse.findIndex((value) => value > 0);
        expect(first).toBeGreaterThan(350);
        for (let row = 0; row < first; row++) {
          expect(positions(row)).toBeLessThan(1e-10);
          expect(velocities(row)).toBeLessThan(1e-9);
        }
        // The same step, with other directions, and without height there.
        expect(velocities(first)).toBeLessThan(1e-3);
        expect(Math.abs(answer.gap[first][0])).toBeLessThan(1e-11);
        expect(read('loose.gap')[first]).toBeGreaterThan(1e-6);
      },
    );

    it.each(BALLS.map(([kind, model]) => ({ kind, name: model.name, model })))(
      '3D bodies, $kind: $name',
      ({ kind, model }) => {
        const answer = answerOf(model);
        const { rows, positions, velocities } = compared(model, answer);
        let overlapping = 0;
        for (let row = 0; row < rows; row++) {
          expect(velocities(row)).toBeLessThan(1e-10);
          if (Math.min(...answer.gap[row]) < -1e-11) overlapping++;
          else expect(positions(row)).toBeLessThan(1e-10);
        }
        if (kind === 'combined') expect(overlapping).toBe(0);
        else expect(overlapping).toBeGreaterThan(0);
      },
    );

    it.each(['yes', 'combined'] as const)('3D bodies, %s there: body held at a point', async (projection) => {
      const model = heldBody(euclidean(asked('yes', 1e-3, 300)));
      const { rows, positions, velocities } = compared(model, await ask(model, { projection }));
      for (let row = 0; row < rows; row++) {
        expect(positions(row)).toBeLessThan(1e-10);
        expect(velocities(row)).toBeLessThan(1e-10);
      }
    });

    it('3D bodies, combined: velocities of joints are corrected here, by terms of order 2', async () => {
      const worst = [2e-3, 1e-3].map(async (h) => {
        const model = heldBody(euclidean(asked('combined', h, 0.2 / h)));
        const { rows, velocities } = compared(model, await ask(model));
        return Math.max(...Array.from({ length: rows }, (_, row) => velocities(row)));
      });
      const [coarse, fine] = await Promise.all(worst);
      expect(fine).toBeLessThan(1e-5);
      expect(coarse / fine).toBeGreaterThan(3);
      expect(coarse / fine).toBeLessThan(5);
    });
  },
);
