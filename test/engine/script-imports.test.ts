/** Imports between scripts of one model: the same run as of one script, and defects at their line. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, ScriptDocument } from '@engine/document/types';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { model, particle } from './support/models';
import { refusal, run } from './support/run';

const sandbox = createSandbox;

const script = (
  name: string,
  source: string[],
  role: ScriptDocument['role'] = 'functions',
): ScriptDocument => ({
  name,
  role,
  source,
});

/** A particle on a hardening spring, whose Jacobians are derived from the script. */
const pulled = (...scripts: ScriptDocument[]): ModelDocument => ({
  ...model([particle('ball', 1, 2, { type: 'LagrangianNonLinear', fInt: { function: 'pull' } })], [], {
    h: 0.0625,
    tEnd: 1,
  }),
  scripts,
});

const HELPERS = [
  'interface Law { stiffness: number }',
  'const unit = 3;',
  'const law: Law = { stiffness: unit };',
  'export const stiffness = law.stiffness;',
  'export function hardening(x: number): number {',
  '  return stiffness * x + x ** 3;',
  '}',
  'export type { Law };',
];
const USER = [
  'import { hardening as harden, type Law,',
  "  stiffness } from './helpers.ts';",
  'const unit = 0.5;',
  'const law = { unit };',
  'export const pull: InternalForce = (t, q, v, out) => {',
  '  const hardening = law.unit;',
  '  out[0] = harden(q[0]) + hardening * v[0] + 0 * stiffness;',
  '};',
];
const ALONE = [
  'export const pull: InternalForce = (t, q, v, out) => {',
  '  const stiffness = 3;',
  '  out[0] = (stiffness * q[0] + q[0] ** 3) + 0.5 * v[0] + 0 * stiffness;',
  '};',
];

const issuesOf = (...scripts: ScriptDocument[]): object[] =>
  reportDocument(pulled(...scripts)).issues.map(({ code, script: place, message }) => ({
    code,
    at: `${place?.name}:${place?.line}`,
    message,
  }));

describe('scripts that import each other', () => {
  it('run as one script would, derivatives included, whatever names they share', () => {
    const linked = pulled(script('user.ts', USER), script('helpers.ts', HELPERS));
    expect(reportDocument(linked).issues).toEqual([]);
    const expected = run(pulled(script('one.ts', ALONE)), { sandbox });
    const found = run(linked, { sandbox });
    expect(found.column('ball.q')).toEqual(expected.column('ball.q'));
    expect(found.column('ball.v')).toEqual(expected.column('ball.v'));
  });

  it('keep what a shared script keeps for all of them', () => {
    const counter = ['let count = 0;', 'export const next = (): number => ++count;'];
    const user = (name: string): string[] => [
      "import { next } from './counter';",
      `export const ${name}: Observable = () => next();`,
    ];
    const document = pulled(
      script('one.ts', [...user('first'), ...ALONE]),
      script('two.ts', user('second')),
      script('counter.ts', counter),
    );
    document.observables = ['first', 'second'].map((name) => ({ name, function: name, system: 'ball' }));
    const { column } = run(document, { sandbox });
    const [first, second] = [column('first'), column('second')];
    expect(first.every((value, i) => Math.abs(value - second[i]) === 1)).toBe(true);
  });

  it('fail at the line of the script that fails', () => {
    const torn = [
      '',
      '',
      ...HELPERS.slice(0, 5),
      "  if (x < 1.9) throw new Error('torn');",
      ...HELPERS.slice(5),
    ];
    const error = refusal(pulled(script('user.ts', USER), script('helpers.ts', torn)), { sandbox });
    expect(error).toMatchObject({ code: 'script-error', script: { name: 'helpers.ts', line: 8 } });
    const infinite = HELPERS.map((line) => line.replace('return', 'return Math.sqrt(x - 1.9) *'));
    const failure = refusal(pulled(script('user.ts', USER), script('helpers.ts', infinite)), { sandbox });
    expect(failure.script).toEqual({ name: 'helpers.ts', line: 6, column: 3 });
  });

  it('help builders, too', () => {
    const build = [
      "import { place } from './places';",
      'export default (model: ModelBuilder) => {',
      "  model.system({ id: 'made', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [place(2)], v0: [0] });",
      '};',
    ];
    const document = pulled(
      script('build.ts', build, 'builder'),
      script('places.ts', ['const model = 3;', 'export const place = (i: number): number => model * i;']),
    );
    expect(runBuilder(document, createSandbox(), {}, true)).toMatchObject({
      ok: true,
      built: { systems: [{ id: 'made', q0: [6] }], origins: { systems: [{ name: 'build.ts', line: 3 }] } },
    });
    document.scripts.pop();
    expect(runBuilder(document, createSandbox())).toMatchObject({
      ok: false,
      error: { code: 'script-import-missing', script: { name: 'build.ts', line: 1 } },
    });
  });

  it('are reported at the import of what is not there', () => {
    expect(issuesOf(script('user.ts', USER), script('other.ts', HELPERS))).toMatchObject([
      {
        code: 'script-import-missing',
        at: 'user.ts:2',
        message: 'There is no script “helpers.ts” to import from.',
      },
    ]);
    expect(
      issuesOf(
        script('user.ts', USER),
        script('helpers.ts', HELPERS.slice(0, 4).concat('export const soft = 1;')),
      ),
    ).toMatchObject([
      { code: 'script-import-name', at: 'user.ts:1', message: '“helpers.ts” exports no “hardening”.' },
    ]);
  });

  it('are reported when they import each other in a circle', () => {
    const back = ["import { pull } from './user';", ...HELPERS, 'export const twice = [pull, pull];'];
    expect(issuesOf(script('user.ts', USER), script('helpers.ts', back))).toMatchObject([
      { code: 'script-import-cycle', at: 'user.ts:2' },
      {
        code: 'script-import-cycle',
        at: 'helpers.ts:1',
        message: 'Scripts import each other in a circle: helpers.ts → user.ts → helpers.ts.',
      },
    ]);
  });
});
