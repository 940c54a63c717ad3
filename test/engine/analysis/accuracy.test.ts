/**
 * The accuracy of a run, as finer ones tell it: against closed forms, and against runs that are finer by far.
 */
import { judgedAccuracy, worstSignal } from '@contract/verdict';
import { type Accuracy, measureAccuracy, orderToShow } from '@engine/analysis/accuracy/measure';
import type { ModelDocument } from '@engine/document/types';
import { describe, expect, it } from 'vitest';
import { isProving, sample } from '../../support/prove';
import { honesty, silent, trueErrors } from '../support/accuracy';
import { contact, example, EXAMPLES, linearSystem, model, particle, withFunctions } from '../support/models';
import { type Random, seeded } from '../support/random';
import { drawn, type Part } from '../components/drawn';
import { run } from '../support/run';

function measured(document: ModelDocument): Accuracy {
  const found = measureAccuracy({ document }, silent, true);
  if (!found.ok) throw new Error(found.message);
  return found.accuracy;
}

const isAccurate = ({ signals, parts }: Accuracy): boolean =>
  !parts && signals.every(({ error, limit }) => (error ?? 0) <= limit);

const OSCILLATOR = { mass: [[1]], stiffness: [[100]] };
const oscillator = (h: number, theta: number): ModelDocument =>
  model([linearSystem('mass', OSCILLATOR, [1], [0])], [], { h, theta, tEnd: 2 });

describe('the order that is shown', () => {
  it.each([
    [0.1, 0.1],
    [0.0999, null],
    [0, null],
    [-0.94, null],
    [4, 4],
    [4.001, null],
    [null, null],
  ])('of an observed %d is %d: none where errors do not shrink with the step, or too fast', (seen, shown) => {
    expect(orderToShow(seen)).toBe(shown);
  });
});

