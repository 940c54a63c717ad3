import type { ModelDocument } from '@engine/document/types';
import {
  attempt,
  type DocumentRuns,
  drop,
  failed,
  noRuns,
  pin,
  remember,
  restored,
  settled,
  show,
  showGroup,
  showWith,
  started,
  startedByEdit,
  withoutReplaced,
} from '@renderer/runs/document-runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sample } from '../support/prove';

const IDS = ['a', 'b', 'c', 'd'];
const id = fc.constantFrom(...IDS);
const ids = fc.uniqueArray(id);
const orNone = fc.option(id);
const error = { code: 'failed', message: 'It failed.' };
const document = {} as ModelDocument;

/** The same as loose values, each of which may be anything: what a user sees of the runs of a document. */
interface Seen {
  current: string | null;
  previous: string | null;
  replaced: string | null;
  pinned: string[];
  isStarting: boolean;
  hasError: boolean;
}

/** One thing that happens: to what is kept, and to what is seen. */
type Change = readonly [name: string, (runs: DocumentRuns) => DocumentRuns, (seen: Seen) => void];

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>([
    'attempt',
    attempt,
    (seen) => Object.assign(seen, { isStarting: true, hasError: false }),
  ]),
  fc.constant<Change>([
    'failed',
    (runs) => (runs.attempt.name === 'starting' ? failed(runs, error) : runs),
    (seen) => {
      if (seen.isStarting) Object.assign(seen, { isStarting: false, hasError: true });
    },
  ]),
  fc.constant<Change>(['settled', settled, (seen) => (seen.isStarting = false)]),
  fc.constant<Change>(['withoutReplaced', withoutReplaced, (seen) => (seen.replaced = null)]),
  fc
    .tuple(id, orNone)
    .map(([run, before]): Change => [
      `started ${run}`,
      (runs) => started(runs, run, before),
      (seen) => Object.assign(seen, { current: run, previous: before }),
    ]),
  orNone.map((before): Change => [
    'startedByEdit',
    (runs) => startedByEdit(runs, before),
    (seen) => {
      if (seen.current !== null) seen.replaced = before;
    },
  ]),
  id.map((run): Change => [
    `show ${run}`,
    (runs) => show(runs, run),
    (seen) => {
      seen.hasError = false;
      if (seen.current !== run) Object.assign(seen, { current: run, previous: null, replaced: null });
    },
  ]),
  fc.tuple(id, ids).map(([run, others]): Change => [
    `showWith ${run}`,
    (runs) => showWith(runs, run, others),
    (seen) => {
      seen.hasError = false;
      if (seen.current !== run) Object.assign(seen, { current: run, previous: null, replaced: null });
      seen.pinned = others.filter((one) => one !== run);
    },
  ]),
  ids.map((group): Change => [
    `showGroup ${group.join()}`,
    (runs) => showGroup(runs, group),
    (seen) => {
      const [first, ...others] = group;
      if (group.length === 1) Object.assign(seen, { current: first, previous: null, pinned: [] });
      else if (group.length > 1 && seen.current === first) seen.pinned = others;
    },
  ]),
  ids.map((pins): Change => ['pin', (runs) => pin(runs, pins), (seen) => (seen.pinned = pins)]),
  fc.tuple(ids, ids).map(([pins, first]): Change => [
    `restored ${first.join()}`,
    (runs) => restored(runs, pins, first),
    (seen) => {
      seen.pinned = [...seen.pinned, ...pins];
      if (seen.current !== null || first.length === 0) return;
      seen.current = first[0];
      seen.pinned = [...seen.pinned, ...first.slice(1)];
    },
  ]),
  fc.tuple(id, orNone).map(([run, instead]): Change => [
    `drop ${run}`,
    (runs) => drop(runs, run, instead),
    (seen) => {
      seen.pinned = seen.pinned.filter((one) => one !== run);
      if (seen.previous === run) seen.previous = null;
      if (seen.current === run) seen.current = instead;
      if (seen.current === null) Object.assign(seen, { previous: null, replaced: null });
    },
  ]),
);

const seenIn = ({ shown, pinned, attempt: { name } }: DocumentRuns): Seen => ({
  current: shown?.runId ?? null,
  previous: shown?.previous ?? null,
  replaced: shown?.replaced ?? null,
  pinned: [...pinned].sort(),
  isStarting: name === 'starting',
  hasError: name === 'failed',
});

describe('the runs of a document', () => {
  it('are shown as told, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 20 }), (sequence) => {
        let runs = noRuns();
        const seen = seenIn(runs);
        for (const [name, change, tell] of sequence) {
          runs = change(runs);
          tell(seen);
          expect(seenIn(runs), name).toEqual({ ...seen, pinned: [...new Set(seen.pinned)].sort() });
        }
      }),
      { numRuns: sample(500, 20_000), seed: 7 },
    );
  });

  it('are begun when one was started here, and not when one was only found', () => {
    const found = remember(noRuns(), 'a', document, false);
    expect(found.begun).toBe(false);
    const both = remember(found, 'b', document, true);
    expect(both.begun).toBe(true);
    expect(remember(both, 'c', document, false).begun).toBe(true);
    expect([...both.computed.keys()]).toEqual(['a', 'b']);
  });

  it('know the run that an edit has started, and for which it stands in', () => {
    const shown = startedByEdit(started(show(noRuns(), 'a'), 'b', null), 'a');
    expect(shown).toMatchObject({ live: 'b', shown: { runId: 'b', replaced: 'a' } });
    // Its curves stay although it is gone.
    expect(drop(shown, 'a', 'b').shown?.replaced).toBe('a');
  });

  it('stay the same object where nothing has changed, so that nothing is drawn again', () => {
    const runs = show(noRuns(), 'a');
    for (const same of [show(runs, 'a'), drop(runs, 'b', 'a'), settled(runs), withoutReplaced(runs)])
      expect(same).toBe(runs);
  });
});
