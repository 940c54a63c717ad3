/** Models exported as scripts for Siconos are executed there, and compared with our own runs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from '@engine/document/read';
import type { ModelDocument, SchemeName, SystemDocument } from '@engine/document/types';
import { needsBuilder } from '@engine/document/builder-scripts';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { siconosScript } from '@engine/siconos/script';
import { expandDocument } from '@engine/preparation/prepare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, relativeDifference } from './compare';
import { CASES, controlDocument } from './control-models';
import { forcePolytope, forceRelays, friction } from './inline';
import { runModel } from './run-engine';
import { ball, column, fourBar, type ProjectedModel, type Projection, sliderCrank } from './projected-models';
import { floor, joint, rigid, spaceModel, touch } from '../engine/support/space';
import { heldBody, spheres } from './projected-bodies';
import { missingSiconos, PYTHON } from './run-siconos';
import { type SignalTable, trajectoryOf } from './trajectory';

interface ExportedModel {
  /** name of an example of the gallery, or a document */
  example: string | ModelDocument;
  /** what runs here in its place: a model of the same motion that this build of Siconos cannot run */
  here?: ModelDocument;
  steps: number;
  /** s; the example's when absent */
  h?: number;
  set?: Readonly<Record<string, number>>;
  /** mass matrix and relations at the end of the step, as Siconos has them */
  atEnd?: boolean;
  /** rows at other times, those of events, are left out */
  atTimes?: boolean;
  /** multipliers that are not unique are not compared */
  multipliers?: boolean;
  /** largest accepted difference, relative to the largest value of its kind; absent: rounding */
  tolerance?: number;
}

const ROUNDING = 1e-10;
/** Newton's method stops at a residual, which leaves the state that far from the solution. */
const NEWTON = 1e-9;

/** A plant with a source, which Siconos integrates. */
const pushed = controlDocument(CASES[1]);
pushed.title = 'LinearSMC, with a source';
pushed.systems[0].b = [0, 0.25];

const models: readonly ExportedModel[] = [
  { example: 'bouncing-ball', steps: 3000, multipliers: true },
  { example: 'newtons-cradle', steps: 3000, multipliers: true },
  // Beads that touch exactly: the script has to say what counts as closed.
  { example: 'bead-column', steps: 200, multipliers: true },
  { example: 'buck-converter', steps: 2000, multipliers: true },
  { example: 'twisting-controller', steps: 2000, multipliers: true, tolerance: NEWTON },
  { example: 'impacting-bar', steps: 600, set: { N: 20 }, multipliers: true },
  { example: 'cam-follower-358', steps: 5000, multipliers: true },
  { example: 'drag-sled', steps: 3000, multipliers: true },
  { example: friction(0.5), steps: 1000, multipliers: true },
  { example: forceRelays, here: forcePolytope, steps: 1024, tolerance: NEWTON },
  { example: 'puck-on-slope', steps: 2000, multipliers: true, tolerance: NEWTON },
  { example: importing(), steps: 3000, multipliers: true },
  { example: 'two-link-manipulator', steps: 1500, atEnd: true, tolerance: NEWTON },
  { example: 'diode-bridge', steps: 2000 },
  { example: 'rlcd-circuit', steps: 2000, multipliers: true },
  { example: 'four-diode-power-supply', steps: 2000 },
  { example: 'relay-oscillator', steps: 3000, multipliers: true, tolerance: NEWTON },
  { example: 'filippov-spiral', steps: 2000, multipliers: true, tolerance: NEWTON },
  { example: 'gene-network', steps: 1000, tolerance: NEWTON },
  ...CASES.map((one) => ({ example: controlDocument(one), steps: Math.round(one.tEnd / one.h) })),
  { example: severalRates('time-stepping'), steps: 120 },
  { example: severalRates('event-driven'), steps: 120, atTimes: true },
  { example: pushed, steps: 40 },
  ...projected(),
  ...spatial(),
  { example: 'whirling-rods', steps: 500, tolerance: NEWTON },
  // The relation holds within the step, and contacts take part early.
  { example: 'rlcd-circuit-within', steps: 1000, multipliers: true },
  { example: forecasting(1.5), steps: 3000, multipliers: true },
];

/**
 * A plant behind a sensor that is slower than its observer, and a controller that is slower still; another
 * beside it.
 */
function severalRates(scheme: SchemeName): ModelDocument {
  const spring = controlDocument(CASES[6]);
  const [plant, block, observer] = spring.systems;
  const [unstable, sliding] = controlDocument(CASES[1]).systems;
  return {
    ...spring,
    title: `Several rates, ${scheme}`,
    parameters: [{ name: 'r', value: '1/2' }],
    systems: [
      plant,
      { id: 'gauge', type: 'LinearSensor', x: ['plant.x[0]', 'plant.x[1]'], C: [[1, 0]], every: 0.1 },
      { ...block, measured: ['gauge.y'], reference: ['r'], every: 0.15 },
      { ...observer, measured: ['gauge.y'], every: 0.05 },
      { ...unstable, id: 'other', u: { signals: ['sliding.u'] } },
      { ...sliding, id: 'sliding', x: ['other.x[0]', 'other.x[1]'], every: 0.025 },
    ],
    simulation: { ...spring.simulation, h: 0.025, scheme },
  };
}