describe('the estimate', () => {
  it.each([
    { theta: 1, order: 1 },
    { theta: 0.5, order: 2 },
  ])('is the error of a free oscillation in steps of order $order', ({ theta, order }) => {
    const h = 1e-3;
    const found = measured(oscillator(h, theta));
    expect(found.order).toBeCloseTo(order, 1);
    // One step multiplies the state by the amplification of the θ-method; its eigenvalue gives the motion in
    // steps.
    const [re, im] = [-theta * 10 * h, 10 * h];
    const modulus = 1 + re * re;
    const amplification = { re: (1 + (theta - 1) * 10 * h * (theta * 10 * h)) / modulus, im: im / modulus };
    let [x, y, worst] = [1, 0, 0];
    for (let k = 1; k <= 2 / h; k++) {
      [x, y] = [x * amplification.re - y * amplification.im, x * amplification.im + y * amplification.re];
      worst = Math.max(worst, Math.abs(x - Math.cos(10 * k * h)));
    }
    const estimate = found.signals.find(({ name }) => name === 'mass.q')?.error ?? Number.NaN;
    expect(estimate / worst).toBeGreaterThan(0.8);
    expect(estimate / worst).toBeLessThan(1.25);
  });

  it('is an error of times where an impact comes late, not one of the size of the jump', () => {
    const ball = particle('ball', 1, 0, { fExt: [-10] });
    const found = measured(model([ball], [contact('floor', ['ball'], [[1]], 0.5)], { h: 1e-3, tEnd: 0.9 }));
    expect(isAccurate(found)).toBe(true);
    const [floor] = found.impacts;
    expect(floor).toMatchObject({ element: 'floor', missed: 0 });
    expect(floor.error).toBeGreaterThan(1e-5);
    expect(floor.error).toBeLessThan(4e-3);
    const velocity = found.signals.find(({ name }) => name === 'ball.v');
    // The jump at the first impact is 6.7 m/s.
    expect(velocity?.error).toBeLessThan(0.05);
  });

  it('holds wherever in a step the one impact falls, in the last quarter of it too', () => {
    const [g, e, h, tEnd] = [9.81, 0.5, 1e-3, 0.75];
    for (let k = 0; k < 16; k++) {
      // The ball falls for 400 steps and a part of one.
      const time = (400 + (k + 0.5) / 16) * h;
      const document = model(
        [particle('ball', (g * time * time) / 2, 0, { fExt: [-g] })],
        [contact('floor', ['ball'], [[1]], e)],
        { h, tEnd },
      );
      const after = tEnd - time;
      const exact = {
        'ball.q': e * g * time * after - (g * after * after) / 2,
        'ball.v': e * g * time - g * after,
      };
      const { column } = run(document);
      const { signals } = measured(document);
      for (const [name, value] of Object.entries(exact)) {
        const error = Math.abs((column(name).at(-1) ?? Number.NaN) - value);
        const claimed = signals.find((signal) => signal.name === name)?.error ?? Number.NaN;
        expect(claimed, `${name}, ${k} of 16`).toBeGreaterThan(error / 2);
        expect(claimed, `${name}, ${k} of 16`).toBeLessThan(
          name === 'ball.q' ? 1.5 * (1 + e) * g * time * h : 3 * g * h,
        );
      }
    }
  });

  it('says from event to event what the closed form does', () => {
    const ball = particle('ball', 1, 0, { fExt: [-10] });
    const document = model([ball], [contact('floor', ['ball'], [[1]], 0.5)], { h: 1e-2, tEnd: 0.9 });
    document.simulation.scheme = 'event-driven';
    const found = measured(document);
    expect(found.order).toBeNull();
    expect(worstSignal(found)?.error).toBeLessThan(1e-12);
    expect(found.impacts[0]).toMatchObject({ missed: 0 });
  });

  it('knows a force that the steps pass over', () => {
    const pushed = particle('mass', 0, 0, { fExt: { function: 'push' } });
    const push = withFunctions(
      model([pushed], [], { h: 0.01, tEnd: 1 }),
      [
        'export const push: ExternalForce = (t, out, p) => {',
        '  out[0] = t > 0.501 && t < 0.509 ? 1000 : 0;',
        '};',
      ].join('\n'),
    );
    const found = measured(push);
    expect(isAccurate(found)).toBe(false);
    expect(found.parts).toBe(false);
  });

  it.each(['lift-off', 'magnet-chain'])(
    'does not excuse steps that never follow the motion of %s',
    (name) => {
      const document = example(name);
      const found = measured({
        ...document,
        simulation: { ...document.simulation, scheme: 'time-stepping', h: 0.3 },
      });
      expect(found.parts).toBe(false);
      expect(found.until).toBeGreaterThan(0.3);
      expect(found.signals.some(({ error, limit }) => (error ?? 0) > limit)).toBe(true);
    },
  );

  it('does not take what is too coarse for what parts', () => {
    // Order 1 takes 63 % of the energy of each turn here, and the finer steps 39 and 22 %.
    const found = measured(oscillator(0.0157, 1));
    expect(isAccurate(found)).toBe(false);
    expect(found.parts).toBe(false);
    expect(found.until).toBeCloseTo(2, 1);
  });

  it.each(['lorenz', 'duffing'])('says from where on no digit is known: %s', (name) => {
    const found = measured(example(name));
    expect(found.parts).toBe(true);
    expect(found.until).toBeGreaterThan(10);
    expect(found.until).toBeLessThan(name === 'lorenz' ? 40 : 300);
    for (const { error, limit } of found.signals) expect(error).toBeLessThanOrEqual(limit);
  });

  /** Balls in a column that fall on a floor and on each other, some with bounds of their own step. */
  function randomColumn(random: Random): ModelDocument {
    const n = random.integer(2, 4);
    const balls = Array.from({ length: n }, (_, i) =>
      particle(`ball${i}`, (i + 1) * random.uniform(0.05, 0.1), random.uniform(-1, 0), { fExt: [-10] }),
    );
    const contacts = balls.map(({ id }, i) =>
      i === 0
        ? contact('floor', [id], [[1]], random.uniform(0, 0.9))
        : contact(`pair${i}`, [balls[i - 1].id, id], [[-1, 1]], random.uniform(0, 0.9)),
    );
    return model(balls, contacts, { h: 10 ** random.uniform(-2.5, -2), tEnd: 1 });
  }

  it('never excuses a step where it blames a finer one', () => {
    const random = seeded(77);
    const found = { holds: 0, unknown: 0, fails: 0 };
    for (let i = 0; i < sample(6, 100); i++) {
      const document = randomColumn(random);
      const judgements = [1, 2, 4].map((parts) => {
        const simulation = { ...document.simulation, h: (document.simulation.h as number) / parts };
        const judged = judgedAccuracy({ state: 'measured', accuracy: measured({ ...document, simulation }) });
        found[judged]++;
        return judged;
      });
      const first = judgements.indexOf('unknown');
      if (first >= 0) expect(judgements.slice(first), `case ${i}`).not.toContain('fails');
    }
    expect(found.fails).toBeGreaterThan(0);
  });

  it('blames impacts whose order its steps do not find', () => {
    const falling = [1, 2, 3, 4, 5].map((k) =>
      particle(`ball${k}`, 0.02 + 0.01 * k + 0.04 * (k - 1), 0, { fExt: [-9.81] }),
    );
    const contacts = falling.map(({ id }, i) =>
      i === 0
        ? contact('floor', [id], [[1]], 0.6, [-0.02])
        : contact(`pair${i}`, [falling[i - 1].id, id], [[-1, 1]], 0.6, [-0.04]),
    );
    for (const h of [2e-3, 1e-3, 5e-4])
      expect(measured(model(falling, contacts, { h, tEnd: 1 })).parts, `h = ${h}`).toBe(false);
  });

  it('knows what rests, and components that stay zero, for accurate', () => {
    const still = linearSystem(
      'plate',
      {
        mass: [
          [1, 0],
          [0, 1],
        ],
        force: [0, -10],
      },
      [3, 0],
      [0, 0],
    );
    const found = measured(
      model([still], [contact('floor', ['plate'], [[0, 1]], 0)], { h: 1e-3, tEnd: 0.5 }),
    );
    expect(isAccurate(found)).toBe(true);
  });
});

