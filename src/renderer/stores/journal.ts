/**
 * The journal of unsaved edits: each document with unsaved changes has one at the host, which follows its
 * edits, undos and redos with a pause of seconds. A document that is saved, or given up by its user, has
 * none.
 */
import type { JournalContent, JournalEntry, JournalInfo } from '@contract/journal';
import type { ModelDocument } from '@engine/document/types';
import { apply, type Patches } from 'mutative';
import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { DocumentFile, OpenDocument } from '../document/open-document';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { describeError, useNoticesStore } from './notices';
import { useSettingsStore } from './settings';

/** Number of edits after which a journal restarts with the current document, ... */
const MOST_ENTRIES = 2000;
/** ... and most edits in one call. */
const MOST_AT_ONCE = 5000;

/** Time between two signs of life, ms. */
const BEAT_MS = 5000;
/** The same between two looks at what other pages hold, ms: it is free soon after one of them has gone. */
const LOOK_MS = 2000;
/**
 * Checks needed to distinguish a dead page from one that is briefly silent; later checks come with the
 * heartbeats.
 */
const LOOKS = 5;
/** Where pages of one profile of a browser keep what they have in common. */
const PROFILE = 'moreau.profile';

/** Name of this page; it holds a lock of that name for as long as it lives. */
const page = crypto.randomUUID();
/** Not every context of a page has them. */
const locks = (): LockManager | null => (navigator as { locks?: LockManager | null }).locks ?? null;
/**
 * The profile of this page, whose pages see each other's locks; null where they do not, or where nothing can
 * be kept.
 */
const profile = (): string | null => {
  if (locks() === null) return null;
  try {
    const known = localStorage.getItem(PROFILE);
    if (known !== null) return known;
    const made = crypto.randomUUID();
    localStorage.setItem(PROFILE, made);
    return made;
  } catch {
    return null;
  }
};
const lockName = (id: string): string => `moreau-page-${id}`;

/** What the host has of one document. */
interface Journal {
  /** null: not started, or to be restarted */
  version: number | null;
  edits: number;
  written: number;
  waiting: JournalEntry[];
  failed: boolean;
}

