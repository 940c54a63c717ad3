import { readFile } from 'node:fs/promises';

/** A document of that many own systems in a column, each with a contact to the next one. */
export async function chain(count: number): Promise<string> {
  const text = await readFile('resources/examples/bead-column.moreau.json', 'utf8');
  const ids = Array.from({ length: count }, (_, i) => `bead${i}`);
  return JSON.stringify({
    ...(JSON.parse(text) as Record<string, unknown>),
    scripts: [],
    systems: ids.map((id, i) => ({
      id,
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      q0: [i],
      v0: [0],
      fExt: ['-m*g'],
    })),
    interactions: ids.slice(1).map((id, i) => ({
      id: `contact${i}`,
      systems: [`bead${i}`, id],
      relation: { type: 'LagrangianLinear', H: [[-1, 1]], b: [-0.2] },
      law: { type: 'NewtonImpact', e: 0 },
    })),
  });
}
