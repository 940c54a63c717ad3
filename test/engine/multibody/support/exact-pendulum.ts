/**
 * The pendulum released from the horizontal, exactly: sin(θ/2) = k cd(ω t), k = sin 45°, by Jacobi's elliptic
 * functions.
 */

/** sn u and cn u of modulus k by descending Landen transformations. Abramowitz and Stegun 1964 §16.4. */
function jacobi(u: number, k: number): { sn: number; cn: number; dn: number } {
  const a = [1];
  const c = [k];
  let b = Math.sqrt(1 - k * k);
  while (Math.abs(c[c.length - 1]) > 1e-17 && a.length < 30) {
    const last = a[a.length - 1];
    a.push((last + b) / 2);
    c.push((last - b) / 2);
    b = Math.sqrt(last * b);
  }
  let phi = 2 ** (a.length - 1) * a[a.length - 1] * u;
  for (let n = a.length - 1; n > 0; n--) phi = (phi + Math.asin((c[n] / a[n]) * Math.sin(phi))) / 2;
  const [sn, cn] = [Math.sin(phi), Math.cos(phi)];
  return { sn, cn, dn: Math.sqrt(1 - k * k * sn * sn) };
}

/** Position (m) after t seconds of a pendulum of length 1 m, released at rest from (1, 0). */
export function exactPendulum(t: number, g: number): { x: number; y: number } {
  const k = Math.SQRT1_2;
  const { cn, dn } = jacobi(Math.sqrt(g) * t, k);
  const theta = 2 * Math.asin((k * cn) / dn);
  return { x: Math.sin(theta), y: -Math.cos(theta) };
}