/** A ball whose contact takes part from y + γ h ẏ ≤ 0 on. */
function forecasting(forecast: number): ModelDocument {
  const document = exampleDocument('bouncing-ball');
  const integrators = document.simulation.integrators.map((one) => ({ ...one, forecast }));
  return {
    ...document,
    title: `Bouncing ball, γ = ${forecast}`,
    simulation: { ...document.simulation, integrators },
  };
}

/** Positions projected onto contacts and joints, until after the first contact of a slider-crank. */
function projected(): ExportedModel[] {
  return (['yes', 'combined'] as const).flatMap((projection) => {
    const asked = (h: number, steps: number): Projection => ({
      projection,
      metric: 'mass',
      forecast: 0.5,
      h,
      steps,
      // There both have the same rows.
      ...(projection === 'combined' ? { relationPoint: 'predicted' } : {}),
    });
    const of = ({ document, name }: ProjectedModel, steps: number): ExportedModel => ({
      example: { ...document, title: `${name}, projected: ${projection}` },
      steps,
    });
    const restitution = projection === 'yes' ? 0.4 : 0;
    return [
      ...(projection === 'yes' ? [0, 0.6, 0.9] : [0]).map((e) => of(ball(asked(0.005, 600), e), 600)),
      of(column(asked(0.005, 200), 0), 200),
      of(sliderCrank(asked(1e-4, 520), restitution), 520),
      of(fourBar(asked(2e-4, 100), restitution), 100),
    ];
  });
}

/** 3D bodies: on joints, and balls over a floor. */
function spatial(): ExportedModel[] {
  const named = (
    document: ModelDocument,
    title: string,
    integrator: object,
    steps: number,
  ): ExportedModel => {
    const integrators = [{ type: 'MoreauJean', theta: 0.5, ...integrator }];
    return {
      example: { ...document, title, simulation: { ...document.simulation, integrators } },
      steps,
      tolerance: NEWTON,
    };
  };
  const whirling = { projection: 'no', relationPoint: 'end' };
  const rod = (id: string, position: number[], velocity: number[], spin: number[]): SystemDocument =>
    rigid(id, position, { mass: 1, inertia: [0.002, 0.084, 0.084], velocity, spin, shapes: [] });
  const origin = [0, 0, 0];
  const rods = spaceModel(
    [rod('upper', [0.5, 0, 0], [0, 4, -3], [5, 6, 8]), rod('lower', [1.5, 0, 0], [0, 13, -8.5], [4, 5, 10])],
    [
      joint('hip', ['upper'], { type: 'KneeJoint', point: origin }),
      joint('knee', ['upper', 'lower'], { type: 'BallJoint', point: [1, 0, 0] }),
    ],
  );
  const pendulum = spaceModel(
    [rod('rod', [0.5, 0, 0], [0, 0, -6], [0, 12, 0])],
    [joint('pivot', ['rod'], { type: 'RevoluteJoint', point: origin, axis: [0, 1, 0] })],
  );
  const slider = spaceModel(
    [rod('slider', origin, [0.2, 0.2, 0], origin)],
    [joint('guide', ['slider'], { type: 'PrismaticJoint', axis: [1, 1, 0] })],
  );
  const sphere = { mass: 1, shapes: [{ type: 'Sphere', radius: 0.125 }] };
  const thrown = spaceModel(
    [floor(), rigid('ball', [0, 0, 0.5], { ...sphere, velocity: [1, 0.5, 0], spin: [3, 4, 5] })],
    [touch('table', ['floor', 'ball'], 0.3, 0.5)],
  );
  const bouncing = {
    ...thrown,
    interactions: thrown.interactions.map((one) => ({ ...one, law: { type: 'NewtonImpact3D', e: 0.5 } })),
  };
  const held = heldBody({ projection: 'yes', metric: 'euclidean', forecast: 0.5, h: 1e-3, steps: 300 });
  const fallen = spheres(
    { projection: 'combined', metric: 'euclidean', forecast: 0.5, h: 0.005, steps: 300 },
    1,
    0,
  );
  return [
    named(rods, 'two rods that whirl on knees', whirling, 300),
    named(pendulum, 'whirling pendulum on a pivot', whirling, 300),
    named(slider, 'slider on a prism', whirling, 300),
    named(thrown, 'ball thrown onto a table', { projection: 'no' }, 800),
    named(bouncing, 'ball thrown onto a smooth table', { projection: 'no' }, 800),
    { example: { ...held.document, title: 'body held at a point, projected' }, steps: 300 },
    { example: { ...fallen.document, title: 'ball, 3D, projected: combined' }, steps: 300 },
  ];
}

