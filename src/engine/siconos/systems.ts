import { NoCounterpart, type SystemWriter, functionName } from './writer';

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

export const lagrangianLinearTI: SystemWriter = {
  type: 'LagrangianLinearTI',
  order: 2,
  size: ({ ndof }) => Number(ndof),
  isLinear: () => true,
  write: (system, to) => {
    const n = Number(system.ndof);
    if (system.basePosition !== undefined)
      throw new NoCounterpart(
        'Its coordinates are measured from a base motion, which Siconos does not have.',
        'Use absolute coordinates, with the base motion in a rheonomous relation.',
      );
    const { mass, stiffness, damping, fExt } = system;
    const start = `${to.vector(system.q0, n)}, ${to.vector(system.v0, n)}, ${to.matrix(mass ?? [], n, n)}`;
    const calls: string[] = [];
    if (stiffness !== undefined) calls.push(`setKPtr(${to.matrix(stiffness, n, n)})`);
    if (damping !== undefined) calls.push(`setCPtr(${to.matrix(damping, n, n)})`);
    if (functionName(fExt) !== null) {
      const force = to.vectorFunction(fExt, n) ?? '';
      return { object: `${to.helper('ForcedLinearSystem')}(${start}, ${force})`, calls };
    }
    if (fExt !== undefined) calls.push(`setFExtPtr(np.array(${to.vector(fExt, n)}))`);
    return { object: `sk.LagrangianLinearTIDS(${start})`, calls };
  },
};

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
