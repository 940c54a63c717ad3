import { describe, expect, it } from 'vitest';
import { type EventModel, runEventsHere, runEventsInSiconos } from './event-driven';
import { missingSiconos } from './run-siconos';

const G = 9.81;
const bead = (q: number, v = 0): EventModel['systems'][number] => ({
  mass: [[1]],
  q0: [q],
  v0: [v],
  force: [-G],
});

const models: EventModel[] = [
  {
    name: 'bouncing ball',
    systems: [bead(0.9)],
    interactions: [{ systems: [0], H: [[1]], e: 0.9 }],
    h: 0.005,
    steps: 1000,
  },
  {
    name: 'two contacts: a mass between walls',
    systems: [{ mass: [[2]], stiffness: [[30]], q0: [0.1], v0: [3], force: [1] }],
    interactions: [
      { systems: [0], H: [[1]], b: [0.4], e: 0.8 },
      { systems: [0], H: [[-1]], b: [0.5], e: 0.7 },
    ],
    h: 0.005,
    steps: 400,
  },
  {
    name: 'resting contact: a ball that does not bounce',
    systems: [bead(0.5)],
    interactions: [{ systems: [0], H: [[1]], e: 0 }],
    h: 0.01,
    steps: 100,
  },
  {
    name: 'column of four beads',
    systems: [bead(0.5), bead(1.1), bead(1.8), bead(2.6)],
    interactions: [
      { systems: [0], H: [[1]], e: 0.6 },
      { systems: [0, 1], H: [[-1, 1]], b: [-0.2], e: 0.6 },
      { systems: [1, 2], H: [[-1, 1]], b: [-0.2], e: 0.6 },
      { systems: [2, 3], H: [[-1, 1]], b: [-0.2], e: 0.6 },
    ],
    h: 0.005,
    // 36 impacts. Later they accumulate between the beads, and each program has a limit of its own for that.
    steps: 147,
  },
];

/** Both integrate to about 1e-11, and balls to rounding; impacts between beads that meet slowly multiply it. */
const TIME_TOLERANCE = 1e-10;
const STATE_TOLERANCE = 1e-9;

describe('event-driven simulations agree with those of Siconos', () => {
  const reason = missingSiconos();
  for (const model of models) {
    it(model.name, async (context) => {
      if (reason !== null) return context.skip(reason);
      const ours = runEventsHere(model);
      const theirs = await runEventsInSiconos(model);
      expect(theirs.events.length).toBeGreaterThan(0);
      expect(ours.events).toHaveLength(theirs.events.length);
      ours.events.forEach((time, k) =>
        expect(Math.abs(time - theirs.events[k])).toBeLessThan(TIME_TOLERANCE),
      );
      expect(ours.t).toHaveLength(theirs.t.length);
      ours.q.forEach((row, k) => {
        row.forEach((q, i) => expect(Math.abs(q - theirs.q[k][i])).toBeLessThan(STATE_TOLERANCE));
        ours.v[k].forEach((v, i) => expect(Math.abs(v - theirs.v[k][i])).toBeLessThan(STATE_TOLERANCE));
      });
    });
  }
});
