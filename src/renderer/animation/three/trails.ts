/** The paths of bodies up to the time that is shown. */
import type { Scene } from '@engine/scene/scene';
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial } from 'three';
import { lastAtMost } from '../playback/time-index';
import type { Trails } from '../stage';
import { sceneColours, type StageTheme } from '@figures/animation/stage-theme';

export class TrailLines {
  readonly group = new Group();
  readonly #scene: Scene;
  #lines: { line: Line<BufferGeometry, LineBasicMaterial>; body: number }[] = [];
  #times: Float64Array = new Float64Array(0);
  #theme: StageTheme | null = null;
  #time = Infinity;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  setTheme(theme: StageTheme): void {
    this.#theme = theme;
    const colours = sceneColours(theme, this.#scene);
    for (const { line, body } of this.#lines) line.material.color.set(colours[body]);
  }

  set(trails: Trails | null): void {
    this.#clear();
    if (trails === null) return;
    this.#times = trails.times;
    this.#lines = trails.paths.map(({ body, points }) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(points, 3));
      const line = new Line(geometry, new LineBasicMaterial());
      line.frustumCulled = false;
      this.group.add(line);
      return { line, body };
    });
    if (this.#theme !== null) this.setTheme(this.#theme);
    this.setTime(this.#time);
  }

  setTime(time: number): void {
    this.#time = time;
    const count = lastAtMost(this.#times, time) + 1;
    for (const { line } of this.#lines) line.geometry.setDrawRange(0, count);
  }

  dispose(): void {
    this.#clear();
    this.group.removeFromParent();
  }

  #clear(): void {
    for (const { line } of this.#lines) {
      line.removeFromParent();
      line.geometry.dispose();
      line.material.dispose();
    }
    this.#lines = [];
    this.#times = new Float64Array(0);
  }
}
