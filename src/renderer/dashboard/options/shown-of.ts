/** What options need to know of signals and their units. */
import type { SignalInfo } from '@engine/document/types';
import type { ShownUnit } from '@figures/shown-units';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { useReportStore } from '../../stores/report';
import { useRunsStore } from '../../stores/runs';

/** Signals of the run that is shown, else of the model. */
export const knownSignals = (): readonly SignalInfo[] =>
  useRunsStore().current?.signals ?? useReportStore().signals;

/** Unit of the model that a signal has; empty where it is not known. */
const unitOfSignal = (name: string): string => knownSignals().find((info) => info.name === name)?.unit ?? '';

/** How values of a signal are shown. */
export const shownOfSignal = (name: string): ShownUnit => useDisplayUnitsStore().of(unitOfSignal(name));

/** How values of a unit are shown. */
export const shownOfUnit = (unit: string): ShownUnit => useDisplayUnitsStore().of(unit);

/** What is not converted. */
export const plainUnit = (unit: string): ShownUnit => ({ unit, factor: 1 });
