/**
 * Where a text stops being JSON. The messages of `JSON.parse` name a position in some engines and for some defects
 * only; a user who is told to correct a text needs the place always.
 */

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** the longest beginnings of a number and of a string, to tell a wrong one from one that is cut off */
const NUMBER_START = /-?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][+-]?)?/y;
const STRING_START =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*(?:\\(?:u[0-9a-fA-F]{0,3})?)?/y;
const SPACE = /[ \t\n\r]*/y;

/** End of the match of a sticky expression at `at`, or −1. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** End of the plain value at `at`; where it is broken, ~(place of the defect). */
function scalar(text: string, at: number): number {
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, at)) return at + word.length;
    const rest = text.slice(at);
    if (rest !== '' && word.startsWith(rest)) return ~text.length;
  }
  const isString = text[at] === '"';
  const end = endOf(isString ? STRING : NUMBER, text, at);
  const start = endOf(isString ? STRING_START : NUMBER_START, text, at);
  // `1.` holds the number 1, but what it begins is longer.
  return end >= Math.max(at + 1, isString ? 0 : start) ? end : ~Math.max(at, start);
}

/**
 * Offset of the first character that cannot stand where it stands.
 * @returns the length of the text when it only ends too early; −1 when it is JSON
 */
export function jsonDefectAt(text: string): number {
  /** closing brackets that are awaited */
  const open: ('}' | ']')[] = [];
  let state: 'value' | 'valueOrClose' | 'key' | 'keyOrClose' | 'colon' | 'after' = 'value';
  let at = 0;
  for (;;) {
    at = endOf(SPACE, text, at);
    const character = text[at] as string | undefined;
    if (character === undefined) return state === 'after' && open.length === 0 ? -1 : text.length;
    if (state === 'after') {
      const closing = open.at(-1);
      if (closing === undefined) return at;
      if (character === closing) open.pop();
      else if (character === ',') state = closing === '}' ? 'key' : 'value';
      else return at;
      at++;
    } else if (state === 'colon') {
      if (character !== ':') return at;
      state = 'value';
      at++;
    } else if (
      (state === 'valueOrClose' && character === ']') ||
      (state === 'keyOrClose' && character === '}')
    ) {
      open.pop();
      state = 'after';
      at++;
    } else if (state === 'key' || state === 'keyOrClose') {
      if (character !== '"') return at;
      const end = scalar(text, at);
      if (end < 0) return ~end;
      at = end;
      state = 'colon';
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      state = character === '{' ? 'keyOrClose' : 'valueOrClose';
      at++;
    } else {
      const end = scalar(text, at);
      if (end < 0) return ~end;
      at = end;
      state = 'after';
    }
  }
}
