import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ModelDocument } from '@engine/document/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditJournals } from '@main/host/edit-journals';
import { GRACE_MS, LONGEST_LOOK_MS, SILENT_MS } from '@main/host/page-leases';
import { sample } from '../support/prove';
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
  await folder.remove();
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

  it('begins again in the place of what it held', async () => {
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
      // Of an older version, which has no leases: its heads have no checksum.
      const changed = { ...(JSON.parse(head) as object), pid, machine: hostname(), sum: undefined };
      writeFileSync(file(), [JSON.stringify(changed), ...lines].join('\n'));
    };
    rewrite(process.ppid);
    expect(await journals.list()).toEqual([]);
    rewrite(spawnSync(process.execPath, ['-e', '']).pid);
    expect(await journals.list()).toHaveLength(1);
  });
});

describe('a journal on a disk that loses bits', () => {
  const trials = (): number => sample(150, 20_000);

  it(`is read up to the damage, and never as other edits (${trials()} times)`, async () => {
    await begin();
    const titles = Array.from({ length: 12 }, (_, k) => `Title ${k}`);
    for (const title of titles) await journals.append(ID, [retitle(title)]);
    await journals.settled();
    const bytes = readFileSync(file());
    let state = 5;
    const below = (most: number): number => {
      state = (1103515245 * state + 12345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * most);
    };
    let [recovered, doubled] = [0, 0];
    for (let trial = 0; trial < trials(); trial++) {
      const lines = bytes.toString('latin1').split('\n');
      let changed = Buffer.from(bytes);
      const kind = below(3);
      if (kind === 0) changed[below(changed.length)] ^= 1 << below(8);
      else if (kind === 1) changed = changed.subarray(0, below(changed.length + 1));
      else {
        lines.splice(2 + below(lines.length - 2), 0, lines[1 + below(lines.length - 2)]);
        changed = Buffer.from(lines.join('\n'), 'latin1');
      }
      writeFileSync(file(), changed);
      const content = await journals.read(ID).catch(() => null);
      if (content === null) continue;
      recovered++;
      expect(content.document).toEqual(model('One'));
      const length = content.entries.length;
      expect(content.entries).toEqual(titles.slice(0, length).map(retitle));
      // A line that is there twice takes nothing with it.
      if (kind === 2) {
        doubled++;
        expect(length).toBe(titles.length);
      }
      const [info] = await journals.list();
      if (info.file !== null) expect(info.file).toEqual({ handle: 'h', name: 'a.moreau.json' });
    }
    expect(doubled).toBeGreaterThan(trials() / 5);
    expect(recovered).toBeGreaterThan(0.8 * trials());
  });

  it('does not belong to another process by a changed number', async () => {
    await begin();
    await journals.settled();
    const own = `"pid":${process.pid},`;
    const head = readFileSync(file(), 'utf8');
    expect(head).toContain(own);
    writeFileSync(file(), head.replace(own, `"pid":${process.ppid},`));
    expect(await journals.list()).toMatchObject([{ title: 'One', file: null }]);
  });

  it('of an older version, without checksums, is read', async () => {
    const head = { version: 1, page: PAGE, file: null, edits: 1, title: 'One', pid: 1, machine: 'elsewhere' };
    mkdirSync(join(folder.path, 'journal'));
    const lines = [head, model('One'), retitle('Two')].map((line) => JSON.stringify(line));
    writeFileSync(file(), `${lines.join('\n')}\n`);
    expect(await journals.list()).toMatchObject([{ title: 'Two', edits: 2 }]);
    expect(await journals.read(ID)).toEqual({ document: model('One'), entries: [retitle('Two')] });
  });
});

