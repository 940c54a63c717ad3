/** What every issue owes its reader. */
import { expect } from 'vitest';
import type { DocumentIssue } from '@engine/document/types';

/**
 * A sentence: a capital letter or a quotation first, a full stop last, and no leftovers of program values.
 */
export function expectSentence(text: string): void {
  expect(text).toMatch(/^[\p{Lu}“"(\d]/u);
  expect(text).toMatch(/[.…)]$/);
  expect(text.length).toBeGreaterThan(8);
  expect(text).not.toMatch(/\[object|undefined|=> /);
}

/** There is an issue, and each has a code, a pointer, a message and a remedy that are sentences. */
export function expectComplete(issues: readonly DocumentIssue[]): void {
  expect(issues.length).toBeGreaterThan(0);
  for (const { code, pointer, message, remedy } of issues) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(pointer).toMatch(/^(\/[^/]*)*$/);
    expectSentence(message);
    expectSentence(remedy);
  }
}
