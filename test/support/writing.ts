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

/** A short name of `docs/theory/references.md` and what stands for it. */
export interface Reference {
  readonly name: string;
  readonly source: string;
}

/** The rows of the tables of `docs/theory/references.md`. */
export function readReferences(page: string): Reference[] {
  return [...page.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, name, source]) => ({ name, source }))
    .filter(({ name }) => name !== 'name' && !/^-+$/.test(name));
}

/**
 * Surnames, the last of them before a year: “Acary, Brémond and Huber 2018”, “Liu, Zhao and Brogliato 2008
 * and 2009”.
 */
const PARTICLE = String.raw`(?:(?:di|de|De|van|van den|Van|Den) )`;
const SURNAME = String.raw`${PARTICLE}?\p{Lu}[\p{L}’-]+`;
const SHORT_NAME = new RegExp(
  String.raw`(?<![\p{L}\d’])((?:${SURNAME}, )*(?:${SURNAME} and )?${SURNAME}(?: et al\.)?) ((?:1[89]|20)\d\d)(?: and ((?:1[89]|20)\d\d))?(?![\d-])`,
  'gu',
);
/** What a source is cited by where it is not by its short name. */
const OTHER_FORMS = [
  /\bdoi:|\b10\.\d{4,}\/|\barXiv:/gu,
  // Initials and a surname.
  /(?<![\p{L}\d.])(?:\p{Lu}\.[ -]?)+ ?(?:(?:di|de|De|van|van den|von|Van) )?\p{Lu}\p{Ll}[\p{L}’-]*(?=[,;:)]|[’']s | and | et al)/gu,
  /\bet al\.(?! (?:1[89]|20)\d\d)/gu,
  // Volume (year) pages.
  /\d \((?:1[89]|20)\d\d\)/gu,
  /\bS\d+,? ?(?:§|\()/gu,
  /(?<!Siconos )\b[Dd]eveloper[’']?s? [Nn]otes/gu,
];

/** Words before a year that are no authors. */
const NO_AUTHOR = /^(?:RFC|ISO|ECMAScript|January|Above|Below)$/;

const ofDocument = (file: string): boolean => file.endsWith('.md');

/** The comments and strings of a program, or all of a page, on one line each. */
function passages(file: string, text: string): string[] {
  if (ofDocument(file)) return text.split(/\n\n|\n(?=- |\| )/).map((part) => part.replaceAll('\n', ' '));
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm)].flatMap(([comment]) =>
    comment.split(/\n\s*\*\s*\n/).map((part) => part.replaceAll(/\n\s*(?:\*\/|\*|\/\/)? */g, ' ')),
  );
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, '');
  const strings = [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)];
  return [...comments, ...strings.map(([literal]) => literal.slice(1, -1))];
}

export interface Citations {
  /** short names that are cited */
  readonly cited: ReadonlySet<string>;
  /** file: citation, of those that no short name stands for */
  readonly unresolved: readonly string[];
}

const plain = (text: string): string => text.replaceAll("'", '’');

/** Where sources are cited in programs and pages. */
export function citationsOf(texts: Texts, references: readonly Reference[]): Citations {
  const names = new Set(references.map(({ name }) => name));
  const titled = references.map(({ name }) => name).filter((name) => !/\d{4}$/.test(name));
  const cited = new Set<string>();
  const unresolved: string[] = [];
  for (const [file, text] of texts)
    for (const passage of passages(file, text)) {
      const said = plain(passage);
      for (const [all, authors, ...years] of said.matchAll(SHORT_NAME)) {
        if (NO_AUTHOR.test(authors)) continue;
        for (const year of years.filter((other: string | undefined) => other !== undefined))
          if (names.has(`${authors} ${year}`)) cited.add(`${authors} ${year}`);
          else unresolved.push(`${file}: ${all}`);
      }
      for (const name of titled) if (said.includes(name)) cited.add(name);
      for (const form of OTHER_FORMS)
        for (const [found] of passage.matchAll(form)) unresolved.push(`${file}: ${found}`);
    }
  return { cited, unresolved };
}

const surnamesOf = (name: string): string[] => name.replace(/(?: et al\.)? \d{4}$/, '').split(/, | and /);

/** What a source in full has in common with its row on the page: a DOI, or surname and year, or the name. */
export function referenceOf(inFull: string, references: readonly Reference[]): Reference | undefined {
  const doi = /doi:(\S+)$/.exec(inFull)?.[1];
  const years: readonly string[] = inFull.match(/\b(?:1[89]|20)\d\d\b/g) ?? [];
  const said = plain(inFull);
  return (
    references.find(({ source }) => doi !== undefined && source.includes(`doi:${doi}`)) ??
    references
      .filter(({ name }) => {
        const year = / (\d{4})$/.exec(name)?.[1];
        if (year === undefined) return said.includes(name);
        return years.includes(year) && surnamesOf(name).every((surname) => said.includes(surname));
      })
      .sort((a, b) => surnamesOf(b.name).length - surnamesOf(a.name).length)[0]
  );
}
