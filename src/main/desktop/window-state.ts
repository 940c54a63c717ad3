/** Size and place of the window from one session to the next. */
import type { BrowserWindow, Rectangle } from 'electron';
import { z } from 'zod';
import { JsonStore } from '../files/json-store';

const schema = z.strictObject({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(400).max(20_000),
  height: z.number().int().min(300).max(20_000),
  maximized: z.boolean(),
});

type WindowPlace = z.infer<typeof schema>;

const FIRST: WindowPlace = { width: 1440, height: 900, maximized: false };

export class WindowState {
  readonly #store: JsonStore<WindowPlace>;

  /** @param path JSON file it is kept in */
  constructor(path: string) {
    this.#store = new JsonStore(path, schema, FIRST);
  }

  get maximized(): boolean {
    return this.#store.value.maximized;
  }

  /** Bounds for a new window; the place only when some of it lies on a screen that is still there. */
  bounds(screens: readonly Rectangle[]): Partial<Rectangle> & { width: number; height: number } {
    const { x, y, width, height } = this.#store.value;
    if (x === undefined || y === undefined) return { width, height };
    const visible = screens.some(
      (s) => x < s.x + s.width && x + width > s.x && y < s.y + s.height && y + height > s.y,
    );
    return visible ? { x, y, width, height } : { width, height };
  }

  /** Notes the window's present place. */
  async keep(window: BrowserWindow): Promise<void> {
    await this.#store.set({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  }

  /** Resolves when it has been written. */
  settled(): Promise<void> {
    return this.#store.settled();
  }
}
