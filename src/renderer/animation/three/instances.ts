/** Meshes of many copies that grow as needed. */
import { type BufferGeometry, DynamicDrawUsage, type Group, InstancedMesh, type Material } from 'three';

/** Copies of one form whose number changes from picture to picture. */
export class Copies {
  #mesh: InstancedMesh;
  #drawn = 0;

  constructor(
    private readonly parent: Group,
    private readonly form: BufferGeometry,
    private readonly material: Material,
  ) {
    this.#mesh = this.#make(16);
  }

  /** Reserves the matrices of a number of copies, 16 numbers each; contents are discarded. */
  begin(count: number): Float32Array {
    if (count > this.#mesh.instanceMatrix.count) {
      this.#mesh.removeFromParent();
      this.#mesh.dispose();
      this.#mesh = this.#make(2 * count);
    }
    this.#drawn = count;
    return this.#mesh.instanceMatrix.array as Float32Array;
  }

  /** The matrices have been written. */
  end(): void {
    this.#mesh.count = this.#drawn;
    this.#mesh.visible = this.#drawn > 0;
    this.#mesh.instanceMatrix.needsUpdate = true;
  }

  hide(): void {
    this.#mesh.visible = false;
  }

  dispose(): void {
    this.#mesh.removeFromParent();
    this.#mesh.dispose();
    this.form.dispose();
    this.material.dispose();
  }

  #make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.form, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    // The copies are where their matrices say, of which the bounds of the form know nothing.
    mesh.frustumCulled = false;
    // After the bodies, for those that are drawn over all else.
    mesh.renderOrder = 1;
    mesh.count = 0;
    mesh.visible = false;
    this.parent.add(mesh);
    return mesh;
  }
}
