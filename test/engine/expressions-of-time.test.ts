/**
 * Expressions of the time in forces, sources and motions, against the same functions as a user writes them in
 * a script: the same bits, the same events, the same exact arcs.
 */
import { describe, expect, it } from 'vitest';
import { FORMAT_VERSION } from '@engine/document/schema';
import type { FieldValue, ModelDocument, SystemDocument } from '@engine/document/types';
import { profileRun } from '@engine/inspection/profile';
import { Examination } from '@engine/preparation/examination';
import { reportOf } from '@engine/preparation/report';
import { withScriptFunctions } from '@engine/script/generated';
import { createSandbox } from '@engine/script/sandbox';
import { siconosScript } from '@engine/siconos/script';
import { example } from './support/example';
import { type Random, seeded } from './support/random';
import { run, runFailure, type RunOptions } from './support/run';

/** An expression, and the same in the words of a script. */
interface Both {
  readonly expression: string;
  readonly script: string;
}

const PARAMETERS = { A: 1.7, omega: 2.3, T: 0.31, d: 0.4, phase: 0.15 };

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)];

const both = (expression: string, script = expression): Both => ({ expression, script });
const parameter = (name: string): Both => both(name, `p.${name}`);

/** Smooth functions of time, with exact forms: sums of products of powers, exponentials and waves. */
function exact(random: Random): Both {
  const wave = pick(random, ['sin', 'cos']);
  const power = pick(random, [both('1'), both('t'), both('t^2', 'Math.pow(t, 2)')]);
  const decay = pick(random, [both('1'), both('exp(-0.3*t)', 'Math.exp(-0.3 * t)')]);
  return both(
    `A*${power.expression}*${decay.expression}*${wave}(omega*t + 0.2)`,
    `p.A * ${power.script} * ${decay.script} * Math.${wave}(p.omega * t + 0.2)`,
  );
}

const WAVES: readonly Both[] = [
  both('step(t, 0.37)', '(t >= 0.37 ? 1 : 0)'),
  both('ramp(t, 0.2, 0.9)', '(t <= 0.2 ? 0 : t >= 0.9 ? 1 : (t - 0.2) / (0.9 - 0.2))'),
  both('pulse(t, 0.21, 0.63, A)', '(t >= 0.21 ? (t < 0.63 ? p.A : 0) : 0)'),
  both('square(t, T, d, phase)', '(passed(t / p.T + p.phase) < p.d ? 1 : 0)'),
  both('square(t, T)', '(passed(t / p.T + 0) < 0.5 ? 1 : 0)'),
  both('sawtooth(t, T)', 'passed(t / p.T + 0)'),
  both('triangle(t, T, phase)', '(1 - Math.abs(2 * passed(t / p.T + p.phase) - 1))'),
  both('abs(sin(omega*t))', 'Math.abs(Math.sin(p.omega * t))'),
  both('max(0, cos(omega*t))', 'Math.max(0, Math.cos(p.omega * t))'),
  both('(t < 0.4 ? t : 0.4)', '(t < 0.4 ? t : 0.4)'),
  both('floor(t/T)', 'Math.floor(t / p.T)'),
  both('sign(t - 0.55)', 'Math.sign(t - 0.55)'),
];

const smooth = (random: Random): Both =>
  pick(random, [
    exact(random),
    both('tanh(t)/hypot(1, t)', 'Math.tanh(t) / Math.hypot(1, t)'),
    both('-t^2/4', '-Math.pow(t, 2) / 4'),
    both('atan2(t, 1 + t)', 'Math.atan2(t, 1 + t)'),
    parameter('A'),
  ]);

const sum = (a: Both, b: Both): Both =>
  both(`${a.expression} + ${b.expression}`, `${a.script} + ${b.script}`);

/** What the helper of the scripts is: the part of a turn that has passed. */
const HELPER = 'const passed = (turns: number): number => turns - Math.floor(turns);';

const simulation = (scheme: 'time-stepping' | 'event-driven'): ModelDocument['simulation'] => ({
  scheme,
  t0: 0,
  tEnd: 1.3,
  h: 0.01,
  integrators: [],
  problem: { type: 'LCP' },
  solver: { type: 'auto' },
});

