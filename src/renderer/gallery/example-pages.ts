/**
 * Explanations and pictures of the examples, which are built into the window: each example has a page beside
 * its file.
 */

const FOLDER = '../../../resources/examples/';

const pages = import.meta.glob<string>('../../../resources/examples/*.md', {
  query: '?raw',
  import: 'default',
});
const pictures = import.meta.glob<string>('../../../resources/examples/thumbnails/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Whether an example has an explanation. */
export const hasPage = (name: string): boolean => Object.hasOwn(pages, `${FOLDER}${name}.md`);

/** The explanation of an example in Markdown; null when it has none. */
export async function examplePage(name: string): Promise<string | null> {
  const load = hasPage(name) ? pages[`${FOLDER}${name}.md`] : undefined;
  return load === undefined ? null : load();
}

/** Address of an example's picture; null when it has none. */
export const examplePicture = (name: string): string | null =>
  pictures[`${FOLDER}thumbnails/${name}.svg`] ?? null;

/** A page without its title, which stands above it already. */
export const withoutTitle = (markdown: string): string => markdown.replace(/^# .*\n+/, '');
