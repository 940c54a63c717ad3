/** A shape keeps its size when it becomes another. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import type { TypedElement } from '@engine/document/types';
import { reshaped } from '@renderer/document/shape-size';

const { shapes } = catalogue();

function become(shape: TypedElement, type: string): TypedElement {
  const of = (name: string): (typeof shapes)[number] | undefined => shapes.find((one) => one.type === name);
  const next = of(type);
  if (next === undefined) throw new Error(`no shape ${type}`);
  return reshaped(shape, next, of(shape.type));
}

describe('a shape that becomes another', () => {
  const box: TypedElement = { type: 'Box', size: [0.4, 0.2, 1] };

  it('fits into the box it was', () => {
    expect(become(box, 'Sphere')).toEqual({ type: 'Sphere', radius: 0.1 });
    expect(become(box, 'Cylinder')).toEqual({ type: 'Cylinder', radius: 0.1, height: 1 });
    expect(become(box, 'Capsule')).toEqual({ type: 'Capsule', radius: 0.1, length: 0.8 });
  });

  it('is as long as it was, round ends included', () => {
    expect(become({ type: 'Capsule', radius: 0.1, length: 0.8 }, 'Box')).toEqual({
      type: 'Box',
      size: [0.2, 0.2, 1],
    });
    // Between the round ends of a rod there is a length, however short the shape has been.
    expect(become({ type: 'Sphere', radius: 0.1 }, 'Capsule')).toEqual({
      type: 'Capsule',
      radius: 0.05,
      length: 0.1,
    });
  });

  it('stays where it is and as it is turned', () => {
    const placed = { ...box, position: [1, 'a', 0], orientation: [1, 1, 0, 0] };
    expect(become(placed, 'Sphere')).toEqual({
      type: 'Sphere',
      radius: 0.1,
      position: [1, 'a', 0],
      orientation: [1, 1, 0, 0],
    });
  });

  it('keeps an expression where the new one has a field for it, and starts afresh where it has none', () => {
    expect(become({ type: 'Sphere', radius: 'r' }, 'Cylinder')).toEqual({
      type: 'Cylinder',
      radius: 'r',
      height: 0.2,
    });
    expect(become({ type: 'Box', size: ['a', 1, 1] }, 'Sphere')).toEqual({ type: 'Sphere', radius: 0.1 });
  });
});
