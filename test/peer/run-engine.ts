/** Builds the models of the comparison as documents and runs them with our engine. */
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import type { EventRecord } from '@engine/event-driven/event-record';
import { MemoryChunks } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun } from '@engine/run/session';
import type { LinearModel, LinearSystem, MovingSurfaceModel } from './models';
import type { Trajectory } from './trajectory';

/** Steps a call of `advance`; any number gives the same states. */
const SLICE = 1000;

export interface Recorded {
  /** every recorded signal by name, one entry a row */
  signals: Map<string, Float64Array>;
  /** none by time-stepping */
  events: readonly EventRecord[];
}

/**
 * Runs a document to its end.
 * @returns every recorded signal by name, one entry a row
 * @throws when the document is refused or the run fails
 */
export const runModel = (document: ModelDocument): Map<string, Float64Array> => runRecorded(document).signals;

/**
 * Runs a document to its end, by the scheme it names.
 * @throws when the document is refused or the run fails
 */
export function runRecorded(document: ModelDocument): Recorded {
  const sink = new MemoryChunks();
  const prepared = prepareRun({ document }, { sandbox: () => createSandbox(() => undefined), sink });
  if (!prepared.ok) {
    const issues = prepared.issues.map((issue) => `${issue.pointer}: ${issue.message}`);
    throw new Error([prepared.error.message, ...issues].join('\n'));
  }
  const { session } = prepared;
  let state = session.advance(SLICE);
  while (state === 'running') state = session.advance(SLICE);
  if (state === 'failed') throw new Error(session.error?.message ?? 'the run failed without a reason');

  const rows = sink.rows();
  const { rowsPerChunk } = sink.layout;
  const signals = new Map(
    session.signals.map(({ name }, column) => {
      const values = new Float64Array(rows);
      for (let first = 0; first < rows; first += rowsPerChunk) {
        const count = Math.min(rowsPerChunk, rows - first);
        values.set(sink.column(first / rowsPerChunk, column).subarray(0, count), first);
      }
      return [name, values];
    }),
  );
  return { signals, events: session.eventRecords };
}

function simulation(
  model: { h: number; steps: number; theta: number },
  gamma: number,
): ModelDocument['simulation'] {
  return {
    scheme: 'time-stepping',
    t0: 0,
    tEnd: model.h * model.steps,
    h: model.h,
    integrators: [{ type: 'MoreauJean', theta: model.theta, forecast: gamma }],
    problem: { type: 'LCP' },
    solver: { type: 'auto' },
    recording: { every: 1 },
  };
}

/** The script function of a harmonic force. */
function forceScript(system: LinearSystem, index: number): string[] {
  const { harmonic, force } = system;
  if (harmonic === undefined) return [];
  return [
    `export const force${index}: ExternalForce = (t, out) => {`,
    `  const cosine = Math.cos(${harmonic.omega} * t);`,
    ...harmonic.amplitude.map((amplitude, i) => `  out[${i}] = ${force?.[i] ?? 0} + ${amplitude} * cosine;`),
    '};',
  ];
}

function systemDocument(system: LinearSystem, index: number): SystemDocument {
  const force = system.harmonic === undefined ? system.force : { function: `force${index}` };
  return {
    id: `body${index}`,
    type: 'LagrangianLinearTI',
    ndof: system.q0.length,
    mass: system.mass,
    q0: system.q0,
    v0: system.v0,
    ...(system.stiffness === undefined ? {} : { stiffness: system.stiffness }),
    ...(system.damping === undefined ? {} : { damping: system.damping }),
    ...(force === undefined ? {} : { fExt: force }),
  };
}

const emptyDocument = {
  formatVersion: 3,
  parameters: [],
  observables: [],
  scripts: [],
  views: [],
  layout: { nodes: {} },
} satisfies Partial<ModelDocument>;

