/**
 * Contacts with friction in simulations that are interrupted or change, and the names of what is recorded of
 * them.
 */
import { describe, expect, it } from 'vitest';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { LiveSimulation } from '@engine/time-stepping/live-simulation';
import { layoutState } from '@engine/preparation/layout';
import * as forms from '../support/forms';
import { settingsFor, start } from '../support/live';
import { brick, stack } from '../support/planar';
import { seeded } from '../support/random';

/** A stack that is thrown down: impacts, slides and sticks, with redundant contacts. */
function thrown(boxes: number): NonSmoothDynamicalSystem {
  const random = seeded(4);
  const model = stack({ boxes, mu: 0.4 });
  for (const { form } of model.systems)
    if (form.order === 2) for (let i = 0; i < form.size; i++) form.v0[i] = random.uniform(-0.5, 0.5);
  return model;
}

describe('a state with friction', () => {
  it('continues with the same bits, wherever it is taken', () => {
    const model = thrown(6);
    const settings = settingsFor([forms.moreauJean([0, 1, 2, 3, 4, 5])], 2e-3);
    const straight = start(model, settings);
    let interrupted = start(model, settings);
    const random = seeded(6);
    for (let k = 0; k < 400; k++) {
      straight.advance();
      interrupted.advance();
      if (random.chance(0.2))
        interrupted = start(model, settings, structuredClone(interrupted.exportState()));
      expect(interrupted.exportState()).toEqual(straight.exportState());
    }
    expect(straight.events).toBeGreaterThan(12);
  });

  it.each([
    [0, 0.5],
    [0.5, 0],
    [0.5, 0.1],
  ])('goes on when μ changes from %s to %s', (before, after) => {
    const slope = 0.3;
    const settings = settingsFor([forms.moreauJean([0])], 1e-3);
    const first = start(brick(slope, before), settings);
    for (let k = 0; k < 50; k++) first.advance();
    const { state: was, context } = first;
    const speed = was[context.v];
    const second = start(brick(slope, after), settings, first.exportState());
    for (let k = 0; k < 50; k++) second.advance();
    const sliding = 9.81 * (Math.sin(slope) - after * Math.cos(slope));
    // It slows down or stays where friction is larger than the slope, and is faster where it is less.
    const expected = Math.max(0, speed + 0.05 * sliding);
    expect(second.state[context.v]).toBeCloseTo(expected, 13);
    expect(second.certificate.report.complementarity).toBeLessThan(1e-12);
  });
});

describe('a live simulation', () => {
  it('goes on when a box is taken from under others', () => {
    const boxes = 3;
    const live = new LiveSimulation(
      stack({ boxes, mu: 0.5 }),
      settingsFor([forms.moreauJean([0, 1, 2])], 1e-3),
    );
    for (let k = 0; k < 20; k++) live.advance();
    live.removeSystem('box0', 'cascade');
    for (let k = 0; k < 100; k++) live.advance();
    const { state, context, certificate, rows } = live.simulation;
    expect(rows.count).toBe(4);
    // Both fall freely, one on the other.
    expect(state[context.v + 1]).toBeCloseTo(-0.981, 12);
    expect(state[context.v + 4]).toBeCloseTo(-0.981, 12);
    expect(certificate.report.complementarity).toBeLessThan(1e-10);
  });
});

describe('signals of a contact with friction', () => {
  it('are those of a gap and of a slip', () => {
    const { signals } = layoutState(brick(0.3, 0.5), [], []);
    const own = signals.filter(({ element }) => element === 'slope');
    expect(own.map(({ name, kind }) => [name, kind])).toEqual([
      ['slope.gap', 'gap'],
      ['slope.gapVelocity', 'gapVelocity'],
      ['slope.normalImpulse', 'impulse'],
      ['slope.slip', 'output'],
      ['slope.slipVelocity', 'outputVelocity'],
      ['slope.tangentialImpulse', 'impulse'],
    ]);
    expect(own.map(({ unit }) => unit)).toEqual(['m', 'm/s', 'N s', 'm', 'm/s', 'N s']);
    expect(own[5].description).toBe('Tangential impulse of slope');
  });

  it('number the contacts of an interaction, not its rows', () => {
    const { systems } = brick(0.3, 0.5);
    const rows = [
      [0, 1],
      [1, 0],
    ];
    const relation = forms.lagrangianRelation([...rows, ...rows]);
    const model = {
      systems,
      interactions: [forms.interaction('feet', [0], relation, forms.frictionImpact(0.2))],
    };
    const { signals, slotOf, y, lambda } = layoutState(model, [], []);
    const own = signals.filter(({ element }) => element === 'feet').map(({ name }) => name);
    expect(own.filter((name) => name.endsWith('[1]'))).toEqual(
      own.filter((name) => name.endsWith('[0]')).map((name) => name.replace('[0]', '[1]')),
    );
    expect(own).toHaveLength(12);
    expect(slotOf.get('feet.slip[1]')).toBe(y + 3);
    expect(slotOf.get('feet.normalImpulse[1]')).toBe(lambda + 2);
  });
});
