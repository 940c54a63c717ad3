/**
 * Pages of the reference that say what the engine does with models: which law can stand on which relation in
 * which scheme, and what a run records. `npm run reference` writes them.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ModelDocument, SignalInfo } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { needsBuilder } from '@engine/document/builder-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { type Core, CORES, nameOf, smallestModels, waysOf } from './support/combinations';
import { EXAMPLES, example } from './support/models';

const written = async (name: string, text: string): Promise<void> =>
  expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/reference', name));
const sandbox = (): ReturnType<typeof createSandbox> => createSandbox(() => undefined);
const NONE = '–';

/** Relations on which the same laws stand in the same ways share a column. */
function tableOf(core: Core): string[] {
  const columns = new Map<string, { names: string[]; cells: string[] }>();
  for (const relation of core.relations) {
    const cells = core.laws.map((law) => waysOf(core, law, relation, sandbox) || NONE);
    const key = cells.join();
    const column = columns.get(key) ?? { names: [], cells };
    column.names.push(nameOf(relation));
    columns.set(key, column);
  }
  const oneWay = { ...core, ways: core.ways.slice(0, 1) };
  // Every law on one relation, and one law on every relation.
  core.refused.forEach((law, i) =>
    core.relations.forEach((relation, k) => {
      if (i > 0 && k > 0) return;
      expect(waysOf(oneWay, law, relation, sandbox), `${law.type} on ${relation.type}`).toBe('');
    }),
  );
  const all = [...columns.values()];
  const rows = core.laws.map(
    (law, i) => `| ${nameOf(law)} | ${all.map(({ cells }) => cells[i]).join(' | ')} |`,
  );
  return [
    `## ${core.title}`,
    '',
    core.about,
    '',
    `| law | ${all.map((_, k) => `(${k + 1})`).join(' | ')} |`,
    `| --- |${' --- |'.repeat(all.length)}`,
    ...rows,
    '',
    ...all.map(({ names }, k) => `- **(${k + 1})** ${names.join('; ')}`),
    '',
  ];
}

it('takes the laws on the relations that the page says, and refuses all others', async () => {
  const lines = [
    '# Which law on which relation',
    '',
    'Which law can stand on which relation, and how such a model can be run. The letters are the ways that take it, the integrators of time-stepping and the event-driven scheme; every other combination is refused with a message, by `moreau validate` or when the run starts. Each cell was found by running a small model.',
    '',
    '| letter | way |',
    '| --- | --- |',
    '| M | time-stepping, Moreau–Jean; for first-order systems Euler–Moreau |',
    '| P | time-stepping, Schatzman–Paoli |',
    '| H | time-stepping, half steps (`MoreauHalfStep`) |',
    '| G | time-stepping, half-explicit Galerkin steps (`D1MinusLinear`), with `level: velocity` and `level: acceleration` |',
    '| Z | time-stepping, zero-order hold |',
    '| E | event-driven |',
    `| ${NONE} | none |`,
    '',
    'A law that takes several rows at once needs a relation whose number of rows is a multiple of that: 2 for contacts with friction in the plane, 3 for friction in a tangent plane and for plasticity. Relations of a fixed number of rows, as joints of planar bodies, are refused otherwise.',
    '',
    ...CORES.flatMap(tableOf),
  ];
  await written('combinations.md', lines.join('\n'));
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

it('records the signals that the page says', async () => {
  const found = new Map<string, Map<string, string>>();
  const add = (heading: string, lines: readonly SignalLine[]): void => {
    const known = found.get(heading) ?? new Map<string, string>();
    for (const { name, words } of lines) if (!known.has(name)) known.set(name, words);
    found.set(heading, known);
  };
  const lookAt = (document: ModelDocument): void => {
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
  };
  for (const document of EXAMPLES.map(example)) if (!needsBuilder(document)) lookAt(document);
  const seen = new Set([...found.keys()].map((heading) => heading.split(' ')[0]));
  for (const document of smallestModels(seen, sandbox)) lookAt(document);
  const parts = [
    '# Signals',
    '',
    'What a run records of an element, read from the models of the gallery, and for relations that none of them has from the smallest model of one law that can stand on them. A name in a document has the id of the element before it, such as `ball.q`; `[k]` counts coordinates or rows from 0 and is left out where there is only one. `t` is the time, s. Where a line names no unit, it is that of the coordinates or states. An impulse is that of a step: divided by the step it is the mean force; a multiplier of a mechanical model is a force, N, or a moment, N m. Observables have the names that the model gives them.',
    '',
  ];
  for (const [heading, lines] of [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (lines.size === 0) continue;
    parts.push(`## ${heading}`, '', ...[...lines].map(([name, words]) => `- \`${name}\`: ${words}`), '');
  }
  expect(found.size).toBeGreaterThan(20);
  await written('signals.md', parts.join('\n'));
});
