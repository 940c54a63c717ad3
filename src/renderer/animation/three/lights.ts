/** Light from the sky and from a lamp above the left shoulder of the viewer. */
import { DirectionalLight, Group, HemisphereLight, Vector3 } from 'three';
import type { SpaceVector } from '@figures/animation/geometry/camera';

/** Side of the map of shadows, pixels. */
const SHADOW_MAP = 2048;
/** Surfaces do not shade themselves for want of digits, relative to the scene. */
const BIAS = 2e-3;

export class Lights {
  readonly group = new Group();
  readonly #lamp = new DirectionalLight(0xffffff, 1.9);
  readonly #sky = new HemisphereLight(0xffffff, 0xb8c0cc, 1.5);

  constructor() {
    this.#lamp.shadow.mapSize.set(SHADOW_MAP, SHADOW_MAP);
    this.group.add(this.#lamp, this.#lamp.target, this.#sky);
  }

  /** Lights a scene. @param up unit @param radius m */
  place(centre: SpaceVector, up: SpaceVector, radius: number): void {
    this.#sky.position.set(...up);
    const side = up[1] > 0 ? new Vector3(-0.5, 0.9, 1.4) : new Vector3(-0.5, -0.8, 1.5);
    this.#lamp.target.position.set(...centre);
    this.#lamp.position
      .copy(side)
      .normalize()
      .multiplyScalar(3 * radius)
      .add(this.#lamp.target.position);
    const { camera } = this.#lamp.shadow;
    camera.left = camera.bottom = -1.5 * radius;
    camera.right = camera.top = 1.5 * radius;
    camera.near = radius;
    camera.far = 6 * radius;
    camera.updateProjectionMatrix();
    this.#lamp.shadow.normalBias = BIAS * radius;
  }

  setShadows(shadows: boolean): void {
    this.#lamp.castShadow = shadows;
  }

  dispose(): void {
    this.#lamp.dispose();
    this.#sky.dispose();
  }
}
