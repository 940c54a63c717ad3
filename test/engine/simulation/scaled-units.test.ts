/** Models in other units by time-stepping: a model of millimetres and microseconds is the model of metres and seconds. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { type PreparedModel, prepare } from '@engine/simulation/prepare';
import { TimeStepping } from '@engine/simulation/time-stepping';
import { example, EXAMPLES } from '../support/models';
import { part, sample } from '../../support/prove';
import { scaleModel, type Units } from '../../support/scaled-model';

function load(document: ModelDocument): PreparedModel {
  const scripts = new FunctionScripts(document);
  const options = { functionNames: scripts.functionNames, overrides: { scheme: 'time-stepping' as const } };
  // Forms hold the functions they are built on, and which derivatives these are loaded with, a first time says.
  prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  const { prepared, issues } = prepare(document, { ...options, ...scripts.evaluate(createSandbox()) });
  if (prepared === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return prepared;
}

/** Laws of impact that time-stepping does not know. */
const UNSUITABLE = new Set(['ball-chain', 'woodpecker']);

/** Examples without bodies in space and builders, simulated by time-stepping or from event to event. */
const MODELS = EXAMPLES.filter((name) => {
  const { systems, scripts } = example(name);
  return (
    systems.length > 0 &&
    systems.every(({ type }) => !['RigidBody', 'PseudoRigidBody', 'FixedBody'].includes(type)) &&
    scripts.every(({ role }) => role === 'functions') &&
    !UNSUITABLE.has(name)
  );
});

/** Below this a number has lost digits to gradual underflow. */
const UNDERFLOW = 1e-300;

/**
 * Difference of positions and velocities by step, relative to the largest that each has been: the largest up to there.
 * @param steps at most so many
 */
function differences({ model, layout, settings }: PreparedModel, units: Units, steps: number): number[] {
  const scaled = scaleModel(model, units);
  const { time } = units;
  const { stepControl } = settings;
  const whole = new TimeStepping(model, layout, { ...settings, loop: 'general' });
  const other = new TimeStepping(scaled.model, layout, {
    ...settings,
    loop: 'general',
    t0: settings.t0 * time,
    tEnd: settings.tEnd * time,
    h: settings.h * time,
    stepControl:
      stepControl === null
        ? null
        : { ...stepControl, hMin: stepControl.hMin * time, hMax: stepControl.hMax * time },
  });
  const { q, v, ndof } = layout;
  const size = new Float64Array(2 * ndof);
  const worst: number[] = [];
  let present = 0;
  while (worst.length < steps && !whole.isAtEnd) {
    whole.advance();
    other.advance();
    for (let i = 0; i < 2 * ndof; i++) {
      const [place, factor] =
        i < ndof ? [q + i, scaled.positions[i]] : [v + i - ndof, scaled.velocities[i - ndof]];
      size[i] = Math.max(size[i], Math.abs(whole.state[place]));
      const off = Math.abs(other.state[place] / factor - whole.state[place]);
      // What has been zero so far is so to the rounding of the others.
      const [from, to] = i < ndof ? [0, ndof] : [ndof, 2 * ndof];
      const scale = size[i] > 0 ? size[i] : Math.max(...size.subarray(from, to));
      if (off > UNDERFLOW) present = Math.max(present, off / scale);
    }
    worst.push(present);
  }
  return worst;
}

const SAME: Units = { time: 1, length: 1, mass: 1, current: 1 };
const NAMES = ['time', 'length', 'mass', 'current'] as const;

const unitsOf = (factors: readonly number[]): Units[] =>
  NAMES.flatMap((name) => factors.map((factor): Units => ({ ...SAME, [name]: factor })));

/**
 * What rounding alone makes of a motion, by step: where impacts part it, or a script asks for the sign of what is zero, no two runs with
 * other roundings agree. Units of three have no effect but that.
 */
function rounding(prepared: PreparedModel, steps: number): number[] {
  const runs = unitsOf([3, 1 / 3]).map((units) => differences(prepared, units, steps));
  return runs[0].map((_, k) => Math.max(...runs.map((run) => run[k])));
}

const STEPS = sample(60, 1000);

describe('examples in milli, kilo and micro units', () => {
  it.each(part(MODELS, 4))('%s moves as in units of its own', (name) => {
    const prepared = load(example(name));
    const floor = rounding(prepared, STEPS);
    for (const units of unitsOf([1e-6, 1e-3, 1e3, 1e6]))
      differences(prepared, units, STEPS).forEach((off, k) => {
        if (floor[k] > 1e-6) return;
        expect(off, `${JSON.stringify(units)}, step ${k}`).toBeLessThan(1e-9 + 1e4 * floor[k]);
      });
  });

  const unscripted = MODELS.filter((name) => example(name).scripts.length === 0);

  it.each([...new Set(['rocking-block', ...part(unscripted, 3)])])(
    '%s has the same bits where units are powers of two',
    (name) => {
      const prepared = load(example(name));
      for (const units of [
        ...unitsOf([2 ** -20, 2 ** -10, 2 ** 10, 2 ** 20]),
        { time: 2 ** 20, length: 2 ** -10, mass: 2 ** 20, current: 2 ** 10 },
      ])
        expect(differences(prepared, units, STEPS).at(-1), JSON.stringify(units)).toBe(0);
    },
  );
});
