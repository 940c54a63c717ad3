/** Fields of application of the examples that come with the program. */
import type { ExampleInfo } from '@contract/methods';

export type ExampleGroup = 'mechanics' | 'space' | 'circuits' | 'control' | 'biology' | 'smooth' | 'other';

const GROUPS: Readonly<Record<Exclude<ExampleGroup, 'other'>, readonly string[]>> = {
  mechanics: [
    'bouncing-ball',
    'ball-in-groove',
    'forecast-of-contacts',
    'lift-off',
    'coupling-and-rope',
    'three-balls',
    'newtons-cradle',
    'ball-chain',
    'bead-column',
    'impacting-bar',
    'damped-bar',
    'spring-friction',
    'drag-sled',
    'capsubot',
    'impact-drill',
    'hoist-rope',
    'sliding-block-quake',
    'stone-in-bowl',
    'slack-string',
    'puck-on-slope',
    'biaxial-test',
    'friction-belt',
    'clutch-lock-up',
    'clutch-judder',
    'drum-brake-squeal',
    'freewheel-drive',
    'gear-rattle',
    'rocking-block',
    'striking-stick',
    'woodpecker',
    'yoyo',
    'box-stack',
    'two-link-manipulator',
    'pendulum-joint',
    'double-pendulum',
    'four-bar-web-cutter',
    'slider-crank-clearance',
    'cam-follower',
    'cam-follower-bifurcation',
    'impact-oscillator-basins',
    'grazing-oscillator',
    'vibrating-table',
  ],
  space: [
    'bouncing-box',
    'brick-on-slope',
    'rolling-ball',
    'golf-ball-in-hole',
    'balls-on-dome',
    'glued-box',
    'soft-blocks',
    'brick-shaken',
    'heavy-top',
    'dzhanibekov',
    'diver',
    'tippe-top',
    'billiards',
    'ball-cradle',
    'box-tower',
    'masonry-arch',
    'granular-column',
    'balls-in-shaft',
    'rotating-drum',
    'ball-on-turntable',
    'magnet-chain',
    'painleve-rod',
    'double-pendulum-wall',
    'watch-escapement',
    'knees-and-prisms',
    'whirling-rods',
    'slider-crank-3d',
    'four-bar-clearance',
  ],
  circuits: [
    'rlcd-circuit',
    'rlcd-circuit-within',
    'diode-bridge',
    'diode-bridge-filter',
    'four-diode-power-supply',
    'buck-converter',
    'buck-bifurcation',
    'colpitts-oscillator',
    'chua-circuit',
    'coupled-complementarity',
    'switched-capacitors',
    'half-wave-rectifier',
    'three-phase-rectifier',
    'phase-control',
    'thyristor-bridge',
    'vienna-rectifier',
    'transformer-inrush',
    'charge-pump',
    'relaxation-oscillator',
    'schmitt-astable',
    'class-e',
    'buck-continuous',
    'buck-discontinuous',
    'boost-converter',
    'buck-boost-converter',
    'cuk-converter',
    'flyback-converter',
    'rcd-snubber',
    'forward-converter',
    'full-bridge-converter',
    'llc-converter',
    'three-phase-inverter',
    'buck-voltage-mode',
    'half-bridge-dead-time',
  ],
  control: [
    'sliding-mode-control',
    'sliding-mode-observer',
    'pendulum-three-rates',
    'pid-dry-friction',
    'pid-windup',
    'ball-on-beam',
    'relay-oscillator',
    'twisting-controller',
    'clegg-integrator',
    'chattering-relay',
    'filippov-spiral',
    'sweeping-process',
  ],
  biology: ['gene-network', 'integrate-and-fire'],
  smooth: ['duffing', 'hard-excitation', 'lorenz'],
};

const LISTED: ReadonlySet<string> = new Set(Object.values(GROUPS).flat());

/**
 * Place of an example in a group: its own, or that of a name it starts with if no group has its own; −1 when
 * it has none.
 */
function rank(name: string, known: readonly string[]): number {
  const exact = known.indexOf(name);
  if (exact >= 0 || LISTED.has(name)) return exact;
  return known.findIndex((prefix) => name.startsWith(`${prefix}-`));
}

/** Examples by field, from simple to involved; those of no field last. */
export function exampleGroups(
  examples: readonly ExampleInfo[],
): { group: ExampleGroup; examples: ExampleInfo[] }[] {
  const taken = new Set<ExampleInfo>();
  const groups = Object.entries(GROUPS).map(([group, known]) => {
    const listed = examples
      .filter(({ name }) => rank(name, known) >= 0)
      .sort((a, b) => rank(a.name, known) - rank(b.name, known));
    listed.forEach((example) => taken.add(example));
    return { group: group as ExampleGroup, examples: listed };
  });
  const others = examples.filter((example) => !taken.has(example));
  return [...groups, { group: 'other' as const, examples: others }].filter(
    ({ examples: listed }) => listed.length > 0,
  );
}
