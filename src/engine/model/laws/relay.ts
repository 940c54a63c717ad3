/**
 * Relay: −y ∈ N_[l,u](λ), that is y > 0 ⇒ λ = l, y < 0 ⇒ λ = u, y = 0 ⇒ l ≤ λ ≤ u. The Siconos developer's
 * notes equation (8.21).
 *
 * So λ ∈ −sgn(y) for bounds [−1, 1]: a multiplier that opposes y. Signs differ between sources; see
 * docs/theory/conventions.md.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { NonSmoothLaw } from '../nsds';
import { type LawTarget, levelField, readBounds, readLevel } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'Relay',
  title: 'Relay',
  summary:
    'A multiplier between two bounds that switches against the sign of y: dry friction, sliding-mode control.',
  equations: [
    '-y \\in N_{[l,u]}(\\lambda)',
    'y > 0 \\Rightarrow \\lambda = l, \\quad y < 0 \\Rightarrow \\lambda = u',
  ],
  fields: [
    {
      key: 'lower',
      kind: 'vector',
      length: 'lawSize',
      label: 'Lower bound',
      symbol: 'l',
      unit: '',
      required: false,
      default: -1,
      help: 'Value of λ where y > 0: one for all rows, or one for each row of the law.',
    },
    {
      key: 'upper',
      kind: 'vector',
      length: 'lawSize',
      label: 'Upper bound',
      symbol: 'u',
      unit: '',
      required: false,
      default: 1,
      help: 'Value of λ where y < 0: one for all rows, or one for each row of the law.',
    },
    levelField('velocity'),
  ],
  source: 'Siconos developer’s notes, equation (8.21)',
};

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const { lower, upper } = readBounds(fields, false);
  return {
    type: definition.type,
    size: lower.length,
    rows: Array.from(lower, (l, i) => ({ kind: 'box', lower: l, upper: upper[i] })),
    level: readLevel(fields, target, 'velocity'),
    multiplier: 'force',
    restitution: null,
  };
}
