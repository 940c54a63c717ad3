/**
 * `docs/reference` is what the definitions say: `npm run reference` writes it. The same pages are part of the
 * help, except for those that only a reader outside of the window needs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '@cli/commands';
import { commandHelp, overview } from '@cli/help';
import { readDocument } from '@engine/document/read';
import type { ModelDocument, SignalInfo } from '@engine/document/types';
import { needsBuilder } from '@engine/script/builder';
import { reportDocument } from '@engine/preparation/report';
import { useLibrary } from '@renderer/help/use-library';
import { documentPage } from './reference/document-page';
import { expressionsPage } from './reference/expressions-page';
import { openCamFollower } from './setup';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/reference');
const EXAMPLES = join(ROOT, 'resources/examples');
/** Pages that are not made in the window. */
const APART = ['command-line.md', 'document.md', 'expressions.md', 'signals.md'];

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

interface SignalLine {
  readonly name: string;
  readonly words: string;
}

/** Signals of an element, without its name and with an index for its rows. */
function linesOf(signals: readonly SignalInfo[], id: string): SignalLine[] {
  return signals
    .filter(({ name }) => name.startsWith(`${id}.`))
    .map(({ name, unit, kind, description }) => ({
      name: name.slice(id.length + 1).replaceAll(/\[\d+\]/g, '[k]'),
      words: `${description.replace(new RegExp(`(,| of) ${id}\\b.*`), '')} (${kind}${unit === '' ? '' : `, ${unit}`})`,
    }));
}

it('is up to date with the signals that elements of the gallery record', async () => {
  const found = new Map<string, Map<string, string>>();
  const add = (heading: string, lines: readonly SignalLine[]): void => {
    const known = found.get(heading) ?? new Map<string, string>();
    for (const { name, words } of lines) if (!known.has(name)) known.set(name, words);
    found.set(heading, known);
  };
  for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.moreau.json'))) {
    const document = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as ModelDocument;
    if (needsBuilder(document)) continue;
    const { signals } = reportDocument({
      ...document,
      simulation: { ...document.simulation, recording: {} },
    });
    for (const { id, type } of document.systems) add(type, linesOf(signals, id));
    const scheme = document.simulation.scheme === 'event-driven' ? 'event-driven' : 'time-stepping';
    for (const { id, relation, law } of document.interactions)
      add(`${relation.type} with ${law.type}, ${scheme}`, linesOf(signals, id));
    add(
      'Energy of the model',
      signals
        .filter(({ name }) => name.startsWith('energy.'))
        .map(({ name, unit, description }) => ({ name, words: `${description} (${unit})` })),
    );
  }
  const parts = [
    '# Signals',
    '',
    'What a run records of an element, read from the models of the gallery. A name in a document has the id of the element before it, such as `ball.q`; `[k]` counts coordinates or rows from 0 and is left out where there is only one. `t` is the time, s. Observables have the names that the model gives them.',
    '',
  ];
  for (const [heading, lines] of [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (lines.size === 0) continue;
    parts.push(`## ${heading}`, '', ...[...lines].map(([name, words]) => `- \`${name}\`: ${words}`), '');
  }
  expect(found.size).toBeGreaterThan(20);
  await written('signals.md', parts.join('\n'));
});