function model(
  systems: SystemDocument[],
  scheme: 'time-stepping' | 'event-driven',
  more: Partial<ModelDocument> = {},
): ModelDocument {
  return {
    formatVersion: FORMAT_VERSION,
    title: 'Expressions of time',
    parameters: Object.entries(PARAMETERS).map(([name, value]) => ({ name, value })),
    systems,
    interactions: [],
    simulation: simulation(scheme),
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
    ...more,
  };
}

const script = (lines: readonly string[]): Pick<ModelDocument, 'scripts'> => ({
  scripts: [{ name: 'by-hand.ts', role: 'functions', source: [HELPER, ...lines] }],
});

const filled = (name: string, entries: readonly Both[]): string[] => [
  `export const ${name} = (t, out, p) => {`,
  ...entries.map(({ script: text }, i) => `  out[${i}] = ${text};`),
  '};',
];

/** A mass on a spring above a stop. */
const oscillator = (fExt: FieldValue): SystemDocument => ({
  id: 'mass',
  type: 'LagrangianLinearTI',
  ndof: 2,
  mass: [
    [1, 0],
    [0, 2],
  ],
  stiffness: [
    [9, -2],
    [-2, 4],
  ],
  q0: [0.3, 0],
  v0: [0, 0.5],
  fExt,
});
const STOP: ModelDocument['interactions'] = [
  {
    id: 'stop',
    systems: ['mass'],
    relation: { type: 'LagrangianLinear', H: [[1, 0]], b: [0.1] },
    law: { type: 'NewtonImpact', e: 0.7 },
  },
];

/** Recorded signals, bit by bit, events and how motions between them were computed. */
function outcome(document: ModelDocument, options: RunOptions = {}): unknown {
  const { session, column } = run(document, { sandbox: createSandbox, ...options });
  const { issues } = new Examination(document, undefined).preparation;
  return {
    issues: issues.map(({ code }) => code),
    rows: session.rows,
    columns: session.signals.map(({ name }) => [name, Array.from(column(name))]),
    events: session.eventRecords.map(({ kind, time }) => [kind, time]),
    path: session.path,
  };
}

describe('an expression of the time', () => {
  it.each(['time-stepping', 'event-driven'] as const)('moves bodies as a script does, by %s', (scheme) => {
    const random = seeded(11);
    for (let k = 0; k < 12; k++) {
      const isExact = k % 3 === 0;
      const entries = isExact
        ? [exact(random), sum(exact(random), exact(random))]
        : [sum(smooth(random), pick(random, WAVES)), pick(random, WAVES)];
      const expressions = model([oscillator(entries.map(({ expression }) => expression))], scheme, {
        interactions: STOP,
      });
      const scripted = model([oscillator({ function: 'force' })], scheme, {
        interactions: STOP,
        ...script(filled('force', entries)),
      });
      expect(outcome(expressions), JSON.stringify(entries)).toEqual(outcome(scripted));
    }
  });
});

/** Fields of examples that name a script function, and what it says. */
const EXAMPLES: readonly (readonly [
  name: string,
  system: string,
  field: string,
  expressions: FieldValue,
  tEnd: number,
])[] = [
  ['grazing-oscillator', 'mass', 'fExt', ['A*cos(omega*t)'], 40],
  ['lift-off', '', 'fExt', ['pull*sin(omega*t) - m*g'], 40],
  ['biaxial-test', '', 'fExt', ['-p', '-p - load*t', 0], 0.2],
  ['drag-sled', '', 'fExt', ['pull*cos(omega*t)', '-m*g'], 4],
  ['sliding-mode-control', '', 'b', [0, 'D*sin(5*t)'], 1],
  ['brick-shaken', '', 'force', ['F*cos(omega*t)', 0, 0], 1],
  ['ball-on-turntable', '', 'spin', [0, 0, 'Omega*min(t/T, 1)*min(t/T, 1)*(3 - 2*min(t/T, 1))'], 0.5],
];

