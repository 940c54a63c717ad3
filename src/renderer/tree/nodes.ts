/** The document as a tree. Children are made when they are asked for: a model may have very many elements. */
import type {
  DocumentReport,
  InstanceDocument,
  InteractionDocument,
  ModelDocument,
} from '@engine/document/types';
import type { DefinitionGroup } from '../stores/catalogue';
import type { Step } from '../stores/drawing';
import { pointer } from '../document/pointer';
import { noteTitle } from '../graph/canvas/flow';
import { viewKind } from '@views/offers';
import { counted, text } from '../i18n';
import { builtBy, type BuiltBy } from '../script/built';

export type NodeKind =
  | 'model'
  | 'section'
  | 'parameter'
  | 'system'
  | 'interaction'
  | 'component'
  | 'instance'
  | 'definition'
  | 'wire'
  | 'link'
  | 'relation'
  | 'law'
  | 'script'
  | 'function'
  | 'simulation'
  | 'setting'
  | 'observable'
  | 'table'
  | 'view'
  | 'reference'
  | 'group'
  | 'member'
  | 'note';

/** List of the document that a node belongs to, or stands for. */
export type TreeList =
  | 'parameters'
  | 'systems'
  | 'interactions'
  | 'components'
  | 'instances'
  | 'wires'
  | 'links'
  | 'scripts'
  | 'observables'
  | 'tables'
  | 'views'
  | 'references';

export interface TreeNode {
  /** tells it from every other node, also after an edit elsewhere */
  readonly key: string;
  readonly kind: NodeKind;
  readonly label: string;
  /** type, value or size, shown after the label */
  readonly detail: string;
  /** JSON pointer; empty for the whole document, null for what the document does not hold */
  readonly pointer: string | null;
  /** the system or interaction it stands for */
  readonly id?: string;
  /** the drawing that it stands in, where that is the inside of a sub-model */
  readonly way?: readonly Step[];
  /** the drawing that it opens */
  readonly opens?: readonly Step[];
  /** list that it is an entry of, and its place there */
  readonly list?: TreeList;
  readonly index?: number;
  /** list that entries can be added to here */
  readonly adds?: TreeList;
  /** made by a script: shown, not changed */
  readonly isBuilt?: boolean;
  /** script to open, and the 1-based line in it */
  readonly script?: { readonly name: string; readonly line: number };
  readonly childCount: number;
  readonly children: () => readonly TreeNode[];
}

/** The key a node has under another name. */
export function renamedKey({ key, kind }: TreeNode, name: string): string {
  const isNamed = [
    'parameter',
    'system',
    'interaction',
    'component',
    'instance',
    'wire',
    'script',
    'observable',
    'table',
  ].includes(kind);
  return isNamed ? `${kind}:${name}` : key;
}

/** What the tree is made of. */
export interface TreeSource {
  readonly document: ModelDocument;
  readonly report: Pick<DocumentReport, 'exports' | 'built' | 'values' | 'parameters'>;
  /** what a type is called */
  readonly title: (group: DefinitionGroup, type: string) => string;
}

const NONE: readonly TreeNode[] = [];
const leaf = { childCount: 0, children: () => NONE };

const branch = (
  count: number,
  children: () => readonly TreeNode[],
): Pick<TreeNode, 'childCount' | 'children'> => ({
  childCount: count,
  children,
});

function section(
  list: TreeList,
  label: string,
  count: number,
  children: () => readonly TreeNode[],
  place = pointer(list),
): TreeNode {
  return {
    key: `section:${list}`,
    kind: 'section',
    label,
    detail: String(count),
    pointer: place,
    adds: list,
    ...branch(count, children),
  };
}

function parameterNodes({ document }: TreeSource): TreeNode[] {
  return document.parameters.map(({ name, value, unit }, index) => ({
    key: `parameter:${name}`,
    kind: 'parameter',
    label: name,
    detail: `= ${value} ${unit ?? ''}`.trim(),
    pointer: pointer('parameters', index),
    list: 'parameters',
    index,
    ...leaf,
  }));
}

function systemNodes({ document, title }: TreeSource): TreeNode[] {
  return document.systems.map(({ id, type }, index) => ({
    key: `system:${id}`,
    kind: 'system',
    label: id,
    detail: title('systems', type),
    pointer: pointer('systems', index),
    id,
    list: 'systems',
    index,
    ...leaf,
  }));
}

function componentNodes({ document, title }: TreeSource): TreeNode[] {
  return (document.components ?? []).map(({ id, type }, index) => ({
    key: `component:${id}`,
    kind: 'component',
    label: id,
    detail: title('components', type),
    pointer: pointer('components', index),
    id,
    list: 'components',
    index,
    ...leaf,
  }));
}