describe('a journal of a window that is there', () => {
  const OTHER = '00000000-0000-4000-8000-00000000000c';
  const PROFILE = '00000000-0000-4000-8000-00000000000d';
  /** another program over the same folder, with its own clock */
  let clock = 0;
  let second: EditJournals;
  beforeEach(() => {
    clock = 0;
    second = new EditJournals(folder.path, () => clock);
  });
  afterEach(() => second.dispose());

  const titles = async (from: EditJournals): Promise<string[]> =>
    (await from.list()).filter(({ held }) => held === undefined).map(({ title }) => title);
  /** looks again and again for so long, ms */
  const watch = async (from: EditJournals, duration: number): Promise<void> => {
    for (const end = clock + duration; clock < end; clock += LONGEST_LOOK_MS) await from.list();
  };

  it.each(['the same program', 'another program'])(
    'is offered, read and discarded by no other page of %s',
    async (where) => {
      const other = where === 'the same program' ? journals : second;
      await journals.attend(PAGE, PROFILE, []);
      await begin();
      expect(await other.list()).toMatchObject([{ title: 'One', held: { profile: PROFILE } }]);
      expect((await failure(other.read(ID, OTHER))).code).toBe('journal-in-use');
      expect(await failure(other.end(ID, OTHER))).toMatchObject({
        code: 'journal-in-use',
        message: expect.stringContaining('One') as string,
      });
      expect((await journals.read(ID, PAGE)).document).toEqual(model('One'));
      await journals.end(ID, PAGE);
      expect(await other.list()).toEqual([]);
    },
  );

  it('is offered once its page has been silent, and not while it speaks', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    for (let k = 0; k < 6; k++) {
      await watch(second, SILENT_MS / 3);
      await journals.attend(PAGE, PROFILE, [ID]);
      expect(await titles(second)).toEqual([]);
    }
    await watch(second, SILENT_MS + 4000);
    expect(await titles(second)).toEqual(['One']);
    expect((await second.read(ID, OTHER)).document).toEqual(model('One'));
  });

  it('is not offered after a sleep of the machine or a step of its clock, before its page could speak', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    await watch(second, 20_000);
    clock += 8 * 3600 * 1000;
    expect(await titles(second)).toEqual([]);
    const lease = join(folder.path, 'open-pages', `${PAGE}.page`);
    for (const time of [new Date(0), new Date(Date.now() + 1e9)]) {
      utimesSync(lease, time, time);
      expect(await titles(second)).toEqual([]);
    }
    await watch(second, LONGEST_LOOK_MS);
    expect(await titles(second)).toEqual([]);
  });

  it('is offered soon after its connection has ended, unless it connects again', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    await journals.leave(PAGE, false);
    expect(await titles(second)).toEqual([]);
    await journals.attend(PAGE, PROFILE, [ID]);
    await watch(second, 3 * GRACE_MS);
    expect(await titles(second)).toEqual([]);
    await journals.leave(PAGE, false);
    await watch(second, 3 * GRACE_MS);
    expect(await titles(second)).toEqual(['One']);
  });

  it('is offered at once when a page of its profile knows that it is gone', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    await second.leave(PAGE, true);
    expect(await titles(second)).toEqual(['One']);
    await second.end(ID, OTHER);
    expect(await journals.list()).toEqual([]);
  });

  it('whose program was killed is offered, and its lease goes with it', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    await journals.settled();
    const lease = join(folder.path, 'open-pages', `${PAGE}.page`);
    const said = JSON.parse(readFileSync(lease, 'utf8')) as object;
    const gone = { ...said, pid: spawnSync(process.execPath, ['-e', '']).pid };
    writeFileSync(lease, JSON.stringify(gone));
    // It was there a moment ago, and may be connecting to the next program.
    expect(await titles(second)).toEqual([]);
    await watch(second, 3 * GRACE_MS);
    expect(await titles(second)).toEqual(['One']);
    await second.end(ID, OTHER);
    await second.list();
    expect(readdirSync(join(folder.path, 'open-pages'))).toEqual([]);
  });

  it('that another has recovered is begun again by its own, and no edit is lost', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    await journals.append(ID, [retitle('Two')]);
    await watch(second, SILENT_MS + 4000);
    expect((await second.read(ID, OTHER)).entries).toEqual([retitle('Two')]);
    await second.end(ID, OTHER);
    // It wakes up, and writes to a file that has no name any more.
    expect(await journals.append(ID, [retitle('Three')])).toBe(false);
    await begin('Three');
    expect(await journals.append(ID, [retitle('Four')])).toBe(true);
    expect(await journals.attend(PAGE, PROFILE, [ID])).toEqual({ lost: [] });
    expect(await titles(second)).toEqual([]);
    expect((await journals.read(ID, PAGE)).entries).toEqual([retitle('Four')]);
  });

  it('that another has discarded reaches its own without an edit', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    expect(await journals.attend(PAGE, PROFILE, [ID])).toEqual({ lost: [] });
    await watch(second, SILENT_MS + 4000);
    await second.end(ID, OTHER);
    expect(await journals.attend(PAGE, PROFILE, [ID])).toEqual({ lost: [ID] });
  });

  it('is refused to a page that was about to discard it when its own has come back', async () => {
    await journals.attend(PAGE, PROFILE, []);
    await begin();
    await watch(second, SILENT_MS + 4000);
    expect(await titles(second)).toEqual(['One']);
    await journals.attend(PAGE, PROFILE, [ID]);
    expect((await failure(second.end(ID, OTHER))).code).toBe('journal-in-use');
    expect((await journals.read(ID, PAGE)).document).toEqual(model('One'));
  });

  it('loses no edit, in any order of looking, recovering, sleeping and writing', async () => {
    let state = 11;
    const below = (most: number): number => {
      state = (1103515245 * state + 12345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * most);
    };
    const titleOf = async (from: EditJournals, page: string): Promise<string | null> => {
      const content = await from.read(ID, page).catch(() => null);
      if (content === null) return null;
      const last = content.entries.at(-1)?.patches[0]?.value;
      return typeof last === 'string' ? last : content.document.title;
    };
    await journals.attend(PAGE, PROFILE, []);
    let [written, shown, stolen] = ['One', 'One', 0];
    await begin();
    for (let k = 0; k < sample(200, 5000); k++) {
      switch (below(5)) {
        case 0:
          shown = `Edit ${k}`;
          if (!(await journals.append(ID, [retitle(shown)]))) await begin(shown);
          written = shown;
          break;
        case 1:
          if ((await journals.attend(PAGE, PROFILE, [ID])).lost.length > 0) await begin(shown);
          written = shown;
          break;
        case 2:
          clock += 3600 * 1000;
          break;
        case 3:
          await watch(second, below(2) === 0 ? 20_000 : SILENT_MS + 4000);
          break;
        default:
          // Only what is offered is taken, and all of it.
          if ((await titles(second)).length === 0) break;
          expect(await titleOf(second, OTHER)).toBe(written);
          await second.end(ID, OTHER);
          stolen++;
      }
    }
    if ((await journals.attend(PAGE, PROFILE, [ID])).lost.length > 0) await begin(shown);
    expect(await titleOf(journals, PAGE)).toBe(shown);
    expect(stolen).toBeGreaterThan(2);
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
