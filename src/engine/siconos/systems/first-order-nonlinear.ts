import { NoCounterpart, type SystemWriter } from '../element';

export const firstOrderNonLinear: SystemWriter = {
  type: 'FirstOrderNonLinear',
  order: 1,
  size: ({ n }) => Number(n),
  isLinear: () => false,
  write: (system, to) => {
    const n = Number(system.n);
    if (system.u !== undefined || system.T !== undefined || system.mass !== undefined)
      throw new NoCounterpart(
        'It has a mass matrix or a control term T u.',
        'Put both into f, multiplied by the inverse of the mass matrix.',
      );
    const rate = to.vectorFunction(system.f, n) ?? '';
    const jacobian = to.matrixFunction(system.jacobian, n, n, {
      of: system.f,
      by: 'x',
      arguments: ['t', 'x'],
    });
    return { object: `${to.helper('NonLinearSystem')}(${to.vector(system.x0, n)}, ${rate}, ${jacobian})` };
  },
};
