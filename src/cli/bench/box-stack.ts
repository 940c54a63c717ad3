/**
 * A stack of a hundred boxes by contact dynamics: time of a step, with detection, against the time that it
 * advances. At rest from the start impulses of the last step solve the next one; boxes that are dropped with
 * gaps between them close their contacts one after the other.
 */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { box } from '@engine/model/shapes/box';
import { plane } from '@engine/model/shapes/plane';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { compileSpatial } from '@engine/spatial/compile';
import { type Benchmark, type Measurement, median } from './benchmark';

const BOXES = 100;
/** m, kg/m³, m/s² */
const EDGE = 0.2;
const DENSITY = 1000;
const G = 9.81;
const MARGIN = 0.02;
const FRICTION = 0.5;
const TOLERANCE = 1e-8;
/** s */
const STEP = 5e-3;
/** Gaps between the boxes, m, and the time that is simulated, s. */
const CASES = [
  { name: 'at rest from the start', gap: 0, duration: 4 },
  { name: 'dropped with gaps of 1 mm', gap: 1e-3, duration: 2 },
] as const;

function stack(gap: number): ContactDynamics {
  const shape = box(EDGE / 2, EDGE / 2, EDGE / 2);
  const properties = shape.massProperties(DENSITY);
  if (properties === null) throw new Error('a box has a mass');
  const { mass, inertia } = properties;
  const bodies = Array.from({ length: BOXES }, (_, k) => ({
    id: `box${k}`,
    mass,
    inertia: [...inertia],
    position: [0, 0, EDGE / 2 + gap + k * (EDGE + gap)],
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
  const material = { kind: 'impact', friction: FRICTION, restitution: 0, tangentialRestitution: 0 } as const;
  return new ContactDynamics(system, source, [material], new NaturalUnits(new AutomaticFriction()), {
    t0: 0,
    h: STEP,
    motion: { gyroscopic: 'conserving' },
    tolerance: TOLERANCE,
    projects: false,
  });
}

function measure(name: string, gap: number, duration: number): Measurement[] {
  const dynamics = stack(gap);
  const times: number[] = [];
  for (let k = 0; k < Math.round(duration / STEP); k++) {
    const began = performance.now();
    const status = dynamics.advance();
    times.push(performance.now() - began);
    if (status !== 'ok') throw new Error(`the stack was not advanced: ${status}`);
  }
  const total = times.reduce((sum, time) => sum + time, 0);
  return [
    {
      quantity: `${BOXES} boxes ${name}`,
      value: total / times.length,
      unit: 'ms per step',
      note: `median ${median(times).toFixed(2)}, longest ${Math.max(...times).toFixed(1)}, ${dynamics.activeCount} contacts in the end`,
    },
    { quantity: '  time simulated / time taken', value: (1e3 * duration) / total, unit: '' },
  ];
}

export const boxStack: Benchmark = {
  name: 'box-stack',
  summary: `a stack of ${BOXES} boxes at h = 5 ms, against real time`,
  measure: () => CASES.flatMap(({ name, gap, duration }) => measure(name, gap, duration)),
};
