/** Which runs of a plot are drawn as pictures of their density. */
export const denseRuns = (
  drawn: readonly { readonly runId: string; readonly result: { readonly kind: string } }[],
): ReadonlySet<string> =>
  new Set(drawn.filter(({ result }) => result.kind === 'density').map(({ runId }) => runId));
