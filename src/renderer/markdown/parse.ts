/**
 * Markdown as the window reads it: CommonMark with tables, and formulas between dollar signs. HTML stays
 * text.
 */
import { tex } from '@mdit/plugin-tex';
import MarkdownIt from 'markdown-it';
import type Token from 'markdown-it/lib/token.mjs';

const parser = new MarkdownIt('default', { html: false, linkify: false, typographer: false }).use(tex, {
  delimiters: 'dollars',
  // Tokens are drawn by components (`nodes.ts`); no text of HTML is ever made of them.
  render: (content: string) => content,
});

/** The pieces of a text in its order, opening and closing ones as such. */
export function parseMarkdown(source: string): Token[] {
  return parser.parse(source, {});
}

/** The first heading of a text as plain words; null when it has none. */
export function markdownTitle(source: string): string | null {
  const tokens = parseMarkdown(source);
  const place = tokens.findIndex(({ type }) => type === 'heading_open');
  return place < 0 ? null : tokens[place + 1].content;
}
