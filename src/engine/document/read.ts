/** Opens the text of a model document: JSON, version, migration, and the containers that every view relies on. */
import { jsonDefectAt } from './json-place';
import { migrations } from './migrations';
import { FORMAT_VERSION } from './schema';
import { MAX_ELEMENTS, structuralIssues } from './structure';
import type { DocumentIssue, ModelDocument } from './types';

export interface ReadResult {
  /** null when nothing could be opened; `issues` says why */
  document: ModelDocument | null;
  issues: DocumentIssue[];
  /** version of the text when it was an older one */
  migratedFrom?: number;
}

const fail = (code: string, message: string, remedy: string, pointer = ''): ReadResult => ({
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

function notJson(text: string): ReadResult {
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

/** Containers the views iterate over. A defect inside them is shown in place; a wrong container leaves no place. */
const LISTS = ['parameters', 'systems', 'interactions', 'observables', 'scripts', 'views'] as const;

/**
 * Reads a document. Defects of its elements do not keep it from opening: they come as issues together with it.
 * Nothing is repaired silently, and keys that are not known stay in the document.
 */
export function readDocument(text: string): ReadResult {
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
  for (const section of [...LISTS, ...(document.dashboards === undefined ? [] : ['dashboards'])]) {
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
