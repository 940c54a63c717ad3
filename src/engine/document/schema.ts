/**
 * The validating schema of the model document, derived from the element definitions. The JSON Schema in
 * `resources/schema` is generated from this same object.
 */
import { z } from 'zod';
import type { ElementDefinition, FieldDefinition } from '../model/definition';
import { definitionsByKey, schemeDefinitions } from '../model/registry';
import { dashboardSchema } from './views/dashboards';
import {
  ACCURACY,
  EVENTS_PER_STEP,
  NEWTON_ITERATIONS,
  NEWTON_TOLERANCE,
  SMALLEST_BOUNCE,
} from '../model/settings/common';
import type { LayoutColour } from './types';
import { viewSchema } from '../../views/documents';

// The window's content security policy forbids code generation, which zod would otherwise use.
z.config({ jitless: true });

/** Format this version writes. A change of meaning raises it and adds a migration. */
export const FORMAT_VERSION = 3;

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
 * Ids and names appear in expressions such as `ball.q`, hence the identifier form. They also are keys of
 * records, where `__proto__` would not be a key like others.
 */
const identifier = z.string().regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/);
/** Of an element, or of what is inside of instances, such as `beads[3].m`. */
const path = z
  .string()
  .max(1000)
  .regex(
    /^(?!__proto__(?:$|[.[]))[A-Za-z_][A-Za-z0-9_]{0,63}(?:\[(?:0|[1-9]\d{0,5})\])?(?:\.[A-Za-z_][A-Za-z0-9_]{0,63}(?:\[(?:0|[1-9]\d{0,5})\])?)*$/,
  );
/** What elements of the document are called by. */
const elementId = identifier.describe('Its name in signals and in other parts of the document.');
const titled = {
  id: identifier.describe('Its name in other parts of the document and on the command line.'),
  title: z.string().max(200).optional().describe('Heading in the window; the id when absent.'),
};
const expression = z.union([z.number(), z.string().min(1).max(2000)]);
const vector = z.array(expression).max(4_000_000);
const matrix = z.array(vector).max(4000);
const functionReference = z.strictObject({ function: identifier });
const signalExpressions = z.array(expression).min(1).max(1000);
const signalReference = z
  .strictObject({ signals: signalExpressions })
  .describe('Outputs of control blocks, or expressions of them; constant from sample to sample.');
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
        return field.length === undefined
          ? functionReference
          : z.union([functionReference, expression, vector]);
      case 'vectorOrFunction':
        return z.union([vector, functionReference, signalReference]);
      case 'signals':
        return signalExpressions;
      case 'matrixOrFunction':
        return z.union([matrix, sparseMatrix, functionReference]);
      case 'expression':
        return expression;
      case 'components':
        return z.array(identifier).min(1).max(MAX_PARTS);
      case 'elements':
        return z.array(typed(field.key)).max(MAX_PARTS);
      case 'element':
        return typed(field.key);
    }
  };
  const schema = bySchema().describe(`${field.label}. ${field.help}`);
  return field.required ? schema : schema.optional();
}

function elementShape(definition: ElementDefinition): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = { type: z.literal(definition.type).describe(definition.summary) };
  // What a signal at the pin of its name gives need not be given.
  const pins = new Set(definition.pins?.map(({ name }) => name));
  for (const field of definition.fields)
    shape[field.key] = pins.has(field.key) ? fieldSchema(field).optional() : fieldSchema(field);
  return shape;
}

/**
 * An element of one type, which is built with the first element that has it. A union asks its options for
 * what tells them apart, and whether they may be left out: answers that are known before.
 */
function optionOf(definition: ElementDefinition, extra: Record<string, z.ZodType>): z.ZodLazy<z.ZodObject> {
  const option = z.lazy(() => z.strictObject({ ...extra, ...elementShape(definition) }));
  const known = { propValues: { type: new Set([definition.type]) }, values: undefined, pattern: undefined };
  for (const [key, value] of Object.entries({ ...known, optin: undefined, optout: undefined }))
    Object.defineProperty(option._zod, key, { value });
  return option;
}

/**
 * Union of all elements that may stand under a key of the document. It is built with the first of them that
 * is met: all unions together take longer than a small document, and each thread builds its own.
 */
function typed(key: string, extra: Record<string, z.ZodType> = {}): z.ZodType {
  return z.lazy(() => {
    const options = (definitionsByKey.get(key) ?? []).map((definition) => optionOf(definition, extra));
    return z.discriminatedUnion('type', options as unknown as [z.ZodObject, ...z.ZodObject[]]);
  });
}

/** The element that counts where none is given: the first that is offered. */
const firstOf = (key: string): { type: string } => ({ type: definitionsByKey.get(key)?.[0].type ?? '' });

const systemSchema = typed('systems', { id: elementId });

