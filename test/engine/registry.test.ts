/**
 * The definitions of everything a model can hold: complete, typeset, and buildable; each construction rule by
 * its breach.
 */
import { formulationDefinitions } from '@engine/model/settings/formulations';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, FieldValue, ModelDocument, TypedElement } from '@engine/document/types';
import type { ElementDefinition, FieldDefinition, PluginKind } from '@engine/model/definition';
import { declarationOf, PLUGIN_SIGNATURES, templateOf } from '@engine/model/plugin-signatures';
import { catalogue } from '@engine/model/registry';
import { transpileScript } from '@engine/script/transpile';
import { reportDocument } from '@engine/preparation/report';
import { modelAround } from './support/around';
import { expectComplete } from './support/issues';
import { contact, linearSystem, model, particle, withFunctions } from './support/models';

const groups = catalogue();
const definitions: ElementDefinition[] = [
  ...groups.systems,
  ...groups.relations,
  ...groups.laws,
  ...groups.shapes,
  ...groups.integrators,
  ...groups.problems,
  ...groups.solvers,
  ...groups.impacts,
  ...groups.formulations,
];
const fields: [string, FieldDefinition][] = definitions.flatMap((definition) =>
  definition.fields.map((field): [string, FieldDefinition] => [`${definition.type}.${field.key}`, field]),
);

const typesets = (latex: string): boolean =>
  katex.renderToString(latex, { throwOnError: true, strict: 'error', displayMode: true }).includes('katex');

/** Of the Lagrangian model around an integrator. */
const isForeign = ({ systems }: ElementDefinition['fields'][number]): boolean => systems === 'body';

describe.each(definitions.map((definition): [string, ElementDefinition] => [definition.type, definition]))(
  'the definition %s',
  (_, definition) => {
    it('says what it is', () => {
      expect(definition.type).toMatch(/^[A-Za-z][A-Za-z0-9]*$/);
      expect(definition.title).toMatch(/^\p{Lu}/u);
      expect(definition.summary).toMatch(/^\p{Lu}.*\.$/u);
    });

    it('has equations that can be typeset', () => {
      for (const line of definition.equations) expect(typesets(line)).toBe(true);
      // Only a choice of algorithm has nothing to write down.
      if (definition.category !== 'solver') expect(definition.equations.length).toBeGreaterThan(0);
    });

    it('names each field once', () => {
      const keys = definition.fields.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).not.toContain('type');
      expect(keys).not.toContain('id');
    });

    it('crosses to the window as data', () => {
      expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
    });
  },
);

describe.each(fields)('the field %s', (_, field) => {
  it('has a label, a symbol, a help text and a unit', () => {
    expect(field.key).toMatch(/^[A-Za-z][A-Za-z0-9]*$/);
    expect(field.label).toMatch(/^\p{Lu}.+/u);
    expect(typesets(field.symbol)).toBe(true);
    expect(field.help).toMatch(/^[\p{Lu}\d½].*\.$/u);
    // Empty for pure numbers; otherwise SI units, with q for the system's own coordinate.
    expect(field.unit).toMatch(/^$|^(1|kg|m|m³|s|N|J|Pa|rad|q)( (s|m|m²))?(\/(s|s²|q|N|m|m³))?$/);
  });

  it('has a default within its range, and only when it may be left out', () => {
    if (field.default === undefined) return;
    expect(field.required).toBe(false);
    if (field.kind === 'choice') expect(field.options.map(({ value }) => value)).toContain(field.default);
    if (field.kind === 'number' || field.kind === 'integer') {
      expect(field.default).toBeGreaterThanOrEqual(field.min ?? Number.NEGATIVE_INFINITY);
      expect(field.default).toBeLessThanOrEqual(field.max ?? Number.POSITIVE_INFINITY);
    }
  });
});

