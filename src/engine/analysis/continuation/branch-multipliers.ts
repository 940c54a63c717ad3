/** What multipliers of orbits say of their branch. */
import type { Eigenvalues } from '../../linalg/eigenvalues';

/** Those of an autonomous orbit without the one that stands for its free phase: the nearest to 1. */
export function withoutNeutral({ real, imaginary, isComplete }: Eigenvalues): Eigenvalues {
  const apart = Array.from(real, (re, k) => Math.hypot(re - 1, imaginary[k]));
  const neutral = apart.indexOf(Math.min(...apart));
  return {
    real: real.filter((_, k) => k !== neutral),
    imaginary: imaginary.filter((_, k) => k !== neutral),
    isComplete,
  };
}

/** Largest modulus; 0 where there is none. */
export const modulus = ({ real, imaginary }: Eigenvalues): number =>
  Math.max(0, ...Array.from(real, (re, k) => Math.hypot(re, imaginary[k])));

/** Π (μ + shift), which is real. */
export function productWith({ real, imaginary }: Eigenvalues, shift: number): number {
  let product = 1;
  for (let k = 0; k < real.length; k++) {
    if (imaginary[k] === 0) product *= real[k] + shift;
    else if (imaginary[k] > 0) product *= (real[k] + shift) ** 2 + imaginary[k] ** 2;
  }
  return product;
}

/** Largest modulus of a complex pair; NaN where there is none. */
export function largestPair({ real, imaginary }: Eigenvalues): number {
  let largest = NaN;
  for (let k = 0; k < real.length; k++) {
    const size = Math.hypot(real[k], imaginary[k]);
    if (imaginary[k] !== 0 && !(size <= largest)) largest = size;
  }
  return largest;
}
