/**
 * A model is what it is in whatever order its elements stand and whatever they are called: states after a run
 * are the same, as far as they have digits. How many they have, a run says that starts beside.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SchemeName } from '@engine/document/types';

import { sample } from '../support/prove';
import { randomDocument } from './support/random-documents';
import { type Random, seeded } from './support/random';
import { reordered } from './support/reordered';
import { example, EXAMPLES } from './support/models';
import { type RunOptions, start } from './support/run';
import { createSandbox } from '@engine/script/sandbox';
import { part } from '../support/prove';

/** Shift of an initial value that shows how errors grow. */
const SHIFT = 1e-7;
/** What the tolerances of schemes and solvers leave of a state, before it grows. */
const LEFT = 1e-9;
/** Errors that grow by more leave no digits to compare. */
const MOST_GROWTH = 1e4;

type States = ReadonlyMap<string, number>;

/** States of all systems at the end of a run. @throws when it fails */
function states(document: ModelDocument, scheme: SchemeName, options: RunOptions = {}): States {
  const { session, column } = start(document, { scheme, ...options });
  if (session.advance(1e9) !== 'done') throw new Error(session.error?.message);
  const ids = document.systems.map(({ id }) => id);
  const own = session.signals.filter(({ name }) =>
    ids.some((id) => /^\.(?:x|q|v)/.test(name.slice(id.length)) && name.startsWith(id)),
  );
  return new Map(own.map(({ name }) => [name, column(name).at(-1) ?? Number.NaN]));
}

function beside(document: ModelDocument): ModelDocument {
  const shifted = structuredClone(document);
  for (const system of shifted.systems) {
    const values = (system.x0 ?? system.v0) as number[];
    values[0] += SHIFT;
  }
  return shifted;
}

const distance = (a: States, b: States, name: (own: string) => string = (own) => own): number =>
  Math.max(
    ...[...a].map(
      ([own, value]) => Math.abs((b.get(name(own)) ?? Number.NaN) - value) / Math.max(1, Math.abs(value)),
    ),
  );

/** Runs a model as it stands and in other orders. @returns whether it had digits to compare */
function compare(document: ModelDocument, random: Random, scheme: SchemeName, label: string): boolean {
  const own = states(document, scheme);
  const growth = distance(own, states(beside(document), scheme)) / SHIFT;
  if (!(growth < MOST_GROWTH)) return false;
  const other = reordered(document, random, true);
  const name = (signal: string): string => {
    const [id, ...rest] = signal.split('.');
    return [other.names.get(id) ?? id, ...rest].join('.');
  };
  expect(distance(own, states(other.document, scheme), name), label).toBeLessThan(LEFT * (1 + growth));
  return true;
}

describe.each<SchemeName>(['time-stepping', 'event-driven'])(
  'random models in other orders, %s',
  (scheme) => {
    it('end in the same states', { timeout: sample(180_000, 7_200_000) }, () => {
      const cases = sample(12, 1000);
      let compared = 0;
      for (let seed = 0; seed < cases; seed++) {
        const random = seeded(seed);
        if (compare(randomDocument(random), random, scheme, `seed ${seed}`)) compared++;
      }
      expect(compared).toBeGreaterThan(0.8 * cases);
    });
  },
);

/** What orders may leave of the states of an example, relative to them: its bodies meet, and errors grow. */
const OF_EXAMPLE = 1e-6;
const ROWS = 60;

describe('examples in other orders', () => {
  const several = EXAMPLES.filter((name) => {
    const { systems, interactions } = example(name);
    return systems.length > 0 && systems.length + interactions.length > 2;
  });

  it.each(part(several, 4))('%s ends in the same states', (name) => {
    const document = example(name);
    const { scheme } = document.simulation;
    const { t0, h } = start(document, { sandbox: createSandbox }).session;
    const options: RunOptions = { sandbox: createSandbox, tEnd: t0 + ROWS * h };
    const own = states(document, scheme, options);
    const other = states(reordered(document, seeded(3), false).document, scheme, options);
    expect(distance(own, other)).toBeLessThan(OF_EXAMPLE);
  });
});