const interactionSchema = z.strictObject({
  id: elementId,
  systems: z
    .array(identifier)
    .min(1)
    .describe('Ids of the linked systems, in the order of the relation’s columns.'),
  relation: typed('relation').describe('How the interaction sees its systems.'),
  law: typed('law').describe('What holds between the outputs and the multipliers of the relation.'),
  while: typed('while').optional().describe('When the interaction is there; always where this is left out.'),
});

const componentSchema = typed('components', { id: elementId });

/** Where a node is drawn. */
const nodePlace = z.strictObject({
  x: z.number().describe('From the left, px.'),
  y: z.number().describe('From the top, px.'),
  turns: z.int().min(0).max(3).optional().meta({ description: 'Quarter turns clockwise.', default: 0 }),
  mirrored: z
    .boolean()
    .optional()
    .meta({ description: 'Left and right exchanged before it is turned.', default: false }),
});

/** Corner of a wire. */
const wirePoint = z.strictObject({
  x: z.number().describe('From the left, px.'),
  y: z.number().describe('From the top, px.'),
});

const wireLines = z.array(z.array(wirePoint).max(1000)).max(1000);

/** A pin of a component. */
const pin = z
  .string()
  .regex(/^(?!__proto__[.[])[A-Za-z_][A-Za-z0-9_]{0,63}(?:\[(?:0|[1-9]\d{0,5})\])?\.[a-z][a-z0-9]{0,15}$/);

const wireSchema = z.strictObject({
  id: elementId,
  ends: z.array(pin).min(1).max(MAX_SPARSE_SIDE).describe('Pins that it joins, each as component.pin.'),
});

const pinName = z.string().regex(/^[a-z][a-z0-9]{0,15}$/);

/** Pairs of pins that join neighbours in an array, at most. */
const MAX_CHAINS = 100;

const chainSchema = z.strictObject({
  from: pinName.describe('Pin of each of them.'),
  to: pinName.describe('Pin of the next one.'),
});

const instanceSchema = z.strictObject({
  id: elementId,
  of: identifier.describe('Id of the sub-model.'),
  values: z
    .record(identifier, expression)
    .optional()
    .describe('Expressions in place of those of the definition, by name of the parameter.'),
  count: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'As many of them as an array, `beads[0]` to `beads[count - 1]`; in values `index` is the place.',
    ),
  chain: z
    .union([chainSchema, z.array(chainSchema).min(1).max(MAX_CHAINS)])
    .optional()
    .describe('Of an array: which pins of neighbours are joined; a list where there are several pairs.'),
});

const unit = z.string().max(40).optional();

const parameterSchema = z.strictObject({
  name: identifier.describe('Its name in expressions and scripts.'),
  value: expression.describe('In the unit; an expression may name other parameters, in any order.'),
  unit: unit.describe('Such as kg or m/s².'),
  min: z
    .number()
    .optional()
    .describe('Lower end of its slider, in the unit; a parameter without both ends has none.'),
  max: z.number().optional().describe('Upper end of its slider, in the unit.'),
  description: z.string().optional().describe('What it is, in words.'),
});

const layoutColour = z.enum(['grey', 'blue', 'green', 'yellow', 'red', 'purple'] satisfies LayoutColour[]);

/** Least and most side of a note, px. */
const noteSide = z.number().min(40).max(4000);

const nodeId = identifier.describe('Its name among the nodes of the graph.');

const layoutSchema = z.strictObject({
  nodes: z
    .record(z.string(), nodePlace)
    .describe('Places of systems and interactions, by id; those without one are placed by the window.'),
  wires: z
    .record(z.string(), wireLines)
    .optional()
    .describe('Lines of wires that were laid by hand, by id; others are laid by the window.'),
  groups: z
    .array(
      z.strictObject({
        id: nodeId,
        name: z.string().max(200).describe('Its heading.'),
        colour: layoutColour.optional().meta({ description: 'Of the frame.', default: 'grey' }),
        members: z.array(identifier).describe('Ids of systems, interactions and notes.'),
        collapsed: z
          .boolean()
          .optional()
          .meta({ description: 'One card stands for the members.', default: false }),
      }),
    )
    .optional()
    .describe('Named frames around nodes of the graph.'),
  notes: z
    .array(
      z.strictObject({
        id: nodeId,
        text: z.string().max(20_000).describe('Markdown.'),
        colour: layoutColour.optional().meta({ description: 'Of the card.', default: 'yellow' }),
        x: z.number().describe('From the left, px.'),
        y: z.number().describe('From the top, px.'),
        width: noteSide.describe('Px.'),
        height: noteSide.describe('Px.'),
      }),
    )
    .optional()
    .describe('Text cards in the graph.'),
});

