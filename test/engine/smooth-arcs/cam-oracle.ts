/**
 * Impacts of the cam-follower by the closed form u = A cos ω_n t + B sin ω_n t of each flight and bisection:
 * nothing of the engine is used, and the lift is written in another way, as distance to the circles that the
 * cam consists of.
 */
const OMEGA = Math.sqrt(1430.8 / 1.221);
const SCAN = 2e-5;

/**
 * The cam rolls under the follower: on a flank of radius 0.85 about a point at distance 0.45 behind the axis,
 * on a nose of radius 0.15 about one at 0.40393320723821 before it. The follower's centre line meets them at
 * the larger solution s of s² ± 2 s k sin + k² = ρ².
 */
function lift(turns: number): number {
  const whole = 2 * Math.PI * (turns - Math.floor(turns));
  const beta = Math.min(whole, 2 * Math.PI - whole);
  const outer = (half: number, rest: number): number => -half + Math.sqrt(half * half - rest);
  if (beta < Math.PI / 2) return 0.1;
  if (beta < Math.PI / 2 + 1.050328174371336) {
    return outer(0.45 * Math.sin(beta), 0.45 ** 2 - 0.85 ** 2) - 0.3;
  }
  if (beta < Math.PI / 2 + 1.22173047639603) {
    const x = beta + Math.PI / 9;
    return outer(0.40393320723821 * Math.cos(x), 0.40393320723821 ** 2 - 0.15 ** 2) - 0.3;
  }
  return 0.25393320723821;
}

/** From the listed start, gap and gap rate 0.4. */
export function impactsByBisection(rpm: number, tEnd: number): { t: number; speed: number }[] {
  const c = (t: number): number => lift((rpm * t) / 60 + 0.25);
  // Fourth-order difference: c is analytic but for its borders, and impacts do not come near those.
  const cRate = (t: number): number => {
    const d = 2e-5;
    return (8 * (c(t + d) - c(t - d)) - (c(t + 2 * d) - c(t - 2 * d))) / (12 * d);
  };
  const impacts: { t: number; speed: number }[] = [];
  let start = 0;
  let u = c(0) + 0.4;
  let v = 0.4;
  const height = (t: number): number =>
    u * Math.cos(OMEGA * (t - start)) + (v / OMEGA) * Math.sin(OMEGA * (t - start));
  for (let k = 1; ; k++) {
    let left = start + (k - 1) * SCAN;
    let right = start + k * SCAN;
    if (right > tEnd) return impacts;
    // The first stretch begins at zero to rounding.
    if (k === 1 || height(right) > c(right)) continue;
    for (let halving = 0; halving < 60; halving++) {
      const middle = (left + right) / 2;
      if (height(middle) > c(middle)) left = middle;
      else right = middle;
    }
    const t = (left + right) / 2;
    const rate = cRate(t);
    const speed = v * Math.cos(OMEGA * (t - start)) - u * OMEGA * Math.sin(OMEGA * (t - start)) - rate;
    impacts.push({ t, speed });
    u = height(t);
    v = rate - 0.8 * speed;
    start = t;
    k = 0;
  }
}
