/** What gestures make of the part of a plane that is seen. */
import { inModelUnits, planeAfter, valuesAt } from '@renderer/dashboard/plane/plane-view';
import { describe, expect, it } from 'vitest';

const PLANE = { x: { min: 0, max: 10 }, y: { min: -2, max: 2 } };
const WHOLE: [number, number] = [0, 1];

describe('a plane of two signals', () => {
  it('is zoomed as a whole by the wheel, about the pointer', () => {
    const next = planeAfter(PLANE, { x: [0.25, 0.75], y: WHOLE }, { x: 0.5, y: 0 }, false);
    expect(next).toEqual({ x: { min: 2.5, max: 7.5 }, y: { min: -2, max: 0 } });
    expect(planeAfter(PLANE, { x: [0.25, 0.75], y: WHOLE }, null, false)?.y).toEqual({ min: -1, max: 1 });
  });

  it('is moved along one axis, and takes a box as it is', () => {
    expect(planeAfter(PLANE, { x: [0.1, 1.1], y: WHOLE }, { x: 0, y: 0 }, false)).toEqual({
      x: { min: 1, max: 11 },
      y: PLANE.y,
    });
    expect(planeAfter(PLANE, { x: [0, 0.5], y: WHOLE }, null, true)?.y).toEqual(PLANE.y);
  });

  it('stays as it is where its numbers would run out of digits', () => {
    const narrow = { x: { min: 1, max: 1 + 1e-11 }, y: PLANE.y };
    expect(planeAfter(narrow, { x: [0.49, 0.51], y: WHOLE }, null, false)).toBeNull();
  });

  it('is given in the units of the model', () => {
    const units = { x: { unit: 'mm', factor: 1000 }, y: { unit: 'm', factor: 1 } };
    expect(inModelUnits(PLANE, units)).toEqual({ xMin: 0, xMax: 0.01, yMin: -2, yMax: 2 });
    expect(valuesAt(PLANE, { x: 0.5, y: 0.25 })).toEqual([5, -1]);
  });
});
