/** Where a law on a Lagrangian relation holds, and what its multiplier is. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawForm } from '../forms';

/** The relation a law is put on. */
export interface LawTarget {
  readonly order: 1 | 2;
  /** rows of the relation */
  readonly size: number;
  /** whether y depends on λ, so that only y itself can be prescribed */
  readonly hasFeedthrough: boolean;
}

type Level = LawForm['level'];

export const levelField = (byDefault: Level): FieldDefinition => ({
  key: 'level',
  kind: 'choice',
  options: [
    { value: 'velocity', label: 'velocity', help: 'The law relates ẏ and λ.' },
    { value: 'position', label: 'position', help: 'The law relates y and λ.' },
  ],
  label: 'Level',
  symbol: '',
  unit: '',
  required: false,
  help: `Whether the law of a Lagrangian relation is on y or on ẏ; ${byDefault} when left out, position where y depends on λ. First-order relations have y only.`,
});

/** Reads the level of a law, checking that the relation has it. */
export function readLevel(fields: FieldReader, target: LawTarget, byDefault: Level): Level {
  if (target.order === 1) {
    if (fields.has('level')) {
      fields.reject(
        'level',
        'level-without-velocity',
        'A first-order relation has no level to choose: its law is on y.',
        'Leave the level out.',
      );
    }
    return 'position';
  }
  if (!fields.has('level')) return target.hasFeedthrough ? 'position' : byDefault;
  const level = fields.choice('level') === 'velocity' ? 'velocity' : 'position';
  if (level === 'velocity' && target.hasFeedthrough) {
    fields.reject(
      'level',
      'level-of-compliant-relation',
      'The law is on ẏ, but the gaps of this relation depend on the force λ, whose rate is not known.',
      'Put the law on the position, or choose a relation without compliance.',
    );
  }
  return level;
}
