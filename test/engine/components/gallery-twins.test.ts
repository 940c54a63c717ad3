/** What of the gallery is written by hand and can be drawn is drawn, too. */
import { describe, expect, it } from 'vitest';
import { example, EXAMPLES } from '../support/models';

/** Examples without a drawing of their own, by the reason. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'It moves in a plane.': [
    'ball-in-groove',
    'biaxial-test',
    'puck-on-slope',
    'slack-string',
    'stone-in-bowl',
    'two-link-manipulator',
    'woodpecker',
  ],
  'It is an equation of control or of its theory, of no circuit or machine.': [
    'chattering-relay',
    'clegg-integrator',
    'filippov-spiral',
    'pendulum-three-rates',
    'relay-oscillator',
    'sliding-mode-control',
    'sliding-mode-observer',
    'sweeping-process',
    'twisting-controller',
    'twisting-controller-sampled',
  ],
  'It is biology.': ['gene-network', 'integrate-and-fire'],
  'It is smooth, of forces that no component has.': ['duffing', 'hard-excitation', 'lorenz'],
  'Its matrices are of no circuit: they couple rows of one-step problems.': ['coupled-complementarity'],
  'It is “cam-follower-358-drawn” at another speed, in another scheme or with analyses.': [
    'cam-follower-660',
    'cam-follower-700',
    'cam-follower-bifurcation',
    'cam-follower-event-driven-110',
    'cam-follower-event-driven-358',
    'cam-follower-event-driven-660',
    'cam-follower-event-driven-700',
    'cam-follower-maps-660',
    'cam-follower-relative-358',
    'cam-follower-relative-660',
    'cam-follower-relative-700',
  ],
};

const OF_BODIES = new Set(['RigidBody', 'FixedBody', 'PseudoRigidBody', 'PlanarBody']);

/** Written by hand, and of no bodies in a plane or in space, which scripts build as well. */
const byHand = EXAMPLES.filter((name) => {
  const { components = [], instances = [], systems, scripts } = example(name);
  return (
    components.length + instances.length === 0 &&
    scripts.every(({ role }) => role !== 'builder') &&
    systems.every(({ type }) => !OF_BODIES.has(type))
  );
});

describe('drawings of the gallery', () => {
  it('are of every circuit and of every machine along one axis', () => {
    const undrawn = byHand.filter((name) => !EXAMPLES.includes(`${name}-drawn`));
    expect(undrawn).toEqual(Object.values(WITHOUT).flat().toSorted());
  });

  it('are named as what they are the drawing of, and have its analyses', () => {
    for (const name of EXAMPLES.filter((one) => one.endsWith('-drawn'))) {
      const [twin, original] = [example(name), example(name.replace(/-drawn$/, ''))];
      expect(twin.title).toBe(`${original.title}, drawn`);
      expect((twin.analyses ?? []).map(({ id }) => id)).toEqual(
        (original.analyses ?? []).map(({ id }) => id),
      );
    }
  });
});
