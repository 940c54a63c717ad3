/**
 * Models of many contacts take paths of their own: W without its zeros, and one compiled flight where bodies
 * are free but for contacts. A brake at rest beside the model, which has nothing to do with it, makes both
 * impossible; so the general path is the oracle.
 */
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { impact, interaction, lagrangianRelation, linearLagrangian, relay, system } from '../support/forms';
import { type Random, seeded } from '../support/random';
import { G, ofKind, simulateEvents } from './support';

const body = (id: string, q: number[], v: number[], m: number, force: number[]) =>
  system(
    id,
    linearLagrangian(
      q,
      v,
      q.map((_, i) => q.map((__, j) => (i === j ? m : 0))),
      { force },
    ),
  );

/** Beads of any masses above one another, dropped with gaps of any size. */
function column(count: number, random: Random): NonSmoothDynamicalSystem {
  const e = random.uniform(0, 1) < 0.4 ? 0 : random.uniform(0.1, 0.9);
  let height = 0;
  return {
    systems: Array.from({ length: count }, (_, k) => {
      height += random.uniform(0, 1) ** 3 * 0.02 + (k > 0 ? 0.2 : 0);
      const m = random.uniform(0.5, 2);
      return body(`bead${k}`, [height], [0], m, [-m * G]);
    }),
    interactions: Array.from({ length: count }, (_, k) =>
      k === 0
        ? interaction('ground', [0], lagrangianRelation([[1]]), impact(e))
        : interaction(`contact${k}`, [k - 1, k], lagrangianRelation([[-1, 1]], [-0.2]), impact(e)),
    ),
  };
}

/** Balls on a line between two walls, pulled to one of them. */
function line(count: number, random: Random): NonSmoothDynamicalSystem {
  const e = random.uniform(0.3, 1);
  const pull = random.uniform(-1, 1);
  const contact = (k: number) =>
    interaction(`contact${k}`, [k - 1, k], lagrangianRelation([[-1, 1]], [-0.1]), impact(e));
  return {
    systems: Array.from({ length: count }, (_, k) =>
      body(`ball${k}`, [0.2 * k + random.uniform(0, 0.09)], [random.uniform(-1, 1)], random.uniform(0.5, 2), [
        pull,
      ]),
    ),
    interactions: [
      interaction('left', [0], lagrangianRelation([[1]], [0.1]), impact(e)),
      ...Array.from({ length: count - 1 }, (_, k) => contact(k + 1)),
      interaction('right', [count - 1], lagrangianRelation([[-1]], [0.2 * count]), impact(e)),
    ],
  };
}

/** Particles of the plane that rest on floors of any slope, and meet their neighbours in any direction. */
function heap(count: number, random: Random): NonSmoothDynamicalSystem {
  const e = random.uniform(0, 0.8);
  const slope = () => random.uniform(-0.5, 0.5);
  return {
    systems: Array.from({ length: count }, (_, k) => {
      const m = random.uniform(0.5, 2);
      return body(`p${k}`, [k, random.uniform(0, 1) ** 3 * 0.1], [slope(), slope()], m, [0, -m * G]);
    }),
    interactions: Array.from({ length: count }, (_, k) => {
      const floor = lagrangianRelation([[slope() / (k + 1), 1]], [0.5]);
      return [
        interaction(`floor${k}`, [k], floor, impact(e)),
        // The same floor once more pushes or not, and changes nothing.
        ...(k % 7 === 0 ? [interaction(`again${k}`, [k], floor, impact(e))] : []),
        ...(k === 0
          ? []
          : [
              interaction(`side${k}`, [k - 1, k], lagrangianRelation([[-1, slope(), 1, slope()]]), impact(e)),
            ]),
      ];
    }).flat(),
  };
}

/** With a body that a brake holds, behind the others. */
function beside(model: NonSmoothDynamicalSystem): NonSmoothDynamicalSystem {
  const held = system('held', linearLagrangian([0], [0], [[1]], { stiffness: [[1]] }));
  return {
    systems: [...model.systems, held],
    interactions: [
      ...model.interactions,
      interaction('brake', [model.systems.length], lagrangianRelation([[1]]), {
        ...relay(),
        level: 'velocity',
      }),
    ],
  };
}

const FAMILIES = { column, line, heap };

/** Behind this number of events, differences of rounding have grown: beads that bounce are chaotic. */
const MOST = 1000;

const strongestOf = (events: readonly EventRecord[]): number =>
  events.reduce((most, { impulse }) => Math.max(most, impulse), 0);

/** Impulses of rounding, which contacts at rest may have or not when others are hit, are none. */
const meant = ({ events }: EventDriven): EventRecord[] => {
  const strongest = strongestOf(events);
  return events
    .filter(({ kind, impulse }) => kind !== 'impact' || impulse > 1e-12 * strongest)
    .slice(0, MOST);
};

/** Largest relative difference of what events say; NaN where these are not the same. */
function difference(one: EventDriven, other: EventDriven): number {
  const [own, others] = [meant(one), meant(other)];
  const strongest = strongestOf(own);
  const pairs = own.map((event, k) => [event, others[k]] as const);
  const isSame = pairs.every(([a, b]) => a.kind === b?.kind && a.row === b.row);
  if (!isSame || own.length !== others.length) return NaN;
  const off = pairs.map(([a, b]) =>
    Math.max(Math.abs(a.time - b.time), Math.abs(a.impulse - b.impulse) / strongest),
  );
  return Math.max(...off);
}

