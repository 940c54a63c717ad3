/**
 * The validating schema of the model document, derived from the element definitions. The JSON Schema in
 * `resources/schema` is generated from this same object.
 */
import { z } from 'zod';
import type { ElementDefinition, FieldDefinition } from '../model/definition';
import { definitionsByKey, schemeDefinitions } from '../model/registry';
import { dashboardSchema } from './dashboards';
import type { LayoutColour } from './types';
import { viewSchema } from './views/registry';

// The window's content security policy forbids code generation, which zod would otherwise use.
z.config({ jitless: true });

/** Format this version writes. A change of meaning raises it and adds a migration. */
export const FORMAT_VERSION = 2;

/** Most elements that a field of another may list. */
const MAX_PARTS = 1000;

/** Most analyses of a model. */
const MAX_ANALYSES = 200;

/** Most sections of a model: each is a recording of its own. */
const MAX_SECTIONS = 32;

/** Most dashboards of a model: more have no room for their tabs. */
const MAX_DASHBOARDS = 100;

/** Most rows or columns of a matrix given by its entries. */
const MAX_SPARSE_SIDE = 100_000;

/**
 * Ids and names appear in expressions such as `ball.q`, hence the identifier form. They also are keys of records, where
 * `__proto__` would not be a key like others.
 */
const identifier = z.string().regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/);
const expression = z.union([z.number(), z.string().min(1).max(2000)]);
const vector = z.array(expression).max(4_000_000);
const matrix = z.array(vector).max(4000);
const functionReference = z.strictObject({ function: identifier });
const place = z
  .int()
  .min(0)
  .max(MAX_SPARSE_SIDE - 1);
const sparseMatrix = z
  .strictObject({
    rows: z.int().min(1).max(MAX_SPARSE_SIDE).optional(),
    entries: z.array(z.tuple([place, place, expression])).max(4_000_000),
  })
  .describe('Entries [row, column, value], counted from 0; those of one place add up.');
const matrixValue = z.union([matrix, sparseMatrix]);

function fieldSchema(field: FieldDefinition): z.ZodType {
  const bySchema = (): z.ZodType => {
    switch (field.kind) {
      case 'integer':
        return z.int().min(field.min).max(field.max);
      case 'number':
        return expression;
      case 'reference':
        return identifier;
      case 'text':
        return z.string().max(field.maxLength);
      case 'vector':
        return vector;
      case 'matrix':
        return matrixValue;
      case 'choice':
        return z.enum(field.options.map((option) => option.value) as [string, ...string[]]);
      case 'function':
        return functionReference;
      case 'vectorOrFunction':
        return z.union([vector, functionReference]);
      case 'matrixOrFunction':
        return z.union([matrix, sparseMatrix, functionReference]);
      case 'elements':
        return z.array(typed(field.of)).max(MAX_PARTS);
    }
  };
  const schema = bySchema().describe(`${field.label}. ${field.help}`);
  return field.required ? schema : schema.optional();
}

function elementShape(definition: ElementDefinition): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = { type: z.literal(definition.type).describe(definition.summary) };
  for (const field of definition.fields) shape[field.key] = fieldSchema(field);
  return shape;
}

/** Union of all elements that may stand under a key of the document. */
function typed(key: string, extra: Record<string, z.ZodType> = {}): z.ZodType {
  const options = (definitionsByKey.get(key) ?? []).map((definition) =>
    z.strictObject({ ...extra, ...elementShape(definition) }),
  );
  return z.discriminatedUnion('type', options as unknown as [z.ZodObject, ...z.ZodObject[]]);
}

export const systemSchema = typed('systems', { id: identifier });

export const interactionSchema = z.strictObject({
  id: identifier,
  systems: z
    .array(identifier)
    .min(1)
    .describe('Ids of the linked systems, in the order of the relation’s columns.'),
  relation: typed('relation'),
  law: typed('law'),
});

const parameterSchema = z.strictObject({
  name: identifier,
  value: expression,
  unit: z.string().max(40).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  description: z.string().optional(),
});