describe('an example whose script is written as an expression', () => {
  it.each(EXAMPLES)('%s moves as before', (name, _system, field, expressions, tEnd) => {
    const before = example(name);
    before.views = [];
    const after = structuredClone(before);
    let written = 0;
    for (const system of after.systems) {
      const value = system[field];
      if (typeof value !== 'object' || !('function' in value)) continue;
      system[field] = expressions;
      written++;
    }
    expect(written).toBeGreaterThan(0);
    expect(outcome(after, { tEnd })).toEqual(outcome(before, { tEnd }));
  });

  it('needs no sandbox of its own where no script is left', () => {
    const document = example('grazing-oscillator');
    document.scripts = [];
    document.systems[0].fExt = ['A*cos(omega*t)'];
    expect(outcome(document, { tEnd: 10 })).toEqual(outcome(example('grazing-oscillator'), { tEnd: 10 }));
    const { session } = run(document, { sandbox: createSandbox, tEnd: 10 });
    expect(session.path).toBe('exact');
  });

  it('follows parameters that are set', () => {
    const document = example('grazing-oscillator');
    document.systems[0].fExt = ['A*cos(omega*t)'];
    const set = { omega: 1.35, A: 1.01 };
    const given = { tEnd: 20, set };
    expect(outcome(document, given)).toEqual(outcome(example('grazing-oscillator'), given));
  });

  it('has edges of a sawtooth as events, as the script has', () => {
    const before = example('buck-bifurcation');
    before.observables = [];
    const after = structuredClone(before);
    after.scripts = [];
    const [{ relation }] = after.interactions.filter(({ relation: { e } }) => e !== undefined);
    relation.e = ['-gain*vref - (low + (high - low)*sawtooth(t, T))'];
    expect(outcome(after, { tEnd: 0.004, signals: [] })).toEqual(
      outcome(before, { tEnd: 0.004, signals: [] }),
    );
  });
});

const issuesOf = (document: ModelDocument): string[] =>
  new Examination(document, undefined).preparation.issues.map(
    ({ pointer, message, remedy }) => `${pointer}: ${message} ${remedy}`,
  );

describe('a prescribed motion by expressions', () => {
  /** A body that is carried along, with its motion and what is given of its rates. */
  const carried = (motion: Record<string, FieldValue>): ModelDocument =>
    model([{ ...oscillator([0, 0]), ...motion }], 'time-stepping');

  it('has the rates that are given', () => {
    const byExpressions = carried({
      basePosition: ['0.1*sin(omega*t)', 0],
      baseVelocity: ['0.1*omega*cos(omega*t)', 0],
    });
    const byScript = {
      ...carried({ basePosition: { function: 'c' }, baseVelocity: { function: 'cDot' } }),
      ...script([
        ...filled('c', [both('', '0.1 * Math.sin(p.omega * t)')]),
        ...filled('cDot', [both('', '0.1 * p.omega * Math.cos(p.omega * t)')]),
      ]),
    };
    expect(outcome(byExpressions)).toEqual(outcome(byScript));
  });

  it('of a body takes its displacement with and without its rate', () => {
    const document = example('brick-shaken');
    const floor = document.systems.find(({ type }) => type === 'FixedBody');
    if (floor === undefined) throw new Error('the example has no floor');
    floor.displacement = ['0.001*sin(5*t)', 0, 0];
    const derived = outcome(document, { tEnd: 0.2 });
    floor.displacementRate = ['0.001*(cos(5*t)*5)', 0, 0];
    expect(outcome(document, { tEnd: 0.2 })).toEqual(derived);
    floor.displacementRate = ['0.001*cos(5*t)*5', 0];
    expect(issuesOf(document)).toEqual([
      expect.stringContaining('displacementRate: Rate of the displacement has 2 entries; 3 are needed.'),
    ]);
  });
});

