/**
 * Migrations by the version they start from: each takes a parsed document of version n and returns one of n + 1. A new
 * one comes with a stored document of its version as a test. They meet documents with defects too, and leave those for
 * the validation to report.
 */

type ParsedDocument = Record<string, unknown>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Format 2 has a list of integrators, each with its systems; the one of format 1 took all. */
function toListOfIntegrators(document: ParsedDocument): ParsedDocument {
  const { simulation } = document;
  if (!isObject(simulation) || !Object.hasOwn(simulation, 'integrator'))
    return { ...document, formatVersion: 2 };
  const { integrator, ...others } = simulation;
  return { ...document, formatVersion: 2, simulation: { ...others, integrators: [integrator] } };
}

export const migrations: Readonly<Record<number, (document: ParsedDocument) => ParsedDocument>> = {
  1: toListOfIntegrators,
};
