/** States of exact arcs against closed forms. */
import { describe, expect, it } from 'vitest';
import { UNWATCHED } from '@engine/smooth/event-functions';
import { Flow } from '@engine/smooth-arcs/flow';
import { type LinearSystem, MAX_ORDER, RADIUS } from '@engine/smooth-arcs/linear-system';
import { events, form, integrator, system } from '../smooth/support';
import { seeded } from '../support/random';
import { arcs, damped, falling, GRAVITY, linear } from './support';

interface Motion {
  readonly name: string;
  readonly system: LinearSystem;
  readonly start: readonly number[];
  readonly exact: (t: number) => readonly number[];
  /** largest time */
  readonly until: number;
}

/** Position and velocity of a damped oscillator from (1, 0.5). */
function oscillation(omega: number, delta: number): (t: number) => readonly number[] {
  const v = 0.5;
  const beta = Math.sqrt(Math.abs(omega * omega - delta * delta));
  const isOver = delta > omega;
  return (t) => {
    const decay = Math.exp(-delta * t);
    const c = delta === omega ? 1 : isOver ? Math.cosh(beta * t) : Math.cos(beta * t);
    const s = delta === omega ? t : (isOver ? Math.sinh(beta * t) : Math.sin(beta * t)) / beta;
    return [decay * (c + (v + delta) * s), decay * (v * c - (omega * omega + delta * v) * s)];
  };
}

const motions: readonly Motion[] = [
  {
    name: 'free fall',
    system: falling,
    start: [0.9, 0.3],
    exact: (t) => [0.9 + 0.3 * t - (GRAVITY / 2) * t * t, 0.3 - GRAVITY * t],
    until: 50,
  },
  {
    name: 'an undamped oscillator',
    system: damped(3, 0),
    start: [1, 0.5],
    exact: oscillation(3, 0),
    until: 6,
  },
  {
    name: 'an under-damped oscillator',
    system: damped(3, 0.4),
    start: [1, 0.5],
    exact: oscillation(3, 0.4),
    until: 6,
  },
  {
    name: 'a critically damped oscillator',
    system: damped(2, 2),
    start: [1, 0.5],
    exact: oscillation(2, 2),
    until: 4,
  },
  {
    name: 'an over-damped oscillator',
    system: damped(2, 2.5),
    start: [1, 0.5],
    exact: oscillation(2, 2.5),
    until: 4,
  },
  {
    name: 'a chain of integrators',
    system: linear(
      [
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
      ],
      [0, 0, 0, 24],
    ),
    start: [1, 2, 6, 6],
    exact: (t) => [
      1 + t * (2 + t * (3 + t * (1 + t))),
      2 + t * (6 + t * (3 + 4 * t)),
      6 + t * (6 + 12 * t),
      6 + 24 * t,
    ],
    until: 20,
  },
  {
    name: 'a defective matrix with eigenvalue −1 three times',
    system: linear([
      [-1, 1, 0],
      [0, -1, 1],
      [0, 0, -1],
    ]),
    start: [1, 2, 3],
    exact: (t) => [1 + t * (2 + 1.5 * t), 2 + 3 * t, 3].map((value) => value * Math.exp(-t)),
    until: 8,
  },
  {
    name: 'a nilpotent matrix that does not look it',
    system: linear([
      [1, -1],
      [1, -1],
    ]),
    start: [2, 1],
    exact: (t) => [2 + t, 1 + t],
    until: 30,
  },
  {
    name: 'decay towards a load',
    system: linear([[-4]], [8]),
    start: [5],
    exact: (t) => [2 + 3 * Math.exp(-4 * t)],
    until: 5,
  },
];

/** Largest distance to the exact motion, relative to its largest value of each component so far. */
function worstError(motion: Motion, isWatched: boolean): number {
  const { system: flow, start, exact, until } = motion;
  // A form that is watched and never zero makes the arcs short; without one the state leaps.
  const never = events([
    form(
      start.map(() => 0),
      1,
    ),
  ]);
  const made = arcs(flow, start, isWatched ? never : undefined);
  const largest = start.map(Math.abs);
  let worst = 0;
  for (let k = 1; k <= 200; k++) {
    const t = (until * k) / 200;
    expect(made.advance(t)).toBe('reached');
    expect(made.clock[0]).toBe(t);
    exact(t).forEach((value, i) => {
      largest[i] = Math.max(largest[i], Math.abs(value));
      worst = Math.max(worst, Math.abs(made.x[i] - value) / largest[i]);
    });
  }
  return worst;
}

