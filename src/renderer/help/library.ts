/** All pages of the help, written and generated, with their order, titles and search. */
import MiniSearch from 'minisearch';
import { parseMarkdown, markdownTitle } from '../markdown/parse';
import { type ReferenceSources, referencePages } from './reference';
import { pictureAddresses, writtenPages } from './written-pages';

export const HELP_SECTIONS = ['tutorials', 'how-to', 'reference', 'theory'] as const;
export type HelpSection = (typeof HELP_SECTIONS)[number];

export interface HelpPage {
  /** path below `docs`, e.g. `tutorials/first-session.md` */
  path: string;
  title: string;
  source: string;
}

export interface SearchHit {
  page: HelpPage;
  /** a piece of the text around the first word that was found */
  excerpt: string;
}

/** The tutorials in the order in which they are worked through; other pages by title. */
const TUTORIALS = [
  'first-session',
  'first-contact',
  'circuit-with-a-diode',
  'force-plug-in',
  'comparing-schemes',
  '3d-bodies',
  'sampled-control',
].map((name) => `tutorials/${name}.md`);
const EXCERPT = 140;

/** Words of a page without its markup. */
function plainWords(source: string): string {
  return parseMarkdown(source)
    .flatMap(({ type, children, content }) => {
      if (type === 'fence' || type === 'code_block') return [content];
      if (type !== 'inline') return [];
      return [(children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('')];
    })
    .join(' ')
    .replace(/\s+/g, ' ');
}

export class HelpLibrary {
  readonly #pages: ReadonlyMap<string, HelpPage>;
  readonly #words = new Map<string, string>();
  #index: MiniSearch<{ id: string; title: string; words: string }> | null = null;

  constructor(sources: ReferenceSources) {
    const all = new Map([...writtenPages, ...referencePages(sources)]);
    this.#pages = new Map(
      [...all].map(([path, source]) => [path, { path, source, title: markdownTitle(source) ?? path }]),
    );
  }

  get(path: string): HelpPage | undefined {
    return this.#pages.get(path);
  }

  get paths(): string[] {
    return [...this.#pages.keys()];
  }

  /** Pages of a section in reading order. */
  pages(section: HelpSection): HelpPage[] {
    const place = ({ path }: HelpPage): number =>
      TUTORIALS.includes(path) ? TUTORIALS.indexOf(path) : TUTORIALS.length;
    return [...this.#pages.values()]
      .filter(({ path }) => path.startsWith(`${section}/`))
      .sort((a, b) => (section === 'tutorials' ? place(a) - place(b) : a.title.localeCompare(b.title)));
  }

  /** Address of a picture that a page names relative to itself; null where there is none. */
  picture(source: string, page: string): string | null {
    return pictureAddresses.get(resolvePath(source, page)) ?? null;
  }

  search(query: string): SearchHit[] {
    const found = this.#searchable().search(query, { prefix: true, fuzzy: 0.15, boost: { title: 4 } });
    return found.slice(0, 30).flatMap(({ id, terms }) => {
      const page = this.#pages.get(String(id));
      return page === undefined ? [] : [{ page, excerpt: this.#excerpt(page.path, terms) }];
    });
  }

  #searchable(): MiniSearch<{ id: string; title: string; words: string }> {
    if (this.#index !== null) return this.#index;
    this.#index = new MiniSearch({ fields: ['title', 'words'] });
    for (const { path, title, source } of this.#pages.values()) {
      const words = plainWords(source);
      this.#words.set(path, words);
      this.#index.add({ id: path, title, words });
    }
    return this.#index;
  }

  #excerpt(path: string, terms: readonly string[]): string {
    const words = this.#words.get(path) ?? '';
    const lower = words.toLowerCase();
    const at = Math.max(
      0,
      Math.min(...terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0), words.length),
    );
    const from = Math.max(0, lower.lastIndexOf(' ', Math.max(0, at - EXCERPT / 3)));
    return `${from > 0 ? '…' : ''}${words.slice(from, from + EXCERPT).trim()}…`;
  }
}

/** Where a link of a page leads. */
export type HelpTarget =
  | { kind: 'page'; path: string; anchor: string }
  | { kind: 'command'; id: string }
  | { kind: 'example'; name: string };

/** A path that a page names relative to itself, as one below `docs`. */
export function resolvePath(target: string, page: string): string {
  const parts = page.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Reads the target of a link on a page. */
export function helpTarget(link: string, page: string): HelpTarget {
  const [scheme, rest] = link.split(':', 2);
  if (scheme === 'command' && rest !== undefined) return { kind: 'command', id: rest };
  if (scheme === 'example' && rest !== undefined) return { kind: 'example', name: rest };
  const [path, anchor = ''] = link.split('#', 2);
  return { kind: 'page', path: path === '' ? page : resolvePath(path, page), anchor };
}
