/** 3D bodies whose positions are projected, as documents and as what `siconos/projection.py` reads. */
import type { InteractionDocument } from '@engine/document/types';
import { floor, joint, rigid, spaceModel } from '../engine/support/space';
import { type ProjectedModel, type Projection, TOLERANCE } from './projected-models';

interface Ball {
  mass: number;
  inertia: number[];
  /** of the centre, and of velocities */
  position: number[];
  velocity: number[];
  spin: number[];
}

function bodies(
  { h, steps, ...settings }: Projection,
  name: string,
  balls: readonly Ball[],
  interactions: readonly InteractionDocument[],
  more: { radius: number; e: number } | { knee: number[] },
): ProjectedModel {
  const shapes = 'radius' in more ? [{ type: 'Sphere', radius: more.radius }] : [];
  const systems = balls.map(({ mass, inertia, position, velocity, spin }, k) =>
    rigid(`b${k}`, position, { mass, inertia, velocity, spin, shapes }),
  );
  const document = spaceModel('radius' in more ? [floor(), ...systems] : systems, [...interactions], {
    h,
    tEnd: h * steps,
  });
  document.title = name;
  document.simulation.integrators = [
    {
      type: 'MoreauJean',
      theta: 0.5,
      relationPoint: settings.projection === 'combined' ? 'predicted' : 'end',
      ...settings,
      projectionTolerance: TOLERANCE,
      ...('radius' in more ? { projectContacts: 'yes' } : {}),
    },
  ];
  document.simulation.solver = { type: 'auto', tolerance: 1e-13 };
  return {
    name,
    document,
    input: {
      ...settings,
      h,
      steps,
      kind: 'bodies',
      tolerance: TOLERANCE,
      bodies: balls.map(({ mass, inertia, position, velocity, spin }) => ({
        mass,
        inertia,
        q0: [...position, 1, 0, 0, 0],
        v0: [...velocity, ...spin],
      })),
      ...more,
    },
  };
}

const touch = (id: string, systems: string[], e: number): InteractionDocument => ({
  id,
  systems,
  relation: { type: 'ShapeContact' },
  law: { type: 'NewtonImpact3D', e },
});

/** Balls one above the other over a floor, that spin as they fall. Lengths are dyadic. */
export function spheres(settings: Projection, count: number, e: number): ProjectedModel {
  const radius = 0.125;
  const balls = Array.from({ length: count }, (_, k) => ({
    mass: 1,
    inertia: [0.25, 0.25, 0.25],
    position: [0, 0, radius * (2 * k + 1) + (k + 1) / 64],
    velocity: [0, 0, count === 1 ? -1 : 0],
    spin: [0, 0, k],
  }));
  const contacts = balls.map((_, k) => touch(`c${k}`, [k === 0 ? 'floor' : `b${k - 1}`, `b${k}`], e));
  return bodies(settings, `${count} ${count === 1 ? 'ball' : 'balls'}, e = ${e}`, balls, contacts, {
    radius,
    e,
  });
}

/** A top on its tip: three different moments of inertia, a point of it held. */
export function heldBody(settings: Projection): ProjectedModel {
  const point = [0.5, 0, 1];
  const body = { mass: 1, inertia: [0.3, 0.4, 0.5], position: [0, 0, 1] };
  const spin = [2, -1, 3];
  // The point rests: v = −Ω × r.
  const [x, y, z] = point.map((at, i) => at - body.position[i]);
  const velocity = [spin[2] * y - spin[1] * z, spin[0] * z - spin[2] * x, spin[1] * x - spin[0] * y];
  const held = joint('held', ['b0'], { type: 'KneeJoint', point });
  return bodies(settings, 'body held at a point', [{ ...body, velocity, spin }], [held], { knee: point });
}
