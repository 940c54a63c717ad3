import type { MethodParams, MethodResults } from '@contract/methods';

type UnitMethod = 'units.convert' | 'units.choices';

/**
 * Conversions of units as the host makes them. Their library takes longer to load than most tests: it comes
 * when it is asked.
 */
export const unitMethods: { [M in UnitMethod]: (params: MethodParams<M>) => Promise<MethodResults[M]> } = {
  'units.convert': async ({ pairs }) => (await import('@engine/units/conversion')).convertUnits(pairs),
  'units.choices': async ({ unit }) => (await import('@engine/units/display')).unitChoices(unit),
};
