/**
 * Mixed complementarity: equations y = 0 with free λ first, then rows with 0 ≤ y ⊥ λ ≥ 0. Siconos developer's
 * notes §7.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { EQUALITY, INEQUALITY, type LawTarget, levelField, readLevel } from './common';

const count = (key: string, label: string, symbol: string, help: string): FieldDefinition => ({
  key,
  kind: 'integer',
  min: 0,
  max: 1000,
  label,
  symbol,
  unit: '',
  required: true,
  help,
});

export const definition: ElementDefinition = {
  category: 'law',
  type: 'MixedComplementarity',
  title: 'Mixed complementarity',
  summary: 'Equations and complementarity conditions in one law, such as the nodes and diodes of a circuit.',
  equations: [
    'y_i = 0, \\quad i \\le m_e',
    '0 \\le y_i \\perp \\lambda_i \\ge 0, \\quad m_e < i \\le m_e + m_i',
  ],
  fields: [
    count('equalities', 'Equations', 'm_e', 'Number of rows that are equations; they come first.'),
    count('inequalities', 'Inequalities', 'm_i', 'Number of complementarity rows, after the equations.'),
    levelField('position'),
  ],
  source: 'Siconos developer’s notes §7 and §8',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const equalities = fields.number('equalities');
  const inequalities = fields.number('inequalities');
  const size = equalities + inequalities;
  if (size === 0) {
    fields.reject(
      'equalities',
      'empty-law',
      'The law has no rows: neither equations nor inequalities.',
      'Give the number of rows of each kind.',
    );
  }
  return {
    type: definition.type,
    size,
    rows: Array.from({ length: size }, (_, i) => (i < equalities ? EQUALITY : INEQUALITY)),
    level: readLevel(fields, target, 'position'),
    multiplier: 'force',
    restitution: null,
  };
}
