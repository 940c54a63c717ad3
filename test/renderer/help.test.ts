import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { useCommands } from '@renderer/commands/definitions';
import { type HelpLibrary, helpTarget, resolvePath } from '@renderer/help/library';
import { GROUP_PAGES } from '@renderer/help/reference';
import { useLibrary } from '@renderer/help/use-library';
import { pictureAddresses } from '@renderer/help/written-pages';
import { headingId } from '@renderer/markdown/nodes';
import { parseMarkdown } from '@renderer/markdown/parse';
import { HELP_HOME, useHelpStore } from '@renderer/stores/help';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';

let library: HelpLibrary;
beforeEach(async () => {
  await openCamFollower();
  library = useLibrary().value!;
});

/** Targets of links and pictures of a page, and the names of its headings. */
function parts(source: string): { links: string[]; pictures: string[]; headings: Set<string> } {
  const links: string[] = [];
  const pictures: string[] = [];
  const headings = new Set<string>();
  const tokens = parseMarkdown(source);
  tokens.forEach((token, place) => {
    if (token.type === 'heading_open') headings.add(headingId(tokens[place + 1].content));
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') links.push(child.attrGet('href') ?? '');
      if (child.type === 'image') pictures.push(child.attrGet('src') ?? '');
    }
  });
  return { links, pictures, headings };
}

const isExample = (name: string): boolean =>
  existsSync(join(import.meta.dirname, `../../resources/examples/${name}.moreau.json`));

/** Pages outside of the help that theory may name: they are for those who read the source. */
const isSource = (path: string): boolean => existsSync(join(import.meta.dirname, '../../docs', path));

describe('the pages of the help', () => {
  it('have links that lead somewhere: to pages and headings, commands and examples', () => {
    const broken: string[] = [];
    for (const path of library.paths) {
      const { links, pictures } = parts(library.get(path)!.source);
      for (const link of links) {
        if (/^https?:/.test(link)) continue;
        const target = helpTarget(link, path);
        if (target.kind === 'command') {
          if (useCommands().get(target.id) === undefined) broken.push(`${path}: ${link}`);
        } else if (target.kind === 'example') {
          if (!isExample(target.name)) broken.push(`${path}: ${link}`);
        } else {
          const page = library.get(target.path);
          if (page === undefined) {
            if (!path.startsWith('theory/') || !isSource(target.path)) broken.push(`${path}: ${link}`);
          } else if (target.anchor !== '' && !parts(page.source).headings.has(target.anchor))
            broken.push(`${path}: ${link}`);
        }
      }
      for (const picture of pictures)
        if (!pictureAddresses.has(resolvePath(picture, path))) broken.push(`${path}: ${picture}`);
    }
    expect(broken).toEqual([]);
  });

  it('have a title each, and every tutorial stands in the contents', () => {
    for (const path of library.paths) expect(library.get(path)!.title, path).not.toBe(path);
    expect(library.pages('tutorials').map(({ path }) => path)[0]).toBe('tutorials/first-session.md');
    expect(library.pages('theory').length).toBeGreaterThan(10);
    expect(library.pages('how-to').length).toBeGreaterThan(8);
  });

  it('explain every definition of the engine with all its fields, every script function and every command', () => {
    const all = catalogue();
    for (const group of Object.keys(GROUP_PAGES) as (keyof typeof GROUP_PAGES)[]) {
      const { source } = library.get(`reference/${group}.md`)!;
      const { headings } = parts(source);
      for (const { type, fields } of all[group]) {
        expect(headings, `${group} ${type}`).toContain(headingId(type));
        for (const { key } of fields) expect(source).toContain(`\`${key}\``);
      }
    }
    const functions = library.get('reference/functions.md')!.source;
    for (const { typeName } of Object.values(all.plugins)) expect(functions).toContain(`## ${typeName}`);
    const commands = library.get('reference/commands.md')!.source;
    for (const { id } of useCommands().list()) expect(commands).toContain(`\`${id}\``);
  });

  it('are found by their words, with the place in the text', () => {
    const [first] = library.search('sandbox weight');
    expect(first.page.path).toBe('tutorials/force-plug-in.md');
    expect(library.search('certificate').length).toBeGreaterThan(2);
    expect(library.search('zzzzqq')).toEqual([]);
  });
});

describe('the help pane', () => {
  it('goes back and forward, and a new page ends the way forward', () => {
    const help = useHelpStore();
    help.show('tutorials/first-session.md');
    help.show('theory/solvers.md');
    help.back();
    expect(help.place).toBe('tutorials/first-session.md');
    help.forward();
    expect(help.place).toBe('theory/solvers.md');
    help.back();
    help.show('theory/smooth.md');
    expect(help.canGoForward).toBe(false);
    help.back();
    help.back();
    expect([help.place, help.canGoBack]).toEqual([HELP_HOME, false]);
  });

  it('opens on what is selected, or what names its page', () => {
    const help = useHelpStore();
    useWorkspaceStore().select({ kind: 'element', id: 'cam' });
    help.showContext(null);
    expect(help.place).toBe('reference/relations.md#lagrangianrheonomous');
    expect(help.isOpen).toBe(true);
    const named = document.createElement('div');
    named.dataset['help'] = 'theory/solvers.md';
    help.showContext(named);
    expect(help.place).toBe('theory/solvers.md');
    const form = document.createElement('section');
    form.dataset['help'] = 'reference/laws.md#newtonimpact';
    const field = form.appendChild(document.createElement('div'));
    field.dataset['field'] = 'e';
    help.showContext(field.appendChild(document.createElement('input')));
    expect(help.place).toBe('reference/laws.md#newtonimpact--e');
  });

  it('reads links as they stand on a page', () => {
    expect(helpTarget('../theory/solvers.md#lemke', 'tutorials/a.md')).toEqual({
      kind: 'page',
      path: 'theory/solvers.md',
      anchor: 'lemke',
    });
    expect(helpTarget('#here', 'theory/a.md')).toEqual({ kind: 'page', path: 'theory/a.md', anchor: 'here' });
    expect(helpTarget('command:run.start', 'a.md')).toEqual({ kind: 'command', id: 'run.start' });
    expect(helpTarget('example:bouncing-ball', 'a.md')).toEqual({ kind: 'example', name: 'bouncing-ball' });
  });
});
