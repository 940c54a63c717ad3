/** What every view has, and the forms that several of them use. */
import { z } from 'zod';

// The window's content security policy forbids code generation, which zod would otherwise use.
z.config({ jitless: true });

/** Ids of elements, as in the rest of the document. */
export const elementId = z.string().regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/);

export const viewId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** Keys that a view begins with, in the order in which they are written. */
export const head = <T extends string>(
  type: T,
): { type: z.ZodLiteral<T>; id: z.ZodString; title: z.ZodOptional<z.ZodString> } => ({
  type: z.literal(type),
  id: viewId.describe('Its name in dashboards; letters, digits, _ and -.'),
  title: z.string().optional().describe('Heading in the window; the kind of the view when absent.'),
});

export interface ViewHead<T extends string> {
  type: T;
  id: string;
  title?: string;
}

/** Name of a signal. */
export const signal = z.string();
/** Names of signals that a view shows. */
export const signals = z.array(signal).describe('Names of the signals that are shown.');
export const horizontal = signal.describe('Signal on the horizontal axis.');
export const vertical = signal.describe('Signal on the vertical axis.');
