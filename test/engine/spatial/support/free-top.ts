/** Free rotation, exactly. */
import { exponential, multiplyQuaternions } from '@engine/spatial/quaternion';

/**
 * Orientation of a free symmetric top, I = diag(A, A, C), after t seconds: with π = A Ω + (C − A) Ω₃ e₃ in
 * the body's frame, Ω = π/A − n e₃, n = (C − A) Ω₃/A, so that Q(t) = Exp(π t/A) ∘ Q₀ ∘ Exp(−n t e₃), π in the
 * world's frame. For Q₀ = 1.
 */
export function freeTop(a: number, c: number, spin: readonly number[], t: number): Float64Array {
  const turn = new Float64Array(4);
  const own = new Float64Array(4);
  exponential(Float64Array.of(a * spin[0], a * spin[1], c * spin[2]), 0, t / a, turn, 0);
  exponential(Float64Array.of(0, 0, (-t * (c - a) * spin[2]) / a), 0, 1, own, 0);
  multiplyQuaternions(turn, 0, own, 0, turn, 0);
  return turn;
}

/** Complete elliptic integral of the first kind, by the arithmetic–geometric mean. */
export function completeElliptic(k: number): number {
  let a = 1;
  let b = Math.sqrt(1 - k * k);
  for (let n = 0; n < 40; n++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/**
 * Time between two flips of a free body with I₁ < I₂ < I₃ and π² > 2 E I₂ (Landau and Lifshitz 1976 §37).
 */
export function flipInterval(inertia: readonly number[], spin: readonly number[]): number {
  const energy = spin.reduce((sum, x, i) => sum + inertia[i] * x * x, 0);
  const momentum = spin.reduce((sum, x, i) => sum + (inertia[i] * x) ** 2, 0);
  const [a, b, c] = inertia;
  const rate = Math.sqrt(((c - b) * (momentum - energy * a)) / (a * b * c));
  const k = Math.sqrt(((b - a) * (energy * c - momentum)) / ((c - b) * (momentum - energy * a)));
  return (2 * completeElliptic(k)) / rate;
}