export const submodelSchema = z.strictObject({
  id: elementId,
  title: z.string().max(200).optional().describe('What it is called in the palette; the id when absent.'),
  description: z.string().optional().describe('What it is, in words.'),
  icon: identifier.optional().describe('Type of the component whose symbol stands in its box.'),
  ports: z
    .array(
      z.strictObject({
        name: pinName.describe('Name of the pin: a small letter, then small letters and digits.'),
        wire: identifier.describe('Id of the wire inside that it leads to.'),
        label: z.string().max(200).optional().describe('What the pin is, in words.'),
        side: z
          .enum(['left', 'right', 'top', 'bottom'])
          .optional()
          .describe('Side of the box that it stands at; the first half left, the others right, when absent.'),
      }),
    )
    .max(MAX_PARTS)
    .describe('Its pins.'),
  parameters: z
    .array(
      z.strictObject({
        name: identifier.describe('Its name in expressions inside.'),
        value: expression.describe('Where an instance gives none.'),
        unit: unit.describe('Such as Ω.'),
        description: z.string().optional().describe('What it is, in words.'),
      }),
    )
    .max(MAX_PARTS)
    .describe('Numbers and gates that instances may give values of their own.'),
  components: z.array(componentSchema).describe('What is drawn inside.'),
  instances: z.array(instanceSchema).optional().describe('Sub-models inside.'),
  wires: z
    .array(
      wireSchema.extend({ ends: z.array(pin).max(MAX_SPARSE_SIDE).describe('Pins inside that it joins.') }),
    )
    .describe('What joins the pins inside.'),
  layout: layoutSchema.optional().describe('How it is drawn inside.'),
});

const simulationSchema = z.strictObject({
  scheme: z.enum(schemeDefinitions.map(({ type }) => type)).describe('How the model is simulated.'),
  t0: expression.describe('Start time, s.'),
  tEnd: expression.describe('End time, s.'),
  h: expression.describe('Time step, s. By the event-driven scheme, distance of the rows between events.'),
  accuracy: expression.optional().meta({
    description: 'Largest error of a signal of a run that counts as accurate, in parts of its range.',
    default: ACCURACY,
  }),
  integrators: z
    .array(
      typed('integrators', {
        systems: z
          .array(path)
          .min(1)
          .optional()
          .describe(
            'Ids of its systems, or paths of components or instances, such as `beads[3].m`, for the systems that they move in; without them, every system of its order that no other names.',
          ),
      }),
    )
    .describe(
      'How the motion of systems is discretised by time-stepping; a system that none takes has the default of its order.',
    ),
  problem: typed('problem').describe('What is solved for the multipliers of a step.'),
  solver: typed('solver').describe('Algorithm for the problem.'),
  impacts: typed('impacts')
    .optional()
    .meta({ description: 'Law of impacts at several contacts at once.', default: firstOf('impacts') }),
  newton: z
    .strictObject({
      tolerance: expression
        .optional()
        .meta({ description: 'Largest relative residual of a step.', default: NEWTON_TOLERANCE }),
      maxIterations: z
        .int()
        .min(1)
        .max(1000)
        .optional()
        .meta({ description: 'Newton iterations in one step.', default: NEWTON_ITERATIONS }),
    })
    .optional()
    .describe('Newton’s method on the equations of a step.'),
  stepControl: z
    .strictObject({
      tolerance: expression.describe('Error accepted in a step, relative to the state.'),
      hMin: expression.describe('Smallest step, s.'),
      hMax: expression.describe('Largest step, s.'),
    })
    .optional()
    .describe(
      'Chooses the step by an estimate of its error; h is the first step. When absent, all steps are h.',
    ),
  derivatives: z
    .enum(['automatic', 'finite-differences'])
    .optional()
    .meta({ description: 'Where Jacobians come from that the model does not give.', default: 'automatic' }),
  eventDriven: z
    .strictObject({
      flight: typed('flight')
        .optional()
        .meta({ description: 'How the motion between events is computed.', default: firstOf('flight') }),
      constraints: typed('constraints')
        .optional()
        .meta({
          description: 'How joints are kept together between events.',
          default: firstOf('constraints'),
        }),
      smallestBounce: expression.optional().meta({
        description:
          'Height of a bounce, relative to the lengths at hand, below which a contact stays closed.',
        default: SMALLEST_BOUNCE,
      }),
      maxEventsPerStep: z.int().min(1).max(1_000_000_000).optional().meta({
        description:
          'Events within one step h before they count as infinitely many. More than 1000 at one time always do.',
        default: EVENTS_PER_STEP,
      }),
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
          'Times at which forces or functions of time jump, s, one by one or with a period; the integration starts again there.',
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
      every: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .optional()
        .meta({ description: 'Record every n-th step.', default: 1 }),
      signals: z.array(z.string()).optional().describe('Recorded signals; all when absent.'),
      trajectory: z.boolean().optional().meta({
        description:
          'False records the first and the last row only: enough where sections are all that is wanted.',
        default: true,
      }),
    })
    .optional()
    .describe('What a run keeps.'),
  sections: z
    .array(typed('sections', titled))
    .max(MAX_SECTIONS)
    .optional()
    .describe('Poincaré sections that a run takes.'),
});

