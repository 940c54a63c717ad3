/**
 * Motion that a document prescribes for a body without dynamics. With the pose (x₀, Q₀) of its fields, a
 * constant velocity v and angular velocity Ω, and functions of a script, displacement d and turn Q_d,
 *
 *     x = x₀ + t v + d(t),     Q = Q₀ ∘ Exp(t Ω) ∘ Q_d(t),
 *     V = v + ḋ,     ω = R(Q₀) Ω + 2 R(Q) vec(Q_d* ∘ Q̇_d).
 *
 * The rates of both functions are derived from their source where they are not given.
 */
import { EngineError } from '../../errors';
import {
  exponential,
  multiplyQuaternions,
  normaliseQuaternion,
  rotate,
  squaredNorm,
} from '../../spatial/quaternion';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { type ModelFunction, NOTHING } from '../plugin';
import { vectorField } from './body-fields';
import type { PrescribedMotion } from './space';

/** Distance of |Q|² from 1 that is taken for rounding of what a script writes; it is removed. */
const UNIT = 1e-6;

const GROUP = 'Motion';

const vector = (key: string, label: string, symbol: string, unit: string, help: string): FieldDefinition =>
  vectorField(key, label, symbol, unit, help, 3, GROUP);

const motion = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  help: string,
  of?: string,
): FieldDefinition => ({
  key,
  kind: 'function',
  plugin: 'prescribedMotion',
  label,
  symbol,
  unit,
  required: false,
  group: GROUP,
  ...(of === undefined ? {} : { derivation: { of, by: 't' } }),
  help,
});

export const motionFields: readonly FieldDefinition[] = [
  vector(
    'velocity',
    'Velocity',
    'v',
    'm/s',
    'Constant, in the world’s frame; the position is that at t = 0. At rest when left out.',
  ),
  vector(
    'spin',
    'Angular velocity',
    '\\Omega',
    'rad/s',
    'Constant, in the frame of the body, such as that of a drum about its axis.',
  ),
  vector(
    'surfaceVelocity',
    'Velocity of the surface',
    's',
    'm/s',
    'In the frame of the body: what touches it is carried along while the body stays, as by a belt. Only its part along the surface acts.',
  ),
  motion(
    'displacement',
    'Displacement',
    'd(t)',
    'm',
    'Script function of time with three entries, added to the position: a shaken table, say.',
  ),
  motion(
    'displacementRate',
    'Rate of the displacement',
    '\\dot d(t)',
    'm/s',
    'Time derivative of the displacement; derived from it when left out.',
    'displacement',
  ),
  motion(
    'turn',
    'Turn',
    'Q_d(t)',
    '',
    'Script function of time with four entries, a unit quaternion (w, x, y, z): how the body is turned in its own frame.',
  ),
  motion(
    'turnRate',
    'Rate of the turn',
    '\\dot Q_d(t)',
    '1/s',
    'Time derivative of the turn; derived from it when left out.',
    'turn',
  ),
];

/** @param pose x₀ and Q₀ @returns null of what stays where it is */
export function readPrescribedMotion(fields: FieldReader, pose: Float64Array): PrescribedMotion | null {
  const speed = fields.vector('velocity', 3);
  const spin = fields.vector('spin', 3);
  const surface = fields.vector('surfaceVelocity', 3);
  const displacement = fields.function('displacement');
  const turn = fields.function('turn');
  for (const [key, of] of [
    ['displacementRate', displacement],
    ['turnRate', turn],
  ] as const)
    if (fields.has(key) && of === null)
      fields.reject(
        key,
        'derivative-without-motion',
        'The derivative of a motion is given, and not the motion.',
        'Give the motion, or remove its derivative.',
      );
  const moves =
    spin.some((value) => value !== 0) ||
    speed.some((value) => value !== 0) ||
    fields.has('displacement') ||
    fields.has('turn');
  if (!moves && surface.every((value) => value === 0)) return null;
  const rate = displacement === null ? null : fields.jacobian('displacementRate', 3, 1).evaluate;
  const turnRate = turn === null ? null : fields.jacobian('turnRate', 4, 1).evaluate;
  return new DocumentMotion(
    fields.element,
    moves,
    surface,
    pose,
    speed,
    spin,
    displacement,
    rate,
    turn,
    turnRate,
  );
}

class DocumentMotion implements PrescribedMotion {
  readonly #work = new Float64Array(3);
  /** Q_d and its rate, and Q */
  readonly #turned = new Float64Array(4);
  readonly #rate = new Float64Array(4);
  readonly #whole = new Float64Array(4);

  constructor(
    private readonly id: string,
    readonly moves: boolean,
    readonly surface: Float64Array,
    private readonly start: Float64Array,
    private readonly speed: Float64Array,
    private readonly spin: Float64Array,
    private readonly displacement: ModelFunction | null,
    private readonly displacementRate: ModelFunction | null,
    private readonly turn: ModelFunction | null,
    private readonly turnRate: ModelFunction | null,
  ) {}

  pose(clock: Float64Array, out: Float64Array, at: number): void {
    const work = this.#work.fill(0);
    this.displacement?.(clock, NOTHING, NOTHING, work);
    for (let i = 0; i < 3; i++) out[at + i] = this.start[i] + clock[0] * this.speed[i] + work[i];
    this.#orient(clock);
    for (let i = 0; i < 4; i++) out[at + 3 + i] = this.#whole[i];
  }

  velocity(clock: Float64Array, out: Float64Array, at: number): void {
    const work = this.#work.fill(0);
    this.displacementRate?.(clock, NOTHING, NOTHING, work);
    for (let i = 0; i < 3; i++) out[at + i] = this.speed[i] + work[i];
    rotate(this.start, 3, this.spin, 0, out, at + 3);
    if (this.turnRate === null) return;
    this.#orient(clock);
    const rate = this.#rate;
    this.turnRate(clock, NOTHING, NOTHING, rate);
    const [w, x, y, z] = this.#turned;
    // vec(Q* ∘ Q̇) = w q̇ − ẇ q − q × q̇
    work[0] = w * rate[1] - rate[0] * x - (y * rate[3] - z * rate[2]);
    work[1] = w * rate[2] - rate[0] * y - (z * rate[1] - x * rate[3]);
    work[2] = w * rate[3] - rate[0] * z - (x * rate[2] - y * rate[1]);
    rotate(this.#whole, 0, work, 0, work, 0);
    for (let i = 0; i < 3; i++) out[at + 3 + i] += 2 * work[i];
  }

  /** Q_d and Q. */
  #orient(clock: Float64Array): void {
    const turned = this.#turned;
    const whole = this.#whole;
    exponential(this.spin, 0, clock[0], whole, 0);
    multiplyQuaternions(this.start, 3, whole, 0, whole, 0);
    if (this.turn === null) return;
    this.turn(clock, NOTHING, NOTHING, turned);
    const norm = squaredNorm(turned, 0);
    if (!(Math.abs(norm - 1) <= UNIT))
      throw new EngineError({
        code: 'turn-not-unit',
        message: `The turn of “${this.id}” at t = ${clock[0]} s has the length ${Math.sqrt(norm).toPrecision(6)}: it is no rotation.`,
        where: this.id,
        time: clock[0],
        remedy: 'Give a unit quaternion, (cos φ/2, n sin φ/2) for a turn by φ about the unit vector n.',
      });
    normaliseQuaternion(turned, 0);
    multiplyQuaternions(whole, 0, turned, 0, whole, 0);
  }
}
