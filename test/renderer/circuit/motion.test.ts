/** Masses that move and inertias that turn on the canvas, whichever way their symbols stand. */
import { mount } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { componentTypes } from '@engine/model/components/registry';
import { componentLive } from '@renderer/graph/circuit/live-circuit';
import SymbolShape from '@renderer/graph/circuit/SymbolShape.vue';

const definitionOf = (type: string) => componentTypes.get(type)!.definition;
const LARGEST = { voltage: 0, current: 0, position: 0.5 };

const motionOf = (type: string, value: number) =>
  componentLive('m', definitionOf(type), (name) => (/\.(?:x|phi)$/.test(name) ? value : 0), LARGEST)?.motion;

it('is a share of the largest displacement, and an angle', () => {
  expect(motionOf('Mass', -0.25)).toEqual({ shift: -0.5 });
  expect(motionOf('Inertia', 2)).toEqual({ angle: 2 });
  expect(motionOf('Spring', 0.25)).toBeUndefined();
  expect(componentLive('m', definitionOf('Mass'), () => 0, { ...LARGEST, position: 0 })?.motion).toEqual({
    shift: 0,
  });
});

it.each([
  [{}, 7.5],
  [{ mirrored: true }, -7.5],
  [{ turns: 2 }, -7.5],
  // Turned clockwise once, the axis of the symbol points down; a positive displacement is upwards.
  [{ turns: 1 }, -7.5],
  [{ turns: 3 }, 7.5],
  [{ turns: 1, mirrored: true }, 7.5],
])('shifts the body to the right or upwards in a symbol %o', (place, along) => {
  const { symbol } = definitionOf('Mass');
  const shape = mount(SymbolShape, { props: { symbol, ...place, motion: { shift: 0.5 } } });
  expect(shape.get('.body').attributes('transform')).toBe(`translate(${along.toFixed(1)} 0)`);
});

it('turns a mark over an inertia, which passes behind it', () => {
  const { symbol } = definitionOf('Inertia');
  const mark = (angle: number) =>
    mount(SymbolShape, { props: { symbol, motion: { angle } } })
      .findAll('path')
      .at(-1)!;
  expect(mark(Math.PI / 2).attributes('d')).toBe('M-10 -21H10');
  expect(mark(0.5).classes()).not.toContain('behind');
  expect(mark(Math.PI - 0.5).classes()).toContain('behind');
  const still = mount(SymbolShape, { props: { symbol } });
  expect(still.findAll('path')).toHaveLength(symbol?.lines.length);
});
