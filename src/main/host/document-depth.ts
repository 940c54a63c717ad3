/**
 * The limit on how deeply documents are nested, checked before anything walks them recursively or hands them
 * to another thread: both would exhaust the stack.
 */
import { MoreauError } from '@contract/errors';

/** Deepest nesting accepted. The format itself needs about eight levels. */
const MAX_DEPTH = 100;

const REMEDY =
  'A model needs fewer than ten levels of lists and objects; look for brackets that are doubled.';

/** The limit exceeded, as an error. `where` is given when the document came as text. */
const nestedTooDeeply = (where?: string): MoreauError =>
  new MoreauError({
    code: 'invalid-document',
    message: `The document is nested more than ${MAX_DEPTH} levels deep.`,
    ...(where === undefined ? {} : { where }),
    remedy: REMEDY,
  });

/** @throws {MoreauError} `invalid-document` when a value of the document lies deeper than `MAX_DEPTH` */
export function checkDocumentDepth(document: object): void {
  const pending: { value: object; depth: number }[] = [{ value: document, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) throw nestedTooDeeply();
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (const member of members) {
      if (typeof member === 'object' && member !== null) pending.push({ value: member, depth: depth + 1 });
    }
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/**
 * The same for a document's text, valid JSON or not.
 * @throws {MoreauError} `invalid-document` with the line and column of the bracket that is too much
 */
export function checkTextDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (OPENING.has(character)) {
      if (++depth <= MAX_DEPTH) continue;
      const before = text.slice(0, i);
      throw nestedTooDeeply(
        `line ${before.split('\n').length}, column ${i - before.lastIndexOf('\n')} of the text`,
      );
    } else if (CLOSING.has(character)) depth--;
  }
}
