/** The published JSON Schema: up to date, and saying of documents what the validator says. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { FORMAT_VERSION, jsonSchema } from '@engine/document/schema';
import { structuralIssues } from '@engine/document/structure';
import type { ModelDocument } from '@engine/document/types';
import { completeSettings } from '@engine/event-driven/settings';
import type { ElementDefinition } from '@engine/model/definition';
import { catalogue } from '@engine/model/registry';
import { compile } from './support/compiled';
import { contact, EXAMPLES, example, model, particle } from './support/models';

const FILE = fileURLToPath(
  new URL(`../../resources/schema/moreau-model-${FORMAT_VERSION}.schema.json`, import.meta.url),
);
const text = readFileSync(FILE, 'utf8');
const published = JSON.parse(text) as Record<string, unknown>;

const validate = new Ajv2020({ allErrors: true, strict: false }).compile(published);
const accepts = (document: unknown): boolean => validate(document);

describe('the published schema', () => {
  it('is what the validating schema generates (node scripts/write-schema.mjs)', () => {
    expect(text).toBe(`${JSON.stringify(jsonSchema(), null, 2)}\n`);
  });

  it('names its draft, itself and its subject', () => {
    expect(published).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'moreau-model-3.schema.json',
      title: 'Moreau model document',
    });
  });

  it.each(EXAMPLES)('accepts the example %s', (name) => {
    validate(example(name));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('describes the fields to those who write by hand', () => {
    expect(text).toContain('Coefficient of restitution. 0: the bodies stay together; 1: no energy is lost.');
    expect(text).toContain('Time step, s.');
  });
});

interface Keys {
  readonly properties?: Readonly<Record<string, Keys>>;
  readonly default?: unknown;
}

describe('the defaults in the published schema', () => {
  it('are those of a simulation that says no more than it has to', () => {
    const { simulation, ...rest } = model([particle('ball', 1, 0)], []);
    const { scheme, t0, tEnd, h, integrators, problem, solver } = simulation;
    const document = { ...rest, simulation: { scheme, t0, tEnd, h, integrators, problem, solver } };
    const { settings } = compile(document);
    const { properties } = jsonSchema() as { properties: Record<string, Keys> };
    const defaults = (path: string): unknown => {
      let keys: Keys = properties['simulation'];
      for (const key of path.split('.')) keys = keys.properties?.[key] ?? {};
      return keys.default;
    };
    expect(defaults('accuracy')).toBe(settings.accuracy);
    expect(defaults('newton.tolerance')).toBe(settings.newton.tolerance);
    expect(defaults('newton.maxIterations')).toBe(settings.newton.maxIterations);
    expect(defaults('derivatives')).toBe(settings.derivatives);
    expect(defaults('recording.every')).toBe(settings.recordEvery);
    expect(defaults('recording.trajectory')).toBe(settings.recordsTrajectory);
    expect(defaults('impacts')).toEqual({ type: settings.impacts.type });
    expect(defaults('eventDriven.flight')).toEqual({ type: settings.eventDriven.flight.type });
    expect(defaults('eventDriven.constraints')).toEqual({ type: settings.eventDriven.constraints.type });
    const { smallestBounce, maxEventsPerStep } = completeSettings({ t0: 0, tEnd: 1, h: 0.1 });
    expect(defaults('eventDriven.smallestBounce')).toBe(smallestBounce);
    expect(defaults('eventDriven.maxEventsPerStep')).toBe(maxEventsPerStep);
  });
});

describe('the definitions in the published schema', () => {
  const groups = catalogue();
  const definitions = [
    ...groups.systems,
    ...groups.relations,
    ...groups.laws,
    ...groups.rowLaws,
    ...groups.integrators,
    ...groups.problems,
    ...groups.solvers,
    ...groups.impacts,
  ];
  /**
   * Object schemas whose `type` is one value, by that value and the sentence that describes it: a law of rows
   * stands in a list, too, with a name.
   */
  const elements = new Map<string, Record<string, { description?: string }>[]>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties } = value as { properties?: Record<string, { const?: string; description?: string }> };
    const type = properties?.type;
    if (properties !== undefined && typeof type?.const === 'string')
      elements.set(`${type.const}: ${type.description ?? ''}`, [
        ...(elements.get(`${type.const}: ${type.description ?? ''}`) ?? []),
        properties,
      ]);
    Object.values(value).forEach(collect);
  };
  collect(published);

  it.each(definitions.map((definition): [string, ElementDefinition] => [definition.type, definition]))(
    '%s has its summary and all its fields',
    (type, { summary, fields, category }) => {
      const keys = [
        'type',
        ...(category === 'system' ? ['id'] : []),
        ...(category === 'integrator' ? ['systems'] : []),
        ...fields.map(({ key }) => key),
      ].sort();
      const properties = elements
        .get(`${type}: ${summary}`)
        ?.find((found) => Object.keys(found).sort().join() === keys.join());
      expect(properties).toBeDefined();
      for (const { key, label, help } of fields)
        expect(properties?.[key].description).toBe(`${label}. ${help}`);
    },
  );
});

describe('the published schema and the validator agree', () => {
  const valid = (): ModelDocument =>
    model([particle('ball', 1, 0)], [contact('floor', ['ball'], [[1]], 0.5)]);

  it.each<[string, (document: ModelDocument) => void]>([
    ['an unknown key', (d) => Object.assign(d.systems[0], { colour: 'red' })],
    ['an unknown type', (d) => (d.systems[0].type = 'Nothing')],
    ['a missing mass', (d) => delete d.systems[0].mass],
    ['a mass that is a number', (d) => (d.systems[0].mass = 1)],
    ['no degree of freedom', (d) => (d.systems[0].ndof = 0)],
    ['an id with a blank', (d) => (d.systems[0].id = 'a b')],
    ['an id that is no key like others', (d) => (d.systems[0].id = '__proto__')],
    ['an interaction without systems', (d) => (d.interactions[0].systems = [])],
    ['a missing law', (d) => Reflect.deleteProperty(d.interactions[0], 'law')],
    ['an empty expression', (d) => (d.simulation.h = '')],
    ['another format', (d) => (d.formatVersion = 1)],
    [
      'a sparse matrix with half an entry',
      (d) => Object.assign(d.systems[0], { mass: { entries: [[0, 0]] } }),
    ],
    ['a sparse matrix with a negative place', (d) => (d.systems[0].mass = { entries: [[0, -1, 1]] })],
    ['an integrator that names no system', (d) => (d.simulation.integrators[0].systems = [])],
    ['no list of integrators', (d) => Reflect.deleteProperty(d.simulation, 'integrators')],
    ['an unknown source of derivatives', (d) => Object.assign(d.simulation, { derivatives: 'by hand' })],
    ['half a step control', (d) => Object.assign(d.simulation, { stepControl: { tolerance: 1 } })],
    ['a missing section', (d) => Reflect.deleteProperty(d, 'views')],
    ['a script path', (d) => d.scripts.push({ name: '../a.ts', role: 'functions', source: [] })],
  ])('on %s', (_, change) => {
    const document = valid();
    expect(accepts(document)).toBe(true);
    expect(structuralIssues(document)).toEqual([]);
    change(document);
    expect(accepts(document)).toBe(false);
    expect(structuralIssues(document).length).toBeGreaterThan(0);
  });
});
