/**
 * The state that is integrated between events: coordinates q of all systems (first-order states among them), followed by
 * the velocities of the Lagrangian ones,
 *
 *     x = q | v,   x length = number of coordinates + degrees of freedom of Lagrangian systems.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';

export interface IntegratedPlaces {
  /** length of x */
  readonly size: number;
  /** number of coordinates */
  readonly coordinates: number;
  /** first coordinate of each system; one more entry at the end */
  readonly offsets: Int32Array;
  /** place in x of the velocity of each coordinate; of a first-order state, its own place */
  readonly velocity: Int32Array;
}

export function placeIntegrated({ systems }: NonSmoothDynamicalSystem): IntegratedPlaces {
  const offsets = new Int32Array(systems.length + 1);
  systems.forEach(({ form }, s) => (offsets[s + 1] = offsets[s] + form.size));
  const coordinates = offsets[systems.length];
  const velocity = new Int32Array(coordinates);
  let size = coordinates;
  systems.forEach(({ form }, s) => {
    for (let dof = offsets[s]; dof < offsets[s + 1]; dof++) velocity[dof] = form.order === 2 ? size++ : dof;
  });
  return { size, coordinates, offsets, velocity };
}
