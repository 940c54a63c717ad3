/**
 * Which tests need a process of their own. A sandbox freezes the primordials of the realm it is created in, for good, and mutants and
 * mocked modules are modules that must be evaluated anew. All other files share processes, so that what they test is evaluated once for
 * many of them: that is a third of the time of the engine's tests, and most of that of the renderer's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** In tests of the engine. */
export const FREEZES = /script\/sandbox'|\bcreateSandbox[,(]|[?]mutant=|mutations?'|\bvi\.|worker_threads/;
/** In tests of the renderer. */
export const MOCKS = /\bcreateSandbox[,(]|\bvi\.(?:mock|doMock|resetModules|stubGlobal)\(/;
/** Gone when the code runs. */
const TYPE_IMPORT = /import type [^;]+;/g;
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Whether a file, or a helper of the tests that it imports, says so; `seen` breaks cycles. */
function needsOwnRealm(file: string, sign: RegExp, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8').replace(TYPE_IMPORT, '');
  if (sign.test(text)) return true;
  return [...text.matchAll(RELATIVE_IMPORT)].some(([, path]) => {
    const target = resolve(dirname(file), path);
    return [`${target}.ts`, join(target, 'index.ts')].some((one) => needsOwnRealm(one, sign, seen));
  });
}

/**
 * @param root folder of the project
 * @param folder of tests, relative to it
 * @param sign what a file says that needs a process of its own, or a helper that it imports
 * @returns the test files below it that need a process of their own, relative to the root
 */
export function filesWithOwnRealm(root: string, folder: string, sign: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((name) => needsOwnRealm(join(root, name), sign));
}
