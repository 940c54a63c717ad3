/** Command lines executed in the test's process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '@cli/main';
import type { Installation } from '@main/installation';
import { PLACE, ROOT } from '../main/support';

const place: Installation = {
  host: PLACE,
  commandLine: join(ROOT, 'out/test/cli.js'),
  rendererDirectory: ROOT,
  preload: '',
};

export interface Outcome {
  code: number;
  out: string;
  notes: string;
}

export interface Circumstances {
  /** text in the notes at which the user presses Ctrl-C */
  interruptAt?: string;
  /** the user presses Ctrl-C as soon as the command listens */
  interruptAtOnce?: boolean;
  /** the user presses Ctrl-C when this is over */
  interruptAfter?: Promise<unknown>;
  /** called with everything that is noted */
  onNote?: (text: string) => void;
}

/** Executes a command line. */
export async function moreau(argv: string[], circumstances: Circumstances = {}): Promise<Outcome> {
  const { interruptAt, interruptAtOnce = false, interruptAfter, onNote } = circumstances;
  let out = '';
  let notes = '';
  const listeners = new Set<() => void>();
  void interruptAfter?.then(() => {
    for (const listener of listeners) listener();
  });
  const code = await main(argv, {
    place,
    out: (text) => (out += text),
    note: (text) => {
      notes += text;
      onNote?.(text);
      if (interruptAt !== undefined && text.includes(interruptAt))
        for (const listener of listeners) listener();
    },
    terminal: false,
    onInterrupt: (action) => {
      listeners.add(action);
      if (interruptAtOnce) queueMicrotask(action);
      return () => listeners.delete(action);
    },
  });
  return { code, out, notes };
}

/** The model as a file in a folder. @returns its path */
export function modelFile(folder: string, document: unknown, name = 'model.moreau.json'): string {
  const path = join(folder, name);
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}
