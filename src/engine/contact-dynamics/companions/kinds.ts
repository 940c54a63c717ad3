/** Kinds of blocks of rows that a contact can have besides its own, and the one number that each needs of a material. */
import type { ContactMaterial } from '../contact-list';

/** Moments against rolling and against spinning (`moment.ts`), and dissipative percussions (`percussion.ts`). */
export const [ROLLING, SPINNING, PERCUSSION] = [0, 1, 2] as const;
/** number of kinds */
export const KINDS = 3;

/** A companion as one number: `KINDS` times that of its contact, a row or a frame, plus its kind. */
export const companionOf = (contact: number, kind: number): number => KINDS * contact + kind;
export const kindOf = (companion: number): number => companion % KINDS;
export const contactOf = (companion: number): number => (companion - (companion % KINDS)) / KINDS;

/** @returns μ_r and μ_s, m, and k, kg, by material, `KINDS` each; null where no material has any */
export function companionNumbers(materials: readonly ContactMaterial[]): Float64Array | null {
  const numbers = Float64Array.from(
    materials.flatMap((material) => [
      material.rolling ?? 0,
      material.spinning ?? 0,
      material.kind === 'percussion' ? material.viscosity : 0,
    ]),
  );
  return numbers.some((number) => number > 0) ? numbers : null;
}
