/**
 * The pages of `docs/` that come with the window, so that help needs no network. Loaded with the first look
 * at it.
 */
const texts = import.meta.glob<string>(
  [
    '../../../docs/index.md',
    '../../../docs/{tutorials,how-to,theory}/*.md',
    // The rest of the reference is made here, with the shortcuts that are in force.
    '../../../docs/reference/{combinations,command-line,document,expressions,signals}.md',
  ],
  { query: '?raw', import: 'default', eager: true },
);
const pictures = import.meta.glob<string>('../../../docs/images/*.{png,svg}', {
  query: '?url',
  import: 'default',
  eager: true,
});

const ROOT = '../../../docs/';
const within = (files: Record<string, string>): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, content]) => [path.slice(ROOT.length), content]));

/** Markdown by path below `docs`. */
export const writtenPages = within(texts);
/** Addresses of pictures by path below `docs`. */
export const pictureAddresses = within(pictures);
