/**
 * What is drawn beside the bodies: frames, joints, contacts, forces, cones of friction, and the box of the
 * selected body.
 */
import type { AnimationOverlay } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import { Color, DoubleSide, Group, MeshBasicMaterial, MeshLambertMaterial } from 'three';
import type { ContactSnapshot } from '../contacts';
import {
  type ArrowMatrices,
  longest,
  writeArrow,
  writeBall,
  writeCone,
} from '@figures/animation/geometry/arrows';
import { writeInstanceMatrix } from '@figures/animation/geometry/instancing';
import { carryTo, POSE_NUMBERS, stretchPlaces } from '@figures/animation/geometry/poses';
import type { StageTheme } from '@figures/animation/stage-theme';
import { ballForm, coneForm, frameForm, headForm, shaftForm } from './forms';
import { Copies } from './instances';

/** Sizes of marks, relative to the radius of the scene. */
const SIZE = {
  frame: 0.12,
  joint: 0.014,
  jointAxis: 0.1,
  contact: 0.008,
  normal: 0.08,
  force: 0.3,
  cone: 0.07,
  width: 0.0045,
} as const;

/** Many bodies have smaller marks: relative to the mean room of one. */
const MARK_SIZE_PER_SPACING = 1.5;

/** Joints and contacts lie inside bodies or between them: they are drawn over all else. */
const inFront = (): MeshLambertMaterial => new MeshLambertMaterial({ depthTest: false, transparent: true });

/** Shafts and heads of one kind. */
class Arrows {
  readonly #shafts: Copies;
  readonly #heads: Copies;
  readonly #material = inFront();

  constructor(parent: Group) {
    this.#shafts = new Copies(parent, shaftForm(), this.#material);
    this.#heads = new Copies(parent, headForm(), this.#material);
  }

  colour(css: string): void {
    this.#material.color.set(css);
  }