const simulationSchema = z.strictObject({
  scheme: z.enum(schemeDefinitions.map(({ type }) => type)).describe('How the model is simulated.'),
  t0: expression.describe('Start time, s.'),
  tEnd: expression.describe('End time, s.'),
  h: expression.describe('Time step, s. By the event-driven scheme, distance of the rows between events.'),
  accuracy: expression
    .optional()
    .describe(
      'Largest error of a signal of a run that counts as accurate, in parts of its range; 0.01 when absent.',
    ),
  integrators: z.array(
    typed('integrators', {
      systems: z
        .array(identifier)
        .min(1)
        .optional()
        .describe('Ids of its systems; without them, every system of its order that no other names.'),
    }),
  ),
  problem: typed('problem'),
  solver: typed('solver'),
  impacts: typed('impacts').optional().describe('Law of impacts at several contacts at once.'),
  newton: z
    .strictObject({
      tolerance: expression.optional().describe('Largest relative residual of a step.'),
      maxIterations: z.int().min(1).max(1000).optional().describe('Newton iterations in one step.'),
    })
    .optional(),
  stepControl: z
    .strictObject({
      tolerance: expression.describe('Error accepted in a step, relative to the state.'),
      hMin: expression.describe('Smallest step, s.'),
      hMax: expression.describe('Largest step, s.'),
    })
    .optional()
    .describe('Chooses the step by an estimate of its error; h is the first step.'),
  derivatives: z
    .enum(['automatic', 'finite-differences'])
    .optional()
    .describe('Where Jacobians come from that the model does not give.'),
  eventDriven: z
    .strictObject({
      flight: typed('flight').optional().describe('How the motion between events is computed.'),
      constraints: typed('constraints').optional().describe('How joints are kept together between events.'),
      smallestBounce: expression
        .optional()
        .describe('Height of a bounce, relative to the lengths at hand, below which a contact stays closed.'),
      maxEventsPerStep: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .optional()
        .describe('Events within one step h before they count as infinitely many.'),
      jumps: z
        .array(
          z.union([
            expression,
            z
              .strictObject({
                from: expression.describe('First jump, s.'),
                every: expression.describe('Time from one jump to the next, s.'),
                until: expression
                  .optional()
                  .describe('No jump beyond this time, s; the end of the run when absent.'),
              })
              .describe('Jumps with a period.'),
          ]),
        )
        .optional()
        .describe(
          'Times at which forces or functions of time jump, s, one by one or with a period; the integration starts anew there.',
        ),
      fastest: expression
        .optional()
        .describe(
          'Longest step of the integration where conditions in scripts cannot be followed, s; h when absent.',
        ),
    })
    .optional()
    .describe('Settings of the event-driven scheme.'),
  recording: z
    .strictObject({
      every: z.int().min(1).max(1_000_000_000).optional().describe('Record every n-th step.'),
      signals: z.array(z.string()).optional().describe('Recorded signals; all when absent.'),
      trajectory: z
        .boolean()
        .optional()
        .describe(
          'False records the first and the last row only: enough where sections are all that is wanted.',
        ),
    })
    .optional(),
  sections: z
    .array(typed('sections', { id: identifier, title: z.string().max(200).optional() }))
    .max(MAX_SECTIONS)
    .optional()
    .describe('Poincaré sections that a run takes.'),
});

const observableSchema = z.strictObject({
  name: identifier,
  unit: z.string().max(40).optional(),
  description: z.string().optional(),
  expression: z.string().min(1).max(2000).optional(),
  function: identifier.optional(),
  system: identifier.optional(),
});

const scriptSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,60}\.ts$/),
  role: z.enum(['functions', 'builder']),
  source: z.array(z.string()).describe('Source text, one entry a line.'),
});

const unitText = z.string().min(1).max(40);
const displayUnitsSchema = z
  .strictObject({
    units: z.record(unitText, unitText).optional().describe('Shown unit by the unit of the model.'),
    parameters: z
      .record(identifier, unitText)
      .optional()
      .describe('Shown units of single parameters, by name.'),
  })
  .describe('Units that values are shown in; the numbers of the document stay in the units of the model.');

const layoutColour = z.enum(['grey', 'blue', 'green', 'yellow', 'red', 'purple'] satisfies LayoutColour[]);

/** Least and most side of a note, px. */
const noteSide = z.number().min(40).max(4000);

const layoutSchema = z.strictObject({
  nodes: z.record(z.string(), z.strictObject({ x: z.number(), y: z.number() })),
  groups: z
    .array(
      z.strictObject({
        id: identifier,
        name: z.string().max(200),
        colour: layoutColour.optional(),
        members: z.array(identifier).describe('Ids of systems, interactions and notes.'),
        collapsed: z.boolean().optional().describe('One card stands for the members.'),
      }),
    )
    .optional()
    .describe('Named frames around nodes of the graph.'),
  notes: z
    .array(
      z.strictObject({
        id: identifier,
        text: z.string().max(20_000).describe('Markdown.'),
        colour: layoutColour.optional(),
        x: z.number(),
        y: z.number(),
        width: noteSide,
        height: noteSide,
      }),
    )
    .optional()
    .describe('Text cards in the graph.'),
});

export const documentSchema = z.strictObject({
  formatVersion: z.literal(FORMAT_VERSION),
  title: z.string(),
  description: z.string().optional(),
  references: z.array(z.string()).optional(),
  parameters: z.array(parameterSchema),
  systems: z.array(systemSchema),
  interactions: z.array(interactionSchema),
  simulation: simulationSchema,
  observables: z.array(observableSchema),
  scripts: z.array(scriptSchema),
  analyses: z
    .array(typed('analyses', { id: identifier, title: z.string().max(200).optional() }))
    .max(MAX_ANALYSES)
    .optional()
    .describe('What is found out about the model beyond single runs: sweeps, orbits, exponents.'),
  views: z.array(viewSchema),
  dashboards: z
    .array(dashboardSchema)
    .min(1)
    .max(MAX_DASHBOARDS)
    .optional()
    .describe(
      'Where the views are shown; views that none names stand below in the last one. Without dashboards all stand one below the other.',
    ),
  displayUnits: displayUnitsSchema.optional(),
  layout: layoutSchema,
});

/** The published JSON Schema (draft 2020-12). */
export function jsonSchema(): object {
  const schema = z.toJSONSchema(documentSchema, { target: 'draft-2020-12', unrepresentable: 'any' });
  return { ...schema, $id: `moreau-model-${FORMAT_VERSION}.schema.json`, title: 'Moreau model document' };
}
