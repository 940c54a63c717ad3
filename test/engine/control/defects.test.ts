/** Bad input of control blocks: each defect named at its place, with a remedy. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import { preparedMotion } from '@engine/analysis/stability/motion-model';
import { Examination } from '@engine/preparation/examination';
import { reportDocument } from '@engine/preparation/report';
import { contact, model, particle } from '../support/models';
import { refusal, run, runFailure } from '../support/run';
import { controlled } from './documents';

const hold = (id: string, x: string, more: Partial<SystemDocument> = {}): SystemDocument => ({
  id,
  type: 'SampleAndHold',
  x: [x],
  every: 0.1,
  ...more,
});

const plant = { A: [[-1]], T: [[1]], u: ['a.y'], x0: [1] };

const smc = (more: Partial<SystemDocument>): SystemDocument => ({
  id: 'a',
  type: 'SlidingModeControl',
  x: ['plant.x'],
  A: [[-1]],
  B: [[1]],
  C: [[1]],
  every: 0.1,
  ...more,
});

interface Defect {
  readonly name: string;
  readonly document: ModelDocument;
  readonly code: string;
  readonly pointer: string;
  readonly says: RegExp;
}

const DEFECTS: readonly Defect[] = [
  {
    name: 'an input that names nothing',
    document: controlled(plant, [hold('a', 'plnt.x')]),
    code: 'block-input',
    pointer: '/systems/1/x/0',
    says: /“plnt\.x” is neither a signal nor a parameter/,
  },
  {
    name: 'an input that cannot be read',
    document: controlled(plant, [hold('a', 'plant.x +')]),
    code: 'block-input',
    pointer: '/systems/1/x/0',
    says: /plant\.x \+/,
  },
  {
    name: 'an observable, which is not known at samples',
    document: {
      ...controlled(plant, [hold('a', 'seen')]),
      observables: [{ name: 'seen', expression: 'plant.x' }],
    },
    code: 'block-input',
    pointer: '/systems/1/x/0',
    says: /observable/,
  },
  {
    name: 'a field driven by what no block holds',
    document: controlled({ ...plant, u: ['plant.x'] }, [hold('a', 'plant.x')]),
    code: 'driven-field',
    pointer: '/systems/0/u/signals/0',
    says: /no output of a control block/,
  },
  {
    name: 'as many driving signals as the field has entries',
    document: controlled({ ...plant, u: ['a.y', 'a.y'], T: [[1]] }, [hold('a', 'plant.x')]),
    code: 'matrix-shape',
    pointer: '/systems/0/T',
    says: /Control matrix/,
  },
  {
    name: 'an algebraic loop',
    document: controlled(plant, [hold('a', 'b.y + plant.x'), hold('b', '2*a.y')]),
    code: 'algebraic-loop',
    pointer: '/systems/1/x/0',
    says: /a → b → a|b → a → b/,
  },
  {
    name: 'a sampling period of zero',
    document: controlled(plant, [hold('a', 'plant.x', { every: 0 })]),
    code: 'out-of-range',
    pointer: '/systems/1/every',
    says: /Sampling period/,
  },
  {
    name: 'an interaction that links a block',
    document: model([particle('ball', 1, 0), hold('a', 'ball.q')], [contact('floor', ['a'], [[1]], 0.5)]),
    code: 'block-linked',
    pointer: '/interactions/0/systems/0',
    says: /control block/,
  },
  {
    name: 'a surface that the control does not move',
    document: controlled(plant, [smc({ C: [[0]] })]),
    code: 'surface-not-controlled',
    pointer: '/systems/1/C',
    says: /singular/,
  },
  {
    name: 'a controller with a state of another size than its model',
    document: controlled(plant, [smc({ x: ['plant.x', 'plant.x'] })]),
    code: 'signal-count',
    pointer: '/systems/1/x',
    says: /One signal is needed/,
  },
  {
    name: 'an observer that does not know how the control acts',
    document: controlled(plant, [
      {
        id: 'o',
        type: 'LuenbergerObserver',
        measured: ['plant.x'],
        control: ['a.y'],
        A: [[-1]],
        C: [[1]],
        L: [[1]],
        every: 0.1,
      },
      hold('a', 'o.xHat'),
    ]),
    code: 'observer-without-control-matrix',
    pointer: '/systems/1/B',
    says: /no matrix B/,
  },
  {
    name: 'bounds the wrong way round',
    document: controlled(plant, [
      { id: 'a', type: 'Saturation', x: ['plant.x'], lower: 1, upper: -1, every: 0.1 },
    ]),
    code: 'bounds-order',
    pointer: '/systems/1/upper',
    says: /below the lower bound/,
  },
];

describe('is refused:', () => {
  it.each(DEFECTS)('$name', ({ document, code, pointer, says }) => {
    const { issues } = reportDocument(document);
    const found = issues.find((issue) => issue.code === code && issue.pointer === pointer);
    expect(issues.map((issue) => [issue.code, issue.pointer])).toContainEqual([code, pointer]);
    expect(found?.message).toMatch(says);
    expect(found?.severity).toBe('error');
    expect(found?.remedy).not.toBe('');
  });
});

it('a loop is cut by a delay', () => {
  const document = controlled(plant, [
    hold('a', 'b.y + plant.x'),
    { id: 'b', type: 'Delay', x: ['2*a.y'], samples: 1, every: 0.1 },
  ]);
  expect(reportDocument(document).issues).toEqual([]);
});

it('a control that is not a number ends the run, with its block and time', () => {
  const document = controlled({ ...plant, A: [[1]] }, [hold('a', 'sqrt(0.5 - t)')]);
  const { error } = runFailure(document);
  expect(error).toMatchObject({ code: 'not-finite', where: 'a' });
  expect(error.time).toBeCloseTo(0.6, 12);
  expect(error.message).toContain('“a” (SampleAndHold)');
});

it('an analysis of the state alone is refused', () => {
  const { prepared } = new Examination(controlled(plant, [hold('a', 'plant.x')]), undefined);
  expect(() => prepared !== null && preparedMotion(prepared)).toThrow(/control blocks/);
});

it('an analysis of the motion is a warning of validation', () => {
  const document = controlled(plant, [hold('a', 'plant.x')]);
  document.analyses = [{ id: 'periodic', type: 'orbit', period: 1 }];
  expect(reportDocument(document).issues).toContainEqual(
    expect.objectContaining({
      severity: 'warning',
      code: 'not-analysed',
      pointer: '/analyses/0/type',
      element: 'periodic',
    }),
  );
});

it('an index of an output of one component is named', () => {
  const document = controlled({ ...plant, u: ['a.y[0]'] }, [hold('a', 'plant.x')]);
  const issue = reportDocument(document).issues.find(({ code }) => code === 'driven-field');
  expect(issue?.remedy).toBe('The output has one component: write a.y.');
});

it('an output that stands where a number does is explained', () => {
  const document = controlled(plant, [hold('a', 'plant.x')]);
  Object.assign(document.systems[0], { u: ['a.y'] });
  const issue = reportDocument(document).issues.find(({ code }) => code === 'expression');
  expect(issue?.remedy).toContain('{"signals": ["pid.u"]}');
});

it('what reads a block with a defect is not reported as well', () => {
  const document = controlled({ ...plant, u: ['a.y', 'b.y'].slice(0, 1) }, [
    hold('a', 'plant.x', { every: 0 }),
    hold('b', 'a.y'),
  ]);
  expect(reportDocument(document).issues.map(({ pointer }) => pointer)).toEqual(['/systems/1/every']);
});

it('steps that samples divide are refused where a scheme over three times needs equal ones', () => {
  const push = (every: number): ModelDocument => {
    const document = model([
      particle('mass', 1, 0, { fExt: { signals: ['push.y'] } }),
      hold('push', '-mass.q', { every }),
    ]);
    document.simulation.integrators = [{ type: 'SchatzmanPaoli', theta: 0.5 }];
    document.simulation.h = 0.002;
    return document;
  };
  expect(refusal(push(0.005))).toMatchObject({ code: 'samples-unsuitable', where: 'mass' });
  expect(run(push(0.004)).session.time).toBeCloseTo(1, 12);
});
