/**
 * What the card of an element shows. Cards are made when they are asked for, and kept while what they are
 * made of stays the same.
 */
import type {
  DocumentIssue,
  DocumentReport,
  Expression,
  GroupDocument,
  InteractionDocument,
  NoteDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition, Order } from '@engine/model/definition';
import { formatNumber } from '../../components/numbers';
import { bodyFreedom } from '../../document/bodies';
import { pointer } from '../../document/pointer';
import { relationSize, systemDimension } from '../../document/sizes';
import type { ComponentLook } from '../circuit/component-look';
import { type Glyph, interactionGlyph, systemGlyph } from './glyph';
import { MOST_LINKS } from '../arrangement/layout';

interface FlowSymbol {
  latex: string;
  value: string;
}

/** A group or a note as it is drawn. */
interface FrameLook {
  readonly group?: GroupDocument;
  readonly note?: NoteDocument;
  readonly width: number;
  readonly height: number;
}

/** What a node card shows. */
export interface NodeData {
  kind: 'system' | 'interaction' | 'component' | 'summary' | 'missing' | 'frame' | 'group' | 'note';
  glyph: Glyph;
  /** second line: the type in words */
  title: string;
  /** components of x or q, degrees of freedom of a 3D body; rows of y */
  dimension: number;
  /** order of the equations of motion, where it is known */
  order?: Order;
  symbols: FlowSymbol[];
  /** worst severity of the element's issues */
  state: 'good' | 'warning' | 'error';
  messages: string[];
  /** made by a builder script: read-only here */
  built: boolean;
  /** what the ports stand for, e.g. `q, v`; of an interaction, its linked systems by position */
  ports: readonly string[];
  /** number of the systems that it links without lines */
  unlinked?: number;
  /** of a reset the system whose state jumps, empty where it is not chosen yet */
  resets?: string;
  /** of a group or note */
  frame?: FrameLook;
  /** of a component */
  component?: ComponentLook;
  counts?: { systems: number; interactions: number; script: string };
}

export interface CardContext {
  report: DocumentReport;
  catalogue: Catalogue | null;
  /** whether all bodies move in a plane */
  inPlane: boolean;
}

type Values = DocumentReport['values'];

/** Reads values of the report and remembers which it has read. */
class Readings {
  readonly #seen = new Map<string, number | undefined>();

  constructor(private readonly values: Values) {}

  of(value: unknown, place: string): number | undefined {
    if (typeof value === 'number') return value;
    if (typeof value !== 'string') return undefined;
    const number = this.values[place];
    this.#seen.set(place, number);
    return number;
  }

