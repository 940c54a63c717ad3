/**
 * What draws the bodies, as the panel knows it. It is loaded when the first animation is shown, and tests put
 * another in its place.
 */
import type { AnimationCamera, AnimationOverlay } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import type { InjectionKey } from 'vue';
import type { ContactSnapshot } from './contacts';
import type { SceneBox } from '@figures/animation/geometry/bounds';
import type { StageTheme } from '@figures/animation/stage-theme';

/** Paths of bodies over time. */
export interface Trails {
  /** s */
  readonly times: Float64Array;
  readonly paths: readonly TrailPath[];
}

interface TrailPath {
  /** place in `Scene.bodies` */
  readonly body: number;
  /** 3 a time, m */
  readonly points: Float32Array;
}

/** Where a picture is drawn: what is needed to place text over it. */
export interface CameraProjection {
  /** 16 numbers, by columns: from the world to −1 … 1 */
  readonly matrix: readonly number[];
  /** pixels of the style sheet */
  readonly width: number;
  readonly height: number;
}

/** What the graphics card holds and draws, for the read-out of tests. */
export interface StageFigures {
  readonly geometries: number;
  readonly textures: number;
  readonly programs: number;
  readonly calls: number;
  readonly triangles: number;
}

export interface StageEvents {
  /** the user moves the camera; `done` at the end of the movement */
  camera(camera: AnimationCamera, done: boolean): void;
  /** the graphics card has given up */
  lost(): void;
}

export interface Stage {
  /** Replaces all that is drawn. @param box of the whole motion, for the size of grounds */
  show(scene: Scene, planar: boolean, box: SceneBox): void;
  setTheme(theme: StageTheme): void;
  setOverlays(overlays: readonly AnimationOverlay[]): void;
  /** @param poses 7 a body */
  setPoses(poses: Float64Array): void;
  /** @param forceScale of the arrows, relative to their automatic length */
  setContacts(contacts: ContactSnapshot | null, forceScale: number): void;
  setTrails(trails: Trails | null): void;
  /** Trails end here, s. */
  setTrailTime(time: number): void;
  /** @param body place in `Scene.bodies`; −1 for none */
  setSelection(body: number): void;
  setCamera(camera: AnimationCamera): void;
  readonly camera: AnimationCamera;
  resize(width: number, height: number): void;
  render(): void;
  readonly projection: CameraProjection;
  /** Body at a place of the picture, 0 … 1 from its upper left; −1 for none. */
  pick(x: number, y: number): number;
  /** The picture in another size, with what `paint` draws over it. */
  picture(width: number, height: number, paint: PaintOver): HTMLCanvasElement;
  readonly figures: StageFigures;
  dispose(): void;
}

/** Draws text over a picture. @param scale pixels of the picture per pixel of the style sheet */
export type PaintOver = (
  context: CanvasRenderingContext2D,
  projection: CameraProjection,
  scale: number,
) => void;

/**
 * @param bodies number of bodies that are to be drawn, about
 * @throws {StageUnavailable} where there is no WebGL
 */
export type CreateStage = (canvas: HTMLCanvasElement, events: StageEvents, bodies: number) => Stage;

/** The machine or the browser offers no WebGL. */
export class StageUnavailable extends Error {
  override readonly name = 'StageUnavailable';
}

export type LoadStage = () => Promise<CreateStage>;

/** Tests provide another under this key. */
export const STAGE_LOADER: InjectionKey<LoadStage> = Symbol('stage loader');