function wireNodes({ document }: TreeSource): TreeNode[] {
  return (document.wires ?? []).map(({ id, ends }, index) => ({
    key: `wire:${id}`,
    kind: 'wire',
    label: id,
    detail: ends.join(', '),
    pointer: pointer('wires', index),
    id,
    list: 'wires',
    index,
    ...leaf,
  }));
}

/** Tells the inside of a sub-model from those of others, e.g. `leg1.upper`. */
export const wayKey = (way: readonly Step[]): string =>
  way.map(({ of, instance }) => instance ?? `:${of}`).join('.');

/** Components and sub-models inside of one, which all instances of it share. */
function insideNodes(source: TreeSource, way: readonly Step[]): TreeNode[] {
  const { submodels = [] } = source.document;
  const at = submodels.findIndex(({ id }) => id === way.at(-1)?.of);
  const own = submodels[at];
  if (own === undefined) return [];
  const place = pointer('submodels', at);
  return [
    ...own.components.map(({ id, type }, k): TreeNode => ({
      key: `inside:${wayKey(way)}.${id}`,
      kind: 'component',
      label: id,
      detail: source.title('components', type),
      pointer: place + pointer('components', k),
      id,
      way,
      ...leaf,
    })),
    ...(own.instances ?? []).map((instance, k): TreeNode => ({
      ...instanceNode(source, instance, way),
      key: `inside:${wayKey(way)}.${instance.id}`,
      pointer: place + pointer('instances', k),
      way,
    })),
  ];
}

const insideCount = ({ submodels = [] }: ModelDocument, of: string): number => {
  const own = submodels.find(({ id }) => id === of);
  return own === undefined ? 0 : own.components.length + (own.instances?.length ?? 0);
};

function instanceNode(source: TreeSource, instance: InstanceDocument, way: readonly Step[]): TreeNode {
  const { id, of } = instance;
  const { document } = source;
  const definition = document.submodels?.find((one) => one.id === of);
  // What is inside of itself is a defect; its branch ends here.
  const goesOn = definition !== undefined && !way.some((step) => step.of === of);
  const opens = [...way, { of, instance: id }];
  return {
    key: `instance:${id}`,
    kind: 'instance',
    label: id,
    detail: [instance.count === undefined ? '' : `×${instance.count}`, definition?.title ?? of]
      .join(' ')
      .trim(),
    pointer: null,
    id,
    ...(goesOn ? { opens, ...branch(insideCount(document, of), () => insideNodes(source, opens)) } : leaf),
  };
}

function instanceNodes(source: TreeSource): TreeNode[] {
  return (source.document.instances ?? []).map((instance, index) => ({
    ...instanceNode(source, instance, []),
    pointer: pointer('instances', index),
    list: 'instances',
    index,
  }));
}

/** Definitions of components of one’s own. */
function definitionNodes(source: TreeSource): TreeNode[] {
  const { document } = source;
  return (document.submodels ?? []).map(({ id, title = '' }, index): TreeNode => {
    const opens = [{ of: id, instance: null }];
    return {
      key: `definition:${id}`,
      kind: 'definition',
      label: id,
      detail: title,
      pointer: pointer('submodels', index),
      opens,
      ...branch(insideCount(document, id), () => insideNodes(source, opens)),
    };
  });
}

/** Components and wires, where there are any, and definitions of one’s own. */
function circuitSections(source: TreeSource): TreeNode[] {
  const { components = [], instances = [], wires = [], submodels = [] } = source.document;
  const count = components.length + instances.length;
  return [
    ...(count === 0
      ? []
      : [
          section('components', text('tree.components'), count, () => [
            ...componentNodes(source),
            ...instanceNodes(source),
          ]),
        ]),
    ...(submodels.length === 0
      ? []
      : [
          {
            key: 'section:submodels',
            kind: 'section' as const,
            label: text('submodels.family'),
            detail: String(submodels.length),
            pointer: pointer('submodels'),
            ...branch(submodels.length, () => definitionNodes(source)),
          },
        ]),
    ...(wires.length === 0
      ? []
      : [section('wires', text('tree.wires'), wires.length, () => wireNodes(source))]),
  ];
}

