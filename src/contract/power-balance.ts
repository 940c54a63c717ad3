/**
 * Mean powers of the devices of a circuit: what sources deliver, what each of the others takes, and how much
 * of it reaches a load. The sum over all devices is zero, by Tellegen’s theorem: what is left tells of
 * rounding, or of a device that is not recorded.
 */

export interface DevicePower {
  readonly element: string;
  /** mean of the power that it takes, W; negative of one that delivers */
  readonly power: number;
}

interface PowerBalance {
  /** the largest first */
  readonly devices: readonly DevicePower[];
  /** by those that deliver, W */
  readonly delivered: number;
  /** sum over all devices, W */
  readonly balance: number;
  /** what reaches the load, of what is delivered; null without a load or without power */
  readonly efficiency: number | null;
  /** what is delivered and does not reach the load, W; null without one */
  readonly losses: number | null;
}

/** Signals that are powers of devices, by their names. */
export const powerSignals = (
  signals: readonly {
    readonly name: string;
    readonly unit: string;
    readonly kind: string;
    readonly element?: string;
  }[],
): { name: string; element: string }[] =>
  signals.flatMap(({ name, unit, kind, element }) =>
    kind === 'component' && unit === 'W' && element !== undefined && name === `${element}.p`
      ? [{ name, element }]
      : [],
  );

/** @param loads elements that the power is for; the one that takes most where they are left out */
export function powerBalance(
  powers: readonly DevicePower[],
  loads: readonly string[] | null,
): PowerBalance & { readonly loads: readonly string[] } {
  const devices = powers.toSorted((a, b) => Math.abs(b.power) - Math.abs(a.power));
  const delivered = devices.reduce((sum, { power }) => sum - Math.min(0, power), 0);
  const balance = powers.reduce((sum, { power }) => sum + power, 0);
  const first = devices.find(({ power }) => power > 0)?.element;
  const served = loads ?? (first === undefined ? [] : [first]);
  const useful = devices.reduce(
    (sum, { element, power }) => (served.includes(element) ? sum + power : sum),
    0,
  );
  const isKnown = served.length > 0 && delivered > 0;
  return {
    ...{ devices, delivered, balance, loads: served },
    efficiency: isKnown ? useful / delivered : null,
    losses: isKnown ? delivered - useful : null,
  };
}
