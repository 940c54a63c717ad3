/** How far the moments at contacts go: μ_r and μ_s of each material. */
import type { ContactMaterial } from './contact-list';

/** Kinds of moments: about the tangents, against rolling, and about the normal, against spinning. */
export const [ROLLING, SPINNING] = [0, 1] as const;
/** number of kinds */
export const MOMENTS = 2;

/** @returns lengths μ_r and μ_s by material, m, `MOMENTS` each; null where all are zero */
export function momentBounds(materials: readonly ContactMaterial[]): Float64Array | null {
  const bounds = Float64Array.from(materials.flatMap(({ rolling = 0, spinning = 0 }) => [rolling, spinning]));
  return bounds.some((bound) => bound > 0) ? bounds : null;
}