describe('what is not measured', () => {
  const long = oscillator(1e-5, 0.5);

  it('is a long run, unless it is asked for', () => {
    expect(measureAccuracy({ document: long }, silent, false)).toMatchObject({
      ok: false,
      reason: 'too-long',
    });
    expect(measureAccuracy({ document: long }, silent, true).ok).toBe(true);
  });

  it('is not one that is long by what its components show alone', () => {
    const { simulation, ...rest } = example('three-phase-inverter');
    const measured = measureAccuracy(
      { document: { ...rest, simulation: { ...simulation, tEnd: 0.08 } } },
      silent,
      false,
    );
    expect(measured.ok && measured.accuracy.signals).toHaveLength(2);
  });

  it('is a run whose parameters were changed', () => {
    const changes = [{ move: 1, time: 0.001, set: {} }];
    expect(measureAccuracy({ document: oscillator(1e-3, 1), changes }, silent, true)).toMatchObject({
      ok: false,
      reason: 'changed',
    });
  });

  it('is one whose finer runs fail, with the step and the reason', () => {
    const pushed = particle('mass', 0, 0, { fExt: { function: 'push' } });
    const document = withFunctions(
      model([pushed], [], { h: 0.01, tEnd: 0.05 }),
      [
        'let last = 0;',
        'export const push: ExternalForce = (t, out, p) => {',
        '  const isFine = t > last && t - last < 0.004;',
        '  last = t;',
        '  out[0] = isFine ? 0 / 0 : 1;',
        '};',
      ].join('\n'),
    );
    const found = measureAccuracy({ document }, silent, true);
    expect(found).toMatchObject({ ok: false, reason: 'failed' });
    expect(found.ok ? '' : found.message).toMatch(/^With (half|a quarter of) the step the run fails: /);
  });
});

