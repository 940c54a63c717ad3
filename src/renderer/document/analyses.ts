/** Analyses of a model: what a new one starts with. */
import type { AnalysisDocument, FieldValue, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { freshName, newElement } from './factory';
import { forcingPeriod } from './sections';

/** Range around a value where the parameter says none. */
const AROUND = 0.2;
/** Periods of a motion whose exponents are asked for. */
const PERIODS = 1000;

/** The parameter that is varied first: one with a range, else the first one. */
function varied({ parameters }: ModelDocument): { name: string; from: number; to: number } {
  const parameter =
    parameters.find(({ min, max }) => min !== undefined && max !== undefined) ?? parameters[0];
  if (parameter === undefined) return { name: '', from: 0, to: 1 };
  const value = typeof parameter.value === 'number' ? parameter.value : 1;
  const reach = value === 0 ? 1 : AROUND * Math.abs(value);
  return {
    name: parameter.name,
    from: parameter.min ?? value - reach,
    to: parameter.max ?? value + reach,
  };
}

function startingFields(
  type: string,
  document: ModelDocument,
  [signal = '', second = '']: readonly string[],
): Record<string, FieldValue> {
  const { name, from, to } = varied(document);
  const period = forcingPeriod(document);
  const plane = { xState: signal, xFrom: -1, xTo: 1, yState: second, yFrom: -1, yTo: 1 };
  const section = document.simulation.sections?.[0]?.id;
  switch (type) {
    case 'sweep':
      return {
        axes: [{ type: 'range', parameter: name, from, to, count: 100 }],
        ...(section === undefined
          ? { measures: signal === '' ? 'events' : `max ${signal}` }
          : { section, start: 'both' }),
      };
    case 'branch':
      return { parameter: name, from, to, period };
    case 'orbit':
      return { period };
    case 'basins':
      return { ...plane, period };
    case 'lyapunov':
      return typeof period === 'number'
        ? { duration: PERIODS * period, interval: period }
        : { duration: `${PERIODS}*(${period})`, interval: period };
    default:
      return {};
  }
}

/**
 * @param states names of the states of the model, a position and its velocity first
 * @returns null while the catalogue is not there
 */
export function newAnalysis(
  type: string,
  document: ModelDocument,
  states: readonly string[],
  catalogue: Catalogue | null,
): AnalysisDocument | null {
  const definition = catalogue?.analyses.find((one) => one.type === type);
  if (definition === undefined) return null;
  const id = freshName(
    type,
    (document.analyses ?? []).map((one) => one.id),
    '_',
  );
  return { id, ...newElement(definition), ...startingFields(type, document, states) };
}
