import type { MethodHandlers } from '../context';

/** Methods on units, which need no document. The library of units is loaded by the first of them. */
export const unitMethods: MethodHandlers<'units.convert' | 'units.choices'> = {
  'units.convert': async (_context, { pairs }) => {
    const { convertUnits } = await import('@engine/units/conversion');
    return convertUnits(pairs);
  },
  'units.choices': async (_context, { unit }) => {
    const { unitChoices } = await import('@engine/units/display');
    return unitChoices(unit);
  },
};
