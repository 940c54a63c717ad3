/** Drawn mechanisms whose motions are known: from event to event they are met to 1e-8. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { type Run, run } from '../support/run';
import { drawn, type Part } from './drawn';

function mechanism(parts: readonly Part[], tEnd: number, scheme = 'event-driven', h = 0.01): ModelDocument {
  const document = drawn(parts, { h, tEnd });
  document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
  document.simulation.scheme = scheme as ModelDocument['simulation']['scheme'];
  return document;
}

const go = (document: ModelDocument): Run => run(document, { sandbox: () => createSandbox() });

/** Largest difference of a signal from a function of time. */
function off(result: Run, signal: string, of: (t: number) => number): number {
  const [times, values] = [result.column('t'), result.column(signal)];
  return values.reduce((most, value, k) => Math.max(most, Math.abs(value - of(times[k]))), 0);
}

/** The first zero of a function behind a time, where it falls. */
function falls(f: (t: number) => number, from: number, to: number): number {
  const step = (to - from) / 20_000;
  let low = from;
  while (low < to && !(f(low) > 0 && f(low + step) <= 0)) low += step;
  let high = low + step;
  for (let k = 0; k < 80; k++) {
    const middle = 0.5 * (low + high);
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

interface Arc {
  readonly from: number;
  readonly position: (t: number) => number;
  readonly velocity: (t: number) => number;
}

const arcAt = (arcs: readonly Arc[], t: number): Arc => arcs.findLast(({ from }) => from <= t) ?? arcs[0];

describe('motions of drawn mechanisms', () => {
  it('impact oscillator on a shaken base', () => {
    // z = x − u with z̈ + Ω² z = A ω² sin ω t, z ≥ −d, ż⁺ = −e ż⁻.
    const [m, k, A, w, d, e, tEnd] = [2, 50, 0.02, 7, 0.05, 0.6, 6];
    const free = Math.sqrt(k / m);
    const forced = (A * w * w) / (free * free - w * w);
    const arc = (from: number, z: number, v: number): Arc => {
      const c = z - forced * Math.sin(w * from);
      const s = (v - forced * w * Math.cos(w * from)) / free;
      return {
        from,
        position: (t) =>
          c * Math.cos(free * (t - from)) + s * Math.sin(free * (t - from)) + forced * Math.sin(w * t),
        velocity: (t) =>
          free * (s * Math.cos(free * (t - from)) - c * Math.sin(free * (t - from))) +
          forced * w * Math.cos(w * t),
      };
    };
    const arcs = [arc(0, 0.04, -A * w)];
    for (;;) {
      const last = arcs[arcs.length - 1];
      const hit = falls((t) => last.position(t) + d, last.from + 1e-6, tEnd + 1);
      if (hit > tEnd) break;
      arcs.push(arc(hit, -d, -e * last.velocity(hit)));
    }
    expect(arcs.length).toBeGreaterThan(4);
    const result = go(
      mechanism(
        [
          ['m', 'Mass', ['n'], { mass: m, x0: 0.04 }],
          ['k', 'Spring', ['base', 'n'], { stiffness: k }],
          ['stop', 'Stop', ['base', 'n'], { gap: d, restitution: e }],
          ['shaker', 'Motion', ['base'], { value: `${A}*sin(${w}*t)` }],
        ],
        tEnd,
      ),
    );
    expect(off(result, 'm.x', (t) => arcAt(arcs, t).position(t) + A * Math.sin(w * t))).toBeLessThan(1e-8);
    expect(off(result, 'stop.s', (t) => arcAt(arcs, t).position(t) + d)).toBeLessThan(1e-8);
    expect(off(result, 'k.f', (t) => k * arcAt(arcs, t).position(t))).toBeLessThan(1e-7);
    expect(off(result, 'base.v', (t) => A * w * Math.cos(w * t))).toBeLessThan(1e-12);
  });

  it('stick and slip on a belt, with its period', () => {
    // Slip: m ẍ − c ẋ + k x = F − c V from x = F/k, ẋ = V, until ẋ = V; then it sticks until x = F/k.
    const [m, k, F, c, V] = [1, 4, 1, 0.2, 0.3];
    const mean = (F - c * V) / k;
    const growth = c / (2 * m);
    const w = Math.sqrt(k / m - growth * growth);
    const x0 = F / k - mean;
    const s0 = (V - growth * x0) / w;
    const slip = (t: number): number =>
      mean + Math.exp(growth * t) * (x0 * Math.cos(w * t) + s0 * Math.sin(w * t));
    const rate = (t: number): number =>
      Math.exp(growth * t) *
      ((growth * x0 + w * s0) * Math.cos(w * t) + (growth * s0 - w * x0) * Math.sin(w * t));
    const caught = falls((t) => V - rate(t), 0.5, 20);
    const start = slip(caught);
    const stick = (F / k - start) / V;
    const period = caught + stick;
    const x = (t: number): number => {
      const phase = t % period;
      return phase < stick ? start + V * phase : slip(phase - stick);
    };
    const result = go(
      mechanism(
        [
          ['m', 'Mass', ['n'], { mass: m, x0: start, v0: V }],
          ['k', 'Spring', ['g', 'n'], { stiffness: k }],
          ['wall', 'Wall', ['g']],
          ['moving', 'Motion', ['b'], { value: `${V}*t` }],
          ['fall', 'Damper', ['b', 'n'], { damping: -c }],
          ['belt', 'Belt', ['n'], { limit: F, speed: V }],
        ],
        5 * period,
      ),
    );
    expect(off(result, 'm.x', x)).toBeLessThan(1e-8);
  });

  it('rattle of a gear with backlash', () => {
    // Between impacts the driven wheel turns freely; flanks are half the backlash from the middle.
    const [A, w, j, e, r, tEnd] = [0.1, 6, 0.08, 0.5, 2, 4];
    const drive = (t: number): number => A * Math.sin(w * t);
    const speed = (t: number): number => A * w * Math.cos(w * t);
    const arc = (from: number, phi: number, omega: number): Arc => ({
      from,
      position: (t) => phi + omega * (t - from),
      velocity: () => omega,
    });
    const arcs = [arc(0, 0, 0)];
    for (;;) {
      const last = arcs[arcs.length - 1];
      const gaps = [1, -1].map((side) => (t: number) => j / 2 + side * (r * last.position(t) - drive(t)));
      const hits = gaps.map((gap) => falls(gap, last.from + 1e-9, tEnd + 1));
      const hit = Math.min(...hits);
      if (hit > tEnd) break;
      const slip = r * last.velocity(hit) - speed(hit);
      arcs.push(arc(hit, last.position(hit), (speed(hit) - e * slip) / r));
    }
    expect(arcs.length).toBeGreaterThan(6);
    const result = go(
      mechanism(
        [
          ['J', 'Inertia', ['s'], { inertia: 0.3 }],
          ['drive', 'RotaryMotion', ['d'], { value: `${A}*sin(${w}*t)` }],
          ['gear', 'BacklashGear', ['d', 's'], { ratio: r, backlash: j, restitution: e }],
        ],
        tEnd,
      ),
    );
    expect(off(result, 'J.phi', (t) => arcAt(arcs, t).position(t))).toBeLessThan(1e-8);
  });

  it('a freewheel takes along what has become slower', () => {
    const [J1, J2, T, omega] = [0.5, 2, 3, 6];
    const engaged = (omega * J1) / T;
    const result = go(
      mechanism(
        [
          ['J1', 'Inertia', ['a'], { inertia: J1 }],
          ['J2', 'Inertia', ['b'], { inertia: J2, omega0: omega }],
          ['T', 'Torque', ['a'], { value: T }],
          ['free', 'Freewheel', ['a', 'b']],
        ],
        3,
      ),
    );
    const after = (t: number): number => omega + (T / (J1 + J2)) * (t - engaged);
    expect(off(result, 'J1.omega', (t) => (t < engaged ? (T / J1) * t : after(t)))).toBeLessThan(1e-8);
    expect(off(result, 'J2.omega', (t) => (t < engaged ? omega : after(t)))).toBeLessThan(1e-8);
    const torque = result.column('free.tau');
    expect(torque[torque.length - 1]).toBeCloseTo((T * J2) / (J1 + J2), 10);
    expect(torque[0]).toBe(0);
  });

  it('a clutch locks when both sides have one speed, also behind a gear', () => {
    const [J1, J2, T, omega, r] = [1, 3, 2, 10, 2];
    // Behind the gear the wheel counts as J2/r², and turns r times slower.
    const J = J2 / (r * r);
    const locked = omega / (T * (1 / J1 + 1 / J));
    const common = (J1 * omega) / (J1 + J);
    const parts: readonly Part[] = [
      ['J1', 'Inertia', ['a'], { inertia: J1, omega0: omega }],
      ['clutch', 'Clutch', ['a', 'b'], { limit: T }],
      ['gear', 'GearPair', ['b', 'c'], { ratio: r }],
      ['J2', 'Inertia', ['c'], { inertia: J2 }],
    ];
    const result = go(mechanism(parts, 2 * locked));
    expect(off(result, 'J1.omega', (t) => (t < locked ? omega - (T / J1) * t : common))).toBeLessThan(1e-8);
    expect(off(result, 'J2.omega', (t) => (t < locked ? (T / J / r) * t : common / r))).toBeLessThan(1e-8);
    const stepped = go(mechanism(parts, 2 * locked, 'time-stepping', 1e-3));
    const last = stepped.column('clutch.slip');
    expect(Math.abs(last[last.length - 1])).toBeLessThan(1e-9);
  });

  it('a clutch that a gate closes, in steps', () => {
    const result = go(
      mechanism(
        [
          ['J1', 'Inertia', ['a'], { inertia: 1, omega0: 1 }],
          ['clutch', 'Clutch', ['a', 'b'], { limit: 1, gate: 't > 0.5' }],
          ['J2', 'Inertia', ['b'], { inertia: 1 }],
        ],
        2,
        'time-stepping',
        1e-3,
      ),
    );
    const exact = (t: number): number => (t < 0.5 ? 1 : Math.max(0.5, 1 - (t - 0.5)));
    expect(off(result, 'J1.omega', exact)).toBeLessThan(3e-3);
  });

  it('a rack moves a mass by a motor that has a speed of no load', () => {
    // With R: (J + m R²) ω̇ = T − c ω.
    const [J, m, R, T, c] = [0.2, 5, 0.1, 2, 0.4];
    const rate = c / (J + m * R * R);
    const result = go(
      mechanism(
        [
          ['M', 'Motor', ['h', 's'], { torque: T, slope: c }],
          ['housing', 'Housing', ['h']],
          ['J', 'Inertia', ['s'], { inertia: J }],
          ['rack', 'Rack', ['s', 'x'], { radius: R }],
          ['m', 'Mass', ['x'], { mass: m }],
        ],
        3,
      ),
    );
    expect(off(result, 'm.v', (t) => (R * T * (1 - Math.exp(-rate * t))) / c)).toBeLessThan(1e-8);
    expect(off(result, 'M.tau', (t) => T * Math.exp(-rate * t))).toBeLessThan(1e-8);
  });

  it('springs in series are one, and a rope catches a fall', () => {
    const [m, k1, k2, g, l] = [1, 30, 60, 9.81, 0.5];
    const k = (k1 * k2) / (k1 + k2);
    const w = Math.sqrt(k / m);
    const caught = Math.sqrt((2 * l) / g);
    const result = go(
      mechanism(
        [
          ['wall', 'Wall', ['top']],
          ['k1', 'Spring', ['top', 'middle'], { stiffness: k1 }],
          ['k2', 'Spring', ['middle', 'n'], { stiffness: k2 }],
          ['m', 'Mass', ['n'], { mass: m, gravity: g }],
          ['rope', 'Rope', ['top', 'load'], { length: l }],
          ['M', 'Mass', ['load'], { mass: 1, gravity: g }],
        ],
        2,
      ),
    );
    const x = (t: number): number => ((m * g) / k) * (1 - Math.cos(w * t));
    expect(off(result, 'm.x', x)).toBeLessThan(1e-8);
    expect(off(result, 'middle.x', (t) => (k2 / (k1 + k2)) * x(t))).toBeLessThan(1e-8);
    expect(off(result, 'k1.f', (t) => k * x(t))).toBeLessThan(1e-7);
    expect(off(result, 'M.x', (t) => (t < caught ? (g * t * t) / 2 : l))).toBeLessThan(1e-8);
  });

  it('a spring with a dead zone, and a damper that yields', () => {
    const [m, k, d, v] = [2, 50, 0.1, 0.7];
    const w = Math.sqrt(k / m);
    const [across, back] = [d / v, d / v + Math.PI / w];
    const quarter = (t: number): number => {
      if (t < across) return v * t;
      return t < back ? d + (v / w) * Math.sin(w * (t - across)) : d - v * (t - back);
    };
    const half = back + across;
    const [ci, co, low, v0] = [3, 1, 0.5, 2];
    // v̇ = −(ci low + co (v − low)) until v = low, then −ci v.
    const rest = low - (ci * low) / co;
    const slow = Math.log((v0 - rest) / (low - rest)) / co;
    const result = go(
      mechanism(
        [
          ['wall', 'Wall', ['g']],
          ['m', 'Mass', ['n'], { mass: m, v0: v }],
          ['k', 'PiecewiseSpring', ['g', 'n'], { inner: 0, outer: k, width: d }],
          ['M', 'Mass', ['b'], { mass: 1, v0 }],
          ['c', 'PiecewiseDamper', ['g', 'b'], { inner: ci, outer: co, width: low }],
        ],
        4,
      ),
    );
    expect(
      off(result, 'm.x', (t) => (Math.floor(t / half) % 2 === 0 ? 1 : -1) * quarter(t % half)),
    ).toBeLessThan(1e-8);
    const speed = (t: number): number =>
      t < slow ? rest + (v0 - rest) * Math.exp(-co * t) : low * Math.exp(-ci * (t - slow));
    expect(off(result, 'M.v', speed)).toBeLessThan(1e-8);
    expect(
      off(result, 'c.f', (t) => (t < slow ? ci * low + co * (speed(t) - low) : ci * speed(t))),
    ).toBeLessThan(1e-7);
  });

  it('masses of sub-models move as those that are drawn without them', () => {
    const sled = (id: string, from: string, to: string): Part[] => [
      [`${id}m`, 'Mass', [to], { mass: 1, v0: 1 }],
      [`${id}k`, 'Spring', [from, to], { stiffness: 20 }],
      [`${id}f`, 'Friction', ['g', to], { limit: 0.3 }],
      [`${id}s`, 'Stop', [from, to], { gap: 0.1, restitution: 0.5 }],
    ];
    const flat = mechanism([['wall', 'Wall', ['g']], ...sled('a', 'g', 'p'), ...sled('b', 'p', 'q')], 2);
    const { components, wires } = drawn(sled('', 'from', 'to'));
    const nested: ModelDocument = {
      ...flat,
      components: [{ id: 'wall', type: 'Wall' }],
      wires: [
        { id: 'g', ends: ['wall.a', 'A.from', 'A.ground', 'B.ground'] },
        { id: 'p', ends: ['A.to', 'B.from'] },
        { id: 'q', ends: ['B.to'] },
      ],
      instances: [
        { id: 'A', of: 'Sled' },
        { id: 'B', of: 'Sled' },
      ],
      submodels: [
        {
          id: 'Sled',
          title: 'Sled',
          parameters: [],
          ports: [
            { name: 'from', wire: 'from' },
            { name: 'to', wire: 'to' },
            { name: 'ground', wire: 'g' },
          ],
          components,
          wires,
        },
      ],
    };
    const [one, other] = [go(flat), go(nested)];
    for (const [mine, theirs] of [
      ['am.x', 'A.m.x'],
      ['bm.v', 'B.m.v'],
      ['bf.f', 'B.f.f'],
    ])
      expect(other.column(theirs)).toEqual(one.column(mine));
  });

  it('what is held between a stop and friction is certified by the forces that cancel on it', () => {
    const parts: readonly Part[] = [
      ['push', 'Force', ['a'], { value: '40 + 30*cos(9*t)' }],
      ['hammer', 'Mass', ['a'], { mass: 2 }],
      ['strike', 'Stop', ['a', 'b']],
      ['bit', 'Mass', ['b'], { mass: 1 }],
      ['stone', 'Friction', ['b', 'g'], { limit: 100 }],
      ['wall', 'Wall', ['g']],
    ];
    const { session, column } = go(mechanism(parts, 2));
    expect(column('bit.x').every((x) => Math.abs(x) < 1e-12)).toBe(true);
    expect(session.certificate.dynamics).toBeLessThan(1e-12);
  });
});