/** @returns rows 1 … steps: the initial state, which is row 0 here, is not among Siconos' */
function trajectory(
  signals: Map<string, Float64Array>,
  steps: number,
  sizes: readonly number[],
  gaps: number,
): Trajectory {
  const column = (name: string): Float64Array => {
    const values = signals.get(name);
    if (values === undefined) throw new Error(`no signal ${name} among ${[...signals.keys()].join(', ')}`);
    if (values.length !== steps + 1) throw new Error(`${values.length} rows instead of ${steps + 1}`);
    return values;
  };
  const coordinates = (kind: 'q' | 'v'): Float64Array[] =>
    sizes.flatMap((ndof, body) =>
      Array.from({ length: ndof }, (_, i) => column(`body${body}.${kind}${ndof > 1 ? `[${i}]` : ''}`)),
    );
  const rows = (columns: Float64Array[]): number[][] =>
    Array.from({ length: steps }, (_, k) => columns.map((values) => values[k + 1]));
  return {
    t: Array.from(column('t').subarray(1)),
    q: rows(coordinates('q')),
    v: rows(coordinates('v')),
    p: rows(Array.from({ length: gaps }, (_, i) => column(`contact${i}.impulse`))),
  };
}

/** Runs a linear model. */
export function runLinearHere(model: LinearModel): Trajectory {
  const source = model.systems.flatMap(forceScript);
  const document: ModelDocument = {
    ...emptyDocument,
    title: model.name,
    scripts: source.length > 0 ? [{ name: 'forces.ts', role: 'functions', source }] : [],
    systems: model.systems.map(systemDocument),
    interactions: model.interactions.map((interaction, index) => ({
      id: `contact${index}`,
      systems: interaction.systems.map((system) => `body${system}`),
      relation: {
        type: 'LagrangianLinear',
        H: interaction.H,
        ...(interaction.b === undefined ? {} : { b: interaction.b }),
      },
      law: { type: 'NewtonImpact', e: interaction.e },
    })),
    simulation: simulation(model, model.gamma),
  };
  const sizes = model.systems.map((system) => system.q0.length);
  return trajectory(runModel(document), model.steps, sizes, model.interactions.length);
}

/** Runs the particle above a moving surface; the surface is a script of the document. */
export function runMovingSurfaceHere(model: MovingSurfaceModel): Trajectory {
  const document: ModelDocument = {
    ...emptyDocument,
    title: model.name,
    parameters: [
      { name: 'amplitude', value: model.amplitude, unit: 'm' },
      { name: 'wavenumber', value: model.wavenumber, unit: '1/m' },
      { name: 'omega', value: model.omega, unit: 'rad/s' },
    ],
    scripts: [
      {
        name: 'surface.ts',
        role: 'functions',
        source: [
          'export const gap: Constraint = (t, q, out, p) => {',
          '  out[0] = q[1] - p.amplitude * Math.sin(p.wavenumber * q[0] - p.omega * t);',
          '};',
          'export const gapRate: ConstraintTimeDerivative = (t, q, out, p) => {',
          '  out[0] = p.amplitude * p.omega * Math.cos(p.wavenumber * q[0] - p.omega * t);',
          '};',
          'export const gapJacobian: ConstraintJacobian = (t, q, out, p) => {',
          '  out[0] = -p.amplitude * p.wavenumber * Math.cos(p.wavenumber * q[0] - p.omega * t);',
          '  out[1] = 1;',
          '};',
        ],
      },
    ],
    systems: [systemDocument(model, 0)],
    interactions: [
      {
        id: 'contact0',
        systems: ['body0'],
        relation: {
          type: 'LagrangianRheonomous',
          size: 1,
          h: { function: 'gap' },
          hDot: { function: 'gapRate' },
          jacobian: { function: 'gapJacobian' },
        },
        law: { type: 'NewtonImpact', e: model.e },
      },
    ],
    simulation: simulation(model, 0.5),
  };
  return trajectory(runModel(document), model.steps, [2], 1);
}
