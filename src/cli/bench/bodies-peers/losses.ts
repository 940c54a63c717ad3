/**
 * What a step loses, told from the poses and velocities of the bodies alone, by the same code for all
 * engines: overlaps as this engine's detection measures them, how far a tower has sunk and leaned, what
 * has slid where friction holds, and energy that has come from nowhere.
 */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { plane } from '@engine/model/shapes/plane';
import { type Scene, inertiaOf, shapeOf } from './scenes';

/** m: overlaps are asked for, gaps are not */
const MARGIN = 1e-3;

export interface Losses {
  /** deepest overlap at a look, m */
  overlap: number;
  /** rise of the energy above that of the start, relative to what the start has above the ground */
  gain: number;
  /** how far the highest body stands below its place on the others at the end, and beside it, m */
  sunk: number;
  drift: number;
  /** way of the first body along the plane, m */
  slip: number;
}

export class LossMeter {
  readonly losses: Losses = { overlap: 0, gain: 0, sunk: 0, drift: 0, slip: 0 };
  readonly poses: Float64Array;
  readonly velocities: Float64Array;
  readonly #source: DetectedContacts;
  readonly #start: number;

  constructor(private readonly scene: Scene) {
    const { bodies } = scene;
    this.poses = new Float64Array(7 * bodies.length);
    this.velocities = new Float64Array(6 * bodies.length);
    const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
    detection.add(GROUND, plane([0, 0, 1]));
    bodies.forEach((body, k) => detection.add(k, shapeOf(body)));
    this.#source = new DetectedContacts(detection, { materialOf: () => 0 });
    bodies.forEach(({ position }, k) => {
      this.poses.set([...position, 1, 0, 0, 0], 7 * k);
    });
    this.#start = this.#energy();
  }

  /** Takes in poses and velocities, which stand in the fields. */
  look(): void {
    const { losses, poses, scene } = this;
    const contacts = this.#source.detect(poses);
    if (contacts === null) throw new Error('bodies are nowhere');
    for (let c = 0; c < contacts.count; c++)
      losses.overlap = Math.max(losses.overlap, -contacts.geometry[GEOMETRY * c + GEOMETRY - 1]);
    losses.gain = Math.max(losses.gain, (this.#energy() - this.#start) / this.#start);
    const { bodies } = scene;
    const last = 7 * (bodies.length - 1);
    const height = bodies.reduce((sum, { size }) => sum + 2 * size, 0) - bodies[bodies.length - 1].size;
    losses.sunk = height - poses[last + 2];
    losses.drift = Math.hypot(poses[last] - poses[0], poses[last + 1] - poses[1]);
    const [x, y] = bodies[0].position;
    losses.slip = Math.hypot(poses[0] - x, poses[1] - y);
  }

  #energy(): number {
    const { poses, velocities, scene } = this;
    const [gx, gy, gz] = scene.gravity;
    let sum = 0;
    scene.bodies.forEach((body, k) => {
      const { mass, inertia } = inertiaOf(body);
      const [x, y, z] = poses.subarray(7 * k, 7 * k + 3);
      const [a, b, c, p, q, r] = velocities.subarray(6 * k, 6 * k + 6);
      sum += 0.5 * mass * (a * a + b * b + c * c) + 0.5 * inertia * (p * p + q * q + r * r);
      sum -= mass * (gx * x + gy * y + gz * z);
    });
    return sum;
  }
}