function interactionParts(
  { title }: TreeSource,
  { id, systems, relation, law }: InteractionDocument,
  place: string | null,
  isBuilt: boolean,
): TreeNode[] {
  const part = (kind: 'relation' | 'law', detail: string): TreeNode => ({
    key: `${kind}:${id}`,
    kind,
    label: text(`inspector.${kind}`),
    detail,
    pointer: place === null ? null : place + pointer(kind),
    id,
    isBuilt,
    ...leaf,
  });
  return [
    ...systems.map((system, index): TreeNode => ({
      key: `link:${id}:${system}`,
      kind: 'link',
      label: system,
      detail: '',
      pointer: place === null ? null : place + pointer('systems', index),
      id: system,
      isBuilt,
      ...(isBuilt ? {} : { list: 'links' as const, index }),
      ...leaf,
    })),
    part('relation', title('relations', relation.type)),
    part('law', title('laws', law.type)),
  ];
}

function interactionNodes(source: TreeSource): TreeNode[] {
  return source.document.interactions.map((interaction, index) => {
    const { id, systems, relation } = interaction;
    const place = pointer('interactions', index);
    return {
      key: `interaction:${id}`,
      kind: 'interaction',
      label: id,
      detail: source.title('relations', relation.type),
      pointer: place,
      id,
      list: 'interactions',
      index,
      ...branch(systems.length + 2, () => interactionParts(source, interaction, place, false)),
    };
  });
}

const declared = (line: string, name: string): boolean =>
  new RegExp(`export\\s+(?:default\\s+)?(?:const|let|function)\\s+${name.replace(/[^\w]/g, '\\$&')}\\b`).test(
    line,
  );

function scriptNodes(source: TreeSource): TreeNode[] {
  const { document, report } = source;
  return document.scripts.map(({ name, role, source: lines }, index) => {
    const place = pointer('scripts', index);
    const exported = report.exports[name] ?? [];
    const made = role === 'builder' ? madeBy(source, name) : null;
    const count = exported.length + (made === null ? 0 : made.systems.length + made.interactions.length);
    const functions = (): TreeNode[] =>
      exported.map((label): TreeNode => {
        const line = lines.findIndex((candidate) => declared(candidate, label)) + 1;
        return {
          key: `function:${name}:${label}`,
          kind: 'function',
          label,
          detail: '',
          pointer: line > 0 ? place + pointer('source', line - 1) : place,
          script: { name, line: Math.max(1, line) },
          ...leaf,
        };
      });
    return {
      key: `script:${name}`,
      kind: 'script',
      label: name,
      detail: role === 'builder' ? text('script.builder') : '',
      pointer: place,
      list: 'scripts',
      index,
      script: { name, line: 1 },
      ...branch(count, () => [...functions(), ...(made === null ? [] : builtNodes(source, made))]),
    };
  });
}

/** What a builder script has made; null while that is not known. */
function madeBy({ document, report }: TreeSource, script: string): BuiltBy | null {
  if (report.built === undefined) return null;
  const builders = document.scripts.flatMap(({ name, role }) => (role === 'builder' ? [name] : []));
  return builtBy(report.built, script, builders);
}

/** Nodes of what a builder script has made: read-only. */
function builtNodes(source: TreeSource, { systems, interactions }: BuiltBy): TreeNode[] {
  return [
    ...systems.map(({ id, type }): TreeNode => ({
      key: `system:${id}`,
      kind: 'system',
      label: id,
      detail: source.title('systems', type),
      pointer: null,
      id,
      isBuilt: true,
      ...leaf,
    })),
    ...interactions.map((interaction): TreeNode => ({
      key: `interaction:${interaction.id}`,
      kind: 'interaction',
      label: interaction.id,
      detail: source.title('relations', interaction.relation.type),
      pointer: null,
      id: interaction.id,
      isBuilt: true,
      ...branch(interaction.systems.length + 2, () => interactionParts(source, interaction, null, true)),
    })),
  ];
}

function simulationNode({ document, title }: TreeSource): TreeNode {
  const { simulation } = document;
  const setting = (key: string, label: string, detail: string, ...path: (string | number)[]): TreeNode => ({
    key: `simulation:${key}`,
    kind: 'setting',
    label,
    detail,
    pointer: pointer('simulation', ...path),
    ...leaf,
  });
  const children = (): TreeNode[] => [
    setting('tEnd', text('simulation.tEnd'), `${simulation.tEnd} s`, 'tEnd'),
    setting('h', text('simulation.h'), `${simulation.h} s`, 'h'),
    ...simulation.integrators.map((integrator, index) =>
      setting(
        `integrator${index}`,
        text('inspector.integrator'),
        title('integrators', integrator.type),
        'integrators',
        index,
      ),
    ),
    setting('problem', text('inspector.problem'), title('problems', simulation.problem.type), 'problem'),
    setting('solver', text('inspector.solver'), title('solvers', simulation.solver.type), 'solver'),
  ];
  return {
    key: 'simulation',
    kind: 'simulation',
    label: text('inspector.simulation'),
    detail: title('schemes', simulation.scheme),
    pointer: '/simulation',
    ...branch(4 + simulation.integrators.length, children),
  };
}

