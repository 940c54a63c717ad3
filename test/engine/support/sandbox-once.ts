/**
 * The sandbox for checks of mutants, whose modules are evaluated once for each: the realm is locked down once
 * only, so that all of them take the sandbox of the first.
 */
import { createSandbox } from '@engine/script/sandbox';

const realm = globalThis as { sandboxOfChecks?: typeof createSandbox };

export const sandboxOnce: typeof createSandbox = () => (realm.sandboxOfChecks ??= createSandbox)();
