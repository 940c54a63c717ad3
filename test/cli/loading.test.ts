/**
 * What the command line loads before it computes: one careless import makes every command wait for the
 * engine. The built program has the same modules; those with the same users lie in one file there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../main/support';

/** Imports and re-exports that are there when the code runs, dynamic ones left out. */
const STATIC = /^(?:import|export)\s(?!type\b)(?:[^;']*?\sfrom\s)?'([^']+)'/gm;
const ALIAS = /^@(engine|contract|figures|views|main|cli)\//;

interface Loaded {
  /** relative to the repository */
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** All that comes with a file at once. */
function loadedWith(entry: string): Loaded {
  const files = new Set([join(ROOT, entry)]);
  const packages = new Set<string>();
  for (const file of files)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(STATIC)) {
      const place = ALIAS.test(path)
        ? join(ROOT, 'src', path.slice(1))
        : path.startsWith('.')
          ? join(dirname(file), path)
          : null;
      if (place === null) packages.add(path);
      else files.add(existsSync(`${place}.ts`) ? `${place}.ts` : join(place, 'index.ts'));
    }
  return { files: [...files].map((file) => relative(ROOT, file)), packages: [...packages].toSorted() };
}

const ofProgram = ({ packages }: Loaded): string[] => packages.filter((name) => !name.startsWith('node:'));
const ofEngine = ({ files }: Loaded): string[] =>
  files.filter((file) => file.startsWith('src/engine/')).toSorted();

describe('the command line', () => {
  it('begins its thread with nothing but that loaded', () => {
    const entry = loadedWith('src/cli/index.ts');
    expect(entry.files.toSorted()).toEqual([
      'src/cli/index.ts',
      'src/main/host/memory.ts',
      'src/main/host/thread.ts',
      'src/main/installation.ts',
    ]);
    expect(ofProgram(entry)).toEqual([]);
  });

  it('knows its commands, with neither host nor engine', () => {
    const program = loadedWith('src/cli/program.ts');
    expect(ofProgram(program)).toEqual(['zod']);
    expect(ofEngine(program)).toEqual(['src/engine/closest.ts']);
  });

  it.each([
    ['run', ['yazl', 'zod']],
    ['validate', ['zod']],
  ])('has %s before host and engine are there', (name, packages) => {
    const command = loadedWith(`src/cli/commands/${name}.ts`);
    expect(ofProgram(command)).toEqual(packages);
    expect(ofEngine(command)).toEqual(['src/engine/closest.ts', 'src/engine/plural.ts']);
    expect(command.files).toContain('src/cli/host.ts');
    expect(command.files).not.toContain('src/main/host/host.ts');
  });

  it('has a host that neither computes nor reads scripts', () => {
    const host = loadedWith('src/main/host/host.ts');
    for (const name of ['acorn', 'sucrase', 'ses']) expect(ofProgram(host)).not.toContain(name);
    const folders = new Set(ofEngine(host).map((file) => file.split('/')[2]));
    for (const folder of ['contact-dynamics', 'event-driven', 'script', 'solvers', 'time-stepping'])
      expect(folders).not.toContain(folder);
  });

  it('has threads without plots and exports', () => {
    const { files, packages } = loadedWith('src/main/host/engine.worker.ts');
    expect(files).toContain('src/engine/event-driven/event-driven.ts');
    expect(files.filter((file) => /^src\/(?:figures|main\/export)\//.test(file))).toEqual([]);
    expect(packages.filter((name) => /echarts|yazl|^mathjs$/.test(name))).toEqual([]);
  });
});
