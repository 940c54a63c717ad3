/** Fields that laws of contact in space have in common. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { frictionField } from '../laws/common';
import type { MomentFriction } from './contact-law';

/** μ, that of dry surfaces in a new law. @param help what it is the largest ratio of */
export const coulombField = (help: string): FieldDefinition => ({ ...frictionField(help), initial: 0.5 });

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
