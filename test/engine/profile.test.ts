/** The replay that measures script functions: what it counts, and that it leaves the run as it is. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { profileRun } from '@engine/inspection/profile';
import { model, particle, withFunctions } from './support/models';

/** A clock that goes on by a millisecond at each look. */
const ticking = (): (() => number) => {
  let time = 0;
  return () => ++time;
};

const pulled = (body: string): ReturnType<typeof model> =>
  withFunctions(
    model([particle('ball', 1, 2, { type: 'LagrangianNonLinear', fInt: { function: 'pull' } })], [], {
      h: 0.125,
      tEnd: 10,
    }),
    `export const pull: InternalForce = (t, q, v, out, p) => { ${body} };`,
    'export const height: Observable = (t, q) => q[0];',
  );

const environment = { sandbox: createSandbox, begin: () => true };

describe('the profile of a run', () => {
  it('counts the calls of functions and of their derivatives for each step', () => {
    const document = pulled('out[0] = q[0];');
    document.observables.push({ name: 'top', function: 'height', system: 'ball' });
    const result = profileRun({ document }, { ...environment, now: ticking() });
    if (!result.ok) throw new Error(result.error.message);
    const { steps, functions } = result.profile;
    expect(steps).toBe(80);
    expect(functions.map((cost) => [cost.function, cost.isDerivative])).toEqual(
      expect.arrayContaining([
        ['pull', false],
        ['pull', true],
        ['height', false],
      ]),
    );
    const height = functions.find((cost) => cost.function === 'height');
    expect(height?.callsPerStep).toBe(1);
    for (const { nanoseconds } of functions) expect(nanoseconds).toBeGreaterThan(0);
  });

  it('goes through later parts of the run, too, and counts all parts alike', () => {
    const document = pulled('out[0] = q[0];');
    const moment = { time: 5, systems: [{ id: 'ball', fields: { q0: [0.5], v0: [-1] } }], missing: [] };
    const none = { ...moment, systems: [{ id: 'ball', fields: { q0: [0, 0], v0: [1] } }] };
    const result = profileRun({ document }, { ...environment, now: ticking() }, [moment, none]);
    if (!result.ok) throw new Error(result.error.message);
    const { steps, functions } = result.profile;
    expect(steps).toBe(80 + 40);
    const force = functions.filter((cost) => cost.function === 'pull');
    expect(force.map(({ isDerivative }) => isDerivative).sort()).toEqual([false, true]);
  });

  it('has nothing to say of a model without scripts', () => {
    const document = model([particle('ball', 1, 2)], [], { h: 0.125, tEnd: 1 });
    const result = profileRun({ document }, { ...environment, now: ticking() });
    expect(result).toEqual({ ok: true, profile: { steps: 0, functions: [] } });
  });

  it('tells why a model cannot be run', () => {
    const result = profileRun(
      { document: pulled('throw new Error("cold");') },
      { ...environment, now: ticking() },
    );
    if (result.ok) throw new Error('it was measured');
    expect(result.error).toMatchObject({ code: 'script-error', script: { line: 1 } });
  });
});
