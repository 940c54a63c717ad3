/** States that jump where a guard passes zero, in both schemes. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import { siconosScript } from '@engine/siconos/script';
import { run, runFailure } from '../support/run';
import { linear, neuron, reset, resetting, SCHEMES } from './documents';

/** Times of resets of an event-driven run. */
const timesOf = ({ session }: ReturnType<typeof run>, id: string): number[] =>
  session.eventRecords
    .filter(({ kind, element }) => kind === 'reset' && element === id)
    .map(({ time }) => time);

const worst = ({ session }: ReturnType<typeof run>): number => {
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return Math.max(dynamics, complementarity, coneViolation);
};

/** First-order form of a ball that falls: x = (height, speed). */
const ball = (restitution: number, direction = 'falling'): SystemDocument[] => [
  linear(
    'ball',
    [
      [0, 1],
      [0, 0],
    ],
    [0, -10],
    [1, 0],
  ),
  reset('bounce', 'ball', 'ball.x[0]', ['0', `${-restitution} * ball.x[1]`], direction),
];

describe('integrate and fire', () => {
  const period = 0.02 * Math.log(1.5 / 0.5);

  it('has its period to rounding from event to event', () => {
    const done = run(neuron());
    const times = timesOf(done, 'fire');
    expect(times.length).toBe(Math.floor(1 / period));
    for (let k = 0; k < times.length; k++)
      expect(Math.abs(times[k] - (k + 1) * period) / ((k + 1) * period)).toBeLessThan(1e-12);
    expect(worst(done)).toBeLessThan(1e-12);
    expect(done.session.complete).toBe(true);
  });

  it('has the period with the general integration too', () => {
    const document = neuron({ eventDriven: { flight: { type: 'DormandPrince' } } });
    const times = timesOf(run(document), 'fire');
    expect(Math.abs(times[0] - period) / period).toBeLessThan(1e-11);
    expect(worst(run(document))).toBeLessThan(1e-9);
  });

  it('shows both sides of a jump', () => {
    const done = run(neuron({ tEnd: 0.03, h: 0.01 }));
    const [t, x, count] = ['t', 'neuron.x', 'fire.count'].map((name) => [...done.column(name)]);
    const at = t.findIndex((time, k) => k > 0 && time === t[k - 1]);
    expect(x[at - 1]).toBeCloseTo(1, 14);
    expect([x[at], count[at - 1], count[at]]).toEqual([0, 0, 1]);
  });

  it('resets at ends of steps by time-stepping, with periods of order 1', () => {
    const errors = [1e-3, 1e-3 / 16].map((h) => {
      const count = run(neuron({ scheme: 'time-stepping', h, tEnd: 0.5 })).column('fire.count');
      const last = count[count.length - 1];
      return Math.abs((count.indexOf(last) * h) / last - period);
    });
    // Half a step of the passage and half a step of the implicit integrator, on average.
    expect(errors[0]).toBeLessThan(2e-3);
    expect(errors[1]).toBeLessThan(errors[0] / 4);
    expect(worst(run(neuron({ scheme: 'time-stepping', h: 1e-3 })))).toBeLessThan(1e-12);
  });
});

