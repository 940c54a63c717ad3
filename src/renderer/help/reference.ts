/**
 * The reference, made from the definitions of the engine, the commands and the settings: it cannot be out of
 * date.
 */
import type { Catalogue, ElementDefinition, FieldDefinition, PluginArgument } from '@engine/model/definition';
import type { DefinitionGroup } from '../stores/catalogue';
import type { SettingEntry } from '../settings/setting-groups';

interface ReferenceCommand {
  id: string;
  title: string;
  shortcuts: readonly string[];
}

export interface ReferenceSources {
  catalogue: Catalogue;
  commands: readonly ReferenceCommand[];
  settings: readonly (Pick<SettingEntry, 'key' | 'title' | 'help'> & { preset: string })[];
}

/** Pages of the reference by group of the catalogue. */
export const GROUP_PAGES: Readonly<Record<DefinitionGroup, { title: string; about: string }>> = {
  systems: { title: 'Dynamical systems', about: 'What moves: the nodes of the graph that have a state.' },
  relations: {
    title: 'Relations',
    about:
      'How an interaction sees its systems: outputs y, and where its multipliers act. The [combinations](combinations.md) say which law can stand on which relation.',
  },
  laws: {
    title: 'Non-smooth laws',
    about:
      'What holds between the outputs and the multipliers of a relation. The [combinations](combinations.md) say which law can stand on which relation, and in which scheme.',
  },
  rowLaws: {
    title: 'Laws of rows',
    about:
      'What the list of the law [PerRow](laws.md#perrow) may consist of: laws of single rows, each with a name, its number of rows and a condition of presence.',
  },
  shapes: { title: 'Shapes', about: 'Outlines of 3D bodies, between which contacts are found.' },
  schemes: { title: 'Schemes', about: 'How a model is advanced in time.' },
  integrators: { title: 'Integrators', about: 'How the motion of a system is discretised.' },
  problems: { title: 'One-step problems', about: 'What is solved for the multipliers of a step.' },
  solvers: { title: 'Solvers', about: 'Algorithms for one-step problems.' },
  impacts: { title: 'Laws of several impacts', about: 'What happens when several contacts close at once.' },
  flights: { title: 'Motion between events', about: 'How the event-driven scheme computes it.' },
  formulations: {
    title: 'Formulations of joints',
    about: 'How the event-driven scheme keeps joints together.',
  },
  analyses: { title: 'Analyses', about: 'What is found out about a model beyond its single runs.' },
  axes: {
    title: 'Axes of sweeps',
    about: 'Values of the parameters and initial states that a sweep varies.',
  },
  presences: {
    title: 'Interactions that come and go',
    about:
      'When an interaction, or a part of the law [PerRow](laws.md#perrow), is there; where its key `while` is left out, it always is.',
  },
  components: {
    title: 'Components',
    about:
      'What circuits are drawn of. Components stand in `components` of a document, and `wires` join their pins; before a run they become systems and interactions.',
  },
  sections: { title: 'Poincaré sections', about: 'States that a run takes when a condition is met.' },
};

const cell = (words: string): string => words.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

function shapeWords(field: FieldDefinition, order: ElementDefinition['order']): string {
  switch (field.kind) {
    case 'integer':
      return `whole number, ${field.min} to ${field.max}`;
    case 'number':
      return 'number';
    case 'text':
      return 'text';
    case 'reference':
      return {
        contact: 'id of a contact',
        parameter: 'name of a parameter',
        section: 'id of a section',
        firstOrderSystem: 'id of a first-order system',
        table: 'name of a table',
      }[field.to];
    case 'vector':
      return `vector (${field.length})`;
    case 'signals':
      return 'list of expressions in signals';
    case 'matrix':
      return `matrix (${field.rows} × ${field.columns})`;
    case 'choice':
      return field.options.map(({ value }) => `\`${value}\``).join(', ');
    case 'function':
      return field.length === undefined ? 'function' : `expressions of t (${field.length}) or function`;
    case 'vectorOrFunction':
      // Beside 3D bodies no control blocks are sampled.
      return `vector (${field.length}), expressions of t${order === 'body' ? ' or function' : ', function or outputs of control blocks'}`;
    case 'matrixOrFunction':
      return `matrix (${field.rows} × ${field.columns})${field.plugin === 'timeMatrix' ? ', expressions of t' : ''} or function`;
    case 'expression':
      return field.of === 'time' ? 'expression of time' : 'expression of time and signals';
    case 'components':
      return `list of ids of components of type ${field.of}`;
    case 'elements':
      return `list of ${field.many}`;
    case 'element':
      return 'a condition of presence';
  }
}

/** One line of the list of fields. */
function fieldLine(field: FieldDefinition, order: ElementDefinition['order']): string {
  const about = [
    ...(field.symbol === '' ? [] : [`$${field.symbol}$`]),
    shapeWords(field, order),
    ...(field.unit === '' ? [] : [`unit ${field.unit}`]),
    ...(field.required ? ['required'] : []),
    ...(field.default === undefined ? [] : [`default ${field.default}`]),
  ].join(', ');
  return `- **${field.label}** \`${field.key}\` (${about}). ${field.help.replaceAll(/\s+/g, ' ')}`;
}

