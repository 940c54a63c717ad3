/**
 * Motion that a document prescribes for a body without dynamics. With the pose (x₀, Q₀) of its fields, a
 * velocity v and an angular velocity Ω, and functions of a script, displacement d and turn Q_d,
 *
 *     x = x₀ + ∫₀ᵗ v ds + d(t),     Q = Q_Ω(t) ∘ Q_d(t),     Q̇_Ω = ½ Q_Ω ∘ (0, Ω),  Q_Ω(0) = Q₀,
 *     V = v + ḋ,     ω = R(Q_Ω) Ω + 2 R(Q) vec(Q_d* ∘ Q̇_d).
 *
 * The integrals are t v and Exp(t Ω) of what is constant; those of functions of time are computed
 * (`integrated-motion.ts`). With an angular velocity ω of the world's frame Q̇_Ω is ½ (0, ω) ∘ Q_Ω. The rates
 * of displacement and turn are derived from their source where they are not given.
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
import { IntegratedMotion } from './integrated-motion';
import type { PrescribedMotion } from './space';

/** Distance of |Q|² from 1 that is taken for rounding of what a script writes; it is removed. */
const UNIT = 1e-6;

const GROUP = 'Motion';

const vector = (key: string, label: string, symbol: string, unit: string, help: string): FieldDefinition => ({
  key,
  kind: 'vectorOrFunction',
  length: 3,
  plugin: 'prescribedMotion',
  label,
  symbol,
  unit,
  required: false,
  group: GROUP,
  help,
});

const motion = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  help: string,
  length: number,
  of?: string,
): FieldDefinition => ({
  key,
  kind: 'function',
  plugin: 'prescribedMotion',
  length,
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
    'In the world’s frame: constant, or a script function of time, whose integral is the way from the position, which is that at t = 0. At rest when left out.',
  ),
  vector(
    'spin',
    'Angular velocity',
    '\\Omega',
    'rad/s',
    'Constant, or a script function of time, such as that of a drum about its axis; the orientation is that at t = 0. In the frame of the body unless its frame is chosen.',
  ),
  {
    key: 'spinFrame',
    kind: 'choice',
    options: [
      { value: 'body', label: 'of the body', help: 'The axis turns with the body.' },
      { value: 'world', label: 'of the world', help: 'The axis keeps its entries as the body turns.' },
    ],
    label: 'Frame of the angular velocity',
    symbol: '',
    unit: '',
    required: false,
    default: 'body',
    group: GROUP,
    help: 'Frame in which the angular velocity is given, be it constant or a script function.',
  },
  vector(
    'surfaceVelocity',
    'Velocity of the surface',
    's',
    'm/s',
    'In the frame of the body: what touches it is carried along while the body stays, as by a belt. Constant, or a script function of time, as of a belt that starts. Only its part along the surface acts.',
  ),
  motion(
    'displacement',
    'Displacement',
    'd(t)',
    'm',
    'Expressions of the time, or a script function of time, with three entries; added to the position: a shaken table, say.',
    3,
  ),
  motion(
    'displacementRate',
    'Rate of the displacement',
    '\\dot d(t)',
    'm/s',
    'Time derivative of the displacement; derived from it when left out.',
    3,
    'displacement',
  ),
  motion(
    'turn',
    'Turn',
    'Q_d(t)',
    '',
    'Expressions of the time, or a script function of time, with four entries, a unit quaternion (w, x, y, z): how the body is turned in its own frame.',
    4,
  ),
  motion(
    'turnRate',
    'Rate of the turn',
    '\\dot Q_d(t)',
    '1/s',
    'Time derivative of the turn; derived from it when left out.',
    4,
    'turn',
  ),
];

/** A vector that is constant or a function of time. */
class TimedVelocity {
  readonly value: Float64Array;
  readonly function: ModelFunction | null;

  constructor(fields: FieldReader, key: string, name: string) {
    const known = fields.defectCount;
    this.value = fields.vector(key, 3);
    const isSound = fields.defectCount === known;
    this.function = fields.isFunction(key) ? fields.function(key) : null;
    if (isSound && fields.has(key) && !fields.isFunction(key) && fields.vectorLength(key) === 0)
      fields.reject(
        key,
        'motion-by-signals',
        `${name} of a prescribed motion is to follow signals: where the body is would depend on the run.`,
        'Give numbers or a script function of time; what a control moves is a rigid 3D body on a joint with a motor.',
      );
  }

  get isNone(): boolean {
    return this.function === null && this.value.every((value) => value === 0);
  }

  at(clock: Float64Array, out: Float64Array, at: number): void {
    if (this.function !== null) this.function(clock, NOTHING, NOTHING, this.value.fill(0));
    for (let i = 0; i < 3; i++) out[at + i] = this.value[i];
  }
}

