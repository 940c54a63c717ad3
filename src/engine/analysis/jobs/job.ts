/** An analysis of a document as a job: it says everything that its result depends on. */
import {
  type AnalysisRequest,
  type BasinsRequest,
  type BranchRequest,
  type LyapunovRequest,
  type OrbitRequest,
  type SweepRequest,
  readAnalysis,
} from '../../document/analyses';
import type { EvaluationContext } from '../../document/field-values';
import { HeldSignals } from '../../document/held-signals';
import { evaluateParameters } from '../../document/parameters';
import { structuralErrors } from '../../document/structure';
import type { DocumentIssue, Expression, ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import type { SectionRequest, SweepJob } from '../sweep/job';

/** Values of parameters in place of the document's. */
export type Substitution = Readonly<Record<string, Expression>>;

/** A sweep; in both directions it is two of them. */
export interface SweepAnalysis {
  readonly kind: 'sweep';
  readonly sweeps: readonly SweepJob[];
}

/** What one thread computes. */
export interface SingleAnalysis {
  readonly kind: 'orbit' | 'branch' | 'lyapunov';
  readonly document: ModelDocument;
  readonly request: OrbitRequest | BranchRequest | LyapunovRequest;
}

/** Starts of a plane, which all cores share. */
export interface BasinsAnalysis {
  readonly kind: 'basins';
  readonly document: ModelDocument;
  readonly request: BasinsRequest;
}

export type AnalysisJob = SweepAnalysis | SingleAnalysis | BasinsAnalysis;

/**
 * The parts of a document that motions depend on: everything else is left out, so that plots do not make
 * another job of it.
 */
function bare(document: ModelDocument): ModelDocument {
  const { formatVersion, title, parameters, systems, interactions, components, instances, wires, submodels } =
    document;
  const { simulation, observables, scripts } = document;
  const { sections: _, recording: __, ...settings } = simulation;
  return {
    formatVersion,
    title,
    parameters: parameters.map(({ name, value, unit }) => ({
      name,
      value,
      ...(unit !== undefined && { unit }),
    })),
    systems,
    interactions,
    ...(components !== undefined && { components }),
    ...(instances !== undefined && { instances }),
    ...(wires !== undefined && { wires }),
    ...(submodels !== undefined && { submodels }),
    simulation: settings,
    observables,
    scripts,
    views: [],
    layout: { nodes: {} },
  };
}

function sectionOf({ section }: NonNullable<SweepRequest['section']>): SectionRequest {
  const {
    type,
    period = 0,
    phase,
    contact = '',
    state,
    g = '',
    direction,
  } = section as Record<string, unknown>;
  switch (type) {
    case 'stroboscopic':
      return {
        kind: 'stroboscopic',
        period: period as Expression,
        ...(phase !== undefined && { phase: phase as Expression }),
      };
    case 'impact':
      return {
        kind: 'impact',
        contact: contact as string,
        ...(state !== undefined && { state: state as 'before' | 'after' }),
      };
    default:
      return {
        kind: 'surface',
        g: g as string,
        ...(direction !== undefined && { direction: direction as 'rising' | 'falling' | 'both' }),
      };
  }
}

function sweepsOf(document: ModelDocument, request: SweepRequest): SweepJob[] {
  const { plan, section, measures, skip, start, scheme, tEnd, accuracy } = request;
  const starts = start === 'both' ? (['up', 'down'] as const) : [start];
  return starts.map((one) => ({
    document,
    ...(scheme !== undefined && { scheme }),
    ...(tEnd !== undefined && { tEnd }),
    plan,
    ...(section !== undefined && {
      section: {
        section: sectionOf(section),
        transient: section.transient,
        count: section.count,
        ...(section.signals !== undefined && { signals: section.signals }),
      },
    }),
    measures,
    ...(skip > 0 && { skip }),
    ...(one !== 'initial' && { start: one }),
    ...(accuracy === true && { accuracy }),
  }));
}

/** Parameters only: nothing of an analysis needs a script. */
function contextOf(document: ModelDocument, issues: DocumentIssue[]): EvaluationContext {
  const { values, broken, issues: found } = evaluateParameters(document.parameters);
  issues.push(...found);
  return {
    parameters: values,
    brokenParameters: broken,
    functions: () => null,
    functionNames: [],
    issues,
    values: {},
    plugins: {},
    held: new HeldSignals(),
    derivatives: () => {
      throw new Error('an analysis has no field with a derivative');
    },
  };
}

/** The job of a request. @param model the document without everything else */
function jobOf(model: ModelDocument, request: AnalysisRequest): AnalysisJob {
  if (request.kind === 'sweep') return { kind: 'sweep', sweeps: sweepsOf(model, request) };
  if (request.kind === 'basins') return { kind: 'basins', document: model, request };
  return { kind: request.kind, document: model, request };
}

/** @returns the job of an analysis by its number, or its defects */
type Read = (index: number) => AnalysisJob | readonly DocumentIssue[];

/** What all analyses of a document have in common is found out once. */
function reader(document: ModelDocument): Read {
  const issues = structuralErrors(document);
  if (issues.length > 0) return () => issues;
  const context = contextOf(document, issues);
  const model = bare(document);
  return (index) => {
    const own = [...issues];
    const request = readAnalysis(document, index, { ...context, issues: own });
    return own.length > 0 ? own : jobOf(model, request);
  };
}

const isJob = (found: ReturnType<Read>): found is AnalysisJob => 'kind' in found;

/**
 * @param id of an analysis of the document
 * @throws {EngineError} `unknown-analysis`, or its first defect
 */
export function analysisJob(document: ModelDocument, id: string): AnalysisJob {
  const read = reader(document);
  const index = (document.analyses ?? []).findIndex((one) => one.id === id);
  const found = index < 0 ? null : read(index);
  if (found === null) throw unknownAnalysis(document, id);
  if (isJob(found)) return found;
  const [{ message, pointer, remedy }] = found;
  throw new EngineError({ code: 'invalid-analysis', message, where: pointer, remedy });
}

/** Jobs of all analyses of a document, in their order; null for those that have defects. */
export function analysisJobs(document: ModelDocument): (AnalysisJob | null)[] {
  const read = reader(document);
  return (document.analyses ?? []).map((_, index) => {
    const found = read(index);
    return isJob(found) ? found : null;
  });
}

function unknownAnalysis({ analyses = [] }: ModelDocument, id: string): EngineError {
  return new EngineError({
    code: 'unknown-analysis',
    message: `The model has no analysis “${id}”.`,
    where: id,
    remedy:
      analyses.length === 0
        ? 'Add one to the model under Analyses.'
        : `Its analyses are ${analyses.map((one) => one.id).join(', ')}.`,
  });
}
