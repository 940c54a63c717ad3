/**
 * Normal cone to a box: −λ ∈ N_[l,u](y), y confined to [l, u] and λ the force that confines it: y = l ⇒
 * λ ≥ 0, y = u ⇒ λ ≤ 0, between them λ = 0. Siconos developer's notes §7.
 *
 * As a graph: down the line y = l to (l, 0), along λ = 0 to (u, 0), further down the line y = u.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawRow } from '../forms';
import type { NonSmoothLaw } from '../nsds';
import { type LawTarget, levelField, readBounds, readLevel } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NormalConeBox',
  title: 'Two-sided stop',
  summary: 'Keeps y between two stops: a body with play between two walls.',
  equations: [
    '-\\lambda \\in N_{[l,u]}(y)',
    'y = l \\Rightarrow \\lambda \\ge 0, \\quad y = u \\Rightarrow \\lambda \\le 0',
  ],
  fields: [
    {
      key: 'lower',
      kind: 'vector',
      length: 'lawSize',
      label: 'Lower stop',
      symbol: 'l',
      unit: '',
      required: true,
      help: 'Smallest value of y: one for all rows, or one for each row of the law.',
    },
    {
      key: 'upper',
      kind: 'vector',
      length: 'lawSize',
      label: 'Upper stop',
      symbol: 'u',
      unit: '',
      required: true,
      help: 'Largest value of y, above the lower stop.',
    },
    levelField('position'),
  ],
  source: 'Siconos developer’s notes §7',
};

const DOWN = [0, -1] as const;

const stop = (lower: number, upper: number): LawRow => ({
  kind: 'graph',
  graph: {
    y: Float64Array.of(lower, upper),
    lambda: new Float64Array(2),
    startDirection: DOWN,
    endDirection: DOWN,
  },
});

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const { lower, upper } = readBounds(fields, true);
  return {
    type: definition.type,
    size: lower.length,
    rows: Array.from(lower, (l, i) => stop(l, upper[i])),
    level: readLevel(fields, target, 'position'),
    multiplier: 'force',
    restitution: null,
  };
}
