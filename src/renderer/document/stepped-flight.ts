/** Whether the motion between events is computed in steps of the length of the simulation's. */
import type { SimulationDocument } from '@engine/document/types';

/** The method for the motion between events whose steps are not of its own choice. */
const STEPPED_FLIGHT = 'GeneralisedAlpha';

export const hasSteppedFlight = ({ eventDriven }: Pick<SimulationDocument, 'eventDriven'>): boolean =>
  eventDriven?.flight?.type === STEPPED_FLIGHT;