function observableNodes({ document }: TreeSource): TreeNode[] {
  return document.observables.map(({ name, expression, function: fn, system }, index) => ({
    key: `observable:${name}`,
    kind: 'observable',
    label: name,
    detail: expression === undefined ? `${fn ?? ''}(${system ?? ''})` : `= ${expression}`,
    pointer: pointer('observables', index),
    list: 'observables',
    index,
    ...leaf,
  }));
}

function tableNodes({ document }: TreeSource): TreeNode[] {
  return (document.tables ?? []).map(({ id, unit, t }, index) => ({
    key: `table:${id}`,
    kind: 'table',
    label: id,
    detail: [counted('tree.points', t.length), unit ?? ''].join(' ').trim(),
    pointer: pointer('tables', index),
    list: 'tables',
    index,
    ...leaf,
  }));
}

function viewNodes({ document }: TreeSource): TreeNode[] {
  return document.views.map((view, index) => {
    const known = viewKind(view.type);
    const kind = known === undefined ? view.type : text(known.title);
    return {
      key: `view:${view.id}`,
      kind: 'view',
      label: view.title === undefined || view.title === '' ? kind : view.title,
      detail: view.title === undefined || view.title === '' ? '' : kind,
      pointer: pointer('views', index),
      list: 'views',
      index,
      ...leaf,
    };
  });
}

function referenceNodes({ document }: TreeSource): TreeNode[] {
  return (document.references ?? []).map((reference, index) => ({
    key: `reference:${index}`,
    kind: 'reference',
    label: reference,
    detail: '',
    pointer: pointer('references', index),
    list: 'references',
    index,
    ...leaf,
  }));
}

/** A part of the layout; it is no list of the document as others are. */
function layoutSection(key: 'groups' | 'notes', nodes: TreeNode[]): TreeNode[] {
  if (nodes.length === 0) return [];
  return [
    {
      key: `section:${key}`,
      kind: 'section',
      label: text(`tree.${key}`),
      detail: String(nodes.length),
      pointer: pointer('layout', key),
      ...branch(nodes.length, () => nodes),
    },
  ];
}

function groupNodes({ document }: TreeSource): TreeNode[] {
  const elements = new Set([...document.systems, ...document.interactions].map(({ id }) => id));
  return (document.layout.groups ?? []).map(({ id, name, members }, index) => {
    const place = pointer('layout', 'groups', index);
    return {
      key: `group:${id}`,
      kind: 'group',
      label: name,
      detail: counted('graphFrames.members', members.length),
      pointer: place,
      index,
      ...branch(members.length, () =>
        members.map((member, k): TreeNode => ({
          key: `member:${id}:${member}`,
          kind: 'member',
          label: member,
          detail: '',
          pointer: place + pointer('members', k),
          ...(elements.has(member) ? { id: member } : {}),
          ...leaf,
        })),
      ),
    };
  });
}

const noteNodes = ({ document }: TreeSource): TreeNode[] =>
  (document.layout.notes ?? []).map(({ id, text: words }, index) => ({
    key: `note:${id}`,
    kind: 'note',
    label: noteTitle(words),
    detail: '',
    pointer: pointer('layout', 'notes', index),
    index,
    ...leaf,
  }));

/** The nodes under which everything else stands; the first is the model itself. */
export function modelTree(source: TreeSource): TreeNode[] {
  const { document } = source;
  const { references = [], tables = [] } = document;
  return [
    { key: 'model', kind: 'model', label: document.title, detail: '', pointer: '', ...leaf },
    section('parameters', text('parameters.title'), document.parameters.length, () => parameterNodes(source)),
    ...circuitSections(source),
    section('systems', text('tree.systems'), document.systems.length, () => systemNodes(source)),
    section('interactions', text('tree.interactions'), document.interactions.length, () =>
      interactionNodes(source),
    ),
    section('scripts', text('tree.scripts'), document.scripts.length, () => scriptNodes(source)),
    simulationNode(source),
    section('observables', text('inspector.observables'), document.observables.length, () =>
      observableNodes(source),
    ),
    ...(tables.length === 0
      ? []
      : [section('tables', text('inspector.tables'), tables.length, () => tableNodes(source))]),
    section('views', text('tree.views'), document.views.length, () => viewNodes(source)),
    ...layoutSection('groups', groupNodes(source)),
    ...layoutSection('notes', noteNodes(source)),
    ...(references.length === 0
      ? []
      : [
          section('references', text('inspector.references'), references.length, () =>
            referenceNodes(source),
          ),
        ]),
  ];
}
