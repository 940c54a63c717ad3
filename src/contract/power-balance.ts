/**
 * Mean powers of the devices of a circuit: what sources deliver, what each of the others takes, and how much
 * of it reaches a load. The sum over all devices is zero, by Tellegen’s theorem: what is left tells of
 * rounding, or of a device that is not recorded.
 */

import type { SignalInfo } from '@engine/document/types';

export interface DevicePower {
  readonly element: string;
  /** mean of the power that it takes, W; negative of one that delivers */
  readonly power: number;
  /** by how much that may be off because rows are far apart, W */
  readonly error: number;
  /** whether it gives back what it takes: its mean is zero over a period */
  readonly stores: boolean;
}

interface PowerBalance {
  /** the largest first */
  readonly devices: readonly DevicePower[];
  /** by those that deliver and do not store, W */
  readonly delivered: number;
  /** taken by those that store, W: zero over a period */
  readonly stored: number;
  /** sum over all devices, W */
  readonly balance: number;
  /** what reaches the load, of what is delivered; null without a load or without power */
  readonly efficiency: number | null;
  /** by how much that may be off, because rows are far apart or because what is stored changes */
  readonly efficiencyError: number | null;
  /** what is delivered and neither stored nor reaches the load, W; null without one */
  readonly losses: number | null;
}

/** Signals that are powers of devices; what a meter reads is the power of others. */
export const powerSignals = (
  signals: readonly Pick<SignalInfo, 'name' | 'element' | 'power'>[],
): { name: string; element: string; stores: boolean }[] =>
  signals.flatMap(({ name, element, power }) =>
    power !== undefined && element !== undefined ? [{ name, element, stores: power === 'stored' }] : [],
  );

/** Of a difference of what is larger, rounding is nothing. */
const withoutNoise = (difference: number, of: number): number =>
  Math.abs(difference) < 1e-13 * of ? 0 : difference;

/** @param loads elements that the power is for; the one that takes most where they are left out */
export function powerBalance(
  powers: readonly DevicePower[],
  loads: readonly string[] | null,
): PowerBalance & { readonly loads: readonly string[] } {
  const devices = powers.toSorted((a, b) => Math.abs(b.power) - Math.abs(a.power));
  const sum = (of: (device: DevicePower) => number): number =>
    devices.reduce((total, device) => total + of(device), 0);
  const delivers = ({ power, stores }: DevicePower): boolean => power < 0 && !stores;
  const delivered = sum((device) => (delivers(device) ? -device.power : 0));
  const stored = sum(({ power, stores }) => (stores ? power : 0));
  const first = devices.find(({ power, stores }) => power > 0 && !stores)?.element;
  const served = loads ?? (first === undefined ? [] : [first]);
  const useful = sum(({ element, power }) => (served.includes(element) ? power : 0));
  const isKnown = served.length > 0 && delivered > 0;
  const off =
    Math.abs(stored) +
    sum((device) => (served.includes(device.element) || delivers(device) ? device.error : 0));
  return {
    ...{ devices, delivered, stored, loads: served },
    balance: sum(({ power }) => power),
    efficiency: isKnown ? useful / delivered : null,
    efficiencyError: isKnown ? off / delivered : null,
    losses: isKnown ? withoutNoise(delivered - stored - useful, delivered) : null,
  };
}
