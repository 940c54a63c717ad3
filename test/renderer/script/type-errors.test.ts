/** Type errors of scripts among the problems: those of the text as it stands, and of no other. */
import { beforeEach, expect, it } from 'vitest';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useScriptTypesStore } from '@renderer/stores/script-types';
import { openCamFollower } from '../setup';

beforeEach(() => openCamFollower());

it('are warnings with their place, and go with the text that they were found in', () => {
  const documents = useDocumentStore();
  documents.edit('Write a script', (draft) => {
    draft.scripts = [{ name: 'forces.ts', role: 'functions', source: ['const a: string = 1;'] }];
  });
  useScriptTypesStore().set('forces.ts', [{ line: 1, column: 7, message: 'a number is no text' }]);
  const found = (): unknown[] => useReportStore().warnings.filter(({ code }) => code === 'script-type');
  expect(found()).toMatchObject([{ script: { name: 'forces.ts', line: 1, column: 7 } }]);
  expect(useReportStore().errors).toEqual([]);
  documents.edit('Mend it', (draft) => void (draft.scripts[0].source = ['const a = 1;']));
  expect(found()).toEqual([]);
  documents.undo();
  expect(found()).toHaveLength(1);
});
