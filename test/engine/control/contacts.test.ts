/** Blocks that push bodies with contacts: forces jump at samples, and contacts open and close there. */
import { expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { contact, model, particle } from '../support/models';
import { run } from '../support/run';
import { SCHEMES } from './documents';

const G = 10;
const FROM = 0.35;
const PULL = 15;

/** A mass of 1 kg on a floor under its weight, pulled up by more than that from a sample on. */
const lifted = (h: number, tEnd = 1): ModelDocument =>
  model(
    [
      particle('mass', 0, 0, { fExt: { signals: [`pull.y - ${G}`] } }),
      { id: 'pull', type: 'SampleAndHold', x: [`t > ${FROM - 1e-9} ? ${PULL} : 0`], every: 0.05 },
    ],
    [contact('floor', ['mass'], [[1]], 0)],
    { h, tEnd },
  );

it.each(SCHEMES)('a mass at rest lifts off at the sample that pulls it, %s', (scheme) => {
  const { column, session } = run(lifted(0.001), { scheme });
  const [t, q, v] = [column('t'), column('mass.q'), column('mass.v')];
  // In steps the contact lets go one step late at most.
  const within = scheme === 'event-driven' ? 1e-10 : 0.006;
  for (let i = 0; i < t.length; i++) {
    const since = Math.max(0, t[i] - FROM);
    expect(Math.abs(q[i] - 0.5 * (PULL - G) * since * since)).toBeLessThan(within);
    expect(Math.abs(v[i] - (PULL - G) * since)).toBeLessThan(within);
  }
  const { dynamics, complementarity, coneViolation } = session.certificate;
  expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-9);
});

it('the step written out takes what blocks hold, with the same bits', () => {
  const [general, written] = (['general', 'straight-line'] as const).map((loop) => {
    const { column, session } = run(lifted(0.001), { loop });
    return { path: session.path, q: column('mass.q'), v: column('mass.v'), impulse: column('floor.impulse') };
  });
  expect([general.path, written.path]).toEqual(['general', 'straight-line']);
  expect(written.q).toEqual(general.q);
  expect(written.v).toEqual(general.v);
  expect(written.impulse).toEqual(general.impulse);
});
