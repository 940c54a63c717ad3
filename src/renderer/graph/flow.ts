/** The document as nodes and edges of the graph editor: pure, one direction. */
import type {
  DocumentReport,
  Expression,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition, Order } from '@engine/model/definition';
import type { Edge, Node } from '@vue-flow/core';
import { formatNumber } from '../components/numbers';
import { bodyFreedom, hasFlatShapes } from '../document/bodies';
import { interactionSizes, systemDimension } from '../document/sizes';
import { pointer } from '../document/pointer';
import { type Glyph, interactionGlyph, systemGlyph } from './glyph';
import { MOST_LINKS, NODE_SIZE, nodePositions, type Point } from './layout';

/** More built elements than this are drawn as one node. */
export const MOST_DRAWN = 300;

export interface FlowSymbol {
  latex: string;
  value: string;
}

/** What a node card shows. */
export interface NodeData {
  kind: 'system' | 'interaction' | 'summary';
  glyph: Glyph;
  /** second line: the type in words */
  title: string;
  /** components of x or q, degrees of freedom of a body in space; rows of y */
  dimension: number;
  /** order of the equations of motion, where it is known */
  order?: Order;
  symbols: FlowSymbol[];
  /** worst severity of the element's issues */
  state: 'good' | 'warning' | 'error';
  messages: string[];
  /** made by a builder script: read-only here */
  built: boolean;
  /** number of the systems that it links without lines */
  unlinked?: number;
  counts?: { systems: number; interactions: number; script: string };
}

interface Context {
  document: ModelDocument;
  report: DocumentReport;
  catalogue: Catalogue | null;
}

interface SystemContext extends Context {
  /** whether all bodies move in a plane */
  inPlane: boolean;
}

function numberOf(value: unknown, place: string, report: DocumentReport): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return report.values[place];
  return undefined;
}

function fieldSymbols(
  fields: readonly FieldDefinition[],
  element: TypedElement,
  place: string,
  report: DocumentReport,
): FlowSymbol[] {
  const symbols: FlowSymbol[] = [];
  for (const field of fields) {
    const value = element[field.key] as Expression | undefined;
    if (field.kind !== 'number') continue;
    // What belongs to a special choice is shown where it has been made.
    if (value === undefined && field.group !== undefined) continue;
    const number = numberOf(value ?? field.default, place + pointer(field.key), report);
    if (number !== undefined) symbols.push({ latex: field.symbol, value: formatNumber(number, 4) });
  }
  return symbols;
}

function state(context: Context, id: string): Pick<NodeData, 'state' | 'messages'> {
  const issues = context.report.issues.filter((issue) => issue.element === id);
  const worst = issues.some((issue) => issue.severity === 'error')
    ? 'error'
    : issues.length > 0
      ? 'warning'
      : 'good';
  return { state: worst, messages: issues.map((issue) => `${issue.message} ${issue.remedy}`) };
}

const find = (
  definitions: readonly ElementDefinition[] | undefined,
  type: string,
): ElementDefinition | undefined => definitions?.find((definition) => definition.type === type);

function systemData(context: SystemContext, system: SystemDocument, place: string, built: boolean): NodeData {
  const definition = find(context.catalogue?.systems, system.type);
  if (definition?.order === 'body') return bodyData(context, system, definition, place, built);
  const dimension = systemDimension(system);
  const [letter, startKey] = definition?.order === 1 ? ['x', 'x0'] : ['q', 'q0'];
  const symbols: FlowSymbol[] =
    dimension === 1
      ? [{ latex: letter, value: '' }]
      : [{ latex: `${letter} \\in \\mathbb{R}^{${dimension}}`, value: '' }];
  const start = system[startKey];
  if (dimension === 1 && Array.isArray(start)) {
    const value = numberOf(start[0], place + pointer(startKey, 0), context.report);
    if (value !== undefined) symbols.splice(0, 1, { latex: `${letter}_0`, value: formatNumber(value, 4) });
  }
  return {
    kind: 'system',
    glyph: systemGlyph(system.type),
    title: definition?.title ?? system.type,
    dimension,
    ...(definition?.order === undefined ? {} : { order: definition.order }),
    symbols,
    ...state(context, system.id),
    built,
  };
}

/** A body in space: of its numbers those that are given, mass or density. */
function bodyData(
  context: SystemContext,
  system: SystemDocument,
  definition: ElementDefinition,
  place: string,
  built: boolean,
): NodeData {
  return {
    kind: 'system',
    glyph: systemGlyph(system.type),
    title: definition.title,
    dimension: bodyFreedom(definition, context.inPlane),
    order: 'body',
    symbols: fieldSymbols(definition.fields, system, place, context.report),
    ...state(context, system.id),
    built,
  };
}

