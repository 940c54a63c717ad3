/**
 * Which tests need a process of their own. Mutants and mocked modules must be evaluated again for each file.
 * A sandbox freezes the primordials of the realm it is created in, for good: files of the engine that create
 * one share processes of their own. All other files share processes, too, so that what they test is evaluated
 * once for many of them: that is half of the time of their tests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** In tests of the engine. */
export const MUTATES = /[?]mutant=|mutations?'|\bvi\.|worker_threads/;
export const FREEZES = /script\/sandbox'|\bcreateSandbox[,(]/;
/** In tests of the renderer. */
export const MOCKS = /\bcreateSandbox[,(]|\bvi\.(?:mock|doMock|resetModules|stubGlobal)\(/;
/**
 * In tests of hosts and of the command line: mocked modules, all threads of a process or all of its memory,
 * and sandboxes, which benchmarks create, too: drawing and bundling do not load in a frozen realm.
 */
export const OWNS_PROCESS =
  /VmHWM|\bvi\.(?:mock|doMock|hoisted)\(|process\.on\(|script\/sandbox'|\bcreateSandbox[,(]|'@cli\/bench\//;
/** Gone when the code runs. */
const TYPE_IMPORT = /import type [^;]+;/g;
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Whether a file, or a helper of the tests that it imports, says so; `seen` breaks cycles. */
function says(file: string, sign: RegExp, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8').replace(TYPE_IMPORT, '');
  if (sign.test(text)) return true;
  return [...text.matchAll(RELATIVE_IMPORT)].some(([, path]) => {
    const target = resolve(dirname(file), path);
    return [`${target}.ts`, join(target, 'index.ts')].some((one) => says(one, sign, seen));
  });
}

/**
 * @param root folder of the project
 * @param folder of tests, relative to it
 * @param sign what a file says, or a helper that it imports
 * @returns the test files below it that do, relative to the root
 */
export function filesThatSay(root: string, folder: string, sign: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((name) => says(join(root, name), sign));
}
