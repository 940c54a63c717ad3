/** Bounds of laws: one entry for every row of the law. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawForm, LawRow } from '../forms';

export interface Bounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/**
 * Reads the fields `lower` and `upper`, whose length is the size of the law; one that is left out has one
 * entry, its default.
 * @param strict whether each interval must have an inside
 */
export function readBounds(fields: FieldReader, strict: boolean): Bounds {
  const lengths = ['lower', 'upper'].map((key) => (fields.has(key) ? fields.vectorLength(key) : 1));
  const size = Math.max(...lengths);
  const reported = fields.defectCount;
  const [lower, upper] = ['lower', 'upper'].map((key, k) => {
    const given = fields.vector(key, lengths[k]);
    // One entry stands for all rows.
    return lengths[k] === 1 ? new Float64Array(size).fill(given[0]) : given;
  });
  if (Math.min(...lengths) === 0) {
    fields.reject(
      lengths[0] === 0 ? 'lower' : 'upper',
      'empty-law',
      'The law has no rows: its list of bounds is empty.',
      'Give one bound for each row, or one for all.',
    );
  } else if (lengths[0] !== lengths[1] && Math.min(...lengths) !== 1) {
    fields.reject(
      'upper',
      'bounds-length',
      `The law has ${lengths[0]} lower and ${lengths[1]} upper bounds.`,
      'Give as many of each, or one for all rows.',
    );
  } else if (fields.defectCount === reported) {
    checkOrder(fields, { lower, upper }, strict);
  }
  return { lower, upper };
}

function checkOrder(fields: FieldReader, { lower, upper }: Bounds, strict: boolean): void {
  for (let i = 0; i < lower.length; i++) {
    if (strict ? lower[i] < upper[i] : lower[i] <= upper[i]) continue;
    fields.reject(
      'upper',
      'bounds-order',
      `In row ${i} the upper bound ${upper[i]} is ${strict ? 'not above' : 'below'} the lower bound ${lower[i]}.`,
      strict && lower[i] === upper[i]
        ? 'Enlarge the interval; a value that is held fixed is an equality.'
        : 'Exchange the two.',
    );
    return;
  }
}

/* Rows that several laws are made of. */

/** 0 ≤ y ⊥ λ ≥ 0 */
export const INEQUALITY: LawRow = { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY };

/** y = 0, λ free */
export const EQUALITY: LawRow = {
  kind: 'box',
  lower: Number.NEGATIVE_INFINITY,
  upper: Number.POSITIVE_INFINITY,
};

/* Where a law on a Lagrangian relation holds, and what its multiplier is. */

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

/* What impact laws have in common. */

/** @param atOne what a restitution of 1 means */
export const restitutionField = (atOne: string): FieldDefinition => ({
  key: 'e',
  kind: 'number',
  min: 0,
  max: 1,
  label: 'Coefficient of restitution',
  symbol: 'e',
  unit: '',
  required: true,
  help: `0: the bodies stay together; 1: ${atOne}`,
});

/** K of the energy-based law of impact (`impacts.ts`). */
export const stiffnessField: FieldDefinition = {
  key: 'stiffness',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Relative stiffness',
  symbol: 'K',
  unit: '',
  required: false,
  default: 1,
  group: 'Several impacts at once',
  help: 'K of F = K u^η in the energy-based law of impact, for which only ratios between contacts count; other laws do not use it.',
};

/** Reports the defect of an impact law on a relation whose y depends on λ. */
export function rejectCompliance(fields: FieldReader, target: LawTarget): void {
  if (!target.hasFeedthrough) return;
  fields.reject(
    'type',
    'impact-on-compliant-relation',
    'An impact law cannot act on gaps that yield under the force: there is no impact without a rigid contact.',
    'Choose complementarity, or a relation without compliance.',
  );
}

/* What laws with Coulomb friction in the tangent plane have in common. */

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
