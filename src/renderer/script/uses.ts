/** Uses of functions in the document that is open, computed again only when elements have changed. */
import type { DocumentReport, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useReportStore } from '../stores/report';
import { functionUses, type FunctionUse } from './usages';

type Known = readonly [
  ModelDocument['systems'],
  ModelDocument['interactions'],
  ModelDocument['observables'],
  DocumentReport['built'],
  Catalogue | null,
];

let known: Known | null = null;
let uses: ReadonlyMap<string, readonly FunctionUse[]> = new Map();

/** Typing in a script leaves the elements as they are, and must not walk through thousands of them. */
export function usesNow(): ReadonlyMap<string, readonly FunctionUse[]> {
  const { model } = useDocumentStore();
  const { built } = useReportStore().report;
  const { catalogue } = useCatalogueStore();
  const next: Known = [model.systems, model.interactions, model.observables, built, catalogue];
  if (known === null || next.some((part, i) => part !== known?.[i])) {
    known = next;
    uses = functionUses(model, built, catalogue);
  }
  return uses;
}
