/** Relations made of script functions: each has a class of its own in the script. */
import type { TypedElement } from '../../document/types';
import { NoCounterpart, type RelationWriter } from '../element';

const size = (relation: TypedElement): number => Number(relation.size ?? 1);

function whole({ from, to }: { from: number; to: number }, all: number): void {
  if (from === 0 && to === all) return;
  throw new NoCounterpart(
    'Siconos switches the rows of such a relation together, by its first.',
    'Divide the interaction into one for each contact.',
  );
}

export const lagrangianScleronomous: RelationWriter = {
  type: 'LagrangianScleronomous',
  isLinear: false,
  size,
  write: (relation, columns, rows, to) => {
    const m = size(relation);
    whole(rows, m);
    const h = to.vectorFunction(relation.h, m) ?? '';
    const jacobian = to.matrixFunction(relation.jacobian, m, columns, {
      of: relation.h,
      by: 'q',
      arguments: ['q'],
    });
    return { object: `${to.helper('Scleronomous')}(${m}, ${columns}, ${h}, ${jacobian})` };
  },
};

export const lagrangianRheonomous: RelationWriter = {
  type: 'LagrangianRheonomous',
  isLinear: false,
  size,
  write: (relation, columns, rows, to) => {
    const m = size(relation);
    whole(rows, m);
    const h = to.vectorFunction(relation.h, m) ?? '';
    const derived = { of: relation.h, arguments: ['t', 'q'] } as const;
    const rate = to.matrixFunction(relation.hDot, m, 1, { ...derived, by: 't' });
    const jacobian = to.matrixFunction(relation.jacobian, m, columns, { ...derived, by: 'q' });
    return { object: `${to.helper('Rheonomous')}(${m}, ${columns}, ${h}, ${rate}, ${jacobian})` };
  },
};

export const firstOrderType2: RelationWriter = {
  type: 'FirstOrderType2',
  isLinear: false,
  size,
  write: (relation, columns, rows, to) => {
    const m = size(relation);
    whole(rows, m);
    const output = { of: relation.h, arguments: ['t', 'x', 'lambda'] } as const;
    const parts = [
      to.vectorFunction(relation.h, m) ?? '',
      to.vectorFunction(relation.g, columns) ?? '',
      to.matrixFunction(relation.C, m, columns, { ...output, by: 'x' }),
      to.matrixFunction(relation.D, m, m, { ...output, by: 'lambda' }),
      to.matrixFunction(relation.B, columns, m, { of: relation.g, by: 'lambda', arguments: ['t', 'lambda'] }),
    ];
    return { object: `${to.helper('Type2')}(${m}, ${columns}, ${parts.join(', ')})` };
  },
};