  holdsFor(values: Values): boolean {
    for (const [place, number] of this.#seen) if (values[place] !== number) return false;
    return true;
  }
}

function fieldSymbols(
  fields: readonly FieldDefinition[],
  element: TypedElement,
  place: string,
  read: Readings,
): FlowSymbol[] {
  const symbols: FlowSymbol[] = [];
  for (const field of fields) {
    const value = element[field.key] as Expression | undefined;
    if (field.kind !== 'number') continue;
    // What belongs to a special choice is shown where it has been made.
    if (value === undefined && field.group !== undefined) continue;
    const number = read.of(value ?? field.default, place + pointer(field.key));
    if (number !== undefined) symbols.push({ latex: field.symbol, value: formatNumber(number, 4) });
  }
  return symbols;
}

const NO_ISSUES: readonly DocumentIssue[] = [];
const issueTables = new WeakMap<DocumentReport, Map<string, DocumentIssue[]>>();

/** The issues of an element, from a table that is made once for each report. */
export function issuesOf(report: DocumentReport, id: string): readonly DocumentIssue[] {
  let table = issueTables.get(report);
  if (table === undefined) {
    table = new Map();
    for (const issue of report.issues) {
      if (issue.element === undefined) continue;
      const list = table.get(issue.element);
      if (list === undefined) table.set(issue.element, [issue]);
      else list.push(issue);
    }
    issueTables.set(report, table);
  }
  return table.get(id) ?? NO_ISSUES;
}

/** Worst severity of the issues of an element. */
export function severityOf(report: DocumentReport, id: string): NodeData['state'] {
  const issues = issuesOf(report, id);
  if (issues.length === 0) return 'good';
  return issues.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}

const messagesOf = (report: DocumentReport, id: string): string[] =>
  issuesOf(report, id).map((issue) => `${issue.message} ${issue.remedy}`);

const find = (
  definitions: readonly ElementDefinition[] | undefined,
  type: string,
): ElementDefinition | undefined => definitions?.find((definition) => definition.type === type);

/** What a link to a system carries, by its order. */
function systemPort(order: Order | undefined): string {
  if (order === 1) return 'x';
  if (order === 'signal') return 'u';
  return order === 'body' ? 'x, R, v, ω' : 'q, v';
}

function systemData(context: CardContext, system: SystemDocument, place: string, read: Readings): NodeData {
  const { catalogue, report } = context;
  const definition = find(catalogue?.systems, system.type);
  const common = {
    kind: 'system' as const,
    glyph: systemGlyph(system.type),
    title: definition?.title ?? system.type,
    ...(definition?.order === undefined ? {} : { order: definition.order }),
    state: severityOf(report, system.id),
    messages: messagesOf(report, system.id),
    ports: [systemPort(definition?.order)],
    built: false,
  };
  // Of the numbers of a 3D body those that are given, mass or density.
  if (definition?.order === 'body')
    return {
      ...common,
      dimension: bodyFreedom(definition, context.inPlane),
      symbols: fieldSymbols(definition.fields, system, place, read),
    };
  if (definition?.order === 'signal')
    return {
      ...common,
      ...(system.type === 'Reset' ? { resets: typeof system.of === 'string' ? system.of : '' } : {}),
      dimension: report.signals.filter(({ element, kind }) => element === system.id && kind === 'held')
        .length,
      ports: [definition.output?.name ?? ''],
      symbols: fieldSymbols(definition.fields, system, place, read),
    };
  const dimension = systemDimension(system);
  const [letter, startKey] = definition?.order === 1 ? ['x', 'x0'] : ['q', 'q0'];
  const symbols: FlowSymbol[] =
    dimension === 1
      ? [{ latex: letter, value: '' }]
      : [{ latex: `${letter} \\in \\mathbb{R}^{${dimension}}`, value: '' }];
  const start = system[startKey];
  if (dimension === 1 && Array.isArray(start)) {
    const value = read.of(start[0], place + pointer(startKey, 0));
    if (value !== undefined) symbols.splice(0, 1, { latex: `${letter}_0`, value: formatNumber(value, 4) });
  }
  return { ...common, dimension, symbols };
}

function interactionData(
  context: CardContext,
  interaction: InteractionDocument,
  place: string,
  read: Readings,
): NodeData {
  const { catalogue, report } = context;
  const relation = find(catalogue?.relations, interaction.relation.type);
  const law = find(catalogue?.laws, interaction.law.type);
  const size = relationSize(interaction.relation, relation);
  return {
    kind: 'interaction',
    glyph: interactionGlyph(interaction.relation.type, interaction.law.type),
    // Between bodies the relation says what stands there; elsewhere relations differ by their form only.
    title: relation?.links === undefined ? (law?.title ?? interaction.law.type) : relation.title,
    dimension: size,
    ...(relation?.order === undefined ? {} : { order: relation.order }),
    symbols: [
      ...fieldSymbols(law?.fields ?? [], interaction.law, place + pointer('law'), read),
      ...(size > 1 ? [{ latex: `y \\in \\mathbb{R}^{${size}}`, value: '' }] : []),
      ...(interaction.while === undefined ? [] : [{ latex: 'c \\ge 0', value: '' }]),
    ],
    ...(interaction.systems.length > MOST_LINKS ? { unlinked: interaction.systems.length } : {}),
    state: severityOf(report, interaction.id),
    messages: messagesOf(report, interaction.id),
    ports: interaction.systems.length > MOST_LINKS ? [] : interaction.systems,
    built: false,
  };
}

interface Kept {
  readonly catalogue: Catalogue | null;
  readonly inPlane: boolean;
  readonly place: string;
  readonly issues: readonly DocumentIssue[];
  readonly readings: Readings;
  readonly data: NodeData;
}

const sameIssues = (a: readonly DocumentIssue[], b: readonly DocumentIssue[]): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every(
      (issue, i) =>
        issue.message === b[i]?.message && issue.severity === b[i].severity && issue.remedy === b[i].remedy,
    ));

/**
 * Cards by their element. Documents share what an edit does not touch, so that an element that is the same
 * object is the same in content, too; what else a card depends on is compared.
 */
export class Cards {
  readonly #kept = new WeakMap<SystemDocument | InteractionDocument, Kept>();

  of(
    context: CardContext,
    element: SystemDocument | InteractionDocument,
    section: 'systems' | 'interactions',
    index: number,
    built: boolean,
  ): NodeData {
    const place = pointer(section, index);
    const issues = issuesOf(context.report, element.id);
    const kept = this.#kept.get(element);
    if (
      kept !== undefined &&
      kept.catalogue === context.catalogue &&
      kept.inPlane === context.inPlane &&
      kept.place === place &&
      kept.data.built === built &&
      sameIssues(kept.issues, issues) &&
      kept.readings.holdsFor(context.report.values)
    )
      return kept.data;
    const readings = new Readings(context.report.values);
    const data =
      section === 'systems'
        ? systemData(context, element as SystemDocument, place, readings)
        : interactionData(context, element as InteractionDocument, place, readings);
    data.built = built;
    const { catalogue, inPlane } = context;
    this.#kept.set(element, { catalogue, inPlane, place, issues, readings, data });
    return data;
  }
}
