/**
 * ẏ = C v that is not the rate of y is seen; bends of y, and steps that are too long for it, are no defect.
 */
import { GradientCheck } from '@engine/event-driven/certificate/row-check';
import { LinkedRows } from '@engine/event-driven/certificate/linked-rows';
import type { RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';

const clock = new Float64Array(1);

/** What the check finds at q = 0.3 with v = 2 for an output of one coordinate and a speed. */
function defectOf(h: (q: number) => number, speed: number, delta = 1e-3): number {
  const relation: RelationForm = {
    ...lagrangianRelation([[1]]),
    C: null,
    isAffine: false,
    rows: [{ name: 'gap', unit: 'm' }],
    output: (_, z, __, out) => (out[0] = h(z[0])),
  };
  const model: NonSmoothDynamicalSystem = {
    systems: [system('ball', linearLagrangian([0.3], [2], [[1]]))],
    interactions: [interaction('ground', [0], relation, impact(0.5))],
  };
  const places = placeState(model);
  const check = new GradientCheck(model, new LinkedRows(model, places), delta);
  const row = new Float64Array(places.size);
  row[places.q] = 0.3;
  row[places.v] = 2;
  expect(check.look(0, clock, row)).toBe(true);
  return check.defect(0, speed);
}

describe('the gradient of an output', () => {
  it('passes, and one that is off by a millionth does not', () => {
    const speed = 2 * Math.cos(0.3);
    expect(defectOf(Math.sin, speed)).toBeLessThan(1e-11);
    expect(defectOf(Math.sin, (1 + 1e-6) * speed, 1e-4)).toBeGreaterThan(1e-6);
    expect(defectOf(Math.sin, -speed)).toBeGreaterThan(1);
  });

  it('may be that of either side at a bend', () => {
    const bend = (q: number): number => Math.abs(q - 0.3);
    expect(defectOf(bend, 2)).toBe(0);
    expect(defectOf(bend, -2)).toBe(0);
  });

  it('is not judged where steps are too long for the motion, or outputs jump', () => {
    expect(defectOf((q) => Math.sin(20 * q), 40 * Math.cos(6), 0.1)).toBe(0);
    expect(defectOf((q) => q + (q > 0.3 ? 1 : 0), 2)).toBe(0);
  });
});
