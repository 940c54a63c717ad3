/**
 * `docs/reference` is what the definitions say: `npm run reference` writes it. The same pages are part of the
 * help, except for those that only a reader outside of the window needs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allCommands } from '@cli/commands';
import { commandHelp, overview } from '@cli/help';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { useLibrary } from '@renderer/help/use-library';
import { documentPage } from './reference/document-page';
import { expressionsPage } from './reference/expressions-page';
import { openCamFollower } from './setup';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/reference');
const EXAMPLES = join(ROOT, 'resources/examples');
/** Pages that are not made in the window. */
const APART = ['combinations.md', 'command-line.md', 'document.md', 'expressions.md', 'signals.md'];

const written = async (name: string, text: string): Promise<void> =>
  expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(join(FOLDER, name));

/** Links into the window are words outside of it. */
const outside = (source: string): string => source.replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1');

it('is up to date with the definitions, commands, settings and script functions', async () => {
  await openCamFollower();
  const library = useLibrary().value!;
  const nameOf = ({ path }: { path: string }): string => path.slice('reference/'.length);
  const pages = library.pages('reference').filter((page) => !APART.includes(nameOf(page)));
  for (const page of pages) await written(nameOf(page), outside(page.source));
  const known = [...pages.map(nameOf), ...APART];
  expect(readdirSync(FOLDER).toSorted()).toEqual(known.toSorted());
});

it('is up to date with the help of the command line', async () => {
  const commands = await allCommands();
  const parts = [
    '# Command line',
    '',
    'What `moreau --help` and `moreau COMMAND --help` print.',
    '',
    '```text',
    overview(commands).trimEnd(),
    '```',
    '',
  ];
  for (const command of commands)
    parts.push(`## ${command.name}`, '', '```text', (await commandHelp(command)).trimEnd(), '```', '');
  await written('command-line.md', parts.join('\n'));
});

/** The bouncing ball with a section, an analysis and a dashboard. */
function smallDocument(): ModelDocument {
  const ball = JSON.parse(readFileSync(join(EXAMPLES, 'bouncing-ball.moreau.json'), 'utf8')) as ModelDocument;
  return {
    ...ball,
    simulation: { ...ball.simulation, sections: [{ id: 'hits', type: 'impact', contact: 'floor' }] },
    analyses: [
      {
        id: 'heights',
        title: 'Highest point over the restitution',
        type: 'sweep',
        axes: [{ type: 'range', parameter: 'e', from: 0.5, to: 0.9, count: 5 }],
        measures: 'max ball.q',
        skip: 0.5,
      },
    ],
    dashboards: [
      {
        id: 'main',
        layout: { split: 'horizontal', children: [{ tabs: ['series'] }, { tabs: ['portrait'] }] },
      },
    ],
  };
}

it('is up to date with the keys of documents, and its example is a document without a defect', async () => {
  const page = documentPage(smallDocument());
  const [, example] = /```json model\n([\s\S]*?)```/.exec(page) ?? [];
  expect(readDocument(example).issues).toEqual([]);
  expect(reportDocument(JSON.parse(example) as ModelDocument).issues).toEqual([]);
  await written('document.md', page);
});

it('is up to date with the language of expressions', async () => {
  await written('expressions.md', expressionsPage());
});
