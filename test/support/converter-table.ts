/** What `docs/theory/converters.md` says of the converters of the gallery, computed again. */
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { example } from '../engine/support/models';
import { run } from '../engine/support/run';

type Values = Readonly<Record<string, number>>;

export interface Converter {
  readonly name: string;
  /** mean of the output, without ripple */
  readonly theory: (values: Values) => number;
  /** s, long enough for the periodic motion */
  readonly tEnd: number;
}

export const CONVERTERS: readonly Converter[] = [
  { name: 'buck-continuous', theory: ({ U, D }) => D * U, tEnd: 4e-3 },
  { name: 'boost-converter', theory: ({ U, D }) => U / (1 - D), tEnd: 8e-3 },
  { name: 'buck-boost-converter', theory: ({ U, D }) => (-D * U) / (1 - D), tEnd: 5e-3 },
  { name: 'cuk-converter', theory: ({ U, D }) => (-D * U) / (1 - D), tEnd: 8e-3 },
  { name: 'flyback-converter', theory: ({ E, D, n }) => (n * D * E) / (1 - D), tEnd: 4e-3 },
  { name: 'forward-converter', theory: ({ U, D, n }) => n * D * U, tEnd: 4e-3 },
  { name: 'full-bridge-converter', theory: ({ U, D, n }) => n * D * U, tEnd: 2e-3 },
  { name: 'llc-converter', theory: ({ U, n }) => (n * U) / 2, tEnd: 1e-3 },
];

/** Periods over which means are taken. */
const PERIODS = 20;

/** With what conducts as it is: transistors and diodes with resistances, diodes with a voltage. */
export const withLosses = (document: ModelDocument): ModelDocument => ({
  ...document,
  components: (document.components ?? []).map((component) => {
    if (component.type === 'Diode') return { ...component, forwardVoltage: 0.7, onResistance: 0.02 };
    if (component.type === 'Switch' || component.type === 'Mosfet')
      return {
        ...component,
        onResistance: 0.05,
        ...(component.type === 'Mosfet' && { forwardVoltage: 0.7 }),
      };
    return component;
  }),
});

/** The model as far as it is run. */
export function modelOf({ name, tEnd }: Converter): ModelDocument {
  const document = example(name);
  return { ...document, simulation: { ...document.simulation, tEnd } };
}

const valuesOf = (document: ModelDocument): Values =>
  Object.fromEntries(document.parameters.map(({ name, value }) => [name, Number(value)]));

/** Mean of the last periods, by the trapezoidal rule over rows. */
export function lastMean(times: ArrayLike<number>, values: ArrayLike<number>, span: number): number {
  const from = times[times.length - 1] - span;
  let [sum, length] = [0, 0];
  for (let k = 1; k < times.length; k++) {
    if (times[k - 1] < from - 1e-12) continue;
    const dt = times[k] - times[k - 1];
    sum += (dt * (values[k] + values[k - 1])) / 2;
    length += dt;
  }
  return sum / length;
}

export const spanOf = (document: ModelDocument): number => PERIODS * valuesOf(document).T;

function computed(
  document: ModelDocument,
  scheme: 'event-driven' | 'time-stepping',
  part: number,
): { mean: number; isCertified: boolean } {
  const h = Number(document.simulation.h) * part;
  const { column, session } = run(document, { sandbox: createSandbox, scheme, h });
  const { dynamics, complementarity } = session.certificate;
  return {
    mean: lastMean(column('t'), column('out.v'), spanOf(document)),
    isCertified: Math.max(dynamics, complementarity) < 1e-8,
  };
}

/** Cells of a row up to the last but one, which are of this program, V. */
export function cellsOf(converter: Converter): { cells: string[]; isCertified: boolean } {
  const ideal = modelOf(converter);
  const lossy = withLosses(ideal);
  const [events, coarse, fine, lost, stepped] = [
    computed(ideal, 'event-driven', 1),
    computed(ideal, 'time-stepping', 1),
    computed(ideal, 'time-stepping', 0.5),
    computed(lossy, 'event-driven', 1),
    computed(lossy, 'time-stepping', 0.5),
  ];
  const written = (value: number, digits: number): string => value.toFixed(digits).replace('-', '−');
  return {
    cells: [
      converter.name,
      written(converter.theory(valuesOf(ideal)), 2),
      written(events.mean, 4),
      written(coarse.mean, 3),
      written(fine.mean, 3),
      written(lost.mean, 4),
      written(stepped.mean, 3),
    ],
    isCertified: [events, coarse, fine, lost, stepped].every((one) => one.isCertified),
  };
}