describe.each(motions)('$name', (motion) => {
  it('is exact to 1e-14, arc by arc', () => {
    expect(worstError(motion, true)).toBeLessThan(1e-14);
  });
  it('is exact to 1e-14 from output to output', () => {
    expect(worstError(motion, false)).toBeLessThan(1e-14);
  });
  it('is exact to 1e-14 in one leap', () => {
    const { system: flow, start, exact, until } = motion;
    const made = arcs(flow, start);
    const out = new Float64Array(flow.size);
    for (const part of [0, 0.013, 0.3, 0.77, 1]) {
      made.foresee(Float64Array.of(part * until), out);
      const scale = Math.max(...start.map(Math.abs), ...exact(part * until).map(Math.abs));
      exact(part * until).forEach((value, i) => expect(Math.abs(out[i] - value)).toBeLessThan(1e-14 * scale));
    }
    expect([...made.x]).toEqual(start);
  });
});

describe('long horizons', () => {
  it('keep the phase of an oscillator over 10⁵ periods as well as its frequency is known', () => {
    const made = arcs(damped(1, 0), [1, 0]);
    const t = 2 * Math.PI * 1e5;
    made.advance(t);
    // Half a unit of rounding of A is a phase of ε t/2.
    expect(Math.abs(made.x[0] - Math.cos(t))).toBeLessThan(Number.EPSILON * t);
    expect(Math.abs(made.x[1] + Math.sin(t))).toBeLessThan(Number.EPSILON * t);
  });

  it('end when the motion outgrows numbers, with the state before it', () => {
    const made = arcs(linear([[1]]), [1]);
    expect(made.advance(1000)).toBe('stateNotFinite');
    expect(made.failure.index).toBe(0);
    expect([made.clock[0], made.x[0]]).toEqual([0, 1]);
    expect(made.advance(700)).toBe('reached');
    expect(Math.abs(made.x[0] / Math.exp(700) - 1)).toBeLessThan(1e-12);
  });
});

describe('the series', () => {
  it('does not depend on the units of the components', () => {
    // In nanometres per second and metres the matrix has entries of 1e-9 and 1e9.
    const limit = (unit: number): number =>
      new Flow(
        linear([
          [0, unit],
          [-4 / unit, -0.1],
        ]),
      ).limits[1];
    expect(limit(1)).toBe(0.5);
    expect(limit(1e-9)).toBe(0.5);
    expect(limit(1e12)).toBe(0.5);
  });

  it('is a polynomial where the pattern of the matrix is nilpotent', () => {
    expect(new Flow(falling).order).toBe(2);
    expect(
      new Flow(
        linear([
          [0, 1],
          [0, 0],
        ]),
      ).order,
    ).toBe(1);
    expect(new Flow(linear([[0]])).order).toBe(0);
    expect(new Flow(damped(1, 0)).order).toBe(-1);
    const chain = (n: number): LinearSystem =>
      linear(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (j === i + 1 ? 1 : 0))));
    expect(new Flow(chain(MAX_ORDER + 1)).order).toBe(MAX_ORDER);
    expect(new Flow(chain(MAX_ORDER + 2)).order).toBe(-1);
  });

  it('leaves out less than it says', () => {
    const flow = new Flow(damped(1, 0.3));
    const [length] = flow.limits.subarray(1);
    expect(flow.limits[0] * length).toBeLessThanOrEqual(RADIUS);
    const row = MAX_ORDER + 1;
    const c = new Float64Array(2 * row);
    const m = new Float64Array(2 * row);
    const bound = new Float64Array(2);
    flow.expand(Float64Array.of(1, -2), MAX_ORDER, c, m);
    for (const part of [1, 0.01]) {
      const stretch = Float64Array.of(part * length);
      for (let order = 1; order < 12; order++) {
        flow.remainder(m, order, stretch, bound);
        for (let i = 0; i < 2; i++) {
          let left = 0;
          for (let k = order + 1; k <= MAX_ORDER; k++) left += Math.abs(c[row * i + k]) * stretch[0] ** k;
          expect(left).toBeLessThan(bound[i] * stretch[0] ** (order + 1));
          expect(left).toBeGreaterThan(0);
        }
      }
    }
  });

  it('charges no component with what others do', () => {
    // An oscillator, and beside it a slow and large one that it has nothing to do with.
    const flow = new Flow(
      linear([
        [0, 1, 0],
        [-16, 0, 0],
        [0, 0, -0.1],
      ]),
    );
    const c = new Float64Array(3 * (MAX_ORDER + 1));
    const m = new Float64Array(3 * (MAX_ORDER + 1));
    const length = flow.limits.subarray(1);
    const bound = new Float64Array(3);
    const order = flow.orderFor(length);
    flow.expand(Float64Array.of(1, 1, 1e12), order, c, m);
    flow.remainder(m, order, length, bound);
    expect(bound[0] * length[0] ** (order + 1)).toBeLessThan(1e-17);
    expect(bound[2] * length[0] ** (order + 1)).toBeLessThan(1e-5);
  });

  it('agrees with the general integrator on random systems of five components', () => {
    const random = seeded(5);
    for (let trial = 0; trial < 10; trial++) {
      const n = 5;
      const rows = Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_, j) => random.uniform(-1, 1) - (i === j ? 1 : 0)),
      );
      const constant = Array.from({ length: n }, () => random.uniform(-1, 1));
      const start = Array.from({ length: n }, () => random.uniform(-1, 1));
      const ode = system(n, (_t, x, out) => {
        for (let i = 0; i < n; i++) out[i] = rows[i].reduce((sum, a, j) => sum + a * x[j], constant[i]);
      });
      const general = integrator(ode, start, 1e-13);
      const exact = arcs(linear(rows, constant), start);
      general.advance(4);
      exact.advance(4);
      exact.x.forEach((value, i) => expect(Math.abs(value - general.x[i])).toBeLessThan(1e-12));
    }
  });
});