/** What is recorded of a component, and where wires are attached to it. */
function componentLines({ pins = [], quantities = [] }: ElementDefinition): string[] {
  return [
    ...(pins.length === 0
      ? []
      : [`- **Pins**: ${pins.map(({ name, label }) => `\`${name}\` (${label})`).join(', ')}.`]),
    ...(quantities.length === 0
      ? []
      : [
          `- **Signals**: ${quantities.map(({ name, description, unit }) => `\`ID.${name}\` (${description}, ${unit})`).join(', ')}.`,
        ]),
  ];
}

/** What a control block gives, and by what name. */
function outputLine({ output }: ElementDefinition): string[] {
  if (output === undefined) return [];
  const { name, description } = output;
  return [
    `- **Output**: ${description}, named \`ID.${name}\`; if it has several components, \`ID.${name}[k]\`.`,
  ];
}

function definitionText(definition: ElementDefinition): string[] {
  const { type, title, summary, equations, fields, source, order } = definition;
  return [
    `## ${type}`,
    '',
    `**${title}.** ${summary}`,
    '',
    ...equations.flatMap((line) => [`$$ ${line} $$`, '']),
    ...fields.map((field) => fieldLine(field, order)),
    ...outputLine(definition),
    ...componentLines(definition),
    '',
    ...(source === '' ? [] : [`[Source](../theory/references.md): ${source}`, '']),
  ];
}

function groupPage(catalogue: Catalogue, group: DefinitionGroup): string {
  const { title, about } = GROUP_PAGES[group];
  const definitions = catalogue[group];
  return [
    `# ${title}`,
    '',
    about,
    '',
    ...definitions.map(({ type, title: name }) => `- [${name}](#${type.toLowerCase()})`),
    '',
    ...definitions.flatMap(definitionText),
  ].join('\n');
}

/** What the arguments of script functions are, with their shapes and units. */
const ARGUMENTS: Readonly<Record<PluginArgument, string>> = {
  t: 'time, a number, s',
  x: 'state of the first-order system, `n` entries in the units of the model; read only',
  q: 'coordinates, one entry each, m or rad; of several linked systems one after the other; read only',
  v: 'velocities, one entry each, m/s or rad/s; of several linked systems one after the other; read only',
  lambda: 'multipliers of the relation, one for each row; read only',
  out: 'what is to be filled, as said above: write into it, and return nothing',
  p: 'values of the parameters of the model by name, in their units',
};

/** The fields that take functions of a kind, with what is to be filled. */
function uses(catalogue: Catalogue, kind: string): string[] {
  return (Object.keys(GROUP_PAGES) as DefinitionGroup[]).flatMap((group) =>
    catalogue[group].flatMap(({ type, fields }) =>
      fields.flatMap((field) => {
        if (!('plugin' in field) || field.plugin !== kind) return [];
        const shape =
          field.kind === 'matrixOrFunction'
            ? `matrix (${field.rows} × ${field.columns}), row by row`
            : field.kind === 'vectorOrFunction'
              ? `vector (${field.length})`
              : field.label.toLowerCase();
        const unit = field.unit === '' ? '' : `, ${field.unit}`;
        return [`- \`${field.key}\` of [${type}](${group}.md#${type.toLowerCase()}): ${shape}${unit}`];
      }),
    ),
  );
}

function functionsPage(catalogue: Catalogue): string {
  return [
    '# Script functions',
    '',
    'Functions of a model by kind. A field names one as `{ "function": "name" }`, and a [script of the document](document.md#scripts) with the role `functions` exports it. Those that fill something write into `out`; `p` holds the parameters.',
    '',
    ...Object.entries(catalogue.plugins).flatMap(
      ([kind, { typeName, parameters, returns, summary, body }]) => [
        `## ${typeName}`,
        '',
        summary,
        '',
        ...parameters.map((name) => `- \`${name}\`: ${ARGUMENTS[name]}`),
        '',
        ...(uses(catalogue, kind).length === 0 ? [] : ['Taken by:', '', ...uses(catalogue, kind), '']),
        '```ts',
        `export const name: ${typeName} = (${parameters.join(', ')}) => {`,
        `  ${body}`,
        '};',
        '```',
        '',
        ...(returns === 'number' ? ['Returns a number.', ''] : []),
      ],
    ),
  ].join('\n');
}

function commandsPage(commands: readonly ReferenceCommand[]): string {
  return [
    '# Commands and shortcuts',
    '',
    'Every command is in the [command palette](command:view.commandPalette). Shortcuts can be [changed](command:help.shortcuts).',
    '',
    '| Command | Shortcuts | |',
    '| --- | --- | --- |',
    ...commands.map(
      ({ id, title, shortcuts }) =>
        `| [${cell(title)}](command:${id}) | ${shortcuts.map((shortcut) => `\`${shortcut}\``).join(' ')} | \`${id}\` |`,
    ),
    '',
  ].join('\n');
}

function settingsPage(settings: ReferenceSources['settings']): string {
  return [
    '# Settings',
    '',
    '[Open the settings](command:file.settings). They can be exported and imported as a file.',
    '',
    '| Setting | Default | Meaning | |',
    '| --- | --- | --- | --- |',
    ...settings.map(
      ({ key, title, help, preset }) => `| ${cell(title)} | ${cell(preset)} | ${cell(help)} | \`${key}\` |`,
    ),
    '',
  ].join('\n');
}

/** Markdown by path. */
export function referencePages({ catalogue, commands, settings }: ReferenceSources): Map<string, string> {
  const groups = Object.keys(GROUP_PAGES) as DefinitionGroup[];
  return new Map([
    ...groups.map((group): [string, string] => [`reference/${group}.md`, groupPage(catalogue, group)]),
    ['reference/functions.md', functionsPage(catalogue)],
    ['reference/commands.md', commandsPage(commands)],
    ['reference/settings.md', settingsPage(settings)],
  ]);
}
