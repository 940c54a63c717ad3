/**
 * The journal of unsaved edits: what brings a document back after a window, a process or the machine was
 * ended.
 */
import type { ModelDocument } from '@engine/document/types';
import { z } from 'zod';

/** One change at a place of the document, as the history of edits records it. */
interface JournalPatch {
  op: 'add' | 'remove' | 'replace';
  path: (string | number)[];
  value?: unknown;
}

/** What one edit, undo or redo changed. */
export interface JournalEntry {
  label: string;
  patches: JournalPatch[];
}

/** The file a document belongs to, as the window knows it. */
export interface JournalFile {
  handle: string | null;
  name: string;
  stamp?: string | undefined;
}

/** A journal on the disk. */
export interface JournalInfo {
  journal: string;
  /** the page that wrote it; it may still be there */
  page: string;
  /** by a page that is there, as far as its host knows; absent: it was left behind */
  held?: {
    /** what pages have in common that see each other's locks; null where that is not known */
    profile: string | null;
  };
  title: string;
  file: JournalFile | null;
  /** when it was last written, ms since 1970 */
  time: number;
  /** edits since the document was last saved or opened, as far as they are known */
  edits: number;
}

export interface JournalContent {
  document: ModelDocument;
  /** to be applied in turn; what was being written when the end came is left out */
  entries: JournalEntry[];
}

/** Longest text of a label or name in a journal. */
const LONGEST_TEXT = 300;
/** Most edits that arrive together. */
const MOST_ENTRIES = 10_000;

/** Most documents that one window has open with unsaved edits. */
const MOST_ATTENDED = 1000;

const text = z.string().max(LONGEST_TEXT);
const journal = z.uuid();
const patch = z.strictObject({
  op: z.enum(['add', 'remove', 'replace']),
  path: z.array(z.union([z.string(), z.number()])).max(64),
  value: z.unknown().optional(),
});

/** Schemas of the parameters of the journal's methods, but for the document. */
export const journalSchemas = {
  journal,
  page: z.uuid(),
  profile: z.uuid().nullable(),
  journals: z.array(journal).max(MOST_ATTENDED),
  file: z.strictObject({ handle: text.nullable(), name: text, stamp: text.optional() }).nullable(),
  entries: z.array(z.strictObject({ label: text, patches: z.array(patch) })).max(MOST_ENTRIES),
};
