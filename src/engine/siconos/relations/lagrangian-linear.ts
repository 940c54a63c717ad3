import { type RelationWriter, rowCount, slice } from '../element';

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
