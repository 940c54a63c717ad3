/** What builder scripts add: the line it comes from, and how it becomes the document's own. */
import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { isSwitchedOff } from '@renderer/script/built';
import { goToOrigin, makeEditable, scriptOriginOf } from '@renderer/script/make-editable';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from '../setup';

const bead = (id: string): { id: string; type: string } => ({ id, type: 'LagrangianLinearTI' });
const at = (name: string, line: number): { name: string; line: number; column: number } => ({
  name,
  line,
  column: 11,
});

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().edit('add', (draft) => {
    for (const name of ['one.ts', 'two.ts'])
      draft.scripts.push({ name, role: 'builder', source: ['export default () => {};'] });
  });
  const report = useReportStore();
  await report.refresh();
  report.report = {
    ...report.report,
    built: {
      systems: [bead('a'), bead('b'), bead('c')],
      interactions: [],
      origins: { systems: [at('one.ts', 4), at('two.ts', 9), null], interactions: [] },
    },
  };
});

async function answer(script: string, value: string): Promise<void> {
  const done = makeEditable(script);
  await flushPromises();
  useDialogsStore().question?.answer(value);
  await done;
}

describe('what a builder adds', () => {
  it('leads to the line that adds it', () => {
    const workspace = useWorkspaceStore();
    goToOrigin('b');
    expect(workspace.scriptPlace).toMatchObject({ name: 'two.ts', line: 9, column: 11 });
    expect(scriptOriginOf('c')).toEqual({ name: 'one.ts', line: 1, column: 1 });
    expect(scriptOriginOf('follower')).toBeNull();
  });

  it('becomes the document’s own in one step, without the script that would build it again', async () => {
    const documents = useDocumentStore();
    const before = documents.model;
    await answer('one.ts', 'cancel');
    expect(documents.model).toBe(before);
    await answer('one.ts', 'keep');
    expect(documents.model.systems.map(({ id }) => id)).toEqual(['follower', 'a', 'c']);
    expect(documents.model.layout.nodes).toHaveProperty('a');
    const [, one, two] = documents.model.scripts;
    expect([one?.role, two?.role]).toEqual(['functions', 'builder']);
    expect(one !== undefined && isSwitchedOff(one)).toBe(true);
    documents.undo();
    expect(documents.model).toEqual(before);
  });

  it('may lose its script; one that builds nothing is said so', async () => {
    const documents = useDocumentStore();
    const report = useReportStore();
    const known = report.report;
    await answer('two.ts', 'remove');
    expect(documents.model.systems.map(({ id }) => id)).toEqual(['follower', 'b']);
    expect(documents.model.scripts.map(({ name }) => name)).toEqual(['cam.ts', 'one.ts']);
    await report.refresh();
    report.report = { ...known, built: { systems: [], interactions: [] } };
    await makeEditable('one.ts');
    expect(useNoticesStore().notices.at(-1)?.message).toBe('one.ts builds nothing.');
  });
});
