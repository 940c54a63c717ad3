import { describe, expect, it } from 'vitest';
import { TextAnalysis } from '@renderer/text/analysis';
import { defectWords } from '@renderer/text/defect-words';
import { useDocumentStore } from '@renderer/stores/document';
import { useTextStore } from '@renderer/stores/text';
import { camFollower } from './fake/cam-follower';
import { openCamFollower } from './setup';

const written = JSON.stringify(camFollower(), null, 2);

describe('the text of a document', () => {
  it('is read as the document it is', () => {
    expect(new TextAnalysis(written).read(3)).toEqual({ ok: true, document: camFollower() });
  });

  it('that is no JSON is reported at its place, in words', () => {
    const at = written.indexOf('"parameters"');
    const broken = `${written
      .slice(0, at - 4)
      .trimEnd()
      .replace(/,$/, '')}\n  ${written.slice(at)}`;
    const reading = new TextAnalysis(broken).read(3);
    if (reading.ok) throw new Error('the text has a defect');
    expect(reading.defect.kind).toBe('syntax');
    expect(broken.slice(reading.defect.offset)).toMatch(/^"parameters"/);
    expect(defectWords(reading.defect, { lineNumber: 4, column: 3 })).toBe(
      'Line 4, column 3: a comma is missing. The model is unchanged.',
    );
  });

  it('that is JSON of another shape is reported at its place', () => {
    const reading = new TextAnalysis(written.replace('"tEnd"', '"tend"')).read(3);
    if (reading.ok) throw new Error('the text has a defect');
    expect(reading.defect).toMatchObject({ kind: 'shape', defect: { pointer: '/simulation/tEnd' } });
    expect(written.slice(reading.defect.offset)).toMatch(/^"simulation"/);
  });

  it('knows where a pointer stands, or the nearest place above it, and what stands at a character', () => {
    const analysis = new TextAnalysis(written);
    const [range, missing] = analysis.ranges(['/parameters/0/name', '/systems/0/nothing/3']);
    expect(written.slice(range.offset, range.offset + range.length)).toBe('"rpm"');
    expect(written.slice(missing.offset, missing.offset + missing.length)).toBe('"follower"');
    expect(analysis.pointerAt(range.offset + 1)).toBe('/parameters/0/name');
  });
});

describe('typed text', () => {
  const withTitle = (title: string): ReturnType<typeof camFollower> => ({ ...camFollower(), title });

  it('becomes one undoable step while it is typed, and leaves the rest of the model as it is', async () => {
    await openCamFollower();
    const documents = useDocumentStore();
    const store = useTextStore();
    const { systems, title } = documents.model;
    store.inStep(written);
    for (const next of ['T', 'Ti', 'Tit']) {
      store.typed(next);
      store.apply({ ...documents.model, title: next });
    }
    expect(documents.model.title).toBe('Tit');
    expect(documents.model.systems).toBe(systems);
    expect(store.isAhead).toBe(false);
    documents.undo();
    expect(documents.model.title).toBe(title);
  });

  it('that is broken stays, and has to be decided on when the model changes elsewhere', async () => {
    await openCamFollower();
    const documents = useDocumentStore();
    const store = useTextStore();
    store.inStep(written);
    store.typed('{');
    store.broken({ kind: 'syntax', offset: 1, length: 0, code: 'CloseBraceExpected' });
    expect([store.isBroken, store.isAhead, store.isDiverged]).toEqual([true, true, false]);
    documents.edit('elsewhere', (draft) => void (draft.title = 'Elsewhere'));
    expect(store.isDiverged).toBe(true);
    expect(store.draft?.source).toBe('{');
    store.keep();
    expect([store.isBroken, store.isDiverged]).toEqual([true, false]);
    store.apply(withTitle('Mine'));
    expect(documents.model.title).toBe('Mine');
    documents.undo();
    expect(documents.model.title).toBe('Elsewhere');
    store.discard();
    expect(store.isAhead).toBe(false);
  });

  it('that is taken back is no typing', async () => {
    await openCamFollower();
    const store = useTextStore();
    store.inStep(written);
    store.typed(`${written} `);
    expect(store.isAhead).toBe(true);
    store.typed(written);
    expect(store.isAhead).toBe(false);
  });
});
