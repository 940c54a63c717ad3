/** Undo and redo over an immutable state, by patches: the cost of an edit is the size of the edit. */
import { apply, create, type Draft, type Patches } from 'mutative';

/** Edits with the same key within this time are one step, ms: a burst of typing, one slider movement. */
export const MERGE_WINDOW = 1200;

export interface EditOptions {
  /** edits of one gesture carry the same key */
  mergeKey?: string;
}

interface Entry {
  id: number;
  label: string;
  patches: Patches;
  inverse: Patches;
  mergeKey: string | null;
  time: number;
}

/** State with named, grouped edits. */
export class EditHistory<T extends object> {
  #state: T;
  #done: Entry[] = [];
  #undone: Entry[] = [];
  #nextId = 1;
  #savedId = 0;
  #gestureOpen = true;
  readonly #now: () => number;
  /** told what each edit, undo and redo changed */
  onPatches: ((label: string, patches: Patches) => void) | null = null;

  /** @param now clock in milliseconds, for the grouping of gestures */
  constructor(state: T, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  get state(): T {
    return this.#state;
  }

  /** Name of the edit that `undo` takes back; null when there is none. */
  get undoLabel(): string | null {
    return this.#done.at(-1)?.label ?? null;
  }

  /** Name of the edit that `redo` repeats; null when there is none. */
  get redoLabel(): string | null {
    return this.#undone.at(-1)?.label ?? null;
  }

  /** True when the state is not the one that was marked saved: undoing back to it is clean again. */
  get dirty(): boolean {
    return this.step !== this.#savedId;
  }

  /** Identity of the newest step; 0 before the first. Unlike `depth` it never comes back for another step. */
  get step(): number {
    return this.#done.at(-1)?.id ?? 0;
  }

  /** Number of steps that can be undone. */
  get depth(): number {
    return this.#done.length;
  }

  /** Changes the state. @returns false when `recipe` changed nothing */
  edit(label: string, recipe: (draft: Draft<T>) => void, options: EditOptions = {}): boolean {
    const [next, patches, inverse] = create(this.#state, recipe, {
      enablePatches: true,
      enableAutoFreeze: true,
    });
    if (patches.length === 0) return false;
    const time = this.#now();
    const last = this.#done.at(-1);
    const mergeKey = options.mergeKey ?? null;
    if (
      last !== undefined &&
      mergeKey !== null &&
      last.mergeKey === mergeKey &&
      this.#gestureOpen &&
      time - last.time <= MERGE_WINDOW &&
      // A saved state must stay reachable, so the step that produced it takes no more edits.
      last.id !== this.#savedId &&
      this.#undone.length === 0
    ) {
      last.patches = [...last.patches, ...patches];
      last.inverse = [...inverse, ...last.inverse];
      last.time = time;
    } else {
      this.#done.push({ id: this.#nextId++, label, patches, inverse, mergeKey, time });
    }
    this.#gestureOpen = true;
    this.#undone = [];
    this.#state = next as T;
    this.onPatches?.(label, patches);
    return true;
  }

  /** Ends the current gesture: the next edit is a step of its own even with the same key. */
  endGesture(): void {
    this.#gestureOpen = false;
  }

  undo(): boolean {
    const entry = this.#done.pop();
    if (entry === undefined) return false;
    this.#state = apply(this.#state, entry.inverse);
    this.#undone.push(entry);
    this.onPatches?.(entry.label, entry.inverse);
    return true;
  }

  redo(): boolean {
    const entry = this.#undone.pop();
    if (entry === undefined) return false;
    this.#state = apply(this.#state, entry.patches);
    this.#done.push(entry);
    this.#gestureOpen = false;
    this.onPatches?.(entry.label, entry.patches);
    return true;
  }

  /** Marks the present state as the one in the file. */
  markSaved(): void {
    this.#savedId = this.step;
  }

  /** Marks the state as never saved, e.g. after a recovery. */
  markUnsaved(): void {
    this.#savedId = -1;
  }
}
