/** Small documents, and those of the examples. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readDocument } from '@engine/document/read';
import type {
  Expression,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';

const FOLDER = fileURLToPath(new URL('../../../resources/examples/', import.meta.url));

/** Names of the examples that are shipped, without their ending. */
export const EXAMPLES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.moreau.json'))
  .map((file) => file.replace(/\.moreau\.json$/, ''))
  .sort();

/** Text of a shipped example. */
export const exampleText = (name: string): string => readFileSync(`${FOLDER}${name}.moreau.json`, 'utf8');

/** A shipped example, read again. @throws when it does not open without an issue */
export function example(name: string): ModelDocument {
  const { document, issues } = readDocument(exampleText(name));
  if (document === null || issues.length > 0) throw new Error(issues.map(({ message }) => message).join(' '));
  return document;
}

export interface SimulationOptions {
  h?: Expression;
  tEnd?: Expression;
  theta?: number;
  forecast?: number;
  solver?: string;
}

/** A document around some systems and interactions. */
export function model(
  systems: SystemDocument[],
  interactions: InteractionDocument[] = [],
  { h = 1e-3, tEnd = 1, theta = 0.5, forecast = 0.5, solver = 'auto' }: SimulationOptions = {},
): ModelDocument {
  return {
    formatVersion: 3,
    title: 'Test model',
    parameters: [],
    systems,
    interactions,
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd,
      h,
      integrators: [{ type: 'MoreauJean', theta, forecast }],
      problem: { type: 'LCP' },
      solver: { type: solver },
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
}

/** A point mass on a line. @param fields further or other fields of the system */
export function particle(
  id: string,
  q0: number,
  v0: number,
  fields: Partial<SystemDocument> = {},
): SystemDocument {
  return { id, type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [q0], v0: [v0], ...fields };
}

/** A linear system with matrices. */
export function linearSystem(
  id: string,
  matrices: { mass: number[][]; damping?: number[][]; stiffness?: number[][]; force?: number[] },
  q0: number[],
  v0: number[],
): SystemDocument {
  const { mass, damping, stiffness, force } = matrices;
  return {
    id,
    type: 'LagrangianLinearTI',
    ndof: q0.length,
    mass,
    ...(damping === undefined ? {} : { damping }),
    ...(stiffness === undefined ? {} : { stiffness }),
    q0,
    v0,
    ...(force === undefined ? {} : { fExt: force }),
  };
}

/** Contact rows y = H q + b with Newton's impact law. */
export function contact(
  id: string,
  systems: string[],
  H: number[][],
  e: number,
  b?: number[],
): InteractionDocument {
  const relation: TypedElement = { type: 'LagrangianLinear', H, ...(b === undefined ? {} : { b }) };
  return { id, systems, relation, law: { type: 'NewtonImpact', e } };
}

/** Adds a script of plug-in functions. */
export function withFunctions(document: ModelDocument, ...source: string[]): ModelDocument {
  const name = document.scripts.length === 0 ? 'functions.ts' : `functions${document.scripts.length}.ts`;
  return { ...document, scripts: [...document.scripts, { name, role: 'functions', source }] };
}

/** Adds a script that builds elements. */
export function withBuilder(document: ModelDocument, ...source: string[]): ModelDocument {
  return { ...document, scripts: [...document.scripts, { name: 'builder.ts', role: 'builder', source }] };
}

/** The text of a small valid model, changed by a test before it is written. */
export function changedText(change: (document: Record<string, unknown>) => void): string {
  const document = JSON.parse(
    JSON.stringify(
      model([particle('ball', 1, 0), particle('block', 2, 0)], [contact('floor', ['ball'], [[1]], 0.5)]),
    ),
  ) as Record<string, unknown>;
  change(document);
  return JSON.stringify(document, null, 2);
}
