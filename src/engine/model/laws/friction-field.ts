/** What laws with Coulomb friction in the tangent plane have in common. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { MomentFriction } from '../space/space';

/** @param help what it is the largest ratio of */
export const frictionField = (help: string): FieldDefinition => ({
  key: 'mu',
  kind: 'number',
  min: 0,
  label: 'Coefficient of friction',
  symbol: '\\mu',
  unit: '',
  required: true,
  help,
});

/** Moments that oppose rolling and spinning, of laws of contact in space. */
export const momentFields: readonly FieldDefinition[] = [
  {
    key: 'rollingFriction',
    kind: 'number',
    min: 0,
    label: 'Rolling friction',
    symbol: '\\mu_r',
    unit: 'm',
    required: false,
    default: 0,
    help: 'Largest ratio of the moment about the tangents, which opposes rolling, to the normal force: a length. A ball of radius r rests on slopes up to the angle atan(μ_r/r).',
  },
  {
    key: 'spinningFriction',
    kind: 'number',
    min: 0,
    label: 'Spinning friction',
    symbol: '\\mu_s',
    unit: 'm',
    required: false,
    default: 0,
    help: 'Largest ratio of the moment about the normal, which opposes spinning, to the normal force: a length, of the size of the patch that touches.',
  },
];

export const readMoments = (fields: FieldReader): MomentFriction => ({
  ...(fields.has('rollingFriction') ? { rolling: fields.number('rollingFriction') } : {}),
  ...(fields.has('spinningFriction') ? { spinning: fields.number('spinningFriction') } : {}),
});
