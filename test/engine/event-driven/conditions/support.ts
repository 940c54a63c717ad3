/** Small models that are driven by script functions, from event to event. */
import type { ModelDocument, SimulationDocument } from '@engine/document/types';
import { readDocument } from '@engine/document/read';
import { createSandbox } from '@engine/script/sandbox';
import { type Run, run, start } from '../../support/run';

export type Settings = Partial<SimulationDocument> & { tEnd: number };

export interface Parts {
  systems: object[];
  interactions?: object[];
  parameters?: { name: string; value: number }[];
  script: string;
  simulation: Settings;
}

/** A document of these parts, as a user would have it. */
export function documentOf({
  systems,
  interactions = [],
  parameters = [],
  script,
  simulation,
}: Parts): ModelDocument {
  const text = JSON.stringify({
    formatVersion: 3,
    title: 'driven by a script',
    description: '',
    references: [],
    parameters,
    systems,
    interactions,
    simulation: {
      scheme: 'event-driven',
      t0: 0,
      h: 0.1,
      integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
      ...simulation,
    },
    observables: [],
    scripts: [{ name: 'functions.ts', role: 'functions', source: script.split('\n') }],
    views: [],
    layout: { nodes: {} },
  });
  const { document, issues } = readDocument(text);
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return document;
}

/** ẋ = A x + b(t), or what the script makes of it. */
export const source = (x0: number[], rest: object): object => ({
  id: 'c',
  type: 'FirstOrderLinear',
  n: x0.length,
  x0,
  A: x0.map((_, i) => x0.map((__, j) => (i === j ? 0 : 0))),
  ...rest,
});

/** ẋ = f(t, x), `f` of the script. */
export const nonlinear = (x0: number[]): object => ({
  id: 'c',
  type: 'FirstOrderNonLinear',
  n: x0.length,
  x0,
  f: { function: 'f' },
});

export const runDocument = (parts: Parts): Run => run(documentOf(parts), { sandbox: createSandbox });
export const startDocument = (parts: Parts): Run => start(documentOf(parts), { sandbox: createSandbox });

/** Last recorded value. */
export const last = ({ column }: Run, signal: string): number => column(signal).at(-1) ?? Number.NaN;
