/**
 * For what is waited for: Vitest itself gives up after a second, which a busy machine may take for nothing.
 */
export const PATIENCE = { timeout: 120_000, interval: 20 } as const;
