/**
 * A pile of balls that fall on one another and spread, without rolling friction and with some: time of a step
 * of contact dynamics, with detection. Lengths of rolling friction are parts of the radius.
 */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { compileSpatial } from '@engine/spatial/compile';
import { type Benchmark, type Measurement, median } from './benchmark';
import { generator } from './random';

/** Balls along each side of the base, and layers. */
const SIDE = 5;
const LAYERS = 4;
/** m, kg/m³, m/s² */
const RADIUS = 0.1;
const DENSITY = 1000;
const G = 9.81;
const MARGIN = 0.02;
const FRICTION = 0.5;
/** Distances of the balls at first, and by how much they are moved at random, in radii. */
const SPACING = 2.05;
const HEIGHT = 2.3;
const JITTER = 0.3;
const TOLERANCE = 1e-8;
/** s */
const STEP = 5e-3;
const DURATION = 1;
/** Of the radius. */
const ROLLING = [0, 0.01, 0.03, 0.1] as const;

export function rollingPile(rolling: number, side = SIDE, layers = LAYERS): ContactDynamics {
  const next = generator(3);
  const shape = sphere(RADIUS);
  const properties = shape.massProperties(DENSITY);
  if (properties === null) throw new Error('a ball has a mass');
  const { mass, inertia } = properties;
  const along = (k: number): number => RADIUS * (k * SPACING + JITTER * next());
  const bodies = Array.from({ length: side * side * layers }, (_, k) => ({
    id: `ball${k}`,
    mass,
    inertia: [...inertia],
    position: [
      along(k % side),
      along(Math.floor(k / side) % side),
      RADIUS * (1.1 + HEIGHT * Math.floor(k / (side * side))),
    ],
  }));
  const system = compileSpatial({
    bodies,
    joints: [],
    loads: [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -G] }],
  });
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  detection.add(GROUND, plane([0, 0, 1]));
  bodies.forEach((_, k) => detection.add(k, shape));
  const source = new DetectedContacts(detection, { materialOf: () => 0 });
  const material = {
    kind: 'impact',
    friction: FRICTION,
    restitution: 0,
    tangentialRestitution: 0,
    rolling: rolling * RADIUS,
  } as const;
  return new ContactDynamics(system, source, [material], new NaturalUnits(new AutomaticFriction()), {
    t0: 0,
    h: STEP,
    motion: { gyroscopic: 'conserving' },
    tolerance: TOLERANCE,
    projects: false,
  });
}

function* measure(): Generator<Measurement> {
  let without: number | null = null;
  for (const rolling of ROLLING) {
    const dynamics = rollingPile(rolling);
    const times: number[] = [];
    let unsolved = 0;
    for (let k = 0; k < Math.round(DURATION / STEP); k++) {
      const began = performance.now();
      if (dynamics.advance() !== 'ok') unsolved++;
      times.push(performance.now() - began);
    }
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    without ??= mean;
    const name = `${SIDE * SIDE * LAYERS} balls, rolling friction ${rolling} of the radius`;
    const note = `median ${median(times).toFixed(2)}, ${unsolved} steps not solved`;
    yield { quantity: name, value: mean, unit: 'ms per step', note };
    if (rolling > 0) yield { quantity: '  over that without', value: mean / without, unit: '' };
  }
}

export const rollingPiles: Benchmark = {
  name: 'rolling-pile',
  summary: 'a pile of balls with rolling friction, against the same without',
  measure: () => [...measure()],
};
