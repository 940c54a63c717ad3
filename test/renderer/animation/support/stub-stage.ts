/** A stage that draws nothing and remembers what it was given. */
import type { AnimationCamera, AnimationOverlay } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import type { CreateStage, Stage, StageEvents } from '@renderer/animation/stage';

export interface StubStage extends Stage {
  events: StageEvents;
  scene: Scene | null;
  poses: Float64Array;
  overlays: readonly AnimationOverlay[];
  selected: number;
  contacts: unknown;
  trails: unknown;
  pictures: number;
  disposed: boolean;
  /** what the next `pick` answers */
  under: number;
}

/** Stages that were made, the newest last; and what makes them. */
export function stubStages(): { made: StubStage[]; create: CreateStage } {
  const made: StubStage[] = [];
  const create: CreateStage = (_canvas, events) => {
    let camera: AnimationCamera = { position: [0, 0, 1], target: [0, 0, 0] };
    const stage: StubStage = {
      events,
      scene: null,
      poses: new Float64Array(0),
      overlays: [],
      selected: -1,
      contacts: null,
      trails: null,
      pictures: 0,
      disposed: false,
      under: -1,
      show: (scene) => (stage.scene = scene),
      setTheme: () => undefined,
      setOverlays: (overlays) => (stage.overlays = overlays),
      setPoses: (poses) => (stage.poses = poses.slice()),
      setContacts: (contacts) => (stage.contacts = contacts),
      setTrails: (trails) => (stage.trails = trails),
      setTrailTime: () => undefined,
      setSelection: (body) => {
        if (body >= (stage.scene?.bodies.length ?? 0)) throw new Error(`no body ${body} is on the stage`);
        stage.selected = body;
      },
      setCamera: (next) => (camera = next),
      get camera() {
        return camera;
      },
      resize: () => undefined,
      render: () => stage.pictures++,
      projection: { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], width: 100, height: 100 },
      pick: () => stage.under,
      picture: (width, height) => {
        const canvas = document.createElement('canvas');
        canvas.width = width;
        canvas.height = height;
        return canvas;
      },
      figures: { geometries: 0, textures: 0, programs: 0, calls: 0, triangles: 0 },
      dispose: () => (stage.disposed = true),
    };
    made.push(stage);
    return stage;
  };
  return { made, create };
}
