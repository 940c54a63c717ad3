/**
 * The library of schemas, set up. The window's content security policy forbids code generation, which it
 * would try at its first schema. Every module that declares a schema imports zod from here, which guarantees
 * the order. Below are the schemas of names that many methods use.
 */
import type { ModelDocument } from '@engine/document/types';
import { z } from 'zod';

z.config({ jitless: true });

export { z };

export const runId = z.string().min(1).max(64);
export const signalName = z.string().min(1).max(200);

/**
 * Documents cross the border unvalidated in depth on purpose: a defective model must open and be validated as
 * data. `document.report` and `run.start` validate it against the full schema.
 */
export const anyDocumentSchema = z.custom<ModelDocument>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'a model document object is expected',
);
