/**
 * A simulation that begins once more from another state has the bits of a new one, whatever it has gone
 * through before.
 */
import { goByPoints, MotionModel } from '@engine/analysis/stability/motion-model';
import type { EventDriven } from '@engine/event-driven/event-driven';
import { eventSettings } from '@engine/run/schemes/event-driven';
import { describe, expect, it } from 'vitest';
import { prepareExample } from './gallery';

/** Every row and event of a run to the end. */
function whole(simulation: EventDriven): { rows: Float64Array[]; events: string[] } {
  const rows = [simulation.before.slice(), simulation.state.slice()];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.rowsAtEvent === 2) rows.push(simulation.before.slice());
    rows.push(simulation.state.slice());
  }
  return { rows, events: simulation.events.map((event) => JSON.stringify(event)) };
}

function motionOf(name: string): { motion: MotionModel; t0: number; duration: number } {
  const { model, layout, settings } = prepareExample(name);
  const { t0, tEnd: _, ...rest } = eventSettings(settings, settings.tEnd);
  return {
    motion: new MotionModel(model, layout, rest),
    t0,
    duration: Math.min(settings.tEnd - t0, 1500 * settings.h),
  };
}

describe('beginning once more', () => {
  it.each([
    'cam-follower-event-driven-660',
    'bouncing-ball',
    'filippov-spiral',
    'friction-belt',
    'relay-oscillator',
    'diode-bridge',
    'double-pendulum',
  ])('has the bits of a new simulation: %s', (name) => {
    const { motion, t0, duration } = motionOf(name);
    const first = motion.initialState;
    // Elsewhere, but with positions that contacts accept: only rates are others.
    const other = first.map((value, i) => (i >= motion.places.coordinates ? 0.75 * value + 0.1 : value));
    const simulation = motion.simulate(t0, duration, first);
    whole(simulation);
    for (const start of [other, first]) {
      expect(simulation.restartFrom(start)).toBe(true);
      const again = whole(simulation);
      const fresh = whole(motion.simulate(t0, duration, start));
      expect(again.events).toEqual(fresh.events);
      expect(again.rows).toEqual(fresh.rows);
    }
  });

  it.each([
    ['cam-follower-event-driven-660', 60 / 660],
    ['impact-oscillator-basins', (2 * Math.PI) / 2.8],
    ['friction-belt', 7],
    ['buck-bifurcation', 400e-6],
  ])('has the bits of a new simulation where nothing is recorded: %s', (name, period) => {
    const { motion, t0 } = motionOf(name);
    const first = motion.initialState;
    const other = first.map((value, i) => (i >= motion.places.coordinates ? 0.75 * value + 0.1 : value));
    const points = 40;
    const skimmed = (simulation: EventDriven): { states: Float64Array[]; events: string[] } => {
      const states: Float64Array[] = [];
      goByPoints(simulation, (point, x) => {
        expect(point).toBe(states.length + 1);
        states.push(x.slice(0, motion.size));
        return true;
      });
      expect(states).toHaveLength(points);
      return { states, events: simulation.events.map((event) => JSON.stringify(event)) };
    };
    const simulation = motion.simulate(t0, points * period, first, points);
    skimmed(simulation);
    for (const start of [other, first]) {
      expect(simulation.restartFrom(start)).toBe(true);
      const fresh = motion.simulate(t0, points * period, start, points);
      expect(skimmed(simulation)).toEqual(skimmed(fresh));
    }
  });
});
