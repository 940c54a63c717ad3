import { MoreauError, type RemoteError } from '@contract/errors';
import type { ExaminedDocument, ModelExport, ModelFormatName } from '@contract/methods';
import { readDocument } from '@engine/document/read';
import { checkStructure, structuralErrors } from '@engine/document/structure';
import { needsBuilder } from '@engine/document/builder-scripts';
import type { DerivativeReview } from '@engine/inspection/derivative-review';
import type { InitialProjection } from '@engine/preparation/initial-check';
import type { TopologyReport } from '@engine/inspection/topology-report';
import type { DocumentIssue, DocumentReport, Expression, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import type { HostContext, MethodHandlers } from '../context';
import { checkDocumentDepth, checkTextDepth } from '../document-depth';
import { checkDocumentSize } from '../document-size';

/** Methods on documents as text and as data. */
export const documentMethods: MethodHandlers<
  | 'document.read'
  | 'document.write'
  | 'document.report'
  | 'document.topology'
  | 'document.export'
  | 'document.derivatives'
  | 'document.project'
> = {
  'document.read': (_context, { text }) => {
    checkDocumentSize(Buffer.byteLength(text));
    checkTextDepth(text);
    return readDocument(text);
  },
  'document.write': (_context, { document }) => {
    checkDocumentDepth(document);
    return { text: writeDocument(document) };
  },
  'document.report': async (context, { document }) => {
    checkDocumentDepth(document);
    try {
      return await withDisplayUnits(document, await report(context, document));
    } catch (error) {
      // What no thread can be handed is a defect of the document like any other.
      if (error instanceof MoreauError && error.details.code === 'invalid-document')
        return nothingBut(issueOf(error.details, ''));
      throw error;
    }
  },
  'document.topology': (context, { document }) => {
    checkDocumentDepth(document);
    return topology(context, document);
  },
  'document.export': (context, { document, format, set, expand }) => {
    checkDocumentDepth(document);
    return exportModel(context, withValues(document, set ?? {}), format, expand ?? false);
  },
  'document.derivatives': (context, { document }) => {
    checkDocumentDepth(document);
    return derivatives(context, document);
  },
  'document.project': (context, { document }) => {
    checkDocumentDepth(document);
    return project(context, document);
  },
};

/** The document with other values of parameters. @throws {MoreauError} `unknown-parameter` */
function withValues(document: ModelDocument, set: Readonly<Record<string, Expression>>): ModelDocument {
  if (Object.keys(set).length === 0) return document;
  const known = document.parameters.map(({ name }) => name);
  const unknown = Object.keys(set).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new MoreauError({
      code: 'unknown-parameter',
      message: `The model has no parameter “${unknown}”.`,
      where: unknown,
      remedy: known.length === 0 ? 'It has none at all.' : `Its parameters are ${known.join(', ')}.`,
    });
  }
  const parameters = document.parameters.map((one) =>
    Object.hasOwn(set, one.name) ? { ...one, value: set[one.name] } : one,
  );
  return { ...document, parameters };
}

async function exportModel(
  context: HostContext,
  document: ModelDocument,
  format: ModelFormatName,
  expand: boolean,
): Promise<ModelExport> {
  const found = await report(context, document);
  const { built } = found;
  const defect = found.issues.find(({ severity }) => severity === 'error');
  // A document with defects is still a document; a model is what can be run.
  if (defect !== undefined && (format !== 'json' || expand)) {
    const { code, message, remedy, pointer, script } = defect;
    throw new MoreauError({
      code,
      message,
      where: pointer,
      remedy,
      ...(script === undefined ? {} : { script }),
    });
  }
  // The engine and all that writes models: other methods do without them.
  const [{ plainDocument }, { expandDocument }, { modelFormats }] = await Promise.all([
    import('@engine/preparation/plain'),
    import('@engine/preparation/prepare'),
    import('../../export/model/registry'),
  ]);
  const scripts = document.scripts.filter(({ role }) => role !== 'builder');
  const expanded = built === undefined ? document : { ...expandDocument(document, built), scripts };
  const chosen = modelFormats[format];
  const written = format === 'json' && expand ? plainDocument(expanded) : expanded;
  const { text, warnings } = chosen.write({ document, expanded: written, expand, report: found });
  return { text, extension: chosen.extension, warnings: [...warnings] };
}

async function project(context: HostContext, document: ModelDocument): Promise<InitialProjection> {
  const { builders, inspections } = context;
  if (!needsBuilder(document) || structuralErrors(document).length > 0)
    return inspections.projection(document);
  const outcome = await builders.build(document);
  // Joints that only the builder knows would be left open by a projection of the rest.
  if (!outcome.ok) throw new MoreauError(outcome.error);
  return inspections.projection(document, outcome.built);
}

async function derivatives(context: HostContext, document: ModelDocument): Promise<DerivativeReview> {
  const { builders, inspections } = context;
  const [defect] = structuralErrors(document);
  if (defect !== undefined)
    throw new MoreauError({ code: 'invalid-document', message: defect.message, remedy: defect.remedy });
  if (!needsBuilder(document)) return inspections.derivatives(document);
  const outcome = await builders.build(document);
  if (!outcome.ok) throw new MoreauError(outcome.error);
  return inspections.derivatives(document, outcome.built);
}

async function topology(context: HostContext, document: ModelDocument): Promise<TopologyReport> {
  const { builders, inspections } = context;
  // A builder is run of sound documents only.
  if (!needsBuilder(document) || structuralErrors(document).length > 0) return inspections.topology(document);
  const outcome = await builders.build(document);
  return outcome.ok ? inspections.topology(document, outcome.built) : { topology: null };
}

async function report(context: HostContext, document: ModelDocument): Promise<ExaminedDocument> {
  const { builders, inspections } = context;
  if (!needsBuilder(document)) return inspections.report(document);
  const outcome = await builders.build(document);
  const said = outcome.console === undefined ? {} : { console: outcome.console };
  if (outcome.ok) return { ...(await inspections.report(document, outcome.built)), ...said };
  const plain = await inspections.report(document);
  // Without its builder's elements the model is not complete, so nothing it would record can be promised.
  return { ...plain, ...said, issues: [...plain.issues, builderIssue(document, outcome.error)], signals: [] };
}

/** The report with the defects of the units that values are shown in, which only the window needs. */
async function withDisplayUnits(document: ModelDocument, found: ExaminedDocument): Promise<ExaminedDocument> {
  const { document: sound } = checkStructure(document);
  if (sound?.displayUnits === undefined) return found;
  const { displayUnitIssues } = await import('@engine/units/display');
  return { ...found, issues: [...found.issues, ...displayUnitIssues(sound)] };
}

const issueOf = ({ code, message, remedy }: RemoteError, pointer: string): DocumentIssue => ({
  severity: 'error',
  code,
  pointer,
  message,
  remedy: remedy ?? 'Correct the model or its builder script.',
});

/** A report on a document of which nothing else is known. */
const nothingBut = (issue: DocumentIssue): DocumentReport => ({
  issues: [issue],
  parameters: {},
  values: {},
  signals: [],
  exports: {},
  typings: '',
});

/** A failed builder as a defect of the document, at its script. */
function builderIssue(document: ModelDocument, error: RemoteError): DocumentIssue {
  const named = document.scripts.findIndex((script) => script.name === error.script?.name);
  const index = named >= 0 ? named : document.scripts.findIndex((script) => script.role === 'builder');
  const script = document.scripts[index];
  return {
    ...issueOf(error, `/scripts/${index}`),
    ...(script === undefined ? {} : { element: script.name }),
    ...(error.script === undefined ? {} : { script: error.script }),
  };
}
