/** One contact in the plane: by hand, and against a contact in space that cannot move across the plane. */
import { describe, expect, it } from 'vitest';
import { type OneContactProblem, solveOneContact } from '@engine/solvers/one-contact/one-contact';
import { enumerateFriction } from '../../support/friction-oracle';
import { type Random, seeded } from '../../support/random';
import { arbitrary, definite, semidefinite } from './support/contacts';

const outcome = (problem: OneContactProblem): unknown[] => {
  const answer = solveOneContact(problem);
  return [answer.outcome, ...answer.solutions.map(({ kind, r }) => [kind, ...r])];
};

describe('by hand', () => {
  const M = [
    [2, 0],
    [0, 4],
  ];
  it('takes off', () => expect(outcome({ M, q: [1, 3], mu: 0.5 })).toEqual(['one', ['take-off', 0, 0]]));
  it('takes off without friction', () =>
    expect(outcome({ M, q: [1, 0], mu: 0 })).toEqual(['one', ['take-off', 0, 0]]));
  it('sticks', () => expect(outcome({ M, q: [-2, 1], mu: 0.5 })).toEqual(['one', ['stick', 1, -0.25]]));
  it('sticks on the edge, once', () =>
    expect(outcome({ M, q: [-2, 2], mu: 0.5 })).toEqual(['one', ['stick', 1, -0.5]]));
  it('slides either way', () => {
    expect(outcome({ M, q: [-2, 8], mu: 0.5 })).toEqual(['one', ['slide', 1, -0.5]]);
    expect(outcome({ M, q: [-2, -8], mu: 0.5 })).toEqual(['one', ['slide', 1, 0.5]]);
  });
  it('slides without friction', () => {
    const { solutions } = solveOneContact({ M, q: [-2, 8], mu: 0 });
    expect(solutions.map(({ kind, r, alpha }) => [kind, ...r.map(Math.abs), alpha])).toEqual([
      ['slide', 1, 0, Infinity],
    ]);
  });
  it('says α of a slide', () => {
    // u_T = 8 − 4/2 = 6 = −α (−½)
    expect(solveOneContact({ M, q: [-2, 8], mu: 0.5 }).solutions[0].alpha).toBe(12);
  });
});

describe('Painlevé', () => {
  const M = [
    [1, 2],
    [0, 0],
  ];
  it('has no solution on approach and two when it parts', () => {
    expect(outcome({ M, q: [-1, 10], mu: 1 })).toEqual(['none']);
    expect(outcome({ M, q: [1, 10], mu: 1 })).toEqual(['several', ['take-off', 0, 0], ['slide', 1, -1]]);
  });
  it('on the border, the push of a slide is free when nothing approaches', () => {
    const answer = solveOneContact({ M: [[1, 1], [0, 0]], q: [0, 10], mu: 1 }); // prettier-ignore
    expect(answer.solutions.map(({ kind }) => kind)).toEqual(['take-off']);
  });
});

describe('operators without full rank', () => {
  const M = [
    [2, 0],
    [0, 0],
  ];
  it('a tangent that is locked and at rest leaves friction open', () => {
    const { outcome: name, solutions } = solveOneContact({ M, q: [-2, 0], mu: 0.5 });
    expect(name).toBe('several');
    expect(solutions.map(({ kind, isIsolated }) => [kind, isIsolated])).toEqual([['stick', false]]);
  });
  it('a tangent that is locked on a belt slides', () =>
    expect(outcome({ M, q: [-2, 3], mu: 0.5 })).toEqual(['one', ['slide', 1, -0.5]]));
  it('a normal that is locked and approaches has none', () =>
    expect(outcome({ M: [[0, 0], [0, 1]], q: [-1, 0], mu: 0.5 })).toEqual(['none'])); // prettier-ignore
  it('nothing moves, nothing is at rest: any force', () => {
    const { outcome: name, solutions } = solveOneContact({ M: [[0, 0], [0, 0]], q: [0, 0], mu: 0.5 }); // prettier-ignore
    expect(name).toBe('several');
    expect(solutions.map(({ kind, isIsolated }) => [kind, isIsolated])).toEqual([['take-off', false]]);
  });
  it('coupled rows of rank one', () => {
    const M1 = [
      [1, 1],
      [1, 1],
    ];
    const { outcome: name, solutions } = solveOneContact({ M: M1, q: [-1, -1], mu: 0.5 });
    expect(name).toBe('several');
    for (const { u } of solutions) for (const entry of u) expect(Math.abs(entry)).toBeLessThan(1e-15);
    expect(solveOneContact({ M: M1, q: [-1, 1], mu: 0.5 }).solutions.map(({ kind }) => kind)).toEqual([
      'slide',
    ]);
  });
});

describe('five thousand random contacts of each family', () => {
  const modes = { open: 'take-off', stick: 'stick', left: 'slide', right: 'slide' };

  it.each([
    ['positive definite', definite, 40, false],
    ['of any operator', arbitrary, 41, true],
  ] as const)('%s: the solutions are those of an enumeration', (_, make, seed, mayFail) => {
    const random = seeded(seed);
    let none = 0;
    for (let k = 0; k < 5000; k++) {
      const { M, q, mu } = make(random, 2);
      // The enumeration measures velocities by q, and of huge forces they are known to rounding of those.
      if (Math.abs(M[0][0] * M[1][1] - M[0][1] * M[1][0]) < 1e-5) continue;
      const { solutions } = solveOneContact({ M, q, mu });
      const known = enumerateFriction({ W: M.map((row) => [...row]), q: [...q], mu: [mu] });
      if (known.length === 0) none++;
      const isSame =
        known.length === solutions.length &&
        known.every(({ lambda, modes: [mode] }) =>
          solutions.some(
            ({ r, kind }) =>
              kind === modes[mode] &&
              Math.hypot(r[0] - lambda[0], r[1] - lambda[1]) <= 1e-9 * (1 + Math.hypot(...r)),
          ),
        );
      if (!isSame || solutions.some(({ residual }) => !(residual <= 1e-12)))
        expect({ M, q, mu, solutions, known }).toBeNull();
    }
    expect(none > 0).toBe(mayFail);
  });

  it('semidefinite with a q that a force stops: none is unsolvable', () => {
    const random = seeded(42);
    for (let k = 0; k < 5000; k++) {
      const problem = semidefinite(random, 2);
      const { solutions } = solveOneContact(problem);
      if (solutions.length === 0 || solutions.some(({ residual }) => !(residual <= 1e-12)))
        expect({ problem, solutions }).toBeNull();
    }
  });

  it('a contact in space whose third axis is alone and at rest answers the same', () => {
    const random = seeded(43);
    const embed = (make: (random: Random, size: number) => OneContactProblem): void => {
      for (let k = 0; k < 2000; k++) {
        const plane = make(random, 2);
        const space = {
          M: [...plane.M.map((row) => [...row, 0]), [0, 0, 1]],
          q: [...plane.q, 0],
          mu: plane.mu,
        };
        const flat = solveOneContact(plane).solutions;
        const found = solveOneContact(space).solutions.filter(({ r }) => Math.abs(r[2]) < 1e-9);
        const isSame = flat.every(({ r, kind }) =>
          found.some(
            (other) =>
              other.kind === kind &&
              Math.hypot(other.r[0] - r[0], other.r[1] - r[1]) <= 1e-9 * (1 + Math.hypot(...r)),
          ),
        );
        if (!isSame) expect({ plane, flat, found }).toBeNull();
      }
    };
    embed(definite);
    embed(arbitrary);
  });
});
