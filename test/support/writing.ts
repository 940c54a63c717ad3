/** How the sources are written: what `npm run structure` counts of it, and what tests keep. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the repository by its path there. */
export type Texts = ReadonlyMap<string, string>;

/** Columns of code as prettier sets it, and so of comments. */
export const WIDTH = 110;

/** The texts of all files below `folders` that git knows or would add. */
export function textsBelow(root: string, folders: readonly string[], extension: RegExp): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const texts = new Map<string, string>();
  for (const file of listed.split('\n').filter((name) => extension.test(name)))
    try {
      texts.set(file, readFileSync(join(root, file), 'utf8'));
    } catch {
      // Deleted, and not yet committed.
    }
  return texts;
}

/** Lines of comments that are wider than code may be, as file:line. */
export function wideComments(texts: Texts): string[] {
  return [...texts].flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((line, k) =>
        line.length > WIDTH && /^\s*(?:\*|\/\*|\/\/)/.test(line) ? [`${file}:${k + 1}`] : [],
      ),
  );
}
