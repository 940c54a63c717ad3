/** The certificate works out by itself which interactions are there. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { PresenceRule } from '@engine/model/settings/presences';
import type { TimeSteppingSettings } from '@engine/time-stepping/setup';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { presenceMutations, type TimeLoopMutation } from '../mutants/time-loop-mutations';
import * as forms from '../support/forms';
import { ball, settingsFor, start } from '../support/live';

afterEach(() => {
  for (const { module } of presenceMutations) vi.doUnmock(module);
  vi.resetModules();
});

/** There while sin 2πt is not negative, back at ½. */
const rule = (id: string, first: number): PresenceRule => ({
  id,
  name: id,
  interaction: 0,
  first,
  end: first + 1,
  hysteresis: 0.5,
  isAtStart: true,
  latch: null,
  unless: -1,
  lawSignal: null,
  timed: null,
  affine: null,
  evaluate: (row, out) => {
    out[0] = Math.sin(2 * Math.PI * row[0]);
  },
});

/** A weight on a thread, and a relay, which come and go. */
const constraint: Interaction['law'] = {
  ...forms.impact(0),
  type: 'test',
  rows: [{ kind: 'box', lower: -Infinity, upper: Infinity }],
  restitution: null,
};
const hung: NonSmoothDynamicalSystem = {
  systems: [ball('weight', 0)],
  interactions: [
    {
      id: 'thread',
      systems: [0],
      relation: { ...forms.lagrangianRelation([[1]]), type: 'test' },
      law: constraint,
    },
  ],
};
const switched: NonSmoothDynamicalSystem = {
  systems: [forms.system('x', forms.linearFirstOrder([[-1]], [0], { b: [2] }))],
  interactions: [forms.interaction('relay', [0], forms.linearRelation([[1]], [[-1]]), forms.relay())],
};
/** A diode, and a resistance that comes and goes. */
const parts: NonSmoothDynamicalSystem = {
  systems: switched.systems,
  interactions: [
    forms.interaction(
      'parts',
      [0],
      forms.linearRelation([[-1], [1]], [[-1, 1]], {
        D: [
          [1, 0],
          [0, 1],
        ],
        e: [1, 0],
      }),
      {
        ...forms.complementarity(),
        size: 2,
        rows: [...forms.complementarity().rows, ...forms.equality().rows],
      },
    ),
  ],
};
const settings = (integrator: ReturnType<typeof forms.moreauJean>, first = 0): TimeSteppingSettings =>
  settingsFor([integrator], 1e-2, { presence: [rule('one', first)] });
const cases = {
  hung: [hung, settings(forms.moreauJean([0]))],
  switched: [switched, settings(forms.eulerMoreau([0], 0.5, 0.5))],
  parts: [parts, settings(forms.eulerMoreau([0], 0.5, 0.5), 1)],
} as const;

/** The worst residual of two periods. */
function worst(simulation: TimeStepping): number {
  for (let k = 0; k < 200; k++) simulation.advance();
  const { dynamics, complementarity } = simulation.certificate.report;
  return Math.max(dynamics, complementarity);
}

describe('the certificate of interactions that come and go', () => {
  it('is satisfied to rounding', () => {
    for (const [model, given] of Object.values(cases)) {
      const simulation = start(model, given);
      expect(worst(simulation)).toBeLessThan(1e-12);
      expect(simulation.state.includes(0)).toBe(true);
    }
  });

  it.each(presenceMutations)(
    'objects to a time loop that $error',
    async ({ module, name }: TimeLoopMutation) => {
      vi.resetModules();
      vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
      const live = await import('../support/live');
      const found = Object.values(cases).map(([model, given]) => worst(live.start(model, given)));
      expect(Math.max(...found)).toBeGreaterThan(1e-3);
    },
  );
});
