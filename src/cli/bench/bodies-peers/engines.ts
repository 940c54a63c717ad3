/**
 * The engines: this one, MuJoCo and Rapier as their packages on npm give them, with their own settings but
 * for the step. Neither is a dependency: they are measured where they are installed, `npm install
 * --no-save @mujoco/mujoco @dimforge/rapier3d-compat`.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import {
  CONTACT_RESIDUALS,
  ContactDynamicsCertificate,
} from '@engine/contact-dynamics/certificate/certificate';
import { worldOf } from '../falling-bodies';
import { DENSITY, FRICTION, type Scene, shapeOf } from './scenes';

export interface Engine {
  step(): void;
  /** of all bodies: position, and w, x, y, z of the orientation */
  poses(out: Float64Array): void;
  /** of all bodies: velocity of the mass centre, and angular velocity in axes of any kind */
  velocities(out: Float64Array): void;
  /** Judges the last step, and says what is worst so far; absent where there is no verdict. */
  readonly judge?: () => void;
  readonly verdict?: () => string;
  close(): void;
}

export interface EngineKind {
  readonly name: string;
  /** @throws {Error} why it is not to be had */
  open(scene: Scene): Promise<Engine>;
}

/** @param overlap of contacts that may stay, m; they stay as they are when left out */
const moreau = (name: string, overlap?: number): EngineKind => ({
  name,
  open({ bodies, gravity, h }) {
    const { dynamics, material } = worldOf(
      bodies.map((body) => ({ shape: shapeOf(body), position: body.position })),
      { gravity, h, ...(overlap === undefined ? {} : { overlap }) },
    );
    const certificate = new ContactDynamicsCertificate(dynamics, [material]);
    return Promise.resolve({
      step: () => {
        const status = dynamics.advance();
        if (status !== 'ok') throw new Error(`a step ended with ${status}`);
      },
      judge: () => {
        certificate.judge();
      },
      verdict: () => {
        const { worst } = certificate;
        const largest = Math.max(...worst);
        return `${largest.toExponential(0)} (${CONTACT_RESIDUALS[worst.indexOf(largest)]})`;
      },
      poses: (out) => {
        out.set(dynamics.q);
      },
      velocities: (out) => {
        out.set(dynamics.u);
      },
      close: () => undefined,
    });
  },
});

/** A package that is no dependency, from where the program is started. */
async function peer(name: string): Promise<unknown> {
  const resolve = createRequire(join(process.cwd(), 'package.json'));
  let path: string;
  try {
    path = resolve.resolve(name);
  } catch {
    throw new Error(`not installed: npm install --no-save ${name}`);
  }
  return import(pathToFileURL(path).href);
}

/* What is used of MuJoCo. */

interface MujocoData {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  delete(): void;
}

interface Mujoco {
  readonly MjModel: { from_xml_string(text: string): { delete(): void } };
  readonly MjData: new (model: object) => MujocoData;
  mj_step(model: object, data: MujocoData): void;
}

let loadedMujoco: Promise<Mujoco> | null = null;

async function loadMujoco(): Promise<Mujoco> {
  const { default: load } = (await peer('@mujoco/mujoco')) as { default: () => Promise<Mujoco> };
  return load();
}

/** The scene in its own language; room for the constraints of thousands of contacts. */
function mujocoModel({ bodies, gravity, h }: Scene): string {
  const friction = `friction="${FRICTION} 0.005 0.0001"`;
  const geometry = bodies.map(({ kind, size, position }) => {
    const shape =
      kind === 'cube' ? `type="box" size="${size} ${size} ${size}"` : `type="sphere" size="${size}"`;
    return `<body pos="${position.join(' ')}"><freejoint/><geom ${shape} density="${DENSITY}" ${friction}/></body>`;
  });
  return [
    `<mujoco><option timestep="${h}" gravity="${gravity.join(' ')}"/><size memory="1500M"/>`,
    `<worldbody><geom type="plane" size="0 0 1" ${friction}/>${geometry.join('')}</worldbody></mujoco>`,
  ].join('');
}

const mujoco: EngineKind = {
  name: 'MuJoCo',
  async open(scene) {
    loadedMujoco ??= loadMujoco();
    const library = await loadedMujoco;
    const model = library.MjModel.from_xml_string(mujocoModel(scene));
    const data = new library.MjData(model);
    return {
      step: () => {
        library.mj_step(model, data);
      },
      poses: (out) => {
        out.set(data.qpos);
      },
      velocities: (out) => {
        out.set(data.qvel);
      },
      close: () => {
        data.delete();
        model.delete();
      },
    };
  },
};

/** Half an edge of the cube that stands for the ground, m. */
const FLOOR = 100;

/* What is used of Rapier. */

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface RapierBody {
  translation(): Vector;
  rotation(): Vector & { readonly w: number };
  linvel(): Vector;
  angvel(): Vector;
}

interface RapierDescription {
  setTranslation(x: number, y: number, z: number): RapierDescription;
  setCanSleep(can: boolean): RapierDescription;
  setDensity(density: number): RapierDescription;
  setFriction(friction: number): RapierDescription;
}

interface Rapier {
  init(): Promise<void>;
  readonly World: new (gravity: Vector) => {
    timestep: number;
    step(): void;
    free(): void;
    createRigidBody(description: RapierDescription): RapierBody;
    createCollider(description: RapierDescription, body?: RapierBody): unknown;
  };
  readonly RigidBodyDesc: { dynamic(): RapierDescription };
  readonly ColliderDesc: {
    cuboid(x: number, y: number, z: number): RapierDescription;
    ball(radius: number): RapierDescription;
  };
}

const rapier: EngineKind = {
  name: 'Rapier',
  async open({ bodies, gravity: [x, y, z], h }) {
    const { default: library } = (await peer('@dimforge/rapier3d-compat')) as { default: Rapier };
    await library.init();
    const { ColliderDesc, RigidBodyDesc } = library;
    const world = new library.World({ x, y, z });
    world.timestep = h;
    // There is no plane.
    world.createCollider(
      ColliderDesc.cuboid(FLOOR, FLOOR, FLOOR).setTranslation(0, 0, -FLOOR).setFriction(FRICTION),
    );
    const own = bodies.map(({ kind, size, position }) => {
      // Sleep would leave out what is measured.
      const body = world.createRigidBody(
        RigidBodyDesc.dynamic()
          .setTranslation(...position)
          .setCanSleep(false),
      );
      const shape = kind === 'cube' ? ColliderDesc.cuboid(size, size, size) : ColliderDesc.ball(size);
      world.createCollider(shape.setDensity(DENSITY).setFriction(FRICTION), body);
      return body;
    });
    return {
      step: () => {
        world.step();
      },
      poses: (out) => {
        own.forEach((body, k) => {
          const [at, turned] = [body.translation(), body.rotation()];
          out.set([at.x, at.y, at.z, turned.w, turned.x, turned.y, turned.z], 7 * k);
        });
      },
      velocities: (out) => {
        own.forEach((body, k) => {
          const [v, w] = [body.linvel(), body.angvel()];
          out.set([v.x, v.y, v.z, w.x, w.y, w.z], 6 * k);
        });
      },
      close: () => {
        world.free();
      },
    };
  },
};

/** m */
const OVERLAP = 1e-4;

export const ENGINES: readonly EngineKind[] = [
  moreau('Moreau'),
  moreau('Moreau, overlaps brought down to 0.1 mm', OVERLAP),
  mujoco,
  rapier,
];