describe('expressions of the time as a script that others read', () => {
  it('say the same in a function of each field', () => {
    const random = seeded(5);
    for (let k = 0; k < 6; k++) {
      const entries = [sum(smooth(random), pick(random, WAVES)).expression, pick(random, WAVES).expression];
      const document = model([oscillator(entries)], 'time-stepping', { interactions: STOP });
      const written = withScriptFunctions(document);
      expect(written.systems[0].fExt).toEqual({ function: 'mass_fExt' });
      expect(written.scripts.map(({ name }) => name)).toEqual(['of-time.ts']);
      expect(outcome(written)).toEqual(outcome(document));
    }
  });

  it('are written for Siconos', () => {
    const document = model([oscillator(['A*sin(omega*t)', 'square(t, 5 ms)*2k'])], 'time-stepping');
    const script = siconosScript(document);
    expect(script.ok && script.text).toMatch(/def mass_fExt.*\n.*p\.A \* sin\(p\.omega \* t\)/);
  });

  it('leave a document without them as it is', () => {
    const document = example('grazing-oscillator');
    expect(withScriptFunctions(document)).toBe(document);
  });
});

describe('a defect of an expression of the time', () => {
  it('stands at its entry', () => {
    const system = oscillator(['A*sin(omega*t', 'B*t']);
    expect(issuesOf(model([system], 'time-stepping'))).toEqual([
      expect.stringContaining('/systems/0/fExt/0: “A*sin(omega*t”: Parenthesis ) expected'),
      expect.stringContaining('/systems/0/fExt/1: “B*t”: “B” is not a parameter of this model'),
    ]);
  });

  it('is reported once where arguments or entries are missing', () => {
    expect(issuesOf(model([oscillator(['pulse(t, 1)', 0])], 'time-stepping'))).toEqual([
      '/systems/0/fExt/0: “pulse(t, 1)”: “pulse” takes 3 to 4 arguments (t, from, to, height), not 2. Correct the expression, or add the parameter it names.',
    ]);
    expect(issuesOf(model([oscillator(['sin(t)'])], 'time-stepping'))).toEqual([
      '/systems/0/fExt: External force has 1 entry; 2 are needed. Give 2 expressions.',
    ]);
  });

  it('comes with what to do where a number is read once', () => {
    const system = {
      ...oscillator([0, 0]),
      mass: [
        ['1 + t', 0],
        [0, 1],
      ],
    } as SystemDocument;
    const [issue] = issuesOf(model([system], 'time-stepping'));
    expect(issue).toContain('/systems/0/mass/0/0: “1 + t”: “t” is not a parameter of this model');
    expect(issue).toContain('This number is read once, before the run.');
  });

  it('ends a run with the field and the time', () => {
    const document = model([oscillator(['1/(0.5 - t)*0 + sqrt(0.5 - t)', 0])], 'time-stepping');
    const { error } = runFailure(document, { sandbox: createSandbox });
    expect(error.message).toMatch(
      /^The expression of “External force” of “mass” gave NaN in entry 0 at t = 0\.5/,
    );
    expect(error.script).toBeUndefined();
    expect(error.call?.function).toBe('External force');
  });

  it('is warned of by the field where a step passes over a pulse', () => {
    const document = model([oscillator(['pulse(t, 0.301, 0.304)', 0])], 'time-stepping');
    const { session } = run(document, { sandbox: createSandbox });
    expect(session.warnings.join(' ')).toContain(
      '(“t < 0.304” in the expressions of “External force” of “mass”)',
    );
  });

  it('is left out of the cost of functions', () => {
    const document = {
      ...model(
        [oscillator(['sin(t)', 0]), { ...oscillator({ function: 'own' }), id: 'other' }],
        'time-stepping',
      ),
      ...script(filled('own', [both('', 'p.A')])),
    };
    const environment = { sandbox: createSandbox, now: () => performance.now(), begin: () => true };
    const found = profileRun({ document }, environment);
    expect(found.ok && found.profile.functions.map(({ function: name }) => name)).toEqual(['own']);
  });

  it('never shows the function that is made of it', () => {
    const document = model([oscillator(['sin(t)', 0])], 'event-driven');
    const report = reportOf(new Examination(document, undefined));
    expect(report.exports).toEqual({});
    expect(report.typings).not.toContain('$');
    expect(report.issues).toEqual([]);
  });
});
