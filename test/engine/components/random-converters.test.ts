/** Eight converters with random values, event-driven: each ends, certified, with boundedly many events. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { start } from '../support/run';
import {
  chokeCurrent,
  CONVERTERS,
  drawnConverter,
  idealRatio,
  randomValues,
  withLosses,
  type Converter,
  type Values,
} from './drawn-converters';

const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();
/** Passages of gates and diodes that a period may have: more would be chattering. */
const MOST_EVENTS = 60;

/** Mean of a signal from a time on, by its rows. */
function mean(times: Float64Array, values: Float64Array, from: number): number {
  let [sum, span] = [0, 0];
  for (let k = 1; k < times.length; k++) {
    if (times[k - 1] < from) continue;
    sum += ((times[k] - times[k - 1]) * (values[k] + values[k - 1])) / 2;
    span += times[k] - times[k - 1];
  }
  return sum / span;
}

describe('random converters', () => {
  it('end, certified', () => {
    const random = seeded(7);
    const periods = 40;
    for (let k = 0; k < sample(64, 1000); k++) {
      const converter = CONVERTERS[k % CONVERTERS.length];
      const values = randomValues(random, converter);
      const label = `${converter} ${JSON.stringify(values)}`;
      const { session } = start(drawnConverter(converter, values, { periods, rows: 20 }), { sandbox });
      expect(session.advance(periods * MOST_EVENTS), `${label}: ${session.error?.message ?? ''}`).toBe(
        'done',
      );
      expect(session.certificate.dynamics, label).toBeLessThan(1e-8);
      expect(session.certificate.complementarity, label).toBeLessThan(1e-8);
      expect(session.complete, label).toBe(true);
    }
  });

  it('end, certified, with losses and snubbers as well', () => {
    const random = seeded(21);
    const periods = 20;
    const simple = CONVERTERS.filter((converter) => converter !== 'full bridge');
    for (let k = 0; k < sample(60, 1000); k++) {
      const converter = simple[k % simple.length];
      const values = randomValues(random, converter);
      const document = drawnConverter(converter, values, { periods, rows: 20 });
      const { session } = start(withLosses(document, random, values), { sandbox });
      const label = `${k}: ${converter} ${JSON.stringify(values)}`;
      expect(session.advance(periods * MOST_EVENTS), `${label}: ${session.error?.message ?? ''}`).toBe(
        'done',
      );
      expect(session.certificate.dynamics, label).toBeLessThan(1e-8);
      expect(session.certificate.complementarity, label).toBeLessThan(1e-8);
    }
  });

  const balanced = CONVERTERS.filter((converter) => converter !== 'LLC');
  it.each(balanced)('%s: the output follows from the balance of volt-seconds', (converter: Converter) => {
    const random = seeded(11);
    for (let k = 0; k < sample(3, 20); k++) {
      const T = 1e-5;
      const [D, n, R, U] = [random.uniform(0.5, 0.7), random.uniform(0.5, 2), random.uniform(5, 50), 48];
      const duty = converter === 'forward' ? D - 0.25 : D;
      // Of a bridge the dead time is no part of what is on.
      const on = converter === 'full bridge' ? D - 0.02 : duty;
      const ratio = idealRatio(converter, { D: on, n });
      const v0 = Math.abs(ratio) * U;
      const i0 = chokeCurrent(converter, { D: on, R, n }, v0);
      const values: Values = { T, D: duty, U, R, n, L: 20 * R * T, C: (200 * T) / R, v0, i0 };
      const periods = 200;
      const { session, column } = start(drawnConverter(converter, values, { periods, rows: 10 }), {
        sandbox,
      });
      expect(session.advance(periods * MOST_EVENTS)).toBe('done');
      const found = mean(column('t'), column('C1.v'), 100 * T) / U;
      expect(found / ratio, JSON.stringify(values)).toBeCloseTo(1, 1.5);
    }
  });
});
