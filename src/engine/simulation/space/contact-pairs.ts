/**
 * Which interaction holds where two shapes meet: of those that link both bodies the one that links the fewest. Bodies that belong to the
 * same interactions are one class, so that a pile of thousands under one law is one entry.
 */
import type { SpaceInteraction } from '../../model/space/space';
import type { PairMaterials } from '../../contact-dynamics/detected-contacts';

/** Two interactions that link the same two bodies and are equally large. */
export interface AmbiguousPair {
  readonly first: SpaceInteraction;
  readonly second: SpaceInteraction;
  /** positions of the bodies */
  readonly bodies: readonly [number, number];
}

export class ContactPairs implements PairMaterials {
  /** pairs of bodies that two interactions claim alike */
  readonly ambiguous: readonly AmbiguousPair[];
  readonly #classOf: Int32Array;
  readonly #classes: number;
  /** number of the interaction of contact by pair of classes */
  readonly #laws = new Map<number, number>();
  /** body of each shape, in the order of the shapes */
  readonly #bodyOf: Int32Array;

  /**
   * @param contacts interactions of contact, whose order numbers them
   * @param bodyOf position of the body of each shape
   */
  constructor(contacts: readonly SpaceInteraction[], bodies: number, bodyOf: readonly number[]) {
    this.#bodyOf = Int32Array.from(bodyOf);
    const memberships: string[] = Array.from({ length: bodies }, () => '');
    contacts.forEach((interaction, k) => {
      for (const body of interaction.bodies) memberships[body] += `${k} `;
    });
    const names = new Map<string, number>();
    this.#classOf = Int32Array.from(memberships, (name) => {
      const known = names.get(name) ?? names.size;
      names.set(name, known);
      return known;
    });
    this.#classes = names.size;
    this.ambiguous = this.#enter(contacts);
  }

  materialOf(firstShape: number, secondShape: number): number {
    const first = this.#classOf[this.#bodyOf[firstShape]];
    const second = this.#classOf[this.#bodyOf[secondShape]];
    return this.#laws.get(this.#key(first, second)) ?? -1;
  }

  #key(first: number, second: number): number {
    return first < second ? first * this.#classes + second : second * this.#classes + first;
  }

  #enter(contacts: readonly SpaceInteraction[]): AmbiguousPair[] {
    const clashes = new Map<number, AmbiguousPair>();
    contacts.forEach((interaction, k) => {
      const members = new Map<number, number[]>();
      for (const body of interaction.bodies) {
        const list = members.get(this.#classOf[body]) ?? [];
        if (list.length < 2) list.push(body);
        members.set(this.#classOf[body], list);
      }
      const classes = [...members.keys()];
      classes.forEach((one, i) => {
        for (const other of classes.slice(i)) {
          const pair = members.get(one) ?? [];
          if (one === other && pair.length < 2) continue;
          const key = this.#key(one, other);
          const rival = this.#laws.get(key);
          const size = interaction.bodies.length;
          const theirs = rival === undefined ? Infinity : contacts[rival].bodies.length;
          if (size < theirs) {
            this.#laws.set(key, k);
            clashes.delete(key);
          } else if (size === theirs && rival !== undefined) {
            const bodies: [number, number] = [
              pair[0],
              one === other ? pair[1] : (members.get(other)?.[0] ?? 0),
            ];
            clashes.set(key, { first: contacts[rival], second: interaction, bodies });
          }
        }
      });
    });
    return [...clashes.values()];
  }
}
