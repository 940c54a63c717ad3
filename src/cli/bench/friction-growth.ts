/**
 * How the cost of a sweep of Gauss–Seidel grows with the contacts, and what the automatic choice of a
 * friction solver tried, in short.
 */
import type { Measurement } from './benchmark';
import { exponent } from './growth';

/** Of one problem of a family `FAMILY-CONTACTS`. */
export interface SweepCost {
  readonly name: string;
  readonly contacts: number;
  /** time of a solve over its sweeps, ns */
  readonly time: number;
}

/** p in t ~ N^p for each family that was measured at two sizes at least. */
export function sweepGrowth(costs: readonly SweepCost[]): Measurement[] {
  const families = new Map<string, { size: number; time: number }[]>();
  for (const { name, contacts, time } of costs) {
    const family = name.slice(0, name.lastIndexOf('-'));
    families.set(family, [...(families.get(family) ?? []), { size: contacts, time }]);
  }
  return [...families].flatMap(([family, points]) => {
    if (points.length < 2) return [];
    const sizes = points.map(({ size }) => size);
    const range = `N = ${Math.min(...sizes)} … ${Math.max(...sizes)}`;
    return [{ quantity: `${family}: p in ns/sweep ~ N^p, ${range}`, value: exponent(points), unit: '' }];
  });
}

/**
 * Names of the solvers that were tried, in their order.
 * @param reason of the automatic choice, “name: residual … after …; …”
 */
export const triedIn = (reason: string): string =>
  [...reason.matchAll(/([^\s;:]+): residual/g)].map(([, name]) => name).join(', then ');
