import type { TypedElement } from '../document/types';
import { NoCounterpart, type RelationWriter, functionName, rowCount, slice } from './writer';

export const firstOrderLinearTI: RelationWriter = {
  type: 'FirstOrderLinearTI',
  isLinear: true,
  size: ({ C }) => rowCount(C),
  write: (relation, columns, rows, to) => {
    const m = rowCount(relation.C);
    const { C, B, D, e, F, z } = relation;
    if (F !== undefined || z !== undefined)
      throw new NoCounterpart('It has an external variable z.', 'Add F z to the offset e.');
    if (functionName(e) !== null)
      throw new NoCounterpart(
        'Its offset e is a function of time, which the Python binding of Siconos cannot call.',
        'Make the source a state of a linear system, such as an oscillator.',
      );
    if (slice(rows, m) !== '') throw new Error('rows of a coupled relation are not divided');
    const object = `sk.FirstOrderLinearTIR(${to.matrix(C ?? [], m, columns)}, ${to.matrix(B ?? [], columns, m)})`;
    const calls: string[] = [];
    if (D !== undefined) calls.push(`setDPtr(${to.matrix(D, m, m)})`);
    if (e !== undefined) calls.push(`setePtr(np.array(${to.vector(e, m)}))`);
    return { object, calls };
  },
};

/* Relations made of script functions: each has a class of its own in the script. */

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

export const lagrangianLinear: RelationWriter = {
  type: 'LagrangianLinear',
  isLinear: true,
  size: ({ H }) => rowCount(H),
  write: (relation, columns, rows, to) => {
    const part = slice(rows, rowCount(relation.H));
    const matrix = `${to.matrix(relation.H ?? [], rowCount(relation.H), columns)}${part}`;
    if (relation.b === undefined) return { object: `sk.LagrangianLinearTIR(${matrix})` };
    return {
      object: `sk.LagrangianLinearTIR(${matrix}, ${to.vector(relation.b, rowCount(relation.H))}${part})`,
    };
  },
};