/** @param pose x₀ and Q₀ @returns null of what stays where it is */
export function readPrescribedMotion(fields: FieldReader, pose: Float64Array): PrescribedMotion | null {
  const speed = new TimedVelocity(fields, 'velocity', 'The velocity');
  const spin = new TimedVelocity(fields, 'spin', 'The angular velocity');
  const surface = new TimedVelocity(fields, 'surfaceVelocity', 'The velocity of the surface');
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
  const moves = !spin.isNone || !speed.isNone || fields.has('displacement') || fields.has('turn');
  if (!moves && surface.isNone) return null;
  const rate = displacement === null ? null : fields.jacobian('displacementRate', 3, 1).evaluate;
  const turnRate = turn === null ? null : fields.jacobian('turnRate', 4, 1).evaluate;
  return new DocumentMotion(
    fields.element,
    moves,
    surface,
    pose,
    speed,
    spin,
    fields.choice('spinFrame') === 'world',
    displacement,
    rate,
    turn,
    turnRate,
  );
}

class DocumentMotion implements PrescribedMotion {
  readonly #work = new Float64Array(3);
  /** Q_d and its rate, Q_Ω and Q */
  readonly #turned = new Float64Array(4);
  readonly #rate = new Float64Array(4);
  readonly #carrier = new Float64Array(4);
  readonly #whole = new Float64Array(4);
  /** null where both velocities are constant */
  readonly #integral: IntegratedMotion | null;
  /** displacement and turn by functions of time */
  readonly #way = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

  constructor(
    private readonly id: string,
    readonly moves: boolean,
    private readonly surface: TimedVelocity,
    private readonly start: Float64Array,
    private readonly speed: TimedVelocity,
    private readonly spin: TimedVelocity,
    private readonly spinsInWorld: boolean,
    private readonly displacement: ModelFunction | null,
    private readonly displacementRate: ModelFunction | null,
    private readonly turn: ModelFunction | null,
    private readonly turnRate: ModelFunction | null,
  ) {
    this.#integral =
      speed.function === null && spin.function === null
        ? null
        : new IntegratedMotion(speed.function, spin.function, !spinsInWorld);
  }

  pose(clock: Float64Array, out: Float64Array, at: number): void {
    const work = this.#work.fill(0);
    this.displacement?.(clock, NOTHING, NOTHING, work);
    this.#carry(clock);
    const isIntegrated = this.speed.function !== null;
    for (let i = 0; i < 3; i++) {
      const way = isIntegrated ? this.#way[i] : clock[0] * this.speed.value[i];
      out[at + i] = this.start[i] + way + work[i];
    }
    this.#orient(clock);
    for (let i = 0; i < 4; i++) out[at + 3 + i] = this.#whole[i];
  }

  velocity(clock: Float64Array, out: Float64Array, at: number): void {
    const work = this.#work.fill(0);
    this.displacementRate?.(clock, NOTHING, NOTHING, work);
    this.speed.at(clock, out, at);
    for (let i = 0; i < 3; i++) out[at + i] += work[i];
    this.spin.at(clock, out, at + 3);
    const isFixedAxis = this.spin.function === null && !this.spinsInWorld;
    if (!isFixedAxis || this.turnRate !== null) this.#carry(clock);
    // A constant Ω stays where it is: R(Q₀ ∘ Exp(t Ω)) Ω = R(Q₀) Ω.
    if (isFixedAxis) rotate(this.start, 3, this.spin.value, 0, out, at + 3);
    else if (!this.spinsInWorld) rotate(this.#carrier, 0, out, at + 3, out, at + 3);
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

  slide(clock: Float64Array, out: Float64Array, at: number): void {
    this.surface.at(clock, out, at);
  }

  consult(clock: Float64Array): void {
    const work = this.#work.fill(0);
    this.displacement?.(clock, NOTHING, NOTHING, work);
    this.displacementRate?.(clock, NOTHING, NOTHING, work);
    this.turn?.(clock, NOTHING, NOTHING, this.#turned);
    this.turnRate?.(clock, NOTHING, NOTHING, this.#rate);
    this.speed.at(clock, work, 0);
    this.spin.at(clock, work, 0);
    this.surface.at(clock, work, 0);
  }

  /** The way by functions of time, and Q_Ω. */
  #carry(clock: Float64Array): void {
    const carrier = this.#carrier;
    this.#integral?.at(clock[0], this.#way);
    if (this.spin.function === null) exponential(this.spin.value, 0, clock[0], carrier, 0);
    else for (let i = 0; i < 4; i++) carrier[i] = this.#way[3 + i];
    if (this.spinsInWorld) multiplyQuaternions(carrier, 0, this.start, 3, carrier, 0);
    else multiplyQuaternions(this.start, 3, carrier, 0, carrier, 0);
  }

  /** Q_d, and Q with the Q_Ω that stands there. */
  #orient(clock: Float64Array): void {
    const turned = this.#turned;
    const whole = this.#whole;
    whole.set(this.#carrier);
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