function interactionData(
  context: Context,
  interaction: InteractionDocument,
  place: string,
  built: boolean,
): NodeData {
  const { catalogue, report } = context;
  const relation = find(catalogue?.relations, interaction.relation.type);
  const law = find(catalogue?.laws, interaction.law.type);
  const { size } = interactionSizes(context.document, interaction, relation);
  return {
    kind: 'interaction',
    glyph: interactionGlyph(interaction.relation.type, interaction.law.type),
    // Between bodies the relation says what stands there; elsewhere relations differ by their form only.
    title: relation?.links === undefined ? (law?.title ?? interaction.law.type) : relation.title,
    dimension: size,
    ...(relation?.order === undefined ? {} : { order: relation.order }),
    symbols: [
      ...fieldSymbols(law?.fields ?? [], interaction.law, place + pointer('law'), report),
      ...(size > 1 ? [{ latex: `y \\in \\mathbb{R}^{${size}}`, value: '' }] : []),
    ],
    ...(interaction.systems.length > MOST_LINKS ? { unlinked: interaction.systems.length } : {}),
    ...state(context, interaction.id),
    built,
  };
}

/** Name of the script that builds elements; empty without one. */
function builderScript(document: ModelDocument): string {
  return document.scripts.find((script) => script.role === 'builder')?.name ?? '';
}

/** Nodes and edges of the document and of what its builder script adds. */
export function flowElements(context: Context): { nodes: Node<NodeData>[]; edges: Edge[] } {
  const { document, report } = context;
  const built = report.built ?? { systems: [], interactions: [] };
  const summarised = built.systems.length + built.interactions.length > MOST_DRAWN;
  const extra = summarised ? { systems: [], interactions: [] } : built;
  const systems = [...document.systems, ...extra.systems];
  const interactions = [...document.interactions, ...extra.interactions];
  const positions = nodePositions({ systems, interactions }, document.layout.nodes);
  const inContext = { ...context, inPlane: hasFlatShapes([...document.systems, ...built.systems]) };
  const nodes: Node<NodeData>[] = [];
  const add = (id: string, data: NodeData): void => {
    const label = `${data.kind} ${id}, ${data.title}`;
    nodes.push({
      id,
      type: data.kind,
      position: positions[id] ?? { x: 0, y: 0 },
      data,
      draggable: !data.built,
      connectable: !data.built,
      ariaLabel: data.state === 'good' ? label : `${label}: ${data.messages.join(' ')}`,
    });
  };
  systems.forEach((system, i) => {
    const own = i < document.systems.length;
    add(system.id, systemData(inContext, system, pointer('systems', i), !own));
  });
  interactions.forEach((interaction, i) => {
    const own = i < document.interactions.length;
    add(interaction.id, interactionData(context, interaction, pointer('interactions', i), !own));
  });
  if (summarised) add('built', summary(document, built.systems.length, built.interactions.length));
  return { nodes, edges: flowEdges(interactions, positions, new Set(nodes.map((node) => node.id))) };
}

function summary(document: ModelDocument, systems: number, interactions: number): NodeData {
  return {
    kind: 'summary',
    glyph: 'system',
    title: '',
    dimension: 0,
    symbols: [],
    state: 'good',
    messages: [],
    built: true,
    counts: { systems, interactions, script: builderScript(document) },
  };
}

type Side = 'left' | 'right' | 'top' | 'bottom';

/** Sides at which an edge leaves one node and enters the other: the ones that face each other. */
function facing(from: Point, to: Point): [Side, Side] {
  const isAbove = Math.abs(to.x - from.x) < NODE_SIZE.width && Math.abs(to.y - from.y) >= NODE_SIZE.height;
  if (isAbove) return from.y < to.y ? ['bottom', 'top'] : ['top', 'bottom'];
  return from.x <= to.x ? ['right', 'left'] : ['left', 'right'];
}

const ORIGIN: Point = { x: 0, y: 0 };

function flowEdges(
  interactions: readonly InteractionDocument[],
  positions: Record<string, Point>,
  drawn: ReadonlySet<string>,
): Edge[] {
  const edges: Edge[] = [];
  for (const interaction of interactions) {
    if (interaction.systems.length > MOST_LINKS) continue;
    for (const system of interaction.systems) {
      if (!drawn.has(system)) continue;
      const [sourceHandle, targetHandle] = facing(
        positions[system] ?? ORIGIN,
        positions[interaction.id] ?? ORIGIN,
      );
      edges.push({
        id: `${interaction.id}--${system}`,
        source: system,
        target: interaction.id,
        sourceHandle,
        targetHandle,
        data: { interaction: interaction.id, system },
      });
    }
  }
  return edges;
}
