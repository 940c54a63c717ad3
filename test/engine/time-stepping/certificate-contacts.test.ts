/** The certificate works out itself which contacts take part and what restitution compares with. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { ContactCheck } from '@engine/time-stepping/certificate/contacts';
import type { TimeSteppingSettings } from '@engine/time-stepping/setup';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';
import { ball, column, schatzmanPaoli, settingsFor, start } from '../support/live';
import {
  alwaysMutation,
  contactMutations,
  positionMutation,
  type TimeLoopMutation,
  writtenMutations,
} from '../mutants/time-loop-mutations';

afterEach(() => {
  vi.doUnmock(alwaysMutation.module);
  for (const { module } of [...contactMutations, positionMutation]) vi.doUnmock(module);
  vi.resetModules();
});

/** A simulation whose time loop has an error. */
async function mutated(
  { module, name }: TimeLoopMutation,
  model: NonSmoothDynamicalSystem,
  settings: TimeSteppingSettings,
): Promise<TimeStepping> {
  vi.resetModules();
  vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
  const live = await import('../support/live');
  return live.start(model, settings);
}

/** The worst residual of the laws after some steps. */
function complementarity(simulation: TimeStepping, steps: number): number {
  for (let k = 0; k < steps; k++) simulation.advance();
  return simulation.certificate.report.complementarity;
}

const floor = forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(0.8));
const bouncing: NonSmoothDynamicalSystem = { systems: [ball('ball', 0.3)], interactions: [floor] };
/** The loop is kept general, where the mutants are. */
const settings = (
  integrator: AssignedIntegrator,
  options: Partial<TimeSteppingSettings> = {},
): TimeSteppingSettings => settingsFor([integrator], 1e-3, { loop: 'general', ...options });
const byForecast = settings(forms.moreauJean([0]));
const always = settings(forms.moreauJean([0], 0.5, { activation: 'always' }));
const onPositions = settings(schatzmanPaoli([0]));
const controlled = settings(forms.moreauJean([0]), {
  tEnd: 1,
  stepControl: { tolerance: 1e-5, hMin: 1e-5, hMax: 1e-2 },
});

describe('a time loop without error', () => {
  it.each([
    ['by forecast', byForecast],
    ['always', always],
    ['on positions', onPositions],
  ])('satisfies the laws to rounding: contacts taking part %s', (_, given) => {
    const simulation = start(bouncing, given);
    expect(complementarity(simulation, 1500)).toBeLessThan(1e-14);
    expect(Math.max(simulation.events, simulation.state.at(-2) ?? 0)).toBeGreaterThan(0);
  });

  it('satisfies them with steps that are repeated', () => {
    const simulation = start(bouncing, controlled);
    while (!simulation.isAtEnd) simulation.advance();
    expect(simulation.rejectedSteps).toBeGreaterThan(10);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-14);
  });
});

describe('a time loop that', () => {
  it.each(contactMutations)('$error is found out', async (mutation) => {
    expect(complementarity(await mutated(mutation, bouncing, byForecast), 1500)).toBeGreaterThan(1e-2);
  });

  it.each(contactMutations)('$error is found out when steps are repeated', async (mutation) => {
    const simulation = await mutated(mutation, bouncing, controlled);
    while (!simulation.isAtEnd) simulation.advance();
    expect(simulation.rejectedSteps).toBeGreaterThan(10);
    expect(simulation.certificate.report.complementarity).toBeGreaterThan(1e-3);
  });

  it.each(writtenMutations)('$error is found out when the step is written out', async (mutation) => {
    const settings = settingsFor([forms.moreauJean([0])], 1e-3, { loop: 'straight-line' });
    const simulation = await mutated(mutation, bouncing, settings);
    expect(complementarity(simulation, 1500)).toBeGreaterThan(1e-2);
    expect(simulation.loop).toBe('straight-line');
  });

  it(`${alwaysMutation.error} is found out`, async () => {
    expect(complementarity(await mutated(alwaysMutation, bouncing, always), 10)).toBeGreaterThan(1e-2);
  });

  it(`${positionMutation.error} is found out`, async () => {
    const simulation = await mutated(positionMutation, bouncing, onPositions);
    expect(complementarity(simulation, 1500)).toBeGreaterThan(1e-3);
  });

  it('goes wrong only after a state was taken and restored is found out', async () => {
    const simulation = start(bouncing, byForecast);
    for (let k = 0; k < 200; k++) simulation.advance();
    const [mutation] = contactMutations;
    vi.resetModules();
    vi.doMock(mutation.module, () => import(/* @vite-ignore */ `${mutation.module}?mutant=${mutation.name}`));
    const live = await import('../support/live');
    const restored = live.start(bouncing, byForecast, simulation.exportState());
    expect(complementarity(restored, 0)).toBeLessThan(1e-14);
    expect(complementarity(restored, 1000)).toBeGreaterThan(1e-2);
  });
});

