/** Whether the user has asked the system, or this program, for less motion: nothing moves by itself then. */
export const prefersReducedMotion = (): boolean =>
  document.documentElement.dataset['motion'] === 'reduced' ||
  (typeof window.matchMedia === 'function' && window.matchMedia('(prefers-reduced-motion: reduce)').matches);
