/**
 * The library of schemas, set up. The window's content security policy forbids code generation, which it would try at
 * its first schema; whoever declares one imports it from here, so that this stands before in whatever order modules run. Below are those of names that many methods take.
 */
import { z } from 'zod';

z.config({ jitless: true });

export { z };

export const runId = z.string().min(1).max(64);
export const signalName = z.string().min(1).max(200);
