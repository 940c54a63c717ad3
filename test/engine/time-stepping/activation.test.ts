/** Which contacts take part in a step: y + γ h ẏ ≤ 0, literally, for every γ that the definition has. */
import { describe, expect, it } from 'vitest';
import { run } from '../support/run';
import { contact, model, particle } from '../support/models';

const G = 9.81;
const H = 5e-3;

describe('a bouncing ball follows the rule', () => {
  const cases = [0, 0.5, 1, 1.5, 2].flatMap((forecast) =>
    [0.5, 1].flatMap((theta) => [0, 0.9].map((e) => [forecast, theta, e] as const)),
  );

  it.each(cases)('γ = %d, θ = %d, e = %d', (forecast, theta, e) => {
    const ball = particle('ball', 1, 0, { fExt: [-G] });
    const document = model([ball], [contact('floor', ['ball'], [[1]], e)], {
      h: H,
      tEnd: 10,
      theta,
      forecast,
    });
    const { column, session } = run(document);
    const heights = column('ball.q');
    let [q, v] = [1, 0];
    let worst = 0;
    for (const height of heights.subarray(1)) {
      const free = v - H * G;
      const after = q + forecast * H * v <= 0 ? Math.max(free, -e * v) : free;
      q += H * (theta * after + (1 - theta) * v);
      v = after;
      worst = Math.max(worst, Math.abs(height - q));
    }
    expect(heights).toHaveLength(2001);
    expect(worst).toBeLessThan(1e-11);
    expect(session.certificate.complementarity).toBeLessThan(1e-12);
    expect(session.certificate.dynamics).toBeLessThan(1e-12);
  });
});