  draw(count: number, write: (out: ArrowMatrices, index: number) => void): void {
    const out = { shafts: this.#shafts.begin(count), heads: this.#heads.begin(count) };
    for (let i = 0; i < count; i++) write(out, i);
    this.#shafts.end();
    this.#heads.end();
  }

  dispose(): void {
    this.#shafts.dispose();
    this.#heads.dispose();
  }
}

export class OverlayMeshes {
  readonly group = new Group();
  readonly #scene: Scene;
  readonly #stretches: Int32Array;
  readonly #unit: number;
  readonly #point = inFront();
  readonly #jointPoint = inFront();
  readonly #coneMaterial = new MeshBasicMaterial({
    side: DoubleSide,
    transparent: true,
    opacity: 0.28,
    depthWrite: false,
  });
  readonly #points: Copies;
  readonly #joints: Copies;
  readonly #cones: Copies;
  readonly #normals: Arrows;
  readonly #forces: Arrows;
  readonly #axes: Arrows;
  #frames: Copies | null = null;
  #overlays: ReadonlySet<AnimationOverlay> = new Set();
  #poses: Float64Array = new Float64Array(0);
  #contacts: ContactSnapshot | null = null;
  #forceScale = 1;
  /** largest impulse so far, N·s: arrows of one run keep their scale */
  #largest = 0;

  /** @param radius of the scene, m */
  constructor(scene: Scene, radius: number) {
    this.#scene = scene;
    this.#stretches = stretchPlaces(scene);
    const count = Math.max(1, scene.bodies.length);
    this.#unit = radius * Math.min(1, MARK_SIZE_PER_SPACING / Math.cbrt(count));
    this.#points = new Copies(this.group, ballForm(), this.#point);
    this.#joints = new Copies(this.group, ballForm(), this.#jointPoint);
    this.#cones = new Copies(this.group, coneForm(), this.#coneMaterial);
    this.#normals = new Arrows(this.group);
    this.#forces = new Arrows(this.group);
    this.#axes = new Arrows(this.group);
  }

  setTheme(theme: StageTheme): void {
    this.#point.color.set(theme.contact);
    this.#jointPoint.color.set(theme.joint);
    this.#coneMaterial.color.set(theme.cone);
    this.#normals.colour(theme.contact);
    this.#forces.colour(theme.force);
    this.#axes.colour(theme.joint);
    this.#frames?.dispose();
    const material = new MeshBasicMaterial({ vertexColors: true, color: new Color(1, 1, 1) });
    this.#frames = new Copies(this.group, frameForm(theme.axes), material);
    this.#drawFrames();
  }

  setOverlays(overlays: readonly AnimationOverlay[]): void {
    this.#overlays = new Set(overlays);
    this.#drawFrames();
    this.#drawJoints();
    this.#drawContacts();
  }

  setPoses(poses: Float64Array): void {
    this.#poses = poses;
    this.#drawFrames();
    this.#drawJoints();
  }

  setContacts(contacts: ContactSnapshot | null, forceScale: number): void {
    this.#contacts = contacts;
    this.#forceScale = forceScale;
    if (contacts !== null)
      this.#largest = Math.max(this.#largest, longest(contacts.impulses, contacts.count));
    this.#drawContacts();
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const one of [this.#points, this.#joints, this.#cones, this.#normals, this.#forces, this.#axes])
      one.dispose();
    this.#frames?.dispose();
  }

  /** Frames of all bodies, or of those that have nothing else to be seen by. */
  #drawFrames(): void {
    if (this.#frames === null || this.#poses.length === 0) return;
    const all = this.#overlays.has('frames');
    const { bodies } = this.#scene;
    const drawn = bodies.flatMap(({ shapes }, body) => (all || shapes.length === 0 ? [body] : []));
    const out = this.#frames.begin(drawn.length);
    const size = SIZE.frame * this.#unit;
    drawn.forEach((body, i) => {
      const at = POSE_NUMBERS * body;
      writeInstanceMatrix(out, i, this.#poses.subarray(at, at + 3), this.#poses, at + 3, size, size, size);
    });
    this.#frames.end();
  }

  #drawJoints(): void {
    const shown = this.#overlays.has('joints') && this.#poses.length > 0;
    const joints = shown ? this.#scene.joints : [];
    const points = new Float64Array(3 * joints.length);
    const axes = new Float64Array(3 * joints.length);
    joints.forEach(({ bodies, points: held, axis }, i) => {
      // The first of them is enough: a joint that holds has both at one place.
      const side = bodies[0] >= 0 ? 0 : 1;
      this.#toWorld(points, 3 * i, bodies[side], held[side], true);
      if (axis !== null) this.#toWorld(axes, 3 * i, bodies[0], axis, false);
    });
    const ball = this.#joints.begin(joints.length);
    for (let i = 0; i < joints.length; i++) writeBall(ball, i, points, 3 * i, SIZE.joint * this.#unit);
    this.#joints.end();
    const width = SIZE.width * this.#unit;
    this.#axes.draw(joints.length, (out, i) =>
      writeArrow(out, i, points, axes, 3 * i, SIZE.jointAxis * this.#unit, width),
    );
  }

  #drawContacts(): void {
    const contacts = this.#contacts;
    const count = (overlay: AnimationOverlay): number =>
      contacts !== null && this.#overlays.has(overlay) ? contacts.count : 0;
    const { points, normals, impulses, frictions } = contacts ?? NOTHING;
    const unit = this.#unit;
    const balls = this.#points.begin(count('contacts'));
    for (let i = 0; i < count('contacts'); i++) writeBall(balls, i, points, 3 * i, SIZE.contact * unit);
    this.#points.end();
    this.#normals.draw(count('contacts'), (out, i) =>
      writeArrow(out, i, points, normals, 3 * i, SIZE.normal * unit, SIZE.width * unit),
    );
    const scale = this.#largest > 0 ? (this.#forceScale * SIZE.force * unit) / this.#largest : 0;
    this.#forces.draw(count('forces'), (out, i) =>
      writeArrow(out, i, points, impulses, 3 * i, scale, 1.6 * SIZE.width * unit),
    );
    const cones = this.#cones.begin(count('cones'));
    for (let i = 0; i < count('cones'); i++)
      writeCone(cones, i, points, normals, 3 * i, frictions[i], SIZE.cone * unit);
    this.#cones.end();
  }

  #toWorld(out: Float64Array, at: number, body: number, v: readonly number[], isPoint: boolean): void {
    if (body < 0) {
      out.set(v, at);
      return;
    }
    carryTo(out, at, this.#poses, body, this.#stretches[body], v[0], v[1], v[2]);
    if (isPoint) for (let k = 0; k < 3; k++) out[at + k] += this.#poses[POSE_NUMBERS * body + k];
  }
}

const NOTHING = {
  points: new Float64Array(0),
  normals: new Float64Array(0),
  impulses: new Float64Array(0),
  frictions: new Float64Array(0),
};
