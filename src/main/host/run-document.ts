/** The model of a run as a document of its own. */
import type { Expression, ModelDocument } from '@engine/document/types';
import { type InitialState, startFrom } from '@engine/run/initial-state';
import type { HostRun } from './host-run';

function withValues(document: ModelDocument, values: Readonly<Record<string, Expression>>): ModelDocument {
  return {
    ...document,
    parameters: document.parameters.map((parameter) =>
      Object.hasOwn(values, parameter.name) ? { ...parameter, value: values[parameter.name] } : parameter,
    ),
  };
}

/** As the run began: with its values of parameters, and its settings in place of those of the document. */
export function documentOfRun({ specification }: HostRun): ModelDocument {
  const { document, set = {}, h, tEnd, scheme, every, signals } = specification;
  const recording = {
    ...document.simulation.recording,
    ...(every === undefined ? {} : { every }),
    ...(signals === undefined ? {} : { signals }),
  };
  return {
    ...withValues(document, set),
    simulation: {
      ...document.simulation,
      ...(h === undefined ? {} : { h }),
      ...(tEnd === undefined ? {} : { tEnd }),
      ...(scheme === undefined ? {} : { scheme }),
      ...(Object.keys(recording).length === 0 ? {} : { recording }),
    },
  };
}

/** With a state that the run has recorded as the initial one; it goes on for as long as the run itself. */
export function documentFrom(run: HostRun, state: InitialState): ModelDocument {
  const { t0, tEnd } = run.info();
  const document = startFrom(documentOfRun(run), state);
  return { ...document, simulation: { ...document.simulation, tEnd: state.time + (tEnd - t0) } };
}

/**
 * With the state of the run as the initial one. Where the run has come to its end, it goes on for as long
 * again.
 * @throws {MoreauError} `no-state`
 */
export function documentOfMoment(run: HostRun): ModelDocument {
  const { moment } = run;
  const { t0, tEnd, h } = run.info();
  const changed = Object.assign({}, ...(run.repetition.changes ?? []).map(({ set }) => set)) as Record<
    string,
    Expression
  >;
  const document = startFrom(withValues(documentOfRun(run), changed), moment);
  if (moment.time + h / 2 < tEnd) return document;
  return { ...document, simulation: { ...document.simulation, tEnd: moment.time + (tEnd - t0) } };
}
