/** The writer: the same bytes for the same document, and everything of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { EXAMPLES, example, exampleText, model, particle } from './support/models';

describe('examples', () => {
  it.each(EXAMPLES)('%s is written with the bytes it was read from', (name) => {
    expect(writeDocument(example(name))).toBe(exampleText(name));
  });
});

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe('key order', () => {
  it.each(EXAMPLES)('of %s does not depend on the order of insertion', (name) => {
    expect(writeDocument(reversed(example(name)) as ModelDocument)).toBe(exampleText(name));
  });

  it('keeps unknown keys, after the known ones', () => {
    const document = model([{ zeta: 'x', ...particle('ball', 1, 0), alpha: [[1]] }]);
    const text = writeDocument(document);
    const systems = text.slice(text.indexOf('"systems"'), text.indexOf('"interactions"'));
    const keys = [...systems.matchAll(/^ {6}"(\w+)":/gm)].map((match) => match[1]);
    expect(keys.slice(0, 3)).toEqual(['id', 'type', 'ndof']);
    expect(keys.slice(-2)).toEqual(['zeta', 'alpha']);
    expect(readDocument(text).document).toEqual(document);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'bears an unknown key called %s',
    (key) => {
      const text = writeDocument(model([particle('ball', 1, 0)])).replace(
        '"title"',
        `"${key}": { "b": { "c": [1, { "a": null }] } },\n  "title"`,
      );
      const { document, issues } = readDocument(text);
      expect(issues.map(({ code }) => code)).toEqual(['unknown-key']);
      const written = writeDocument(document as ModelDocument);
      expect(JSON.parse(written)).toEqual(JSON.parse(text));
      expect(writeDocument(readDocument(written).document as ModelDocument)).toBe(written);
    },
  );
});

describe('any document', () => {
  // JSON has one zero, so the sign of −0 does not survive; nothing in a model depends on it.
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/).filter((text) => text !== '__proto__');
  const expression = fc.oneof(
    number,
    name,
    fc.constantFrom('2*pi', 'a + b', '"quoted" \\ text', 'ünïcödé ∂h/∂t'),
  );
  const vector = fc.array(expression, { maxLength: 4 });
  const place = fc.nat({ max: 99_999 });
  const matrix = fc.oneof(
    fc.array(vector, { minLength: 1, maxLength: 4 }),
    fc.record(
      {
        rows: fc.integer({ min: 1, max: 100_000 }),
        entries: fc.array(fc.tuple(place, place, expression), { maxLength: 4 }),
      },
      { requiredKeys: ['entries'] },
    ),
  );
  const reference = fc.record({ function: name });
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });

  const firstOrder = fc.record(
    {
      id: name,
      type: fc.constant('FirstOrderLinear'),
      n: fc.integer({ min: 1, max: 2000 }),
      x0: vector,
      A: fc.oneof(matrix, reference),
      b: fc.oneof(vector, reference),
      stateUnit: text,
    },
    { requiredKeys: ['id', 'type', 'n', 'x0', 'A'] },
  );
  const system = fc.record(
    {
      id: name,
      type: fc.constant('LagrangianLinearTI'),
      ndof: fc.integer({ min: 1, max: 2000 }),
      mass: matrix,
      damping: matrix,
      stiffness: matrix,
      q0: vector,
      v0: vector,
      fExt: fc.oneof(vector, reference),
      basePosition: reference,
      baseVelocity: reference,
      coordinateUnit: fc.constantFrom('m', 'rad', '1'),
    },
    { requiredKeys: ['id', 'type', 'ndof', 'mass', 'q0', 'v0'] },
  );
  const relation = fc.oneof(
    fc.record(
      { type: fc.constant('LagrangianLinear'), H: matrix, b: vector },
      { requiredKeys: ['type', 'H'] },
    ),
    fc.record(
      {
        type: fc.constant('LagrangianRheonomous'),
        size: fc.integer({ min: 1, max: 1000 }),
        h: reference,
        hDot: reference,
        jacobian: fc.oneof(matrix, reference),
      },
      { requiredKeys: ['type', 'h', 'hDot', 'jacobian'] },
    ),
  );
  const interaction = fc.record({
    id: name,
    systems: fc.array(name, { minLength: 1, maxLength: 3 }),
    relation,
    law: fc.record({ type: fc.constant('NewtonImpact'), e: expression }),
  });
  const document = fc.record(
    {
      formatVersion: fc.constant(3),
      title: text,
      description: text,
      references: fc.array(text, { maxLength: 3 }),
      parameters: fc.array(
        fc.record(
          {
            name,
            value: expression,
            unit: fc.string({ maxLength: 10 }),
            min: number,
            max: number,
            description: text,
          },
          { requiredKeys: ['name', 'value'] },
        ),
        { maxLength: 3 },
      ),
      systems: fc.array(fc.oneof(system, firstOrder), { maxLength: 3 }),
      interactions: fc.array(interaction, { maxLength: 3 }),
      simulation: fc.record(
        {
          scheme: fc.constant('time-stepping'),
          t0: expression,
          tEnd: expression,
          h: expression,
          integrators: fc.array(
            fc.record(
              {
                type: fc.constant('MoreauJean'),
                systems: fc.array(name, { minLength: 1, maxLength: 3 }),
                theta: expression,
                massPoint: fc.constantFrom('midpoint', 'end'),
              },
              { requiredKeys: ['type'] },
            ),
            { maxLength: 3 },
          ),
          problem: fc.record(
            { type: fc.constantFrom('auto', 'LCP', 'AVI'), assembly: fc.constantFrom('blocks', 'product') },
            { requiredKeys: ['type'] },
          ),
          solver: fc.record(
            { type: fc.constantFrom('auto', 'Lemke', 'PrincipalPivoting'), tolerance: number },
            { requiredKeys: ['type'] },
          ),
          newton: fc.record(
            { tolerance: expression, maxIterations: fc.integer({ min: 1, max: 1000 }) },
            { requiredKeys: [] },
          ),
          stepControl: fc.record({ tolerance: expression, hMin: expression, hMax: expression }),
          derivatives: fc.constantFrom('automatic', 'finite-differences'),
          recording: fc.record(
            { every: fc.integer({ min: 1, max: 1000 }), signals: fc.array(text, { maxLength: 3 }) },
            { requiredKeys: [] },
          ),
        },
        { requiredKeys: ['scheme', 't0', 'tEnd', 'h', 'integrators', 'problem', 'solver'] },
      ),
      observables: fc.array(
        fc.record(
          { name, unit: fc.constant('m'), expression: name, description: text },
          { requiredKeys: ['name'] },
        ),
        { maxLength: 2 },
      ),
      scripts: fc.array(
        fc.record({
          name: fc.constantFrom('a.ts', 'b.ts'),
          role: fc.constantFrom('functions', 'builder'),
          source: fc.array(text, { maxLength: 4 }),
        }),
        { maxLength: 2 },
      ),
      views: fc.array(
        fc.oneof(
          fc.record(
            {
              type: fc.constant('time-series'),
              id: name,
              title: text,
              signals: fc.array(text, { maxLength: 3 }),
            },
            { requiredKeys: ['type', 'id', 'signals'] },
          ),
          fc.record({ type: fc.constant('phase-portrait'), id: name, x: text, y: text }),
        ),
        { maxLength: 2 },
      ),
      layout: fc.record({ nodes: fc.dictionary(name, fc.record({ x: number, y: number }), { maxKeys: 3 }) }),
    },
    {
      requiredKeys: [
        'formatVersion',
        'title',
        'parameters',
        'systems',
        'interactions',
        'simulation',
        'observables',
        'scripts',
        'views',
        'layout',
      ],
    },
  );

  it('is read back as it was written, without an issue, and written again with the same bytes (property)', () => {
    fc.assert(
      fc.property(document, (value) => {
        const written = writeDocument(value);
        const { document: read, issues } = readDocument(written);
        expect(issues).toEqual([]);
        expect(read).toEqual(value);
        expect(writeDocument(read as ModelDocument)).toBe(written);
        expect(written.endsWith('}\n')).toBe(true);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('layout of the text', () => {
  it('keeps short lists on a line, breaks long ones, and gives source text a line each', () => {
    const document = model([particle('ball', 1, 0)]);
    document.systems[0].q0 = Array.from({ length: 60 }, (_, i) => i * 1.5);
    document.scripts.push({ name: 'a.ts', role: 'functions', source: ['a', 'b'] });
    const lines = writeDocument(document).split('\n');
    expect(lines).toContain('      "mass": [[1]],');
    expect(lines).toContain('      "q0": [');
    expect(lines).toContain('        "a",');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(110);
  });

  it('changes one line when one number changes', () => {
    const before = example('cam-follower-358');
    const after = example('cam-follower-358');
    after.parameters[0].value = 700;
    const [old, changed] = [before, after].map((document) => writeDocument(document).split('\n'));
    expect(old.filter((line, i) => line !== changed[i])).toEqual(['      "value": 358,']);
  });

  it('sorts tables whose keys are names, whatever the order they were filled in, also where a name is that of a key', () => {
    const document = model([particle('ball', 1, 0)]);
    const filled = (units: Record<string, string>, parameters: Record<string, string>): string =>
      writeDocument({ ...document, displayUnits: { units, parameters } });
    const one = filled({ s: 'ms', m: 'mm' }, { value: 'deg', a: 'cm', name: 'rpm' });
    expect(filled({ m: 'mm', s: 'ms' }, { name: 'rpm', value: 'deg', a: 'cm' })).toBe(one);
    expect(one.indexOf('"a": "cm"')).toBeLessThan(one.indexOf('"name": "rpm"'));
    expect(one.indexOf('"m": "mm"')).toBeLessThan(one.indexOf('"s": "ms"'));
  });
});
