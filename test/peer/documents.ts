/** Documents of the gallery, and what is left of them when every expression has become a number. */
import { readFileSync } from 'node:fs';
import { evaluateParameters, evaluateWith } from '@engine/document/parameters';
import { readDocument } from '@engine/document/read';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { needsBuilder } from '@engine/document/builder-scripts';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import type { GalleryModel } from './gallery';

function exampleDocument(name: string): ModelDocument {
  const path = new URL(`../../resources/examples/${name}.moreau.json`, import.meta.url);
  const { document, issues } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error(`${name}: ${issues.map(({ message }) => message).join('; ')}`);
  return document;
}

/** The document of a model, with the step, the length and the integrators of the comparison. */
export function galleryDocument(model: GalleryModel): ModelDocument {
  const document = typeof model.example === 'string' ? exampleDocument(model.example) : model.example;
  const { set = {}, integrators = document.simulation.integrators } = model;
  const parameters = document.parameters.map((parameter) => ({
    ...parameter,
    value: set[parameter.name] ?? parameter.value,
  }));
  const { values } = evaluateParameters(parameters);
  const h = model.h ?? evaluateWith(document.simulation.h, values);
  return {
    ...document,
    parameters,
    simulation: {
      ...document.simulation,
      integrators,
      h,
      tEnd: h * model.steps,
      recording: { every: 1 },
    },
  };
}

/** Fields that hold names, not expressions. */
const NAMES: ReadonlySet<string> = new Set([
  'id',
  'type',
  'systems',
  'function',
  'coordinateUnit',
  'stateUnit',
  'activation',
  'massPoint',
  'relationPoint',
  'level',
]);

function evaluated<T>(value: T, parameters: Record<string, number>): T {
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return NAMES.has(key) ? part : evaluateWith(part, parameters);
    if (Array.isArray(part)) return part.map((entry) => walk(entry, key));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, entry]) => [name, walk(entry, name)]));
  };
  return walk(value, '') as T;
}

export interface NumericModel {
  document: {
    systems: SystemDocument[];
    interactions: InteractionDocument[];
    simulation: Pick<ModelDocument['simulation'], 'integrators'>;
  };
  /** time step, s */
  h: number;
  parameters: Record<string, number>;
}

/** Systems and interactions with numbers in place of expressions, those of a builder script included. */
export function numericModel(document: ModelDocument): NumericModel {
  const { values: parameters, issues } = evaluateParameters(document.parameters);
  if (issues.length > 0) throw new Error(issues[0].message);
  let { systems, interactions } = document;
  if (needsBuilder(document)) {
    const result = runBuilder(
      document,
      createSandbox(() => undefined),
    );
    if (!result.ok) throw new Error(result.error.message);
    systems = [...systems, ...result.built.systems];
    interactions = [...interactions, ...result.built.interactions];
  }
  const { integrators, h } = document.simulation;
  return {
    document: evaluated({ systems, interactions, simulation: { integrators } }, parameters),
    h: evaluateWith(h, parameters),
    parameters,
  };
}
