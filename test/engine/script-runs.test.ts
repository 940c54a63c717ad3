/**
 * Scripts at work: plug-in functions in a run and builders before it, and how their failures reach the user.
 */
import { describe, expect, it } from 'vitest';
import type { ObservableDocument } from '@engine/document/types';
import type { EngineErrorDetails } from '@engine/errors';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { expectSentence } from './support/issues';
import { contact, model, particle, withBuilder, withFunctions } from './support/models';
import { refusal, run, runFailure } from './support/run';

const shared = createSandbox();

describe('plug-in functions in a run', () => {
  const sandbox = createSandbox;
  const forced = (...body: string[]): ReturnType<typeof model> =>
    withFunctions(
      model([particle('ball', 1, 0, { fExt: { function: 'push' } })], [], { h: 0.125, tEnd: 1 }),
      'export const push: ExternalForce = (t, out, p) => {',
      ...body,
      '};',
    );

  it.each([
    ['NaN', 'out[0] = Math.sqrt(0.5 - t);'],
    ['Infinity', 'out[0] = t > 0.5 ? 1 / 0 : 0;'],
  ])('that give %s are named with function, element and time', (value, body) => {
    const { error, session } = runFailure(forced(body), { sandbox });
    expect(error).toMatchObject({ code: 'script-not-finite', where: 'ball', time: 0.625 });
    expect(error.message).toContain('“push”');
    expect(error.message).toContain(value);
    expect(session.rows).toBe(5);
  });

  it('that throw are named with their line and the time', () => {
    const { error, session } = runFailure(
      forced('out[0] = 0;', 'if (t > 0.5) throw new Error("belt torn");'),
      {
        sandbox,
      },
    );
    expect(error).toMatchObject({
      code: 'script-error',
      time: 0.625,
      script: { name: 'functions.ts', line: 3 },
    });
    expect(error.message).toContain('belt torn');
    expect(session.rows).toBe(5);
  });

  it('that fail at the start are refused', () => {
    expect(refusal(forced('throw new Error("cold");'), { sandbox })).toMatchObject({
      code: 'script-error',
      script: { line: 2 },
    });
    expect(refusal(forced('out[0] = Number.NaN;'), { sandbox }).code).toBe('script-not-finite');
  });

  it('see the parameters and cannot change them', () => {
    const document = forced('out[0] = p.g;');
    document.parameters.push({ name: 'g', value: 2 });
    expect(run(document, { sandbox }).column('ball.v').at(-1)).toBeCloseTo(2, 12);
    document.scripts[0].source.splice(1, 0, 'p.g = 5;');
    expect(refusal(document, { sandbox }).message).toMatch(/read only|not extensible|assign/);
  });

  it('start from zeros at every call, whatever they left', () => {
    const { column } = run(forced('out[0] += 1;'), { sandbox });
    expect(column('ball.v').at(-1)).toBeCloseTo(1, 12);
  });

  it('are reported when they are no functions', () => {
    const document = withFunctions(
      model([particle('ball', 1, 0, { fExt: { function: 'push' } })]),
      'export const push = 3;',
    );
    expect(refusal(document, { sandbox })).toMatchObject({ code: 'invalid-document', where: 'ball' });
  });

  it('cannot write into the state through q and v', () => {
    const scripted = (gap: string, observable: string): ReturnType<typeof model> => {
      const document = withFunctions(
        model([particle('ball', 1, 0, { fExt: [-9.81] })], [], { h: 1e-2, tEnd: 1 }),
        'export const gap: Constraint = (t, q, out) => {',
        `  out[0] = q[0]; ${gap}`,
        '};',
        'export const rate: ConstraintTimeDerivative = (t, q, out) => {',
        `  out[0] = 0; ${gap}`,
        '};',
        'export const jacobian: ConstraintJacobian = (t, q, out) => {',
        `  out[0] = 1; ${gap}`,
        '};',
        'export const energy: Observable = (t, q, v) => {',
        '  const value = 0.5 * v[0] ** 2 + 9.81 * q[0];',
        `  ${observable}`,
        '  return value;',
        '};',
      );
      document.interactions.push({
        ...contact('floor', ['ball'], [[1]], 0.5),
        relation: {
          type: 'LagrangianRheonomous',
          h: { function: 'gap' },
          hDot: { function: 'rate' },
          jacobian: { function: 'jacobian' },
        },
      });
      document.observables.push({ name: 'energy', function: 'energy', system: 'ball' });
      return document;
    };
    const honest = run(scripted('', ''), { sandbox });
    const dishonest = run(scripted('q[0] = 1e6; q.fill(7);', 'q[0] = -3; v[0] = 1e9;'), { sandbox });
    for (const signal of ['ball.q', 'ball.v', 'floor.impulse', 'energy']) {
      expect(dishonest.column(signal)).toEqual(honest.column(signal));
    }
    expect(honest.session.events).toBeGreaterThan(0);
  });
});

