/** Draws parsed Markdown as virtual nodes: no text of HTML is made, so a text cannot bring any with it. */
import type Token from 'markdown-it/lib/token.mjs';
import { h, type VNode, type VNodeArrayChildren } from 'vue';
import MathFormula from '../components/MathFormula.vue';

export interface MarkdownOptions {
  /** level of the text's first-level headings on the page */
  level: number;
  /**
   * what a link does; links to other sites are shown with their address, since the window opens no foreign
   * page
   */
  follow: (target: string) => void;
  /** address of a picture; null shows its words instead */
  image: (source: string) => string | null;
}

type Children = VNodeArrayChildren;

/** Elements that a text may be drawn with; anything else a parser may think of stays plain. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'em', 'strong', 's', 'code'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]);
const FOREIGN = /^(?:[a-z]+:)?\/\//i;
const LAST_LEVEL = 6;
/** Language of the code blocks that the reader is spared. */
const CHECKED = 'checked';

const attribute = (token: Token, name: string): string => token.attrGet(name) ?? '';

/** Name of a heading in links: its words in small letters, joined by hyphens. */
export function headingId(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Virtual nodes of a list of tokens. */
export function markdownNodes(tokens: readonly Token[], options: MarkdownOptions): Children {
  let place = 0;

  function until(closing: string | null): Children {
    const children: Children = [];
    while (place < tokens.length) {
      const token = tokens[place++];
      if (token.type === closing) return children;
      const next = tokens[place] as Token | undefined;
      children.push(...drawn(token, next));
    }
    return children;
  }

  function drawn(token: Token, next: Token | undefined): Children {
    switch (token.type) {
      case 'text':
        return [token.content];
      case 'softbreak':
        return [' '];
      case 'inline':
        return markdownNodes(token.children ?? [], options);
      case 'code_inline':
        return [h('code', token.content)];
      case 'fence':
        // What a page claims, written for the test that computes it.
        if (token.info.trim() === CHECKED) return [];
        return [h('pre', { tabindex: 0 }, [h('code', token.content.replace(/\n$/, ''))])];
      case 'code_block':
        return [h('pre', { tabindex: 0 }, [h('code', token.content.replace(/\n$/, ''))])];
      case 'math_inline':
        return [h(MathFormula, { latex: token.content })];
      case 'math_block':
        return [
          h('div', { class: 'equation', tabindex: 0, role: 'group' }, [
            h(MathFormula, { latex: token.content, display: true }),
          ]),
        ];
      case 'image':
        return [picture(token, options)];
      case 'heading_open':
        return [heading(token, next?.content ?? '', until('heading_close'), options)];
      case 'link_open':
        return [link(attribute(token, 'href'), until('link_close'), options)];
      default:
        return element(token);
    }
  }

  function element(token: Token): Children {
    if (token.nesting === 0) return ELEMENTS.has(token.tag) ? [h(token.tag)] : [token.content];
    const children = until(token.type.replace(/_open$/, '_close'));
    if (token.hidden || !ELEMENTS.has(token.tag)) return children;
    if (token.tag === 'table')
      return [h('div', { class: 'table', tabindex: 0, role: 'group' }, [h('table', children)])];
    const start = token.tag === 'ol' ? attribute(token, 'start') : '';
    const align = /text-align:(\w+)/.exec(attribute(token, 'style'))?.[1];
    return [
      h(
        token.tag,
        { ...(start === '' ? {} : { start }), ...(align === undefined ? {} : { class: `align-${align}` }) },
        children,
      ),
    ];
  }

  return until(null);
}

function heading(token: Token, words: string, children: Children, { level }: MarkdownOptions): VNode {
  const own = Math.min(LAST_LEVEL, Number(token.tag.slice(1)) - 1 + level);
  return h(`h${own}`, { id: headingId(words) }, children);
}

function link(target: string, children: Children, { follow }: MarkdownOptions): VNode {
  if (FOREIGN.test(target))
    return h('span', [
      ...children,
      ' (',
      h('span', { class: 'address' }, target.replace(/^https?:\/\//, '')),
      ')',
    ]);
  const onClick = (event: Event): void => {
    event.preventDefault();
    follow(target);
  };
  return h('a', { href: target.startsWith('#') ? target : '#', onClick }, children);
}

function picture(token: Token, { image }: MarkdownOptions): VNode | string {
  const source = image(attribute(token, 'src'));
  return source === null ? token.content : h('img', { src: source, alt: token.content, loading: 'lazy' });
}
