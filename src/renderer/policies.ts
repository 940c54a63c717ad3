/**
 * Settings that must stand before any library runs under the content security policy: this module is imported
 * first.
 */
import { z } from 'zod';

interface PolicyFactory {
  createPolicy(name: string, rules: Record<string, (value: string) => string | null>): unknown;
}

// zod would otherwise probe for `new Function`, which the policy forbids and reports.
z.config({ jitless: true });

/**
 * Default trusted-types policy. Workers may come from this origin only; the one piece of HTML libraries
 * assign as a string is the empty one (the chart library clears its root with it). Everything else stays
 * refused.
 */
function installTrustedTypes(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createHTML: (value) => (value === '' ? '' : null),
    createScriptURL: (value) => (new URL(value, location.href).origin === location.origin ? value : null),
  });
}

installTrustedTypes();