describe('guards', () => {
  it('are passed where they say: a ball in first-order form', () => {
    const e = 0.8;
    const done = run(resetting(ball(e), { tEnd: 2, h: 0.05 }));
    const times = timesOf(done, 'bounce');
    let time = Math.sqrt(2 / 10);
    for (let k = 0; k < times.length; k++) {
      expect(times[k]).toBeCloseTo(time, 12);
      time += 2 * e ** (k + 1) * Math.sqrt(2 / 10);
    }
    expect(times.length).toBe(3);
    expect(worst(done)).toBeLessThan(1e-12);
  });

  it('accumulate as impacts do, and are no hang', () => {
    const { error } = runFailure(resetting(ball(0.5), { tEnd: 3, h: 0.1 }));
    expect(error).toMatchObject({ code: 'infinite-events', where: 'bounce' });
    expect(error.time).toBeCloseTo(Math.sqrt(0.2) * 3, 6);
  });

  it.each(SCHEMES)('are passed both ways: %s', (scheme) => {
    const systems = [
      linear('clock', [[0]], [1], [0]),
      linear('seen', [[0]], [0], [0]),
      reset('both', 'seen', 'sin(2 * pi * t)', ['seen.x + 1'], 'both'),
      linear('up', [[0]], [0], [0]),
      reset('rising', 'up', 'sin(2 * pi * t)', ['up.x + 1'], 'rising'),
    ];
    const done = run(resetting(systems, { scheme, tEnd: 2.3, h: 0.01 }));
    // Zero at the start is passed where it is known from where: rising, but not either way.
    expect(done.column('both.count').at(-1)).toBe(4);
    expect(done.column('rising.count').at(-1)).toBe(3);
    expect(done.column('seen.x').at(-1)).toBe(4);
    if (scheme === 'event-driven')
      timesOf(done, 'both').forEach((time, k) => expect(time).toBeCloseTo((k + 1) / 2, 12));
  });

  it.each(SCHEMES)('that begin beyond zero wait until they can be passed: %s', (scheme) => {
    const systems = [linear('x', [[0]], [0], [0]), reset('late', 'x', 'cos(2 * pi * t)', ['x.x + 1'])];
    const done = run(resetting(systems, { scheme, tEnd: 1.6, h: 0.01 }));
    const [t, count] = [done.column('t'), done.column('late.count')];
    expect(t[count.indexOf(1)]).toBeCloseTo(0.75, scheme === 'event-driven' ? 12 : 1.5);
    expect(count.at(-1)).toBe(1);
  });

  it.each(SCHEMES)('are pushed across zero by other resets at the same instant: %s', (scheme) => {
    // A ramp fires and kicks a state over its threshold, which passes it on.
    const systems = [
      linear('a', [[0]], [1], [0.25]),
      reset('fire', 'a', 'a.x - 1', ['a.x - 1']),
      linear('b', [[0]], [0], [0.5]),
      reset('kick', 'b', 'a.x - 1', ['b.x + 0.75']),
      linear('c', [[0]], [0], [0]),
      reset('passOn', 'c', 'b.x - 1', ['c.x + 1']),
    ];
    const done = run(resetting(systems, { scheme, h: 0.125, tEnd: 1 }));
    expect(done.column('c.x').at(-1)).toBe(1);
    expect(done.column('b.x').at(-1)).toBe(1.25);
    expect(worst(done)).toBeLessThan(1e-12);
  });

  it.each(SCHEMES)('see what control blocks hold: %s', (scheme) => {
    const systems: SystemDocument[] = [
      linear('x', [[0]], [1], [0]),
      { id: 'held', type: 'SampleAndHold', x: ['x.x'], every: 0.3 },
      reset('back', 'x', 'held.y - 0.5', ['x.x - 10']),
    ];
    const done = run(resetting(systems, { scheme, h: 0.1, tEnd: 0.8 }));
    // The sample at 0.6 s is the first above a half.
    expect(done.column('x.x').at(-1)).toBeCloseTo(0.8 - 10, 12);
    expect(done.column('back.count').at(-1)).toBe(1);
  });
});

it('a guard that jumps across zero is passed there, again and again', () => {
  const systems = [linear('x', [[0]], [0], [0]), reset('tick', 'x', 't mod 0.3 - 0.2', ['x.x + 1'])];
  const done = run(resetting(systems, { tEnd: 1.15, h: 0.01 }));
  expect(timesOf(done, 'tick').length).toBe(4);
  timesOf(done, 'tick').forEach((time, k) => expect(time).toBeCloseTo(0.2 + 0.3 * k, 12));
});

