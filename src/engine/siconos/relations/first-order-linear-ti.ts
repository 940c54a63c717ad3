import { NoCounterpart, type RelationWriter, functionName, rowCount, slice } from '../element';

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