describe('plug-in kinds', () => {
  it.each(Object.entries(PLUGIN_SIGNATURES))(
    '%s has a template that compiles and exports its name',
    (_, signature) => {
      const source = templateOf(signature, 'mine');
      const result = transpileScript({ name: 'a.ts', role: 'functions', source }, 0);
      expect(result).toMatchObject({ ok: true, script: { exports: ['mine'] } });
      expect(source[0]).toContain(`: ${signature.typeName} = (${signature.parameters.join(', ')}) =>`);
      expect(signature.summary).toMatch(/\.$/);
      expect(declarationOf(signature)).toMatch(/^\(.*p: Parameters\) => (void|number)$/);
    },
  );

  it('are those the fields use, and observables', () => {
    const used = new Set<PluginKind>(['observable']);
    for (const [, field] of fields) if ('plugin' in field) used.add(field.plugin);
    expect([...used].sort()).toEqual(Object.keys(PLUGIN_SIGNATURES).sort());
  });
});

describe.each(definitions.map((definition): [string, ElementDefinition] => [definition.type, definition]))(
  'a model with %s',
  (_, definition) => {
    it('is sound with the required fields only, and with all of them', () => {
      for (const all of [false, true]) {
        const { issues, signals } = reportDocument(modelAround(definition, all));
        // Fields of an integrator that are for systems the model does not have are all that may be said.
        const isSpatial = definition.advances === undefined || definition.order === 'body';
        const foreign = isSpatial ? [] : definition.fields.filter(isForeign);
        const expected = all ? foreign.map(({ key }) => [key, 'setting-of-order']) : [];
        // The bodies of the model have no joints.
        if (all && isSpatial && definition.fields.some(({ key }) => key === 'projection'))
          expected.push(['projection', 'projection-without-effect']);
        // The model is advanced by steps, and only the formulation of the default is silent there.
        if (formulationDefinitions.indexOf(definition) > 0)
          expected.push(['constraints', 'setting-of-other-scheme']);
        expect(issues.map(({ pointer, code }) => [pointer.split('/').pop(), code])).toEqual(expected);
        // Time, and the least that a system and an interaction have: x, y and λ.
        expect(signals.length).toBeGreaterThanOrEqual(4);
      }
    });

    it('is refused without one of the required fields', () => {
      for (const { key, required } of definition.fields) {
        if (!required) continue;
        const document = modelAround(definition, false);
        for (const target of [
          document.systems[0],
          document.systems.at(-1),
          document.interactions[0].relation,
          document.interactions[0].law,
          document.simulation.integrators[0],
          document.simulation.problem,
          document.simulation.solver,
          ...((document.systems.at(-1)?.shapes as TypedElement[] | undefined) ?? []),
        ]) {
          if (target === undefined) continue;
          if (target.type === definition.type) Reflect.deleteProperty(target, key);
        }
        const { issues } = reportDocument(document);
        expectComplete(issues);
        expect(
          issues.some(({ code, pointer }) => code === 'missing-field' && pointer.endsWith(`/${key}`)),
        ).toBe(true);
      }
    });
  },
);