describe('a map that leaves its guard at zero', () => {
  it.each(SCHEMES)('lets it go on through zero: %s', (scheme) => {
    const systems = [linear('x', [[-1]], [2], [0]), reset('fire', 'x', 'x.x - 1', ['1'])];
    const done = run(resetting(systems, { scheme, tEnd: 3 }));
    expect(done.column('fire.count').at(-1)).toBe(1);
    expect(done.column('x.x').at(-1)).toBeGreaterThan(1.5);
    expect(done.session.warnings).toEqual([]);
    expect(worst(done)).toBeLessThan(1e-11);
  });
});

it('a state that is stopped at its guard is said, as the number of resets is that of steps', () => {
  const systems = [
    linear(
      'm',
      [
        [0, 1],
        [0, 0],
      ],
      [0, 1],
      [-0.1, 0],
    ),
    reset('stop', 'm', 'm.x[0]', ['0', '0']),
  ];
  const { session, column } = run(resetting(systems, { scheme: 'time-stepping', tEnd: 3 }));
  expect(column('stop.count').at(-1)).toBeGreaterThan(200);
  expect(session.warnings.join()).toMatch(/“stop” has acted at the end of \d+ steps in a row/);
});

describe('beside a relay', () => {
  /** A state that a relay drives to zero, and pushes away from it once it is there for a while. */
  const sliding = (scheme: ModelDocument['simulation']['scheme']): ModelDocument => ({
    ...resetting([linear('x', [[0]], [0], [0.5]), reset('kick', 'x', 't - 0.75', ['x.x - 0.25'])], {
      scheme,
      h: 1 / 64,
      tEnd: 2,
    }),
    interactions: [
      {
        id: 'relay',
        systems: ['x'],
        relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] },
        law: { type: 'Relay', lower: [-1], upper: [1] },
      },
    ],
  });

  it.each(SCHEMES)('modes are decided behind the jump: %s', (scheme) => {
    const done = run(sliding(scheme));
    const [t, x, lambda] = ['t', 'x.x', 'relay.lambda'].map((name) => [...done.column(name)]);
    // Sliding from 0.5 s, kicked to −0.25 at 0.75 s, back at zero after a quarter of a second.
    const at = (time: number): number => t.findLastIndex((one) => one <= time);
    expect(x[at(0.7)]).toBeCloseTo(0, 12);
    expect(lambda[at(0.875)]).toBeCloseTo(1, 12);
    expect(x[at(0.875)]).toBeCloseTo(-0.125, scheme === 'event-driven' ? 12 : 1.5);
    expect(x.at(-1)).toBeCloseTo(0, 12);
    expect(worst(done)).toBeLessThan(1e-11);
  });
});

describe('continuing', () => {
  const document = (): ModelDocument =>
    resetting(
      [
        linear('a', [['-1/tm']], ['1.5/tm'], [0]),
        reset('fire', 'a', 'a.x - 1', [0]),
        linear('b', [[-2]], [0], [0]),
        reset('kick', 'b', 'a.x - 1', ['b.x + 0.3']),
        reset('fall', 'b', 'b.x - 0.9', ['b.x - 0.9']),
      ],
      { h: 1e-3, tEnd: 0.4 },
      { tm: 0.02 },
    );
  it.each(SCHEMES)('goes back and on again with equal bits: %s', (scheme) => {
    const begin = () => {
      const prepared = prepareRun(
        { document: document(), scheme },
        { sandbox: () => expect.fail('no scripts'), sink: new MemoryChunks(), keepsHistory: true },
      );
      if (!prepared.ok) throw new Error(prepared.error.message);
      return prepared.session;
    };
    const end = (one: ReturnType<typeof begin>): string =>
      JSON.stringify([one.time, one.rows, one.initialState, one.certificate, one.events]);
    const straight = begin();
    expect(straight.advance(1e9)).toBe('done');
    for (const [there, back] of [
      [150, 37],
      [200, 199],
      [90, 0],
    ]) {
      const other = begin();
      other.advance(there);
      other.goBack(back);
      expect(other.advance(1e9)).toBe('done');
      expect(end(other)).toBe(end(straight));
    }
  });

  it.each(SCHEMES)('goes on with other parameters: %s', (scheme) => {
    const prepared = prepareRun(
      { document: document(), scheme },
      { sandbox: () => expect.fail('no scripts'), sink: new MemoryChunks(), keepsHistory: true },
    );
    if (!prepared.ok) throw new Error(prepared.error.message);
    const { session } = prepared;
    session.advance(100);
    expect(session.change({ tm: 0.04 })).toBeNull();
    expect(session.advance(1e9)).toBe('done');
    const { dynamics, complementarity } = session.certificate;
    expect(Math.max(dynamics, complementarity)).toBeLessThan(1e-9);
  });
});

