import { NoCounterpart, type SystemWriter } from '../element';

export const lagrangianNonLinear: SystemWriter = {
  type: 'LagrangianNonLinear',
  order: 2,
  size: ({ ndof }) => Number(ndof),
  isLinear: () => false,
  write: (system, to) => {
    const n = Number(system.ndof);
    if (system.u !== undefined || system.T !== undefined)
      throw new NoCounterpart('It has a control term T u.', 'Put the control into the internal forces.');
    const parts = [
      ['gyroscopic', to.vectorFunction(system.gyroscopic, n)],
      ['internal', to.vectorFunction(system.fInt, n)],
      ['external', to.vectorFunction(system.fExt, n)],
    ].flatMap(([name, part]) => (part === null ? [] : [`${name}=${part}`]));
    const start = [to.vector(system.q0, n), to.vector(system.v0, n), to.matrixFunction(system.mass, n, n)];
    return { object: `${to.helper('NonLinearMechanism')}(${[...start, ...parts].join(', ')})` };
  },
};
