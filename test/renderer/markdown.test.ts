import { mount } from '@vue/test-utils';
import { describe, expect, it } from 'vitest';
import MarkdownText from '@renderer/components/MarkdownText.vue';
import { headingId } from '@renderer/markdown/nodes';
import { markdownTitle } from '@renderer/markdown/parse';

const shown = (source: string, props: Record<string, unknown> = {}) =>
  mount(MarkdownText, { props: { source, ...props } });

describe('Markdown text', () => {
  it('has headings below those of the page, paragraphs, lists and code', () => {
    const text = shown(
      '# A ball\n\nIt **falls**\nand *bounces*.\n\n- one\n- two\n\n3. three\n\n```ts\nconst a = 1;\n```',
    );
    expect(text.find('h2').text()).toBe('A ball');
    expect(text.find('h2').attributes('id')).toBe('a-ball');
    expect(text.find('p').text()).toBe('It falls and bounces.');
    expect(text.findAll('ul li').map((item) => item.text())).toEqual(['one', 'two']);
    expect(text.find('ul li p').exists()).toBe(false);
    expect(text.find('ol').attributes('start')).toBe('3');
    expect(text.find('pre code').text()).toBe('const a = 1;');
  });

  it('typesets formulas in the line and on lines of their own, and leaves prices alone', () => {
    const text = shown('With $\\dot q = v$ it costs $5 and $6.\n\n$$\n0 \\le y \\perp \\lambda \\ge 0\n$$');
    expect(text.findAll('.katex')).toHaveLength(2);
    expect(text.find('.equation .katex-display').exists()).toBe(true);
    expect(text.find('p').text()).toContain('it costs $5 and $6.');
  });

  it('leaves out what is written for the test of a page', () => {
    const text = shown('A ball\n\n```checked\nrun\nfinal(ball.q) = 0\n```\n\nfalls.');
    expect(text.text()).toBe('A ballfalls.');
  });

  it('has tables with their alignment', () => {
    const text = shown('| h | error |\n| --- | ---: |\n| 0.01 | 2e-3 |');
    expect(text.find('th').text()).toBe('h');
    expect(text.findAll('td')[1].classes()).toEqual(['align-right']);
  });

  it('tells its owner which link was chosen, and opens no foreign page', async () => {
    const text = shown('[Newton](example:newtons-cradle) and [a page](https://example.org/x)');
    expect(text.findAll('a')).toHaveLength(1);
    expect(text.text()).toContain('a page (example.org/x)');
    await text.find('a').trigger('click');
    expect(text.emitted('follow')).toEqual([['example:newtons-cradle']]);
  });

  it('brings no HTML and no script with it', () => {
    const text = shown('<img src=x onerror=alert(1)> [x](javascript:alert(1))\n\n<script>alert(1)</script>');
    expect(text.find('img').exists()).toBe(false);
    expect(text.find('script').exists()).toBe(false);
    expect(text.find('a').exists()).toBe(false);
    expect(text.text()).toContain('<script>');
  });

  it('shows pictures that its owner has, and the words of others', () => {
    const image = (name: string): string | null => (name === 'there.svg' ? '/pictures/there.svg' : null);
    const text = shown('![a plot](there.svg) ![no plot](missing.svg)', { image });
    expect(text.findAll('img').map((picture) => picture.attributes('src'))).toEqual(['/pictures/there.svg']);
    expect(text.text()).toContain('no plot');
  });

  it('knows its title and the names of headings', () => {
    expect(markdownTitle('text\n\n# The title')).toBe('The title');
    expect(markdownTitle('text')).toBeNull();
    expect(headingId('What to try: e = 0.9?')).toBe('what-to-try-e-0-9');
  });
});
