/** Bonds of the active contacts in a step: their intensity, what they pull with, and what becomes of them when the step is done (`laws/adhesive.ts`). */
import type { ActiveFrames } from './active-frames';
import type { ContactFrames } from './contact-frames';
import { type ContactList, GEOMETRY } from './contact-list';
import type { ContactLaw } from './laws/contact-law';
import type { Obstacles } from './obstacles';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;

export class AdhesionTerms {
  /** β of the step by row of a contact; zero without a bond */
  intensity = new Float64Array(0);
  readonly #local = new Float64Array(3);
  readonly #world = new Float64Array(3);
  #velocity = new Float64Array(0);

  /** @param h s @param obstacles null where none moves */
  constructor(
    private readonly laws: readonly ContactLaw[],
    private readonly active: ActiveFrames,
    private readonly h: number,
    private readonly obstacles: Obstacles | null,
  ) {}

  /** Writes what the bonds pull with over the step, h C β² u, 3 by row. @returns whether there is any */
  pull(contacts: ContactList, frames: ContactFrames, out: Float64Array): boolean {
    const { active, laws, h } = this;
    const { adhesion: state, contactCount } = active;
    if (this.intensity.length < contactCount) this.intensity = new Float64Array(2 * contactCount);
    let pulls = false;
    const slip = this.#local;
    for (let row = 0; row < contactCount; row++) {
      this.intensity[row] = 0;
      const { adhesion } = laws[contacts.materials[active.contacts[row]]];
      const frame = active.frames[row];
      if (adhesion === undefined || !state.holds(frame)) continue;
      frames.toLocal(row, state.slip, DIMENSION * frame, slip, 0);
      const gap = contacts.geometry[GEOMETRY * active.contacts[row] + GAP];
      const squared = slip[1] * slip[1] + slip[2] * slip[2];
      const intensity = adhesion.evolve(state.intensity[frame], gap, squared, h);
      this.intensity[row] = intensity;
      const held = h * intensity * intensity;
      out[DIMENSION * row] = held * adhesion.normal * Math.max(0, gap);
      for (let a = 1; a < DIMENSION; a++) out[DIMENSION * row + a] = held * adhesion.tangential * slip[a];
      pulls = true;
    }
    return pulls;
  }

  /** Takes over β and the slip of the step that has been done. @param u u⁺ of all bodies */
  commit(frames: ContactFrames, u: Float64Array): void {
    const { adhesion: state, contactCount } = this.active;
    if (this.#velocity.length < DIMENSION * frames.count)
      this.#velocity = new Float64Array(2 * DIMENSION * frames.count);
    frames.measure(u, this.#velocity);
    this.obstacles?.addTo(this.#velocity, contactCount);
    const moved = this.#world;
    for (let row = 0; row < contactCount; row++) {
      const frame = this.active.frames[row];
      if (!state.holds(frame)) continue;
      state.intensity[frame] = this.intensity[row];
      this.#velocity[DIMENSION * row] = 0;
      frames.toWorld(row, this.#velocity, DIMENSION * row, moved, 0);
      for (let i = 0; i < DIMENSION; i++) state.slip[DIMENSION * frame + i] += this.h * moved[i];
    }
  }
}
