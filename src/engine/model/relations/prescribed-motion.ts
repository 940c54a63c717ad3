/**
 * A number prescribed as a function of time, f(t) = start + rate t + motion(t), with its derivatives. The
 * first derivative of a script function is derived from its source; the second is when the first is given as
 * a function of its own.
 */
import { type PrescribedCoordinate, uniformMotion } from '../../multibody/rows';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { type MatrixFunction, NOTHING } from '../plugin';

/** @param unit of what is prescribed */
export const planarMotionFields = (unit: string): readonly FieldDefinition[] => [
  {
    key: 'motion',
    kind: 'function',
    plugin: 'prescribedMotion',
    length: 1,
    label: 'Motion',
    symbol: 'f(t)',
    unit,
    required: false,
    help: 'Expression of the time, or script function of time with one entry; added to what is constant.',
  },
  {
    key: 'motionRate',
    kind: 'function',
    plugin: 'prescribedMotion',
    length: 1,
    label: 'Rate of the motion',
    symbol: '\\dot f(t)',
    unit: `${unit}/s`,
    required: false,
    derivation: { of: 'motion', by: 't' },
    help: 'Time derivative of the motion; derived from it when left out.',
  },
  {
    key: 'motionAcceleration',
    kind: 'function',
    plugin: 'prescribedMotion',
    length: 1,
    label: 'Acceleration of the motion',
    symbol: '\\ddot f(t)',
    unit: `${unit}/s²`,
    required: false,
    derivation: { of: 'motionRate', by: 't' },
    help: 'Second derivative; derived from the rate where that is given, otherwise formed by differences where a scheme needs it.',
  },
];

export interface PlanarPrescribedMotion {
  readonly motion: PrescribedCoordinate;
  readonly isConstant: boolean;
  /** whether the second derivative is exact */
  readonly hasAcceleration: boolean;
}

/**
 * Null where the rate is itself derived, or its source cannot be differentiated: that is no defect, schemes
 * can do without.
 */
function readAcceleration(fields: FieldReader): MatrixFunction | null {
  if (fields.has('motionAcceleration')) return fields.jacobian('motionAcceleration', 1, 1);
  return fields.has('motionRate') ? fields.exactDerivative('motionRate', 't', 1, 1) : null;
}

/** @param start f at t = 0 without the script function @param rate its constant rate */
export function readMotion(fields: FieldReader, start: number, rate: number): PlanarPrescribedMotion {
  const position = fields.function('motion');
  if (position === null) {
    for (const key of ['motionRate', 'motionAcceleration']) {
      if (!fields.has(key)) continue;
      fields.reject(
        key,
        'derivative-without-motion',
        'The derivative of a motion is given, and not the motion.',
        'Give the motion, or remove its derivative.',
      );
    }
    return { motion: uniformMotion(start, rate), isConstant: rate === 0, hasAcceleration: true };
  }
  const velocity = fields.jacobian('motionRate', 1, 1).evaluate;
  const acceleration = readAcceleration(fields)?.evaluate ?? null;
  const work = new Float64Array(1);
  return {
    motion: (clock, out) => {
      position(clock, NOTHING, NOTHING, work);
      out[0] = start + rate * clock[0] + work[0];
      velocity(clock, NOTHING, NOTHING, work);
      out[1] = rate + work[0];
      out[2] = NaN;
      if (acceleration === null) return;
      acceleration(clock, NOTHING, NOTHING, work);
      out[2] = work[0];
    },
    isConstant: false,
    hasAcceleration: acceleration !== null,
  };
}
