/** Which settings of a simulation go with 3D bodies, and which without them. */
import type { ModelDocument } from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import { hasBodies } from './bodies';

/** Suits every model. */
const AUTOMATIC = 'auto';

/**
 * Why a setting cannot be chosen: it is for 3D bodies, of which there are none, or for everything but
 * them.
 */
export type SettingRefusal = 'ofSpace' | 'notOfSpace';

/** Why a problem or solver does not suit; null when it does. */
export function settingRefusal(
  { type, order, advances }: Pick<ElementDefinition, 'type' | 'order' | 'advances'>,
  isSpatial: boolean,
): SettingRefusal | null {
  if (type === AUTOMATIC || (order === 'body') === isSpatial) return null;
  if (advances?.includes('body') === true) return null;
  return isSpatial ? 'notOfSpace' : 'ofSpace';
}

/**
 * Whether laws of coordinates have cones, as friction in a tangent plane and plasticity: their problems and
 * solvers are those of 3D bodies.
 */
export const hasCones = ({ interactions }: Pick<ModelDocument, 'interactions'>): boolean =>
  interactions.some(
    ({ law }) =>
      law.type === 'MohrCoulomb' || (law.type === 'NewtonImpactFriction' && Number(law.dimension) === 3),
  );

/**
 * Gives way to settings that can simulate the systems there are, when they have become 3D bodies or
 * ceased to be such: what does not suit becomes automatic.
 */
export function suitSimulation(document: ModelDocument, catalogue: Catalogue | null): void {
  const { systems, simulation } = document;
  if (catalogue === null || systems.length === 0) return;
  const isSpatial = hasBodies(systems, catalogue);
  for (const [key, definitions] of [
    ['problem', catalogue.problems],
    ['solver', catalogue.solvers],
  ] as const) {
    const definition = definitions.find(({ type }) => type === simulation[key].type);
    if (definition !== undefined && settingRefusal(definition, isSpatial || hasCones(document)) !== null)
      simulation[key] = { type: AUTOMATIC };
  }
  if (!isSpatial) return;
  if (simulation.scheme === 'event-driven') simulation.scheme = 'time-stepping';
}