const observableSchema = z.strictObject({
  name: identifier.describe('Its name in views and other observables.'),
  unit: unit.describe('Such as J.'),
  description: z.string().optional().describe('What it is, in words.'),
  expression: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('Expression of signals, parameters, other observables and the time t; in place of a function.'),
  function: identifier
    .optional()
    .describe('Name of a script function (t, q, v, p) => number; in place of an expression.'),
  system: identifier.optional().describe('Id of the system whose q and v the function takes.'),
});

/** Points of a table, at most: the document is text, which the window keeps open. */
const MAX_POINTS = 100_000;

const tableSchema = z.strictObject({
  id: identifier.describe('Its name in expressions.'),
  description: z.string().optional().describe('What it is and where it is from, in words.'),
  unit: unit.describe('Of the values, such as V.'),
  period: z
    .number()
    .positive()
    .optional()
    .describe('After which the points repeat; without one the first and the last value last.'),
  t: z
    .array(z.number())
    .min(2)
    .max(MAX_POINTS)
    .describe('Abscissae, mostly times in s. They rise; two at one place are a jump.'),
  y: z.array(z.number()).min(2).max(MAX_POINTS).describe('Values, one for each.'),
});

const scriptSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,60}\.ts$/)
    .describe('Letters, digits, _ and -, with .ts at the end.'),
  role: z
    .enum(['functions', 'builder'])
    .describe('Functions are called during a run; a builder adds systems and interactions before it.'),
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

export const documentSchema = z.strictObject({
  formatVersion: z
    .literal(FORMAT_VERSION)
    .describe(
      'Version of this format; documents of earlier versions are brought up to it when they are opened.',
    ),
  title: z.string().describe('Name of the model.'),
  description: z.string().optional().describe('What it is about; Markdown.'),
  references: z.array(z.string()).optional().describe('Where it is from.'),
  parameters: z.array(parameterSchema).describe('Numbers by name, for expressions and scripts.'),
  tables: z
    .array(tableSchema)
    .max(MAX_PARTS)
    .optional()
    .describe('Data that expressions read, as `table(drive, t)`.'),
  systems: z.array(systemSchema).describe('What moves, 3D bodies among them.'),
  interactions: z
    .array(interactionSchema)
    .describe('What links systems with each other or with the surroundings: contacts, joints, diodes.'),
  components: z
    .array(componentSchema)
    .optional()
    .describe('What is drawn: resistors, diodes, masses. They become systems and interactions before a run.'),
  instances: z.array(instanceSchema).optional().describe('Sub-models that are drawn.'),
  wires: z.array(wireSchema).optional().describe('What joins the pins of components and sub-models.'),
  submodels: z
    .array(submodelSchema)
    .max(MAX_PARTS)
    .optional()
    .describe('Components of one’s own: what is drawn once and used several times.'),
  libraries: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(200).describe('What it calls itself.'),
        hash: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .describe('SHA-256 of its content: whether the copies are what it holds.'),
        submodels: z.array(identifier).max(MAX_PARTS).describe('Ids of its definitions.'),
      }),
    )
    .max(MAX_PARTS)
    .optional()
    .describe('Libraries that sub-models are copies of.'),
  simulation: simulationSchema.describe('How the model is simulated, and what a run keeps.'),
  observables: z.array(observableSchema).describe('Further signals, computed from those of a run.'),
  scripts: z.array(scriptSchema).describe('TypeScript: functions that fields name, and builders of models.'),
  analyses: z
    .array(typed('analyses', titled))
    .max(MAX_ANALYSES)
    .optional()
    .describe('What is found out about the model beyond single runs: sweeps, orbits, exponents.'),
  views: z
    .array(viewSchema)
    .describe('What is looked at: plots, tables, animations. Physics never reads them.'),
  dashboards: z
    .array(dashboardSchema)
    .min(1)
    .max(MAX_DASHBOARDS)
    .optional()
    .describe(
      'Where the views are shown; views that none names stand below in the last one. Without dashboards all stand one below the other.',
    ),
  displayUnits: displayUnitsSchema.optional(),
  layout: layoutSchema.describe('How the graph is drawn. Physics never reads it.'),
});

/** The published JSON Schema (draft 2020-12). */
export function jsonSchema(): object {
  const schema = z.toJSONSchema(documentSchema, { target: 'draft-2020-12', unrepresentable: 'any' });
  return { ...schema, $id: `moreau-model-${FORMAT_VERSION}.schema.json`, title: 'Moreau model document' };
}
