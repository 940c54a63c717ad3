/** What bonds remember: their intensity and how far their contact has slipped since they were made. By number of a frame, or of a place. */
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