/** One to three masses on springs between walls, driven; walls are hit, dampers damp. */
function randomMasses(random: Random): ModelDocument {
  const n = random.integer(1, 3);
  const square = (diagonal: () => number, off: () => number): number[][] => {
    const a = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (__, j) => (i === j ? diagonal() : 0)),
    );
    for (let i = 0; i + 1 < n; i++) {
      const value = off();
      a[i][i + 1] = value;
      a[i + 1][i] = value;
    }
    return a;
  };
  const masses = {
    mass: square(
      () => random.uniform(0.5, 2),
      () => 0,
    ),
    stiffness: square(
      () => random.uniform(20, 80),
      () => random.uniform(-8, 0),
    ),
    damping: square(
      () => random.uniform(0.1, 1),
      () => 0,
    ),
    force: Array.from({ length: n }, () => random.uniform(-20, 20)),
  };
  const start = (): number[] => Array.from({ length: n }, () => random.uniform(-0.5, 0.5));
  const walls = Array.from({ length: random.integer(0, n) }, (_, i) =>
    contact(
      `wall${i}`,
      ['masses'],
      [Array.from({ length: n }, (__, j) => (j === i ? 1 : 0))],
      random.uniform(0, 0.8),
      [random.uniform(0.6, 1)],
    ),
  );
  return model([linearSystem('masses', masses, start(), start())], walls, {
    h: 10 ** random.uniform(-3.3, -2.3),
    theta: random.chance(0.5) ? 0.5 : 1,
    tEnd: 1,
  });
}

/** Of order 1 a reference with steps of a 128th is as many times as accurate. */
const REFERENCE = 7;

describe('its honesty: within a factor of ten of the true error, in 95 % of signals', () => {
  it('over random masses on springs between walls', () => {
    const random = seeded(31);
    let [counted, honest] = [0, 0];
    const cases = sample(3, 200);
    for (let i = 0; i < cases; i++) {
      const document = randomMasses(random);
      const found = measured(document);
      const share = honesty(trueErrors(document, found, REFERENCE));
      counted += share.counted;
      honest += share.honest;
    }
    console.log(`random masses: ${honest} of ${counted} signals`);
    expect(counted).toBeGreaterThan(2 * cases);
    expect(honest / counted).toBeGreaterThanOrEqual(0.95);
  });

  // References of all the gallery take minutes: in the test run a few that are quick.
  const QUICK = ['rlcd-circuit', 'gene-network', 'hard-excitation'];
  it('over the gallery', () => {
    let [counted, honest] = [0, 0];
    for (const name of isProving ? EXAMPLES : QUICK) {
      const document = example(name);
      const found = measureAccuracy({ document }, silent, false);
      if (!found.ok) continue;
      const isStepped = document.simulation.scheme === 'time-stepping';
      const share = honesty(
        trueErrors(document, found.accuracy, isStepped ? (isProving ? REFERENCE : 4) : 3),
      );
      if (share.honest < share.counted) console.log(`${name}: ${share.honest} of ${share.counted} signals`);
      counted += share.counted;
      honest += share.honest;
    }
    console.log(`gallery: ${honest} of ${counted} signals`);
    expect(counted).toBeGreaterThan(5);
    expect(honest / counted).toBeGreaterThanOrEqual(0.95);
  });
});

it.each([1, 1 / 2])('is not known of a controller that jumps in steps of %d periods', (part) => {
  const T = 1e-2;
  const open = undefined as unknown as string;
  const parts: Part[] = [
    ['R', 'StepSignal', ['r'], { after: 1, time: 5 * T }],
    ['S', 'Sum', ['r', 'x', open, 'e']],
    ['C', 'DigitalPID', ['e', 'u'], { Kp: 2, Ki: 3, period: T }],
    ['P', 'TransferFunction', ['u', 'x'], { numerator: [1], denominator: [0.02, 1] }],
  ];
  const found = measured(drawn(parts, { h: part * T, tEnd: 12 * T }));
  const accuracy = { state: 'measured', accuracy: found } as const;
  expect(judgedAccuracy(accuracy)).not.toBe('holds');
  // What is not known is no number; what is too large already is one.
  for (const { error, limit, time } of found.signals)
    expect(time === null ? error === null || error > limit : error !== null).toBe(true);
});