/** A ball that is shaken by a force whose amplitude another script has. */
function importing(): ModelDocument {
  const document = exampleDocument('bouncing-ball');
  return {
    ...document,
    title: 'Shaken ball, scripts that import',
    systems: document.systems.map((system) => ({ ...system, fExt: { function: 'shaken' } })),
    scripts: [
      {
        name: 'wave.ts',
        role: 'functions',
        source: ['const k = 30;', 'export const wave = (t: number): number => Math.sin(k * t);'],
      },
      {
        name: 'forces.ts',
        role: 'functions',
        source: [
          "import { wave } from './wave';",
          'const k = 2;',
          'export const shaken: ExternalForce = (t, out) => { out[0] = k * wave(t) - 9.81; };',
        ],
      },
    ],
  };
}

const missing = missingSiconos();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'moreau-exported-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function exampleDocument(name: string): ModelDocument {
  const path = new URL(`../../resources/examples/${name}.moreau.json`, import.meta.url);
  const { document } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error(`${name} cannot be read`);
  return document;
}

function documentOf({ example, steps, h, set = {}, atEnd }: ExportedModel): ModelDocument {
  const document = typeof example === 'string' ? exampleDocument(example) : example;
  const { simulation } = document;
  const step = h ?? simulation.h;
  if (typeof step !== 'number') throw new Error('a number of steps needs a number for the step');
  return {
    ...document,
    parameters: document.parameters.map((one) => ({ ...one, value: set[one.name] ?? one.value })),
    simulation: {
      ...simulation,
      h: step,
      tEnd: steps * step,
      recording: { every: 1 },
      ...(atEnd
        ? {
            integrators: simulation.integrators.map((one) => ({
              ...one,
              massPoint: 'end',
              relationPoint: 'end',
            })),
          }
        : {}),
    },
  };
}

/** The document with the elements of its builder scripts. */
function expanded(document: ModelDocument): ModelDocument {
  if (!needsBuilder(document)) return document;
  const result = runBuilder(
    document,
    createSandbox(() => undefined),
  );
  if (!result.ok) throw new Error(result.error.message);
  return expandDocument(document, result.built);
}

/** Executes the script as its user would. @returns its table */
function executed(text: string, name: string): SignalTable {
  const [script, table] = [join(folder, `${name}.py`), join(folder, `${name}.csv`)];
  writeFileSync(script, text);
  const { status, stderr, stdout } = spawnSync(PYTHON, ['-B', script, table], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}.py failed:\n${stderr}${stdout.slice(-500)}`);
  const [head, ...rows] = readFileSync(table, 'utf8').trim().split('\r\n');
  const columns: SignalTable = new Map(head.split(',').map((signal) => [signal, []]));
  for (const row of rows) {
    const values = row.split(',').map(Number);
    [...columns.values()].forEach((column, i) => column.push(values[i]));
  }
  return columns;
}

/** Of each time the last row: events have one before and one after. */
function keepRowsAt(table: SignalTable, times: readonly number[]): void {
  const t = table.get('t') ?? [];
  const rows = times.map((time) => t.findLastIndex((one) => Math.abs(one - time) < 1e-9));
  for (const [signal, column] of table)
    table.set(
      signal,
      rows.map((row) => column[row]),
    );
}

describe('scripts for Siconos', () => {
  for (const model of models) {
    const { example } = model;
    const name = typeof example === 'string' ? example : example.title;
    it(`${name} runs there as here`, (context) => {
      const document = documentOf(model);
      const script = siconosScript(expanded(document));
      if (!script.ok) throw new Error(script.issues.map(({ message }) => message).join('\n'));
      context.skip(missing !== null, missing ?? '');
      const theirs = executed(script.text, name);
      const ours: SignalTable = new Map(
        [
          ...runModel(model.here === undefined ? document : documentOf({ ...model, example: model.here })),
        ].map(([signal, values]) => [signal, Array.from(values.subarray(1))]),
      );
      if (model.atTimes) keepRowsAt(ours, theirs.get('t') ?? []);
      const names = [...theirs.keys()].filter(
        (signal) => signal !== 't' && (model.multipliers === true || !/\.(lambda|impulse)\b/.test(signal)),
      );
      expect(names.length).toBeGreaterThan(0);
      const comparison = compare(`${name}, exported`, trajectoryOf(ours, names), trajectoryOf(theirs, names));
      context.task.meta.comparison = comparison;
      expect(relativeDifference(comparison)).toBeLessThan(model.tolerance ?? ROUNDING);
    });
  }
});
