/**
 * Kills at random instants of a process that saves a model and journals its edits, version after version.
 * What it said is on the disk must be there, whole.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditJournals } from '@main/host/edit-journals';
import { ROOT, temporaryFolder } from './support';
import { atLeast, sample } from '../support/prove';

/** Longest time between two messages of the process, about: kills fall anywhere in what it does, ms. */
const SPREAD_MS = 12;
const JOURNAL = '00000000-0000-4000-8000-00000000000a';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const content = (version: number): string => `${version}\n${'x'.repeat(50_000)}\n${version}\n`;

/**
 * The version of a saved text: the same number at the beginning and the end, and enough between for a write
 * to be cut.
 */
function versionOf(text: string): number {
  const version = Number(text.slice(0, text.indexOf('\n')));
  expect(text === content(version)).toBe(true);
  return version;
}

/** Numbers in [0, 1), the same ones each time. */
function* numbers(): Generator<number> {
  for (let state = 12345; ;) {
    state = (1103515245 * state + 12345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

/** A program that saves and journals version after version and says so. */
async function bundleProgram(): Promise<string> {
  const entry = join(folder.path, 'entry.ts');
  writeFileSync(
    entry,
    `import { saveAtomically } from '@main/files/atomic';
     import { EditJournals } from '@main/host/edit-journals';
     const [target, state, last] = process.argv.slice(2);
     const journals = new EditJournals(state);
     const begin = (version) => journals.begin('${JOURNAL}', { page: 'p', file: null, edits: 0, document: { title: String(version) } });
     await begin(Number(last));
     for (let version = Number(last) + 1; ; version++) {
       await saveAtomically(target, version + '\\n' + 'x'.repeat(50000) + '\\n' + version + '\\n', { backup: true });
       process.send({ saved: version });
       const patches = [{ op: 'replace', path: ['title'], value: String(version) }];
       if (version % 10 === 0) await begin(version);
       else await journals.append('${JOURNAL}', [{ label: 'x'.repeat(version % 300), patches }]);
       process.send({ journaled: version });
     }`,
  );
  const source = (name: string): string => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    resolve: {
      alias: { '@engine': source('engine'), '@contract': source('contract'), '@main': source('main') },
    },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder.path,
      emptyOutDir: false,
      rolldownOptions: { input: entry, output: { entryFileNames: 'program.mjs', format: 'es' } },
    },
  });
  return join(folder.path, 'program.mjs');
}

describe('a process that is killed', () => {
  it('has lost nothing it had saved or journaled, after kills at random instants', async () => {
    const program = await bundleProgram();
    const target = join(folder.path, 'ball.moreau.json');
    const state = join(folder.path, 'state');
    writeFileSync(target, content(0));
    const random = numbers();
    const kills = sample(40, 200);
    const told = { saved: 0, journaled: 0 };
    for (let kill = 0; kill < kills; kill++) {
      const child = fork(program, [target, state, String(told.saved)], { execArgv: [], silent: true });
      child.on('message', (message: Partial<typeof told>) => Object.assign(told, message));
      await once(child, 'message');
      await new Promise((resolve) => setTimeout(resolve, SPREAD_MS * (random.next().value as number)));
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      const version = versionOf(readFileSync(target, 'utf8'));
      expect(version).toBeGreaterThanOrEqual(told.saved);
      // The first kills may come before the first save.
      if (version > 0) expect(versionOf(readFileSync(`${target}.bak`, 'utf8'))).toBeLessThanOrEqual(version);
      const journals = new EditJournals(state);
      expect(await journals.list()).toHaveLength(1);
      const { document, entries } = await journals.read(JOURNAL);
      const edited = entries.flatMap(({ patches }) => patches.map(({ value }) => Number(value)));
      expect(edited.at(-1) ?? Number(document.title)).toBeGreaterThanOrEqual(
        Math.min(told.journaled, version),
      );
      // A file that was being written leaves at most a temporary one, whose name nothing else has.
      for (const name of readdirSync(folder.path)) {
        expect(name).toMatch(
          /^(ball\.moreau\.json(\.bak)?|entry\.ts|program\.mjs(\.map)?|state|\..*\.(tmp|bak))$/,
        );
      }
      told.saved = version;
      told.journaled = 0;
    }
    expect(told.saved).toBeGreaterThan(atLeast(200, kills, 200));
  });
});
