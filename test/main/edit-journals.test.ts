import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ModelDocument } from '@engine/document/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditJournals } from '@main/host/edit-journals';
import { createHost, failure, temporaryFolder } from './support';

const ID = '00000000-0000-4000-8000-00000000000a';
const PAGE = '00000000-0000-4000-8000-00000000000b';
const model = (title: string): ModelDocument => ({ title }) as ModelDocument;
const retitle = (title: string) => ({
  label: 'Change title',
  patches: [{ op: 'replace' as const, path: ['title'], value: title }],
});

let folder: ReturnType<typeof temporaryFolder>;
let journals: EditJournals;
beforeEach(() => {
  folder = temporaryFolder();
  journals = new EditJournals(folder.path);
});
afterEach(async () => {
  await journals.settled();
  folder.remove();
});
const file = (): string => join(folder.path, 'journal', `${ID}.journal`);
const begin = (title = 'One'): Promise<void> =>
  journals.begin(ID, {
    page: PAGE,
    file: { handle: 'h', name: 'a.moreau.json' },
    edits: 1,
    document: model(title),
  });

describe('a journal', () => {
  it('tells what document it belongs to and how far it has come', async () => {
    await begin();
    expect(await journals.append(ID, [retitle('Two'), retitle('Three')])).toBe(true);
    expect(await journals.list()).toEqual([
      {
        journal: ID,
        page: PAGE,
        title: 'Three',
        file: { handle: 'h', name: 'a.moreau.json' },
        edits: 3,
        time: expect.any(Number) as number,
      },
    ]);
    const content = await journals.read(ID);
    expect(content).toEqual({ document: model('One'), entries: [retitle('Two'), retitle('Three')] });
  });

  it('begins anew in the place of what it held', async () => {
    await begin();
    await journals.append(ID, [retitle('Two')]);
    await begin('Three');
    await journals.append(ID, [retitle('Four')]);
    expect(await journals.read(ID)).toEqual({ document: model('Three'), entries: [retitle('Four')] });
  });

  it('that has not begun takes no edits and says so', async () => {
    expect(await journals.append(ID, [retitle('Two')])).toBe(false);
  });

  it('is gone once it has ended', async () => {
    await begin();
    await journals.end(ID);
    expect(await journals.list()).toEqual([]);
    expect((await failure(journals.read(ID))).code).toBe('unknown-journal');
  });

  it('is read up to a torn last line', async () => {
    await begin();
    await journals.append(ID, [retitle('Two')]);
    appendFileSync(file(), '{"label":"Change ti');
    expect((await journals.read(ID)).entries).toEqual([retitle('Two')]);
  });

  it('is read up to a line that is damaged', async () => {
    await begin();
    await journals.append(ID, [retitle('Two')]);
    appendFileSync(file(), '{"patches":7}\n');
    appendFileSync(file(), `${JSON.stringify(retitle('Three'))}\n`);
    expect((await journals.read(ID)).entries).toEqual([retitle('Two')]);
  });

  it('that cannot be read at all is set aside, and the others are listed', async () => {
    await begin();
    writeFileSync(join(folder.path, 'journal', 'broken.journal'), 'nonsense\n\n');
    expect(await journals.list()).toHaveLength(1);
    expect(readdirSync(join(folder.path, 'journal')).sort()).toEqual([
      `${ID}.journal`,
      'broken.journal.corrupt',
    ]);
  });

  it('of a process that lives is not offered, that of one that is gone is', async () => {
    await begin();
    await journals.settled();
    const rewrite = (pid: number): void => {
      const [head = '', ...lines] = readFileSync(file(), 'utf8').split('\n');
      const changed = { ...(JSON.parse(head) as object), pid, machine: hostname() };
      writeFileSync(file(), [JSON.stringify(changed), ...lines].join('\n'));
    };
    rewrite(process.ppid);
    expect(await journals.list()).toEqual([]);
    rewrite(spawnSync(process.execPath, ['-e', '']).pid);
    expect(await journals.list()).toHaveLength(1);
  });
});

describe('the host', () => {
  it('keeps journals in its state directory, and takes no names that are paths', async () => {
    const host = createHost({ stateDirectory: folder.path });
    const head = { page: PAGE, file: null, edits: 0, document: model('One') };
    await host.dispatch('journal.begin', { journal: ID, ...head });
    await host.dispatch('journal.append', { journal: ID, entries: [retitle('Two')] });
    expect((await host.dispatch('journal.list', {})).map(({ title }) => title)).toEqual(['Two']);
    const outside = host.dispatch('journal.begin', { journal: '../../outside', ...head });
    expect((await failure(outside)).code).toBe('invalid-params');
    await host.dispatch('journal.end', { journal: ID });
    expect(await host.dispatch('journal.list', {})).toEqual([]);
    await host.dispose();
  });

  it('without a state directory has none', async () => {
    const host = createHost();
    await host.dispatch('journal.begin', {
      journal: ID,
      page: PAGE,
      file: null,
      edits: 0,
      document: model('One'),
    });
    expect(await host.dispatch('journal.append', { journal: ID, entries: [] })).toEqual({ known: true });
    expect(await host.dispatch('journal.list', {})).toEqual([]);
    await host.dispose();
  });
});