describe('failures', () => {
  const watched = events([form([1, 0])]);
  const status = (matrix: LinearSystem, start: readonly number[], tOut = 1): readonly [string, number] => {
    const made = arcs(matrix, start, watched);
    return [made.advance(tOut), made.failure.index];
  };

  it('are statuses with the component', () => {
    expect(status(falling, [1, NaN])).toEqual(['stateNotFinite', 1]);
    expect(
      status(
        linear(
          [
            [0, 1],
            [0, 0],
          ],
          [0, Infinity],
        ),
        [1, 0],
      ),
    ).toEqual(['rateNotFinite', 1]);
    expect(
      status(
        linear([
          [0, NaN],
          [0, 0],
        ]),
        [1, 0],
      ),
    ).toEqual(['rateNotFinite', 0]);
    expect(
      status(
        linear([
          [0, 1],
          [0, 0],
        ]),
        [1, Infinity],
      ),
    ).toEqual(['stateNotFinite', 1]);
  });

  it('include times that cannot be reached, and are found where nothing watches too', () => {
    expect(status(falling, [1, 0], NaN)[0]).toBe('invalidTarget');
    expect(status(falling, [1, 0], -1)[0]).toBe('invalidTarget');
    expect(arcs(falling, [1, 0]).advance(2, 1)).toBe('invalidTarget');
    expect(arcs(linear([[NaN]]), [1]).advance(1)).toBe('rateNotFinite');
    expect(
      arcs(
        linear([
          [1e308, 1e308],
          [0, 1],
        ]),
        [1, 1],
      ).advance(1),
    ).toBe('stateNotFinite');
    const out = new Float64Array(1);
    arcs(linear([[NaN]]), [1]).foresee(Float64Array.of(1), out);
    expect(out[0]).toBeNaN();
  });

  it('say when arcs are too many or too short', () => {
    const made = arcs(damped(100, 0), [1, 0], events([form([0, 0], 1)]), { maxSteps: 10 });
    expect(made.advance(1)).toBe('tooManySteps');
    expect(made.clock[0]).toBeGreaterThan(0.05);
    while (made.advance(1) === 'tooManySteps');
    expect(Math.abs(made.x[0] - Math.cos(100))).toBeLessThan(1e-12);
    const stiff = arcs(damped(1e20, 0), [1, 0], watched);
    stiff.start(1);
    expect(stiff.advance(2)).toBe('stepTooSmall');
  });

  it('include functions that are not finite', () => {
    const made = arcs(falling, [1, 0], events([form([1, 0]), form([1, 0], NaN)]));
    expect(made.advance(1)).toBe('eventNotFinite');
    expect(made.failure.index).toBe(1);
    const general = arcs(falling, [1, 0], events([(t) => (t < 0.25 ? 1 : NaN)]));
    expect(general.advance(1, 1)).toBe('eventNotFinite');
    expect(general.clock[0]).toBeGreaterThan(0.249);
  });

  it('do not come from functions that are not watched', () => {
    const made = arcs(falling, [1, 0], events([form([1, 0], NaN)], [UNWATCHED]));
    expect(made.advance(1)).toBe('reached');
    expect(made.counters.steps).toBe(1);
  });
});