describe('contacts whose gap is zero to rounding', () => {
  it('raise no alarm in a column at rest, whichever of them take part', () => {
    const count = 30;
    const systems = Array.from({ length: count }, (_, k) => k);
    const simulation = start(column(count, 0, 0), settingsFor([forms.moreauJean(systems)], 1e-2));
    expect(complementarity(simulation, 2000)).toBeLessThan(1e-12);
  });

  it('raise no alarm where their own impulse parts them by its rounding', () => {
    // Points pressed on each other at zero, where nothing cancels in the gaps.
    const count = 6;
    const pressed = Array.from({ length: count }, (_, k) =>
      forms.linearLagrangian([0], [0], [[0.3 + 0.1 * k]], { force: [k === count - 1 ? -700 : -3] }),
    );
    const model = {
      systems: pressed.map((form, k) => forms.system(`point-${k}`, form)),
      interactions: pressed.map((_, k) =>
        k === 0
          ? forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(0))
          : forms.interaction(`gap-${k}`, [k - 1, k], forms.lagrangianRelation([[-1, 1]]), forms.impact(0)),
      ),
    };
    const simulation = start(model, settingsFor([forms.moreauJean(pressed.map((_, k) => k))], 1e-2));
    let parted = 0;
    for (let k = 0; k < 500; k++) {
      simulation.advance();
      const { certificate } = simulation.exportState();
      const gaps = simulation.state.subarray(1 + 2 * count, 1 + 3 * count);
      if (gaps.some((gap, row) => gap > 1e-14 * certificate.gapMagnitude[row])) parted++;
    }
    expect(parted).toBeGreaterThan(100);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });

  it('are measured by the inertia of a body whose mass matrix is a function', () => {
    const light = forms.linearLagrangian([0], [0], [[2e-6]], { force: [-2e-5] });
    const simulation = start(
      {
        systems: [forms.system('light', { ...light, linear: null, constantMass: null })],
        interactions: [forms.interaction('table', [0], forms.lagrangianRelation([[1]]), forms.impact(0))],
      },
      settingsFor([forms.moreauJean([0])], 1e-2),
    );
    for (let k = 0; k < 10; k++) simulation.advance();
    // At rest the impulse makes up for what gravity adds to the velocity in a step.
    expect(simulation.exportState().certificate.push[0]).toBeCloseTo(0.1, 10);
  });

  const judged = (gap: number, gapVelocity: number, magnitude: number, push: number): number[] => {
    const contacts = new ContactCheck(bouncing, Uint8Array.of(1), () => byForecast.integrators[0]);
    contacts.gap[0] = gap;
    contacts.gapVelocity[0] = gapVelocity;
    contacts.magnitude[0] = magnitude;
    return [0, 1].map((word) => {
      contacts.judge(Uint8Array.of(word), Float64Array.of(1e-3), Float64Array.of(push));
      return contacts.active[0];
    });
  };
  const [OPEN, CLOSED, AS_TOLD] = [
    [0, 0],
    [1, 1],
    [0, 1],
  ];

  it.each<[string, number[], number[]]>([
    ['open', [1e-12, 0, 1, 0], OPEN],
    ['closed', [-1e-12, 0, 1, 0], CLOSED],
    ['open by a forecast', [1e-6, -1e-3, 1, 0], OPEN],
    ['closed by a forecast', [1e-6, -3e-3, 1, 0], CLOSED],
    ['left to the loop within rounding', [1e-15, 0, 1, 0], AS_TOLD],
    ['left to the loop within rounding below zero', [-1e-15, 0, 1, 0], AS_TOLD],
    ['left to the loop where large numbers cancel', [1e-12, 0, 1e3, 0], AS_TOLD],
    ['left to the loop where it pushed and rests', [1e-12, 1e-12, 1, 0.1], AS_TOLD],
    ['open where it pushed and moves', [1e-12, 1e-9, 1, 0.1], OPEN],
    ['open where it pushed, rests and is too far', [1e-9, 1e-12, 1, 0.1], OPEN],
    ['open where it rests and did not push', [1e-12, 0, 1, 0], OPEN],
  ])('are %s', (_, [gap, velocity, magnitude, push], expected) => {
    expect(judged(gap, velocity, magnitude, push)).toEqual(expected);
  });

  it('have a margin that follows the bodies', () => {
    // Pressed together by 1 N while they fly to 10⁶ m: the gap has the rounding of where they are.
    const body = (id: string, q: number, force: number): ReturnType<typeof forms.system> =>
      forms.system(id, forms.linearLagrangian([q], [1e3], [[1]], { force: [force] }));
    const pair = {
      systems: [body('left', 0, 1), body('right', 1, -1)],
      interactions: [
        forms.interaction('between', [0, 1], forms.lagrangianRelation([[-1, 1]], [-1]), forms.impact(0)),
      ],
    };
    const simulation = start(pair, settingsFor([forms.moreauJean([0, 1])], 1e-2));
    const [before] = simulation.exportState().certificate.gapMagnitude;
    expect(before).toBeLessThan(100);
    for (let k = 0; k < 1e5; k++) simulation.advance();
    const { certificate } = simulation.exportState();
    expect(certificate.gapMagnitude[0] / 2e6).toBeCloseTo(1, 2);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });
});

describe('a contact of a relation that is not linear', () => {
  it('is judged where the body is, not where the step has looked for it', () => {
    // A bead thrown at the inside of a unit circle, y = 1 − |q|, by its own functions.
    const ring = {
      ...forms.lagrangianRelation([[0, 0]]),
      C: null,
      isAffine: false,
      output: (_clock: Float64Array, q: Float64Array, _lambda: Float64Array, out: Float64Array): void => {
        out[0] = 1 - Math.hypot(q[0], q[1]);
      },
      outputJacobians: (
        _clock: Float64Array,
        q: Float64Array,
        _lambda: Float64Array,
        outC: Float64Array,
      ): void => {
        const r = Math.hypot(q[0], q[1]);
        outC[0] = -q[0] / r;
        outC[1] = -q[1] / r;
      },
    };
    const bead = forms.linearLagrangian(
      [0.3, 0],
      [1, 2],
      [
        [1, 0],
        [0, 1],
      ],
      { force: [0, -9.81] },
    );
    const simulation = start(
      {
        systems: [forms.system('bead', bead)],
        interactions: [forms.interaction('ring', [0], ring, forms.impact(0.5))],
      },
      settingsFor([forms.moreauJean([0])], 1e-3),
    );
    expect(complementarity(simulation, 3000)).toBeLessThan(1e-12);
    expect(simulation.events).toBeGreaterThan(3);
  });
});
