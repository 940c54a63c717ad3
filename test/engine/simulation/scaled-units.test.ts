/** Models in other units by time-stepping: a model of millimetres and microseconds is the model of metres and seconds. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { type PreparedModel, prepare } from '@engine/simulation/prepare';
import { TimeStepping } from '@engine/simulation/time-stepping';
import { example, EXAMPLES } from '../support/models';
import { seeded } from '../support/random';
import { sample } from '../../support/prove';
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

/** Largest difference of positions and velocities over some steps, relative to the largest that each has been. */
function difference({ model, layout, settings }: PreparedModel, units: Units, steps: number): number {
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
  let worst = 0;
  for (let step = 0; step < steps && !whole.isAtEnd; step++) {
    whole.advance();
    other.advance();
    for (let i = 0; i < 2 * ndof; i++) {
      const [place, factor] =
        i < ndof ? [q + i, scaled.positions[i]] : [v + i - ndof, scaled.velocities[i - ndof]];
      size[i] = Math.max(size[i], Math.abs(whole.state[place]));
      const off = Math.abs(other.state[place] / factor - whole.state[place]);
      if (size[i] > 0) worst = Math.max(worst, off / size[i]);
    }
  }
  return worst;
}

const FACTORS = [1e-6, 1e-3, 1, 1e3, 1e6];

describe('examples in milli, kilo and micro units', () => {
  const random = seeded(5);
  const chosen = random.sample(sample(4, MODELS.length), MODELS.length).map((k) => MODELS[k]);

  it.each(chosen)('%s moves as in units of its own', (name) => {
    const prepared = load(example(name));
    for (let k = 0; k < sample(1, 8); k++) {
      const factor = (): number => FACTORS[random.integer(0, FACTORS.length - 1)];
      const units = { time: factor(), length: factor(), mass: factor(), current: factor() };
      expect(difference(prepared, units, sample(60, 500)), JSON.stringify(units)).toBeLessThan(1e-6);
    }
  });

  it.each(['spring-friction', 'four-bar-web-cutter'])(
    '%s has the same bits where units are powers of two',
    (name) => {
      const prepared = load(example(name));
      for (const units of [
        { time: 2 ** -10, length: 2 ** 10, mass: 1, current: 1 },
        { time: 2 ** 20, length: 2 ** -10, mass: 2 ** 20, current: 1 },
      ])
        expect(difference(prepared, units, sample(60, 500))).toBe(0);
    },
  );
});