describe('a reset that cannot be', () => {
  const x = linear('x', [[0]], [1], [0]);
  it.each<[string, Partial<SystemDocument>, string, string]>([
    ['no system', { of: undefined }, 'reset-system', 'of'],
    ['a system that is not there', { of: 'y' }, 'reset-system', 'of'],
    ['a Lagrangian system', { of: 'mass' }, 'reset-system', 'of'],
    ['an unknown name', { guard: ['nothing.x'] }, 'reset-expression', 'guard/0'],
    ['a multiplier', { guard: ['relay.lambda'] }, 'reset-expression', 'guard/0'],
    ['an observable', { map: ['seen'] }, 'reset-expression', 'map/0'],
    ['no expression', { guard: ['1 +'] }, 'reset-expression', 'guard/0'],
    ['a comparison', { guard: ['x.x > 1'] }, 'guard-jumps', 'guard'],
    ['a comparison of time', { guard: ['t > 1'] }, 'guard-jumps', 'guard'],
    ['a choice', { guard: ['x.x > 1 ? 1 : -1'] }, 'guard-jumps', 'guard'],
    ['a sign', { guard: ['sign(x.x - 1)'] }, 'guard-jumps', 'guard'],
    ['two guards', { guard: ['x.x', 't'] }, 'signal-count', 'guard'],
    ['too long a map', { map: ['0', '1'] }, 'signal-count', 'map'],
  ])('is refused with its place and a remedy: %s', (_, fields, code, key) => {
    const document = resetting([
      x,
      { id: 'mass', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [0], v0: [0] },
      { ...reset('jump', 'x', 'x.x - 1', [0]), ...fields },
    ]);
    document.interactions.push({
      id: 'relay',
      systems: ['x'],
      relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] },
      law: { type: 'Relay', lower: [-1], upper: [1] },
    });
    document.observables.push({ name: 'seen', expression: '2' });
    const issue = reportDocument(document).issues.find(({ severity }) => severity === 'error');
    expect(issue).toMatchObject({ code, pointer: `/systems/2/${key}`, element: 'jump' });
    expect(issue?.remedy).not.toBe('');
  });

  it.each(SCHEMES)('ends a run with its place: %s', (scheme) => {
    const failure = (systems: SystemDocument[]) =>
      runFailure(resetting(systems, { scheme, tEnd: 2, h: 0.125 })).error;
    // The map leaves the guard where it was passed to.
    const stays = failure([x, reset('jump', 'x', 'x.x - 1', ['1.5'])]);
    expect(stays).toMatchObject({ code: 'reset-beyond-guard', where: 'jump' });
    expect(stays.remedy).toContain('below zero');
    // Two states that chase each other.
    const endless = failure([
      linear('p', [[0]], [0], [0]),
      linear('q', [[0]], [0], [0]),
      reset('go', 'p', 't - 1', [1]),
      reset('qUp', 'q', 'p.x - 0.5', [1]),
      reset('pDown', 'p', 'q.x - 0.5', [0]),
      reset('qDown', 'q', '0.5 - p.x', [0]),
      reset('pUp', 'p', '0.5 - q.x', [1]),
    ]);
    expect(endless.code).toBe('endless-resets');
    expect(['qUp', 'pDown', 'qDown', 'pUp']).toContain(endless.where);
    expect(endless.remedy).toContain('for ever');
    const conflict = failure([x, reset('a', 'x', 'x.x - 1', ['0']), reset('b', 'x', 'x.x - 1', ['-1'])]);
    expect(conflict).toMatchObject({ code: 'resets-conflict', where: 'b' });
    const broken = failure([x, reset('jump', 'x', 'x.x - 1', ['log(0.5 - x.x)'])]);
    expect(broken).toMatchObject({ code: 'not-finite', where: 'jump' });
  });

  it('is no part of the export to Siconos, but of analyses that follow disturbances', () => {
    const document = neuron();
    document.analyses = [{ id: 'periodic', type: 'orbit', period: 1 }];
    expect(reportDocument(document).issues).toEqual([]);
    expect(siconosScript(document)).toMatchObject({
      ok: false,
      issues: [{ element: 'fire', remedy: expect.stringContaining('') as string }],
    });
  });
});

