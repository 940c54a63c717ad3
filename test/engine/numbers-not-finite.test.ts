/**
 * No number of a document that has no finite value gets into a model, whatever it is for: each is refused at
 * its place.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';
import { definitionsByKey } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import { model, particle } from './support/models';
import { refusal } from './support/run';

type Way = readonly (string | number)[];
type Node = Record<string | number, unknown>;

const FOLDER = fileURLToPath(new URL('../../resources/examples/', import.meta.url));

/** Settings of a simulation that are numbers, by their way in the document. */
const SETTINGS: readonly Way[] = [
  ['t0'],
  ['tEnd'],
  ['h'],
  ['newton', 'tolerance'],
  ['stepControl', 'tolerance'],
  ['stepControl', 'hMin'],
  ['stepControl', 'hMax'],
  ['eventDriven', 'smallestBounce'],
  ['eventDriven', 'jumps', 0],
];

const withSettings = (): ModelDocument => {
  const document = model([particle('ball', 1, 1)], []);
  document.simulation.newton = { tolerance: 1e-12 };
  document.simulation.stepControl = { tolerance: 1e-3, hMin: 1e-9, hMax: 1 };
  document.simulation.eventDriven = { smallestBounce: 1e-12, jumps: [0.5] };
  return document;
};

function written<T>(document: T, way: Way, value: unknown): T {
  const copy = structuredClone(document);
  const last = way.slice(0, -1).reduce<Node>((node, key) => node[key] as Node, copy as Node);
  last[way[way.length - 1]] = value;
  return copy;
}

const pointerOf = (way: Way): string => way.map((key) => `/${key}`).join('');

const refusedAt = (document: ModelDocument, code: RegExp = /^not-finite$/): string[] =>
  reportDocument(document)
    .issues.filter((issue) => code.test(issue.code) && issue.severity === 'error')
    .map(({ pointer }) => pointer);

/** Settings of both schemes stand in the document, and those of the other one are warned of. */
const errorsOf = (document: ModelDocument): readonly DocumentIssue[] =>
  reportDocument(document).issues.filter(({ severity }) => severity === 'error');

describe('a setting of the simulation', () => {
  it('is what the others are compared with', () => {
    expect(errorsOf(withSettings())).toEqual([]);
  });

  it.each(SETTINGS.map((way) => [pointerOf(way), way] as const))('%s', (pointer, way) => {
    for (const text of ['0/0', '1/0', '-1/0', 'sqrt(-1)', '1e999']) {
      const errors = errorsOf(written(withSettings(), ['simulation', ...way], text));
      const [issue] = errors;
      expect(errors).toHaveLength(1);
      expect(issue).toMatchObject({
        severity: 'error',
        code: 'not-finite',
        pointer: `/simulation${pointer}`,
      });
      expect(issue.remedy).toContain('division by zero');
    }
  });

  it.each(['event-driven', 'time-stepping'] as const)('does not let a run begin: %s', (scheme) => {
    const document = written(withSettings(), ['simulation', 'scheme'], scheme);
    for (const key of ['t0', 'tEnd', 'h'])
      expect(refusal(written(document, ['simulation', key], '0/0')).where).toBe(`/simulation/${key}`);
    expect(refusal(document, { h: NaN }).message).toContain('NaN');
    expect(refusal(document, { tEnd: Infinity }).message).toContain('Infinity');
  });
});

const numbers = ({ kind }: FieldDefinition): boolean =>
  ['number', 'vector', 'matrix', 'vectorOrFunction', 'matrixOrFunction'].includes(kind);

/** Ways to all numbers in fields of typed elements, absent ones of kind `number` included. */
function places(value: unknown, key: string, way: Way): Way[] {
  if (Array.isArray(value)) return value.flatMap((entry, i) => places(entry, key, [...way, i]));
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as { type?: string };
  const fields = definitionsByKey.get(key)?.find((one) => one.type === type)?.fields ?? [];
  return [
    ...fields.flatMap((field): Way[] => {
      if (!numbers(field)) return [];
      const own = (value as Node)[field.key];
      if (field.kind === 'number') return [[...way, field.key]];
      return leaves(own, [...way, field.key]);
    }),
    ...Object.entries(value).flatMap(([name, own]) =>
      fields.some((field) => field.key === name && numbers(field)) ? [] : places(own, name, [...way, name]),
    ),
  ];
}

/** The first and the last number in a vector or matrix. */
function leaves(value: unknown, way: Way): Way[] {
  const all = (of: unknown, at: Way): Way[] => {
    if (Array.isArray(of)) return of.flatMap((entry, i) => all(entry, [...at, i]));
    if (typeof of === 'object' && of !== null && 'entries' in of)
      return (of.entries as unknown[]).map((_, i) => [...at, 'entries', i, 2]);
    return typeof of === 'number' || typeof of === 'string' ? [at] : [];
  };
  const found = all(value, way);
  return found.length > 1 ? [found[0], found[found.length - 1]] : found;
}

describe('a field of any element of the gallery', () => {
  /** Kinds of elements and fields that have been met. */
  const seen = new Set<string>();
  const cases: [string, string, ModelDocument, Way][] = [];
  const texts = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.moreau.json'))
    .map((name) => readFileSync(`${FOLDER}${name}`, 'utf8'));
  // Of the models that have a field the smallest is tried.
  for (const text of texts.sort((a, b) => a.length - b.length)) {
    const { document } = readDocument(text);
    if (document === null) throw new Error('an example cannot be opened');
    const { systems, interactions, simulation, analyses } = document;
    for (const [key, section] of Object.entries({ systems, interactions, simulation, analyses }))
      for (const way of places(section, key, [key])) {
        const owner = way
          .slice(
            0,
            way.findLastIndex((part) => typeof part === 'string'),
          )
          .reduce<Node>((node, part) => node[part] as Node, document as unknown as Node) as { type?: string };
        const kind = `${owner.type ?? 'settings'} ${way.filter((part) => typeof part === 'string').join('/')}`;
        if (seen.has(kind)) continue;
        seen.add(kind);
        cases.push([kind, pointerOf(way), document, way]);
      }
  }

  it('stands in the gallery often enough', () => {
    expect(cases.length).toBeGreaterThan(100);
    expect(cases.filter(([, pointer]) => pointer.startsWith('/analyses')).length).toBeGreaterThan(14);
  });

  it('is refused where it has no finite value', () => {
    // The limit of a motor without a speed is refused for that.
    const accepted = cases.filter(
      ([, pointer, document, way]) =>
        !refusedAt(written(document, way, '0/0'), /^(?:not-finite|motor-without-speed)$/).includes(pointer),
    );
    expect(accepted.map(([kind, pointer]) => `${kind} at ${pointer}`)).toEqual([]);
  });
});

it('a number that is not finite and that nothing reads is refused all the same', () => {
  const document = model([particle('ball', 1, 1)], []);
  // Without a section nothing asks how many points are left out.
  document.analyses = [
    {
      type: 'sweep',
      id: 'masses',
      axes: [{ type: 'initialValues', state: 'ball.q', values: [1] }],
      measures: 'max ball.q',
      tEnd: 1,
      skip: '0/0',
    },
  ];
  expect(refusedAt(document)).toEqual(['/analyses/0/skip']);
});

it('the surface of a section that is no number anywhere is refused', () => {
  const document = model([particle('ball', 1, 1)], []);
  document.simulation.sections = [{ type: 'surface', id: 'top', g: '0/0' }];
  expect(refusedAt(document)).toEqual(['/simulation/sections/0/g']);
});
