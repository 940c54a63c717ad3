import { functionName, NoCounterpart, type SystemWriter } from '../element';

export const firstOrderLinear: SystemWriter = {
  type: 'FirstOrderLinear',
  order: 1,
  size: ({ n }) => Number(n),
  isLinear: ({ A, b }) => functionName(A) === null && functionName(b) === null,
  write: (system, to, isLinear) => {
    const n = Number(system.n);
    const { A, b, mass } = system;
    const x0 = to.vector(system.x0, n);
    if (system.u !== undefined || system.T !== undefined)
      throw new NoCounterpart('It has a control term T u.', 'Put the control into A and b.');
    const isVarying = functionName(A) !== null || functionName(b) !== null;
    if (mass !== undefined && (isVarying || !isLinear))
      throw new NoCounterpart(
        'It has a mass matrix beside time-varying matrices or a non-linear relation.',
        'Multiply A and b by the inverse of the mass matrix.',
      );
    // With non-linear relations the kernel leaves r out of the residual of a time-invariant system.
    if (isVarying || !isLinear) {
      const source = to.vectorFunction(b, n) ?? `${to.helper('constant')}(${to.vector(undefined, n)})`;
      return { object: `${to.helper('TimeVaryingSystem')}(${x0}, ${to.matrixFunction(A, n, n)}, ${source})` };
    }
    const source = b === undefined ? '' : `, ${to.vector(b, n)}`;
    return {
      object: `sk.FirstOrderLinearTIDS(${x0}, ${to.matrix(A ?? [], n, n)}${source})`,
      ...(mass === undefined ? {} : { calls: [`setMPtr(${to.matrix(mass, n, n)})`] }),
    };
  },
};
