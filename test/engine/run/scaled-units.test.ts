/**
 * Models in other units, by both schemes: a model of millimetres and microseconds is the model of metres and
 * seconds. The absolute tolerance of event-driven integration has the unit of the states, and is scaled with
 * them.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { type PreparedModel, prepare } from '@engine/preparation/prepare';
import { part, sample } from '../../support/prove';
import { example, EXAMPLES } from '../support/models';
import { seeded } from '../support/random';
import { randomDocument } from '../support/random-documents';
import { BINARY_UNITS, comparisons, unitsOf } from '../support/scaled-runs';

function load(document: ModelDocument, scheme: SchemeName): PreparedModel {
  const scripts = new FunctionScripts(document);
  const options = { functionNames: scripts.functionNames, overrides: { scheme } };
  // Forms hold the functions they are built on, and which derivatives these are loaded with, a first time
  // says.
  prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  const { prepared, issues } = prepare(document, { ...options, ...scripts.evaluate(createSandbox()) });
  if (prepared === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return prepared;
}

/** Laws of impact that time-stepping does not know, and relations that the event-driven scheme does not. */
const UNSUITABLE: Readonly<Record<SchemeName, ReadonlySet<string>>> = {
  'time-stepping': new Set(['ball-chain', 'woodpecker']),
  'event-driven': new Set(['gene-network']),
};

/** Examples without 3D bodies and builders, simulated by time-stepping or from event to event. */
const modelsFor = (scheme: SchemeName): string[] =>
  EXAMPLES.filter((name) => {
    const { systems, scripts } = example(name);
    return (
      systems.length > 0 &&
      systems.every(({ type }) => !['RigidBody', 'PseudoRigidBody', 'FixedBody'].includes(type)) &&
      scripts.every(({ role }) => role === 'functions') &&
      !UNSUITABLE[scheme].has(name)
    );
  });

/** Rounding that has grown to more leaves no digits to compare. */
const MOST_ROUNDING = 1e-6;
/** Residual of the laws that is none, in any units. */
const RESIDUAL = 1e-7;
/**
 * Friction beside contacts is a force beside impulses: in which of them a problem of a step is larger, and so
 * is pivoted, units decide.
 */
const PIVOTED = 1e-12;

/**
 * Compares a model with itself in milli, kilo and micro units. What rounding alone makes of a motion is seen
 * in units of three, which have no effect but that: where impacts part it, or a script asks for the sign of
 * what is zero, no two runs with other roundings agree.
 */
function expectSame(prepared: PreparedModel, scheme: SchemeName, steps: number, label: string): void {
  const compare = comparisons(prepared, scheme, steps);
  const rounded = unitsOf([3, 1 / 3]).map((units) => compare(units).differences);
  const floor = rounded[0].map((_, k) => Math.max(...rounded.map((run) => run[k] ?? Infinity)));
  for (const units of unitsOf([1e-6, 1e-3, 1e3, 1e6])) {
    const { differences, own, other } = compare(units);
    const what = `${label} ${JSON.stringify(units)}`;
    differences.forEach((off, k) => {
      if (floor[k] <= MOST_ROUNDING) expect(off, `${what}, step ${k}`).toBeLessThan(1e-9 + 1e4 * floor[k]);
    });
    expect(other.complementarity, what).toBeLessThan(RESIDUAL + 1e3 * own.complementarity);
    if ((floor.at(-1) ?? 0) <= MOST_ROUNDING) expect(other.end, what).toBe(own.end);
  }
}

/**
 * Expects the same bits in units of powers of two, where no tolerance of an integration is in play.
 * @param rounding what may differ all the same
 * @returns whether none was
 */
function expectSameBits(
  prepared: PreparedModel,
  scheme: SchemeName,
  steps: number,
  label: string,
  rounding = 0,
): boolean {
  const compare = comparisons(prepared, scheme, steps, 'velocities');
  for (const units of BINARY_UNITS) {
    const { differences, own, other } = compare(units);
    if (!own.isExact) return false;
    const what = `${label} ${JSON.stringify(units)}`;
    expect(differences.at(-1) ?? 0, what).toBeLessThanOrEqual(rounding);
    expect(other.end, what).toBe(own.end);
  }
  return true;
}

const STEPS = sample(60, 1000);
const HOUR = 3_600_000;

describe.each<SchemeName>(['time-stepping', 'event-driven'])(
  'in milli, kilo and micro units, %s',
  (scheme) => {
    const models = modelsFor(scheme);
    const unscripted = models.filter((name) => example(name).scripts.length === 0);

    it.each(part(models, 4))('%s moves as in units of its own', { timeout: sample(60_000, HOUR) }, (name) => {
      expectSame(load(example(name), scheme), scheme, STEPS, name);
    });

    it.each([...new Set(['rocking-block', ...part(unscripted, 3)])])(
      '%s has the same bits where units are powers of two',
      { timeout: sample(60_000, HOUR) },
      (name) => {
        expectSameBits(load(example(name), scheme), scheme, STEPS, name);
      },
    );

    it(
      'random models move as in units of their own, and from event to event with the same bits in powers of two',
      { timeout: sample(60_000, HOUR) },
      () => {
        const cases = sample(3, 1000);
        const steps = sample(60, 300);
        let exact = 0;
        for (let seed = 0; seed < cases; seed++) {
          const prepared = load(randomDocument(seeded(seed)), scheme);
          expectSame(prepared, scheme, steps, `seed ${seed}`);
          const rounding = scheme === 'time-stepping' ? PIVOTED : 0;
          if (expectSameBits(prepared, scheme, steps, `seed ${seed}`, rounding)) exact++;
        }
        expect(exact).toBe(cases);
      },
    );
  },
);

describe('where a current starts from nothing', () => {
  it('multipliers are kept within their bounds to a part of the currents, however small these are', () => {
    // Its transistors are at their bounds before anything flows.
    const compare = comparisons(load(example('colpitts-oscillator'), 'event-driven'), 'event-driven', 300);
    const { other, differences } = compare({ time: 1, length: 1, mass: 1, current: 1e-6 });
    expect(other.complementarity).toBeLessThan(1e-9);
    expect(differences.at(-1)).toBeLessThan(1e-9);
  });
});