export const useJournalStore = defineStore('journal', () => {
  const documents = useDocumentStore();
  const settings = useSettingsStore();
  const notices = useNoticesStore();
  const journals = new Map<string, Journal>();
  /** what an earlier window left behind */
  const found = shallowRef<readonly JournalInfo[]>([]);
  /** pages that are there, or may be, hold further ones */
  let areHeld = false;
  let beating: ReturnType<typeof setInterval> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | null = null;

  const stateOf = (one: OpenDocument): Journal => {
    const known = journals.get(one.journal);
    if (known !== undefined) return known;
    const made: Journal = { version: null, edits: 0, written: 0, waiting: [], failed: false };
    journals.set(one.journal, made);
    return made;
  };

  const hasBegun = ({ journal }: OpenDocument): boolean => (journals.get(journal)?.version ?? null) !== null;

  documents.onPatches((one, label, patches) => {
    const state = stateOf(one);
    state.edits++;
    if (state.version !== null) {
      state.waiting.push({ label: label.slice(0, 300), patches: patches as JournalEntry['patches'] });
    }
  });

  const dispatch = useHost().dispatcher.dispatch.bind(useHost().dispatcher);

  async function end(journal: string): Promise<void> {
    journals.delete(journal);
    await dispatch('journal.end', { journal });
  }

  /** Writes what has changed of one document since it was written last. */
  async function write(one: OpenDocument): Promise<void> {
    const { journal, version } = one;
    const state = stateOf(one);
    if (!one.dirty) {
      if (state.version !== null) await end(journal);
      return;
    }
    if (state.version === version) return;
    const entries = state.waiting;
    state.waiting = [];
    const append = state.version !== null && state.written + entries.length <= MOST_ENTRIES;
    // Before the answer: what is edited from here on belongs to the next writing.
    state.version = version;
    if (append && entries.length <= MOST_AT_ONCE) {
      const { known } = await dispatch('journal.append', { journal, entries });
      state.written += entries.length;
      if (known) return;
    }
    const { file, model: document } = one;
    state.waiting = [];
    state.version = one.version;
    state.written = 0;
    await dispatch('journal.begin', { journal, page, file, edits: state.edits, document });
  }

  async function writeAll(): Promise<void> {
    const open = new Set(documents.documents.map((one) => one.journal));
    for (const journal of [...journals.keys()])
      if (!open.has(journal)) await end(journal).catch(() => undefined);
    for (const one of documents.documents) {
      const state = stateOf(one);
      try {
        await write(one);
        state.failed = false;
      } catch (error) {
        // The next writing begins afresh with the document as it is then.
        state.version = null;
        // Once: the disk stays full for a while.
        if (!state.failed && describeError(error).code !== 'connection-lost') notices.failure(error);
        state.failed = true;
      }
    }
  }

  /** Writes everything that waits. Resolves when it is on the disk. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing !== null) await writing;
    writing = writeAll().finally(() => {
      writing = null;
    });
    await writing;
  }

  watch(
    () => documents.documents.map((one) => [one.version, one.dirty]),
    () => {
      // A journal of what has been saved would offer it again.
      const isSaved = documents.documents.some((one) => !one.dirty && hasBegun(one));
      if (isSaved) clearTimeout(timer);
      else if (timer !== undefined) return;
      timer = setTimeout(() => void flush(), isSaved ? 0 : settings.values['files.autosaveInterval'] * 1000);
    },
  );

  /** Removes the journals of all documents: their user gives up what is unsaved. */
  async function giveUp(): Promise<void> {
    clearTimeout(timer);
    while (writing !== null) await writing;
    await Promise.all([...journals.keys()].map(end));
  }

  /**
   * Tells other windows that this one is there, for as long as it is: those of its profile by a lock, the
   * others through the host.
   */
  function beAlive(): void {
    void locks()
      ?.request(lockName(page), () => new Promise(() => undefined))
      .catch(() => undefined);
    clearInterval(beating);
    beating = setInterval(() => void attend().catch(() => undefined), BEAT_MS);
    void attend().catch(() => undefined);
  }

  /**
   * A sign of life. What another page has taken for left behind, after a sleep of the machine, is journaled
   * again.
   */
  async function attend(): Promise<void> {
    const mine = documents.documents.filter(hasBegun).map(({ journal }) => journal);
    const { lost } = await dispatch('journal.attend', { page, profile: profile(), journals: mine });
    for (const journal of lost) {
      const state = journals.get(journal);
      if (state !== undefined) state.version = null;
    }
    if (lost.length > 0) await flush();
    if (areHeld && found.value.length === 0) await search();
  }

  /** Looks for what windows that are gone left behind. */
  async function search(): Promise<void> {
    const others = (await dispatch('journal.list', {})).filter((info) => info.page !== page);
    const locked = (await locks()?.query())?.held ?? [];
    const alive = new Set(locked.map(({ name }) => name));
    const left: JournalInfo[] = [];
    areHeld = false;
    for (const info of others) {
      if (alive.has(lockName(info.page))) continue;
      const isMine = info.held !== undefined && info.held.profile !== null && info.held.profile === profile();
      // A page of this profile without its lock is gone, and its host need not wait for it.
      if (isMine) await dispatch('journal.leave', { page: info.page, gone: true });
      if (info.held === undefined || isMine) left.push(info);
      else areHeld = true;
    }
    found.value = left;
  }

  /** Searches until it is clear which of the pages are gone that were there a moment ago. */
  async function searchAtStart(): Promise<void> {
    await search();
    for (let look = 0; look < LOOKS && areHeld && found.value.length === 0; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await search();
    }
  }

  const forget = (journal: string): void => {
    found.value = found.value.filter((info) => info.journal !== journal);
  };

  /** Opens what a journal holds as an unsaved document. */
  async function recover(info: JournalInfo): Promise<boolean> {
    try {
      const content = await dispatch('journal.read', { journal: info.journal, page });
      documents.load(replayed(content), fileOf(info), {
        unsaved: true,
        identity: `journal:${info.journal}`,
      });
      forget(info.journal);
      // The new journal is on the disk before the old one goes.
      await flush();
      // Its page may have come back meanwhile: then it keeps it, and both have what was in it.
      await dispatch('journal.end', { journal: info.journal, page }).catch((error: unknown) => {
        if (describeError(error).code !== 'journal-in-use') throw error;
      });
      return true;
    } catch (error) {
      notices.failure(error);
      return false;
    }
  }

  async function discard(info: JournalInfo): Promise<void> {
    try {
      await dispatch('journal.end', { journal: info.journal, page });
      forget(info.journal);
    } catch (error) {
      notices.failure(error);
      if (describeError(error).code === 'journal-in-use') await search().catch(notices.failure);
    }
  }

  return { found, flush, giveUp, beAlive, attend, search, searchAtStart, recover, discard };
});

const fileOf = ({ file }: JournalInfo): DocumentFile | null => {
  if (file === null) return null;
  const { handle, name, stamp } = file;
  return { handle, name, ...(stamp === undefined ? {} : { stamp }) };
};

/** The document after the edits of its journal; an edit that does not fit ends them. */
export function replayed({ document, entries }: JournalContent): ModelDocument {
  let present = document;
  for (const { patches } of entries) {
    try {
      present = apply(present, patches as unknown as Patches);
    } catch {
      break;
    }
  }
  return present;
}
