/**
 * Migrations by the version they start from: each takes a parsed document of version n and returns one of n + 1.
 * Format 1 is the first, so there is none yet; a new one comes with a stored document of its version as a test.
 */
export const migrations: Readonly<
  Record<number, (document: Record<string, unknown>) => Record<string, unknown>>
> = {};
