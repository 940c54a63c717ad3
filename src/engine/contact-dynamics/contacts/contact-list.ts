/**
 * Contacts at a state, as detection gives them. Each has a place that it keeps as long as it persists, so
 * that its impulse of the last step is the guess of the next one.
 */

import { type ContactMaterial, createContactLaw } from '../../model/contact-laws/registry';
import type { Archived, StateArchive } from '../../state-archive';

/** numbers of a contact's geometry: point (3), normal (3), gap */
export const GEOMETRY = 7;

export interface ContactList {
  readonly count: number;
  /** by contact: place that persists */
  readonly places: Int32Array;
  /** by contact: 1 when its place has been given to it just now */
  readonly isNew: Uint8Array;
  /**
   * numbers of the first and of the second body, 2 by contact; −1 for what does not move, below it for
   * kinematic bodies that do (`numberOfKinematicBody`)
   */
  readonly bodies: Int32Array;
  /**
   * `GEOMETRY` numbers by contact in the world: the point, in the middle between both bodies, of contacts of
   * one face in one plane; the unit normal from the first body to the second; and the gap, m, negative where
   * they overlap
   */
  readonly geometry: Float64Array;
  /** by contact: number of the pair of materials, in the list of the simulation */
  readonly materials: Int32Array;
}

export interface ContactSource extends Archived {
  /**
   * Finds the contacts at positions q of all bodies, and poses of the kinematic bodies that move.
   * @param reach gap up to which they are wanted, m, where that is more than the margin
   * @returns null where a position is not finite
   */
  detect(q: Float64Array, kinematicBodies: Float64Array | null, reach?: number): ContactList | null;
  /**
   * how far shapes reach from the origins of bodies, and then of kinematic bodies, m; nowhere when left out
   */
  readonly radii?: Float64Array | undefined;
  /** gap up to which it finds contacts, m; any when left out */
  readonly margin?: number | undefined;
}

/**
 * What bonds remember: their intensity and how far their contact has slipped since they were made. By number
 * of a frame, or of a place.
 */
export class AdhesionState {
  /** β */
  intensity = new Float64Array(0);
  /** u_T in the world, 3 each, m */
  slip = new Float64Array(0);

  begin(at: number, intensity: number): void {
    this.#reserve(at);
    this.intensity[at] = intensity;
    this.slip.fill(0, 3 * at, 3 * at + 3);
  }

  exchange(archive: StateArchive): void {
    this.intensity = archive.array(this.intensity);
    this.slip = archive.array(this.slip);
  }

  /** Whether a bond is there and holds. */
  holds(at: number): boolean {
    return at >= 0 && at < this.intensity.length && this.intensity[at] > 0;
  }

  #reserve(at: number): void {
    if (at < this.intensity.length) return;
    const room = 2 * (at + 1);
    const intensity = new Float64Array(room);
    intensity.set(this.intensity);
    this.intensity = intensity;
    const slip = new Float64Array(3 * room);
    slip.set(this.slip);
    this.slip = slip;
  }
}

/*
 * Kinds of blocks of rows that a contact can have besides its own, and the one number that each needs of a
 * material.
 */

/**
 * Moments against rolling and against spinning (`moment-rows.ts`), and dissipative percussions
 * (`contact-laws/fremond-impact.ts`).
 */
export const [ROLLING, SPINNING, PERCUSSION] = [0, 1, 2] as const;
/** number of kinds */
export const KINDS = 3;

/** A moment row as one number: `KINDS` times that of its contact, a row or a frame, plus its kind. */
export const momentRowOf = (contact: number, kind: number): number => KINDS * contact + kind;
export const contactKindOf = (momentRow: number): number => momentRow % KINDS;
export const contactOf = (momentRow: number): number => (momentRow - (momentRow % KINDS)) / KINDS;

/** @returns μ_r and μ_s, m, and k, kg, by material, `KINDS` each; null where no material has any */
export function momentNumbers(materials: readonly ContactMaterial[]): Float64Array | null {
  const numbers = Float64Array.from(
    materials.flatMap((material) => [
      material.rolling ?? 0,
      material.spinning ?? 0,
      createContactLaw(material).percussion ?? 0,
    ]),
  );
  return numbers.some((number) => number > 0) ? numbers : null;
}