describe('events of many contacts', () => {
  it.each(Object.keys(FAMILIES) as (keyof typeof FAMILIES)[])(
    'of a %s are those of the general path',
    (family) => {
      for (let seed = 1; seed <= sample(3, 200); seed++) {
        const random = seeded(1000 + seed);
        const model = FAMILIES[family](17 + Math.floor(random.uniform(0, 60)), random);
        const settings = { tEnd: family === 'column' ? 0.15 : 0.4, h: 0.01 };
        const fast = simulateEvents(model, settings);
        const general = simulateEvents(beside(model), { ...settings, flights: 'exact' });
        fast.run();
        general.run();
        const off = difference(fast, general);
        expect([seed, fast.flight, off < 1e-10]).toEqual([seed, 'exact', true]);
        for (const key of ['impact', 'law', 'motion', 'penetration', 'pull', 'energy'] as const)
          expect([
            seed,
            key,
            fast.certificate.worst[key] < 1e-12 + 4 * general.certificate.worst[key],
          ]).toEqual([seed, key, true]);
      }
    },
  );

  it.each([40, 60, 300])('leave a column of %i at rest where it stands, to the last bit', (count) => {
    const random = seeded(5);
    const masses = Array.from({ length: count }, () => random.uniform(0.5, 2));
    const model: NonSmoothDynamicalSystem = {
      systems: masses.map((m, k) => body(`bead${k}`, [0.25 * k], [0], m, [-m * G])),
      interactions: masses.map((_, k) =>
        k === 0
          ? interaction('ground', [0], lagrangianRelation([[1]]), impact(0.5))
          : interaction(`contact${k}`, [k - 1, k], lagrangianRelation([[-1, 1]], [-0.25]), impact(0.5)),
      ),
    };
    const simulation = simulateEvents(model, { tEnd: 0.5, h: 0.05 });
    const { x } = simulation;
    const start = x.slice();
    simulation.run();
    expect(simulation.events).toEqual([]);
    expect(simulation.x).toEqual(start);
    const lambda = simulation.state.subarray(1 + 4 * count, 1 + 5 * count);
    lambda.forEach((force, k) => {
      const weight = G * masses.slice(k).reduce((sum, m) => sum + m, 0);
      expect(Math.abs(force / weight - 1)).toBeLessThan(1e-12);
    });
  });

  it('of a column that lands bead by bead are those of the general path with 50 contacts closed', () => {
    const count = 50;
    const model: NonSmoothDynamicalSystem = {
      systems: Array.from({ length: count }, (_, k) =>
        body(`bead${k}`, [0.2 * k + 0.002 * (k + 1)], [0], 1 + (k % 3), [-(1 + (k % 3)) * G]),
      ),
      interactions: Array.from({ length: count }, (_, k) =>
        k === 0
          ? interaction('ground', [0], lagrangianRelation([[1]]), impact(0))
          : interaction(`contact${k}`, [k - 1, k], lagrangianRelation([[-1, 1]], [-0.2]), impact(0)),
      ),
    };
    const settings = { tEnd: 0.16, h: 0.01 };
    const fast = simulateEvents(model, settings);
    const general = simulateEvents(beside(model), { ...settings, flights: 'exact' });
    fast.run();
    general.run();
    expect(Array.from({ length: count }, (_, k) => fast.isActive(k)).every((one) => one)).toBe(true);
    expect(difference(fast, general)).toBeLessThan(1e-10);
    expect(fast.certificate.worst.motion).toBeLessThan(1e-12);
    expect(fast.certificate.worst.pull).toBe(0);
  });

  it('follow forces that change at a given time', () => {
    const run = (around: (model: NonSmoothDynamicalSystem) => NonSmoothDynamicalSystem): EventDriven => {
      const model = column(40, seeded(3));
      const simulation = simulateEvents(around(model), { tEnd: 0.3, h: 0.01, flights: 'exact' });
      simulation.schedule(0.1, () => {
        for (const { form } of model.systems)
          if (form.order === 2 && form.linear !== null) form.linear.constantForce[0] *= -0.3;
      });
      simulation.run();
      return simulation;
    };
    const fast = run((model) => model);
    const general = run(beside);
    expect(ofKind(fast, 'takeOff').length + ofKind(fast, 'impact').length).toBeGreaterThan(20);
    expect(difference(fast, general)).toBeLessThan(1e-10);
    expect(fast.certificate.worst.motion).toBeLessThan(1e-12);
  });

  it('go on from a saved state with the same bits', () => {
    const settings = { tEnd: 0.12, h: 0.01 };
    const whole = simulateEvents(column(40, seeded(4)), settings);
    while (whole.manager.nextTime < 0.06) whole.computeOneStep();
    const state = whole.exportState();
    const { length } = whole.events;
    whole.run();
    const rest = simulateEvents(column(40, seeded(4)), settings);
    rest.loadState(state);
    rest.run();
    expect(rest.events).toEqual(whole.events.slice(length));
    expect(rest.x).toEqual(whole.x);
  });
});
