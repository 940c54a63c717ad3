/** The verdict on a run in words, and what decides it. */
import type { RunAccuracy, RunInfo } from '@contract/methods';
import { verdictOf } from '@contract/verdict';
import { describe, expect, it } from 'vitest';
import { asItIs } from '@figures/shown-units';
import { errorWords, verdictWords } from '@renderer/shell/verdict-words';

const measured = (error: number, parts = false): RunAccuracy => ({
  state: 'measured',
  accuracy: {
    order: 1.04,
    until: 23.57,
    parts,
    signals: [
      { name: 'ball.v', unit: 'm/s', error: 1e-9, limit: 0.1, time: 0.3 },
      { name: 'ball.q', unit: 'm', error, limit: 0.01, time: 0.2 },
    ],
    impacts: [],
  },
});

const run = (
  accuracy: RunAccuracy | undefined,
  {
    dynamics = 2e-14,
    complete = true,
    energyGain,
  }: Partial<Pick<RunInfo['statistics'], 'complete' | 'energyGain'>> & { dynamics?: number } = {},
): RunInfo =>
  ({
    scheme: 'event-driven',
    statistics: { certificate: { complementarity: 0, coneViolation: 0, dynamics }, complete, energyGain },
    ...(accuracy === undefined ? {} : { accuracy }),
  }) as unknown as RunInfo;

const words = (one: RunInfo): string =>
  verdictWords(one, asItIs)
    .map((said) => said.words)
    .join(' · ');

/** Of one that no row between impacts was compared of, and of a model without a state. */
const uncompared: RunAccuracy = {
  state: 'measured',
  accuracy: {
    order: null,
    until: 1,
    parts: false,
    signals: [{ name: 'ball.v', unit: 'm/s', error: 0, limit: 0.1, time: null }],
    impacts: [],
  },
};
/** Of a circuit of resistors and diodes: a function of its sources. */
const withoutError: RunAccuracy = {
  state: 'measured',
  accuracy: {
    order: null,
    until: 1,
    parts: false,
    signals: [{ name: 'out.v', unit: 'V', error: 0, limit: 0.1, time: 0.5 }],
    impacts: [],
  },
};
const empty: RunAccuracy = {
  state: 'measured',
  accuracy: { order: null, until: 1, parts: false, signals: [], impacts: [] },
};

describe('the three verdicts', () => {
  it.each([
    [run(measured(0.003)), 'holds', 'solved 2.0e-14 · complete · accurate to 3 mm, order 1'],
    [run(measured(0.03)), 'fails', 'solved 2.0e-14 · complete · off by 30 mm, order 1'],
    [run(withoutError), 'holds', 'solved 2.0e-14 · complete · accurate to the last digit'],
    [run(measured(0.03, true)), 'unknown', 'solved 2.0e-14 · complete · no digits after 23.57 s'],
    [run(uncompared), 'unknown', 'solved 2.0e-14 · complete · nothing to compare'],
    [run(empty), 'unknown', 'solved 2.0e-14 · complete · nothing to compare'],
    [run(undefined), 'unknown', 'solved 2.0e-14 · complete · accuracy not measured'],
    [run({ state: 'measuring' }), 'unknown', 'solved 2.0e-14 · complete · measuring accuracy …'],
    [
      run(measured(0.003), { dynamics: 1e-3 }),
      'fails',
      'not solved, 1.0e-3 · complete · accurate to 3 mm, order 1',
    ],
    [
      run(measured(0.003), { complete: false }),
      'fails',
      'solved 2.0e-14 · events missed · accurate to 3 mm, order 1',
    ],
    [
      run(measured(0.003), { complete: { resolution: 1e-4 } }),
      'unknown',
      'solved 2.0e-14 · sampled at 1.0e-4 s · accurate to 3 mm, order 1',
    ],
    [
      run(measured(0.03, true), { energyGain: { share: 0.043, limit: 0.02 } }),
      'fails',
      'solved 2.0e-14 · complete · gains 4.3 % energy',
    ],
    [
      run(undefined, { energyGain: { share: Number.NaN, limit: 0.02 } }),
      'fails',
      'solved 2.0e-14 · complete · gains NaN % energy',
    ],
    [
      run(measured(0.003), { energyGain: { share: 0.02, limit: 0.02 } }),
      'holds',
      'solved 2.0e-14 · complete · accurate to 3 mm, order 1',
    ],
    [run(measured(Number.NaN)), 'fails', 'solved 2.0e-14 · complete · off by NaN m, order 1'],
  ] as const)('%#: are the worst of the three', (one, all, said) => {
    expect(verdictOf(one).all).toBe(all);
    expect(words(one)).toBe(said);
  });

  it('have errors with prefixes where a unit takes them, and in the unit that is shown', () => {
    expect(errorWords(0.003, 'm', asItIs)).toBe('3 mm');
    expect(errorWords(1.6e-7, 'V', asItIs)).toBe('160 nV');
    expect(errorWords(1200, 'N', asItIs)).toBe('1.2 kN');
    expect(errorWords(2e-3, 'rad/s', asItIs)).toBe('2 mrad/s');
    expect(errorWords(2e-3, 'kg', asItIs)).toBe('0.002 kg');
    expect(errorWords(2e-3, '', asItIs)).toBe('0.002');
    expect(errorWords(0, 'm', asItIs)).toBe('0 m');
    expect(errorWords(0.003, 'm', () => ({ unit: 'in', factor: 1 / 0.0254 }))).toBe('0.12 in');
  });
});
