/** The stage on three.js. Nothing else of the window imports it, so that it stays in a chunk of its own. */
import type { AnimationCamera, AnimationOverlay } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import { PCFShadowMap, PerspectiveCamera, Raycaster, Scene as World, Vector2, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { ContactSnapshot } from '../contacts';
import { type SceneBox, centreOf, radiusOf } from '@figures/animation/geometry/bounds';
import { FIELD_OF_VIEW, upOf } from '@figures/animation/geometry/camera';
import {
  type CreateStage,
  type PaintOver,
  type CameraProjection,
  type Stage,
  type StageEvents,
  type StageFigures,
  StageUnavailable,
  type Trails,
} from '../stage';
import type { StageTheme } from '@figures/animation/stage-theme';
import { BodyMeshes } from './bodies';
import { CARD_CORNERS, SOFTWARE_CORNERS } from './forms';
import { Grounds } from './grounds';
import { Lights } from './lights';
import { OverlayMeshes } from './overlays';
import { SelectionBox } from './selection-box';
import { TrailLines } from './trails';

/** More pixels of the screen per pixel of the page cost time and are not seen. */
const MOST_PIXEL_RATIO = 2;
/** Nearest thing that is drawn, relative to the distance of what is looked at. */
const NEAR = 0.01;
/** What is farther away than this is not drawn, in radii of the scene behind its middle. */
const FAR = 30;

/** All that belongs to one scene. */
interface Set {
  readonly bodies: BodyMeshes;
  readonly grounds: Grounds;
  readonly overlays: OverlayMeshes;
  readonly trails: TrailLines;
  readonly selection: SelectionBox;
}

class ThreeStage implements Stage {
  readonly #world = new World();
  readonly #camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly #lights = new Lights();
  readonly #renderer: WebGLRenderer;
  readonly #canvas: HTMLCanvasElement;
  readonly #events: StageEvents;
  readonly #isSoftware: boolean;
  #controls: OrbitControls;
  #set: Set | null = null;
  #box: SceneBox = { least: [-1, -1, -1], most: [1, 1, 1] };
  #theme: StageTheme | null = null;
  #overlays: readonly AnimationOverlay[] = [];
  #width = 1;
  #height = 1;
  readonly #onLost = (event: Event): void => {
    event.preventDefault();
    this.#events.lost();
  };

  constructor(
    canvas: HTMLCanvasElement,
    events: StageEvents,
    context: WebGL2RenderingContext,
    isSoftware: boolean,
  ) {
    this.#canvas = canvas;
    this.#events = events;
    this.#isSoftware = isSoftware;
    this.#renderer = new WebGLRenderer({ canvas, context });
    this.#renderer.setPixelRatio(Math.min(isSoftware ? 1 : MOST_PIXEL_RATIO, window.devicePixelRatio));
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#world.add(this.#lights.group);
    this.#controls = this.#makeControls();
    canvas.addEventListener('webglcontextlost', this.#onLost);
  }

  show(scene: Scene, planar: boolean, box: SceneBox): void {
    this.#clear();
    this.#box = box;
    const radius = radiusOf(box);
    const shadows = this.#overlays.includes('shadows');
    const set = {
      bodies: new BodyMeshes(scene, shadows, this.#isSoftware ? SOFTWARE_CORNERS : CARD_CORNERS),
      grounds: new Grounds(scene, planar, box),
      overlays: new OverlayMeshes(scene, radius),
      trails: new TrailLines(scene),
      selection: new SelectionBox(scene, radius),
    };
    this.#set = set;
    const { bodies, grounds, overlays, trails, selection } = set;
    this.#world.add(bodies.group, grounds.group, overlays.group, trails.group, selection.group);
    this.#lights.place(centreOf(box), upOf(planar), radius);
    this.#camera.up.set(...upOf(planar));
    // The controls take the upper direction of their camera once, when they are made.
    this.#controls.dispose();
    this.#controls = this.#makeControls();
    if (this.#theme !== null) this.setTheme(this.#theme);
    this.setOverlays(this.#overlays);
  }

  setTheme(theme: StageTheme): void {
    this.#theme = theme;
    this.#renderer.setClearColor(theme.background);
    const set = this.#set;
    if (set === null) return;
    for (const part of [set.bodies, set.grounds, set.overlays, set.trails]) part.setTheme(theme);
    set.selection.colour(theme.selection);
  }

  setOverlays(overlays: readonly AnimationOverlay[]): void {
    this.#overlays = overlays;
    const shadows = overlays.includes('shadows');
    this.#renderer.shadowMap.enabled = shadows;
    this.#lights.setShadows(shadows);
    this.#set?.bodies.setShadows(shadows);
    this.#set?.grounds.setShadows(shadows);
    this.#set?.grounds.setGrid(overlays.includes('grid'));
    this.#set?.overlays.setOverlays(overlays);
    if (this.#set !== null) this.#set.trails.group.visible = overlays.includes('trails');
  }

  setPoses(poses: Float64Array): void {
    this.#set?.bodies.setPoses(poses);
    this.#set?.overlays.setPoses(poses);
    this.#set?.selection.setPoses(poses);
  }

  setContacts(contacts: ContactSnapshot | null, forceScale: number): void {
    this.#set?.overlays.setContacts(contacts, forceScale);
  }

  setTrails(trails: Trails | null): void {
    this.#set?.trails.set(trails);
  }

  setTrailTime(time: number): void {
    this.#set?.trails.setTime(time);
  }

  setSelection(body: number): void {
    this.#set?.selection.select(body);
  }

  setCamera({ position, target }: AnimationCamera): void {
    this.#camera.position.set(...position);
    this.#controls.target.set(...target);
    this.#camera.lookAt(this.#controls.target);
    this.#camera.updateMatrixWorld();
  }

  get camera(): AnimationCamera {
    return { position: this.#camera.position.toArray(), target: this.#controls.target.toArray() };
  }

  resize(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
  }

  render(): void {
    this.#adjustDepth();
    this.#renderer.render(this.#world, this.#camera);
  }

  get projection(): CameraProjection {
    const matrix = this.#camera.projectionMatrix.clone().multiply(this.#camera.matrixWorldInverse);
    return { matrix: matrix.toArray(), width: this.#width, height: this.#height };
  }

  pick(x: number, y: number): number {
    const ray = new Raycaster();
    this.#camera.updateMatrixWorld();
    ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.#camera);
    return this.#set?.bodies.hit(ray)?.body ?? -1;
  }

  picture(width: number, height: number, paint: PaintOver): HTMLCanvasElement {
    const ratio = this.#renderer.getPixelRatio();
    const [ownWidth, ownHeight] = [this.#width, this.#height];
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = height;
    try {
      this.#renderer.setPixelRatio(1);
      this.resize(width, height);
      this.render();
      const context = copy.getContext('2d');
      // Read at once: what has been drawn is gone when the browser has shown it.
      context?.drawImage(this.#canvas, 0, 0);
      const scale = height / ownHeight;
      if (context !== null) paint(context, this.projection, scale);
    } finally {
      this.#renderer.setPixelRatio(ratio);
      this.resize(ownWidth, ownHeight);
      this.render();
    }
    return copy;
  }

  get figures(): StageFigures {
    const { memory, render, programs } = this.#renderer.info;
    return {
      geometries: memory.geometries,
      textures: memory.textures,
      programs: programs?.length ?? 0,
      calls: render.calls,
      triangles: render.triangles,
    };
  }

  dispose(): void {
    this.#canvas.removeEventListener('webglcontextlost', this.#onLost);
    this.#clear();
    this.#controls.dispose();
    this.#lights.dispose();
    this.#renderer.dispose();
    // Browsers have room for a few contexts only and end the oldest without asking.
    this.#renderer.forceContextLoss();
  }

  #makeControls(): OrbitControls {
    const controls = new OrbitControls(this.#camera, this.#canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => this.#events.camera(this.camera, false));
    controls.addEventListener('end', () => this.#events.camera(this.camera, true));
    return controls;
  }

  /** Depth has few digits, so they are spent on the visible range only. */
  #adjustDepth(): void {
    const camera = this.#camera;
    const distance = camera.position.distanceTo(this.#controls.target);
    const centre = centreOf(this.#box);
    const toCentre = Math.hypot(...camera.position.toArray().map((x, i) => x - centre[i]));
    camera.near = NEAR * distance;
    camera.far = toCentre + distance + FAR * radiusOf(this.#box);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  #clear(): void {
    const set = this.#set;
    this.#set = null;
    if (set === null) return;
    for (const part of Object.values(set) as { dispose(): void }[]) part.dispose();
    this.#renderer.renderLists.dispose();
  }
}

/** Number of bodies that a CPU can draw with antialiasing. */
const FEW_BODIES = 200;

/** Names of renderers that work without a graphics card. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/**
 * Whether the processor draws. Asked of a context of its own, as that of the picture has its properties from
 * the start.
 */
function drawsInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = names ? context?.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return SOFTWARE.test(String(name));
}

/** @throws {StageUnavailable} */
export const createThreeStage: CreateStage = (canvas, events, bodies) => {
  const isSoftware = drawsInSoftware();
  // Smooth edges cost four times the work, for which a processor has not the time where there is much to
  // draw. The context is asked for here and not by three.js, which would write to the console that there is
  // none.
  const context = canvas.getContext('webgl2', {
    antialias: !isSoftware || bodies <= FEW_BODIES,
    alpha: false,
  });
  if (context === null) throw new StageUnavailable('WebGL 2 is not available');
  return new ThreeStage(canvas, events, context, isSoftware);
};
