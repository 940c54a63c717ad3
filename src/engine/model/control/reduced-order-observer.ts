/**
 * Sliding reduced-order observer of a plant ẋ = A x + B u, y = C x. Between two samples it predicts, and the
 * innovation at the end acts as if it had been there all along:
 *
 *     x̄_k = Φ x̂_{k−1} + Ψ_B u_{k−1},     x̂_k = x̄_k + Ψ_L (y_k − C x̄_k).
 *
 * At its first sample the estimate is moved, by the least it takes, to what is measured: C x̂_0 = y_0.
 */
import { factorLU, solveLU } from '../../linalg/lu';
import { addProduct, multiply } from './discrete-model';
import { type BlockType, samplingFields } from './block';
import { initialEstimate, observerInputs, observerMatrices, readObserver } from './luenberger-observer';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'SlidingReducedOrderObserver',
  title: 'Sliding reduced-order observer',
  summary: 'Estimates the state of a linear plant, corrected by what is measured at the same sample.',
  order: 'signal',
  output: { name: 'xHat', symbol: '\\hat x', description: 'Estimated state' },
  equations: [
    '\\bar x_k = \\Phi \\hat x_{k-1} + \\Psi_B u_{k-1}',
    '\\hat x_k = \\bar x_k + \\Psi_L (y_k - C \\bar x_k), \\quad C \\hat x_0 = y_0',
  ],
  fields: [...observerInputs, ...observerMatrices, initialEstimate, ...samplingFields],
  source: 'Siconos control toolbox, SlidingReducedOrderObserver',
};

export const build: BlockType['build'] = (fields, period) => {
  const read = readObserver(fields, period, true);
  if (read === null) return null;
  const { inputs, n, p, m, c, x0, phi, psiB, psiL } = read;
  const gram = new Float64Array(p * p);
  for (let i = 0; i < p; i++)
    for (let j = 0; j < p; j++) for (let k = 0; k < n; k++) gram[i * p + j] += c[i * n + k] * c[j * n + k];
  const pivots = new Int32Array(p);
  if (!factorLU(gram, 0, p, pivots, 0)) {
    fields.reject(
      'C',
      'measurement-dependent',
      'The rows of C depend on each other: not every measurement can be met.',
      'Leave out rows that follow from others.',
    );
    return null;
  }
  const innovation = new Float64Array(p);
  // x̂ and u of the last sample, and whether there has been one
  const start = new Float64Array(n + m + 1);
  start.set(x0);
  const meet = (x: Float64Array, given: Float64Array): void => {
    multiply(c, x, p, n, innovation);
    for (let i = 0; i < p; i++) innovation[i] = given[i] - innovation[i];
  };
  return {
    inputs,
    outputSize: n,
    start,
    output: (memory, given, out) => {
      if (memory[n + m] === 0) {
        for (let i = 0; i < n; i++) out[i] = memory[i];
        meet(out, given);
        solveLU(gram, 0, p, pivots, 0, innovation, 0);
        for (let i = 0; i < n; i++) for (let k = 0; k < p; k++) out[i] += c[k * n + i] * innovation[k];
        return true;
      }
      multiply(phi, memory, n, n, out);
      addProduct(psiB, memory, n, m, out, n);
      meet(out, given);
      addProduct(psiL, innovation, n, p, out);
      return true;
    },
    step: (memory, given, out) => {
      memory.set(out);
      for (let i = 0; i < m; i++) memory[n + i] = given[p + i];
      memory[n + m] = 1;
    },
  };
};
