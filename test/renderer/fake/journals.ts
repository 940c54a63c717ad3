/** Journals of the fake host, which a later window of the test may find. */
import type { JournalContent, JournalInfo } from '@contract/journal';
import type { MethodName, MethodParams, MethodResult } from '@contract/methods';

export type FakeJournal = JournalContent & { info: JournalInfo };

type Methods = {
  [M in Extract<MethodName, `journal.${string}`>]: (params: MethodParams<M>) => MethodResult<M>;
};

export function journalMethods(journals = new Map<string, FakeJournal>()): Methods {
  return {
    'journal.begin': ({ journal, page, file, edits, document }) => {
      const { title } = document;
      const info = { journal, page, file, title, edits, time: 0 };
      journals.set(journal, { info, document: structuredClone(document), entries: [] });
      return {};
    },
    'journal.append': ({ journal, entries }) => {
      journals.get(journal)?.entries.push(...structuredClone(entries));
      return { known: journals.has(journal) };
    },
    'journal.end': ({ journal }) => {
      journals.delete(journal);
      return {};
    },
    'journal.list': () => [...journals.values()].map(({ info }) => info),
    'journal.read': ({ journal }) => {
      const { document, entries } = journals.get(journal)!;
      return { document, entries };
    },
    'journal.attend': ({ journals: written }) => ({ lost: written.filter((id) => !journals.has(id)) }),
    'journal.leave': ({ page, gone = false }) => {
      for (const { info } of journals.values()) if (gone && info.page === page) delete info.held;
      return {};
    },
  };
}