describe('a relay whose threshold is that of a reset', () => {
  it('is on the side to which the reset has moved its output', () => {
    const document = resetting([linear('p', [[0]], [1], [0]), reset('fire', 'p', 'p.x - 1', [0])], {
      tEnd: 4,
      h: 0.05,
    });
    document.interactions = [
      {
        ...{ id: 'relay', systems: ['p'], law: { type: 'Relay', lower: [-1], upper: [1] } },
        relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[0.4]], e: [-1] },
      },
    ];
    const { session, column } = run(document);
    expect(session.certificate.complementarity).toBeLessThan(1e-12);
    // Its output p − 1 is never above zero: the state rises by 1 + 0.4, and fires each 1/1.4.
    expect(column('fire.count').at(-1)).toBe(5);
    expect(column('relay.lambda').every((value) => value === 1)).toBe(true);
  });
});

describe('sections of what is reset', () => {
  /** Points of a section: the time and the state of each. */
  function pointsOf(scheme: (typeof SCHEMES)[number], section: TypedElement): number[][] {
    const points = new MemoryChunks();
    const document = neuron({ scheme, h: 1e-3, tEnd: 0.1, sections: [{ id: 'points', ...section }] });
    const started = prepareRun(
      { document },
      {
        sandbox: () => {
          throw new Error('there are no scripts');
        },
        sink: new MemoryChunks(),
        sectionSinks: () => points,
      },
    );
    if (!started.ok) throw new Error(started.error.message);
    while (started.session.advance(100) === 'running');
    const column = started.session.signals.findIndex(({ name }) => name === 'neuron.x');
    return Array.from({ length: points.rows() }, (_, row) => [
      points.column(0, 0)[row],
      points.column(0, column)[row],
    ]);
  }

  it.each(SCHEMES)('have the state after the jump that crosses their surface: %s', (scheme) => {
    const points = pointsOf(scheme, { type: 'surface', g: 'neuron.x - 0.5', direction: 'falling' });
    expect(points.map(([, x]) => x)).toEqual([0, 0, 0, 0]);
    points.forEach(([t], k) => {
      const difference = t - (k + 1) * 0.02 * Math.log(3);
      expect(Math.abs(difference)).toBeLessThan(scheme === 'event-driven' ? 1e-12 : 1e-3 * (k + 2));
    });
  });

  it('have no state between both sides of a jump at the end of a step', () => {
    const [, [t, x]] = pointsOf('time-stepping', { type: 'stroboscopic', period: 0.0225 });
    expect(t).toBeCloseTo(0.0225, 12);
    expect(x).toBeGreaterThan(0.95);
  });

  it('are warned of on a guard, which the state jumps back from', () => {
    const document = neuron({ sections: [{ id: 'points', type: 'surface', g: 'neuron.x-1' }] });
    const [issue] = reportDocument(document).issues;
    expect(issue).toMatchObject({ severity: 'warning', code: 'section-at-guard', element: 'points' });
    expect(pointsOf('event-driven', { type: 'surface', g: 'neuron.x - 1' })).toEqual([]);
  });
});
