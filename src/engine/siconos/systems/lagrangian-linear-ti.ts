import { functionName, NoCounterpart, type SystemWriter } from '../element';

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