describe('builder scripts', () => {
  const build = (...source: string[]): ReturnType<typeof runBuilder> =>
    runBuilder(withBuilder(model([]), ...source), shared, {}, true);

  const failed = (...source: string[]): EngineErrorDetails => {
    const result = build(...source);
    if (result.ok) throw new Error('the builder did not fail');
    return result.error;
  };

  it('add plain copies of what they hand over', () => {
    const result = build(
      'export default (model: ModelBuilder) => {',
      '  const mass = [[1]];',
      '  const system = { id: "a", type: "LagrangianLinearTI", ndof: 1, mass, q0: [0], v0: [0] };',
      '  model.system(system);',
      '  mass[0][0] = 99;',
      '  system.id = "b";',
      '  model.system(system);',
      '};',
    );
    expect(result).toMatchObject({
      ok: true,
      built: {
        systems: [
          { id: 'a', mass: [[1]] },
          { id: 'b', mass: [[99]] },
        ],
        origins: { systems: [{ name: 'builder.ts', line: 4 }, { line: 7 }], interactions: [] },
      },
    });
  });

  it.each(['3', '"text"', 'null', '[]', 'undefined', '() => 1'])('refuse %s as an element', (value) => {
    const error = failed('export default (model) => {', `  model.system(${value});`, '};');
    expect(error).toMatchObject({ code: 'script-error', script: { name: 'builder.ts', line: 2 } });
    expect(error.message).toContain('model.system expects an object');
  });

  it('need a default export', () => {
    expect(failed('export const build = () => {};').code).toBe('builder-without-function');
    expect(failed('export default 3;').code).toBe('builder-without-function');
  });

  it('that cannot be read are placed', () => {
    expect(failed('export default (model) => {', '  const = 2;', '};')).toMatchObject({
      code: 'script-syntax',
      script: { name: 'builder.ts', line: 2 },
    });
  });

  it('whose defect only the sandbox sees are named at least', () => {
    const error = failed('export default () => {};', 'let twice = 1;', 'let twice = 2;');
    expect(error).toMatchObject({ code: 'script-error', where: 'builder.ts' });
    expect(error.message).toContain('twice');
  });

  it('that throw are placed', () => {
    const error = failed('export default (model, p) => {', '  if (!p.N) throw new Error("no beads");', '};');
    expect(error).toMatchObject({ code: 'script-error', where: 'builder.ts', script: { line: 2 } });
  });

  it('cannot make a model without bounds', () => {
    const error = failed('export default (model) => {', '  for (;;) model.system({});', '};');
    expect(error.message).toContain('at most 100000 systems');
    expect(error.script?.line).toBe(2);
  });

  it.each<[string, ObservableDocument, string]>([
    ['a signal', { name: 'half', expression: 'bal.q/2' }, 'bal.q'],
    ['a system', { name: 'energy', function: 'energy', system: 'bal' }, 'energy'],
  ])('leave an observable of %s that they do not build to be refused', (_, observable, named) => {
    const building = withBuilder(
      model([]),
      'export default (model: ModelBuilder) => {',
      '  const mass = [[1]];',
      '  model.system({ id: "ball", type: "LagrangianLinearTI", ndof: 1, mass, q0: [0], v0: [0] });',
      '};',
    );
    const document = withFunctions(building, 'export const energy = (t, q, v) => 0.5*v[0]*v[0];');
    document.observables = [observable];
    const { code, where, message, remedy } = refusal(document, { sandbox: createSandbox });
    expect({ code, where }).toEqual({ code: 'invalid-document', where: observable.name });
    expectSentence(message);
    expect(message).toContain(`“${named}”`);
    expectSentence(remedy ?? '');
    const text = JSON.stringify(observable).replace('bal', 'ball');
    document.observables = [JSON.parse(text) as ObservableDocument];
    expect(run(document, { sandbox: createSandbox }).column(observable.name)[0]).toBe(0);
  });

  it('are judged by the rules of the document', () => {
    const document = withBuilder(model([]), 'export default (model) => { model.system({ id: "a" }); };');
    expect(refusal(document, { sandbox: createSandbox })).toMatchObject({
      code: 'invalid-document',
      where: 'a',
    });
  });
});

describe('documents that are no documents', () => {
  it.each([
    ['scripts that are no list', { scripts: 3 }],
    ['a script without source', { scripts: [{ name: 'a.ts', role: 'functions' }] }],
    ['a script whose source is text', { scripts: [{ name: 'a.ts', role: 'builder', source: 'x' }] }],
    ['systems that are no list', { systems: null }],
  ])('%s are refused as such', (_, wrong) => {
    const document = { ...model([particle('ball', 0, 0)]), ...wrong } as unknown as ReturnType<typeof model>;
    expect(refusal(document, { sandbox: createSandbox }).code).toBe('invalid-document');
  });
});
