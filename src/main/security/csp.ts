/** The content security policy of the window, the same behind both doors. */

/**
 * Makers of markup and worker addresses that the window's libraries register: `default` is the window's own,
 * which refuses nearly everything, `vue` the framework's, the rest Monaco's. The text editor loads its worker
 * factory once for each language, hence the duplicates.
 */
const TRUSTED_TYPES = [
  'default',
  'vue',
  'dompurify',
  'defaultWorkerFactory',
  'diffEditorWidget',
  'diffReview',
  'domLineBreaksComputer',
  'editorGhostText',
  'editorViewLayer',
  'richScreenReaderContent',
  'standaloneColorizer',
  'stickyScrollViewLayer',
  'tokenizeToString',
  "'allow-duplicates'",
] as const;

const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self'",
  // Monaco and ECharts set style attributes and insert style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${TRUSTED_TYPES.join(' ')}`,
] as const;

const CONTENT_SECURITY_POLICY = DIRECTIVES.join('; ');

/** Headers of every response that carries a part of the window. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
};
