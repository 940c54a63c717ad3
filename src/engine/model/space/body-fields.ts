/** Fields that bodies of several kinds have. */
import type { FieldDefinition } from '../definition';

/**
 * A vector that may be left out.
 * @param group heading of the form that it stands under; none when left out
 */
export const vectorField = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  help: string,
  length = 3,
  group?: string,
): FieldDefinition => ({
  key,
  kind: 'vector',
  length,
  label,
  symbol,
  unit,
  required: false,
  ...(group === undefined ? {} : { group }),
  help,
});

/**
 * Velocity, angular velocity, gravity and force of what moves.
 * @param velocity, force their symbols
 * @param where the force acts, in words
 */
export const dynamicsFields = (
  velocity: string,
  force: string,
  where = 'at the mass centre, in the world’s frame',
): readonly FieldDefinition[] => [
  vectorField(
    'velocity',
    'Velocity',
    velocity,
    'm/s',
    'Of the mass centre at the start, in the world’s frame; at rest when left out.',
  ),
  vectorField(
    'spin',
    'Angular velocity',
    '\\Omega',
    'rad/s',
    'At the start, in the frame of the body; none when left out.',
  ),
  vectorField(
    'gravity',
    'Gravity',
    'g',
    'm/s²',
    'Acceleration of free fall in the world’s frame, such as [0, 0, -9.81]; zero when left out.',
  ),
  {
    key: 'force',
    kind: 'vectorOrFunction',
    length: 3,
    plugin: 'externalForce',
    label: 'Force',
    symbol: force,
    unit: 'N',
    required: false,
    help: `A constant vector, or a script function of time; ${where}.`,
  },
];
