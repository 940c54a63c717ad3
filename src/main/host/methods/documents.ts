import type { RemoteError } from '@contract/errors';
import { readDocument } from '@engine/document/read';
import { structuralIssues } from '@engine/document/structure';
import { needsBuilder } from '@engine/script/builder';
import { reportDocument } from '@engine/simulation/report';
import { reportTopology, type TopologyReport } from '@engine/simulation/topology-report';
import type { DocumentIssue, DocumentReport, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import type { HostContext, MethodHandlers } from '../context';
import { checkDocumentDepth, checkTextDepth } from '../document-depth';
import { checkDocumentSize } from '../document-size';

/** Methods on documents as text and as data. */
export const documentMethods: MethodHandlers<
  'document.read' | 'document.write' | 'document.report' | 'document.topology'
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
  'document.report': (context, { document }) => {
    checkDocumentDepth(document);
    return report(context, document);
  },
  'document.topology': (context, { document }) => {
    checkDocumentDepth(document);
    return topology(context, document);
  },
};

async function topology(context: HostContext, document: ModelDocument): Promise<TopologyReport> {
  // Nothing of a document may be used before its structure is known to be sound.
  if (structuralIssues(document).length > 0 || !needsBuilder(document)) return reportTopology(document);
  const outcome = await context.builders.build(document);
  return outcome.ok ? reportTopology(document, outcome.built) : { topology: null };
}

async function report(context: HostContext, document: ModelDocument): Promise<DocumentReport> {
  if (!needsBuilder(document)) return reportDocument(document);
  const outcome = await context.builders.build(document);
  if (outcome.ok) return reportDocument(document, outcome.built);
  const plain = reportDocument(document);
  // Without its builder's elements the model is not complete, so nothing it would record can be promised.
  return { ...plain, issues: [...plain.issues, builderIssue(document, outcome.error)], signals: [] };
}

/** A failed builder as a defect of the document, at its script. */
function builderIssue(document: ModelDocument, error: RemoteError): DocumentIssue {
  const named = document.scripts.findIndex((script) => script.name === error.script?.name);
  const index = named >= 0 ? named : document.scripts.findIndex((script) => script.role === 'builder');
  const script = document.scripts[index];
  return {
    severity: 'error',
    code: error.code,
    pointer: `/scripts/${index}`,
    ...(script === undefined ? {} : { element: script.name }),
    message: error.message,
    remedy: error.remedy ?? 'Correct the builder script.',
    ...(error.script === undefined ? {} : { script: error.script }),
  };
}
