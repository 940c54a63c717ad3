/** Which documents have to be built; without what building takes. */
import type { ModelDocument } from './types';

/** Whether a builder script takes part in the model. */
export function needsBuilder(document: ModelDocument): boolean {
  // Of a document with defects this section may be missing, or hold anything.
  const scripts: unknown = document.scripts;
  const isBuilder = (script: unknown): boolean =>
    typeof script === 'object' && script !== null && 'role' in script && script.role === 'builder';
  return Array.isArray(scripts) && scripts.some(isBuilder);
}
