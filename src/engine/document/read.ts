/**
 * Opens the text of a model document: JSON, version, migration, and the containers that every view relies on.
 */
import { FORMAT_VERSION } from './schema';
import { MAX_ELEMENTS, structuralIssues } from './structure';
import type { DocumentIssue, ModelDocument } from './types';

/*
 * Where a text stops being JSON. The messages of `JSON.parse` name a position in some engines and for some
 * defects only; a user asked to correct a text always needs the place.
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

/*
 * Migrations by the version they start from: each takes a parsed document of version n and returns one of
 * n + 1. A new one comes with a stored document of its version as a test. They meet documents with defects
 * too, and leave those for the validation to report.
 */

type ParsedDocument = Record<string, unknown>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Format 2 has a list of integrators, each with its systems; the one of format 1 took all. */
function toListOfIntegrators(document: ParsedDocument): ParsedDocument {
  const { simulation } = document;
  if (!isObject(simulation) || !Object.hasOwn(simulation, 'integrator'))
    return { ...document, formatVersion: 2 };
  const { integrator, ...others } = simulation;
  return { ...document, formatVersion: 2, simulation: { ...others, integrators: [integrator] } };
}

const migrations: Readonly<Record<number, (document: ParsedDocument) => ParsedDocument>> = {
  1: toListOfIntegrators,
  // Format 3 has components and wires; a document without them means what it meant.
  2: (document) => ({ ...document, formatVersion: 3 }),
};

export interface DocumentReading {
  /** null when nothing could be opened; `issues` says why */
  document: ModelDocument | null;
  issues: DocumentIssue[];
  /** version of the text when it was an older one */
  migratedFrom?: number;
}

const fail = (code: string, message: string, remedy: string, pointer = ''): DocumentReading => ({
  document: null,
  issues: [{ severity: 'error', code, pointer, message, remedy }],
});

/** 1-based line and column of a character offset. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/** Characters of the text that are shown where it is wrong. */
const SHOWN = 20;

function notJson(text: string): DocumentReading {
  const end = text.trimEnd().length;
  const offset = Math.min(jsonDefectAt(text), end);
  const truncated = offset === end;
  const { line, column } = placeOf(text, offset);
  const found = text.slice(offset, offset + SHOWN).split(/[\r\n]/)[0];
  return fail(
    'not-json',
    truncated
      ? `The text ends in the middle of the document, at line ${line}, column ${column}: the file is incomplete.`
      : `The text is not JSON at line ${line}, column ${column}: “${found}” cannot stand there.`,
    truncated
      ? 'Open the backup beside it (its name ends in .bak), or complete the text.'
      : 'Correct the text at that place.',
  );
}

/**
 * Containers the views iterate over. A defect inside them is shown in place; a wrong container leaves no
 * place.
 */
const LISTS = ['parameters', 'systems', 'interactions', 'observables', 'scripts', 'views'] as const;

/** The same, where a document has them. */
const OPTIONAL_LISTS = ['components', 'instances', 'wires', 'submodels', 'libraries', 'dashboards'] as const;

/**
 * Reads a document. Defects of its elements do not keep it from opening: they come as issues together with
 * it. Nothing is repaired silently, and keys that are not known stay in the document.
 */
export function readDocument(text: string): DocumentReading {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return notJson(text);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { document: null, issues: structuralIssues(parsed) };
  }
  let document = parsed as Record<string, unknown>;
  const version = document.formatVersion;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return fail(
      'no-format-version',
      'This is not a Moreau model: it has no format version.',
      `A model starts with "formatVersion": ${FORMAT_VERSION}.`,
      '/formatVersion',
    );
  }
  if (version > FORMAT_VERSION) {
    return fail(
      'newer-format',
      `The model was written in format ${version}; this version of Moreau reads up to format ${FORMAT_VERSION}.`,
      'Open it with a newer Moreau.',
      '/formatVersion',
    );
  }
  for (let from = version; from < FORMAT_VERSION; from++) document = migrations[from](document);
  const given = OPTIONAL_LISTS.filter((section) => document[section] !== undefined);
  for (const section of [...LISTS, ...given]) {
    const list = document[section];
    if (list === undefined) {
      // Only physics is mandatory: a hand-written model need not carry empty sections.
      document[section] = [];
      continue;
    }
    if (!Array.isArray(list)) {
      return fail(
        'wrong-section',
        `“${section}” is not a list.`,
        `Write "${section}": [ … ].`,
        `/${section}`,
      );
    }
    if (list.length > MAX_ELEMENTS) return { document: null, issues: structuralIssues(document) };
    const odd = list.findIndex(
      (entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry),
    );
    if (odd >= 0) {
      return fail(
        'wrong-section',
        `Entry ${odd} of “${section}” is not an object.`,
        'Correct or remove it.',
        `/${section}/${odd}`,
      );
    }
  }
  document.layout ??= { nodes: {} };
  for (const section of ['simulation', 'layout']) {
    const value = document[section];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fail(
        'wrong-section',
        `“${section}” is missing or not an object.`,
        `Write "${section}": { … }.`,
        `/${section}`,
      );
    }
  }
  const units = brokenUnits(document.displayUnits);
  if (units !== null)
    return fail(
      'wrong-section',
      `“${units.slice(1).replace('/', '” of “')}” is not an object of units.`,
      'Write "displayUnits": { "units": { "m": "mm" }, "parameters": { … } }, or leave it out.',
      units,
    );
  const frames = brokenFrames(document.layout as Record<string, unknown>);
  if (frames !== null)
    return fail(
      'wrong-section',
      `“${frames}” of the layout is not a list of ${frames} as it should be.`,
      frames === 'groups'
        ? 'Write "groups": [{ "id": …, "name": …, "members": [ … ] }], or leave it out.'
        : 'Write "notes": [{ "id": …, "text": …, "x": …, "y": …, "width": …, "height": … }], or leave it out.',
      `/layout/${frames}`,
    );
  return {
    document: document as unknown as ModelDocument,
    issues: structuralIssues(document),
    ...(version < FORMAT_VERSION ? { migratedFrom: version } : {}),
  };
}

/** The list of frames that no view could show; null where both can be. */
function brokenFrames({ groups, notes }: Record<string, unknown>): 'groups' | 'notes' | null {
  const isList = (list: unknown, holds: (entry: Record<string, unknown>) => boolean): boolean =>
    list === undefined ||
    (Array.isArray(list) &&
      list.every(
        (entry) => typeof entry === 'object' && entry !== null && holds(entry as Record<string, unknown>),
      ));
  const isText = (value: unknown): boolean => typeof value === 'string';
  if (!isList(groups, ({ members }) => Array.isArray(members) && members.every(isText))) return 'groups';
  const isNumber = (value: unknown): boolean => typeof value === 'number';
  return isList(
    notes,
    ({ text, x, y, width, height }) => isText(text) && [x, y, width, height].every(isNumber),
  )
    ? null
    : 'notes';
}

/** Place of display units that no view could read; null where all can be. */
function brokenUnits(section: unknown): string | null {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (section === undefined) return null;
  if (!isObject(section)) return '/displayUnits';
  for (const key of ['units', 'parameters']) {
    const table = section[key];
    const isSound =
      table === undefined ||
      (isObject(table) && Object.values(table).every((unit) => typeof unit === 'string'));
    if (!isSound) return `/displayUnits/${key}`;
  }
  return null;
}