describe('construction rules', () => {
  const diagonal = (fields: Record<string, FieldValue>): ModelDocument =>
    withFunctions(model([particle('body', 0, 0, fields)]), 'export const c = () => {};');
  const relation = (made: TypedElement): ModelDocument =>
    withFunctions(
      model(
        [particle('body', 0, 0), particle('other', 1, 0)],
        [{ id: 'link', systems: ['body', 'other'], relation: made, law: { type: 'NewtonImpact', e: 0 } }],
      ),
      'export const h = () => {};',
    );
  const h = { function: 'h' };

  it.each<[string, ModelDocument, Partial<DocumentIssue>]>([
    [
      'a mass matrix is symmetric',
      model([
        linearSystem(
          'body',
          {
            mass: [
              [1, 0.5],
              [0, 1],
            ],
          },
          [0, 0],
          [0, 0],
        ),
      ]),
      { code: 'mass-not-symmetric', pointer: '/systems/0/mass', element: 'body' },
    ],
    [
      'a mass matrix is positive definite',
      model([
        linearSystem(
          'body',
          {
            mass: [
              [1, 2],
              [2, 1],
            ],
          },
          [0, 0],
          [0, 0],
        ),
      ]),
      { code: 'mass-not-positive', pointer: '/systems/0/mass', element: 'body' },
    ],
    [
      'a mass is not zero',
      diagonal({ mass: [[0]] }),
      { code: 'mass-not-positive', pointer: '/systems/0/mass' },
    ],
    [
      'a mass is not negative',
      diagonal({ mass: [[-1]] }),
      { code: 'mass-not-positive', pointer: '/systems/0/mass' },
    ],
    [
      'a base position comes with its velocity',
      diagonal({ basePosition: { function: 'c' } }),
      { code: 'base-motion-incomplete', pointer: '/systems/0/baseVelocity', element: 'body' },
    ],
    [
      'a base velocity comes with its position',
      diagonal({ baseVelocity: { function: 'c' } }),
      { code: 'base-motion-incomplete', pointer: '/systems/0/basePosition', element: 'body' },
    ],
    [
      'a mass matrix is ndof × ndof',
      diagonal({ mass: [[1, 0]] }),
      { code: 'matrix-shape', pointer: '/systems/0/mass' },
    ],
    [
      'a damping matrix is ndof × ndof',
      diagonal({ damping: [[1], [1]] }),
      { code: 'matrix-shape', pointer: '/systems/0/damping' },
    ],
    [
      'a stiffness matrix is ndof × ndof',
      diagonal({ stiffness: [[1, 2]] }),
      { code: 'matrix-shape', pointer: '/systems/0/stiffness' },
    ],
    ['q₀ has ndof entries', diagonal({ q0: [1, 2] }), { code: 'vector-length', pointer: '/systems/0/q0' }],
    ['v₀ has ndof entries', diagonal({ v0: [] }), { code: 'vector-length', pointer: '/systems/0/v0' }],
    [
      'a force has ndof entries',
      diagonal({ fExt: [1, 2] }),
      { code: 'vector-length', pointer: '/systems/0/fExt' },
    ],
    [
      'a gap matrix has a column for each linked coordinate',
      relation({ type: 'LagrangianLinear', H: [[1]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/H', element: 'link' },
    ],
    [
      'a gap matrix has rows of one length',
      relation({ type: 'LagrangianLinear', H: [[1, 0], [1]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/H', element: 'link' },
    ],
    [
      'a gap offset has an entry for each gap',
      relation({ type: 'LagrangianLinear', H: [[1, 0]], b: [1, 2] }),
      { code: 'vector-length', pointer: '/interactions/0/relation/b', element: 'link' },
    ],
    [
      'a constant Jacobian has the shape of the relation',
      relation({ type: 'LagrangianRheonomous', h, hDot: h, jacobian: [[1]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/jacobian', element: 'link' },
    ],
    [
      'a Jacobian has a row for each gap',
      relation({ type: 'LagrangianRheonomous', size: 2, h, hDot: h, jacobian: [[1, 0]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/jacobian', element: 'link' },
    ],
    [
      'a gap function exists',
      relation({ type: 'LagrangianRheonomous', h: { function: 'g' }, hDot: h, jacobian: [[1, 0]] }),
      { code: 'unknown-function', pointer: '/interactions/0/relation/h', element: 'link' },
    ],
    [
      'a coefficient of restitution is not negative',
      model([particle('body', 0, 0)], [contact('link', ['body'], [[1]], -0.1)]),
      { code: 'out-of-range', pointer: '/interactions/0/law/e', element: 'link' },
    ],
    [
      'a tolerance is positive',
      {
        ...model([particle('body', 0, 0)]),
        simulation: { ...model([]).simulation, solver: { type: 'auto', tolerance: 0 } },
      },
      { code: 'out-of-range', pointer: '/simulation/solver/tolerance' },
    ],
    [
      'a forecast is at most two',
      model([particle('body', 0, 0)], [], { forecast: 2.5 }),
      { code: 'out-of-range', pointer: '/simulation/integrators/0/forecast' },
    ],
  ])('%s', (_, document, expected) => {
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject(expected);
  });
});
