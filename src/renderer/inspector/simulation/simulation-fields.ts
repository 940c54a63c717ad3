/**
 * Fields of the simulation section that are not elements of the catalogue, as definitions for the field
 * editor.
 */
import type { SchemeName } from '@engine/document/types';
import type { FieldShape } from '@engine/model/definition';
import { text } from '../../i18n';
import type { PlainField } from '../fields/array-field';
import { PERIOD_KEY } from './simulation-section';

/** A field and the way to it inside the simulation section. */
export interface SimulationField {
  path: readonly string[];
  field: PlainField;
}

interface Words {
  label: string;
  symbol: string;
  help: string;
  unit?: string;
  byDefault?: number | string;
  /** may be left out, and then nothing stands in its place */
  isOptional?: true;
}

type PlainShape = Exclude<FieldShape, { kind: 'elements' | 'element' }>;

function simulationField(path: readonly string[], shape: PlainShape, words: Words): SimulationField {
  const { label, symbol, help, unit, byDefault, isOptional } = words;
  return {
    path,
    field: {
      ...shape,
      key: path.at(-1) ?? '',
      label,
      symbol,
      unit: unit ?? '',
      required: byDefault === undefined && isOptional !== true,
      ...(byDefault === undefined ? {} : { default: byDefault }),
      help,
    },
  };
}

const NUMBER: PlainShape = { kind: 'number' };

/** What the scheme takes where the document says nothing. */
const MAX_EVENTS_PER_STEP = 100_000;
/** Part of its range that a signal may be off. */
const ACCURACY = 0.01;

/**
 * Times of a simulation. The number h is a step in one scheme and the distance of recorded rows in the other,
 * where one method for the motion between events has steps of that length; the document has one key for it,
 * so that changing the scheme keeps it.
 * @param isStepped whether motion between events is computed in steps of the length h
 */
export function timeFields(scheme: SchemeName, isStepped: boolean): readonly SimulationField[] {
  const isStepping = scheme === 'time-stepping';
  const ofEvents = isStepped ? 'flightStep' : 'rowDistance';
  const name = isStepping ? 'h' : ofEvents;
  return [
    simulationField(['h'], NUMBER, {
      label: text(`simulation.${name}`),
      symbol: 'h',
      unit: 's',
      help: text(`simulation.${name}Help`),
    }),
    simulationField(['t0'], NUMBER, {
      label: text('simulation.t0'),
      symbol: 't_0',
      unit: 's',
      help: text('simulation.t0Help'),
    }),
    simulationField(['tEnd'], NUMBER, {
      label: text('simulation.tEnd'),
      symbol: 't_{\\mathrm{end}}',
      unit: 's',
      help: text('simulation.tEndHelp'),
    }),
    simulationField(
      ['recording', 'every'],
      { kind: 'integer', min: 1, max: 1_000_000_000 },
      {
        label: text('simulation.every'),
        symbol: 'n',
        byDefault: 1,
        help: text(isStepping ? 'simulation.everyHelp' : 'simulation.everyRowHelp'),
      },
    ),
    simulationField(['accuracy'], NUMBER, {
      label: text('simulation.accuracy'),
      symbol: '\\varepsilon',
      byDefault: ACCURACY,
      help: text('simulation.accuracyHelp'),
    }),
  ];
}

/** Events: which bounces are negligible, how many are too many, and times that only the user knows. */
export const eventFields = (): SimulationField[] => [
  simulationField(['eventDriven', 'smallestBounce'], NUMBER, {
    label: text('simulation.smallestBounce'),
    symbol: '\\eta',
    byDefault: 1e-12,
    help: text('simulation.smallestBounceHelp'),
  }),
  simulationField(
    ['eventDriven', 'maxEventsPerStep'],
    { kind: 'integer', min: 1, max: 1_000_000_000 },
    {
      label: text('simulation.maxEventsPerStep'),
      symbol: 'N_h',
      byDefault: MAX_EVENTS_PER_STEP,
      help: text('simulation.maxEventsPerStepHelp'),
    },
  ),
  simulationField(
    ['eventDriven', 'jumps'],
    { kind: 'vector', length: 'any' },
    {
      label: text('simulation.jumps'),
      symbol: 't_j',
      unit: 's',
      isOptional: true,
      help: text('simulation.jumpsHelp'),
    },
  ),
  simulationField(['eventDriven', 'jumps', PERIOD_KEY, 'every'], NUMBER, {
    label: text('simulation.jumpsEvery'),
    symbol: 'T_j',
    unit: 's',
    isOptional: true,
    help: text('simulation.jumpsEveryHelp'),
  }),
  simulationField(['eventDriven', 'jumps', PERIOD_KEY, 'from'], NUMBER, {
    label: text('simulation.jumpsFrom'),
    symbol: 't_1',
    unit: 's',
    isOptional: true,
    help: text('simulation.jumpsFromHelp'),
  }),
  simulationField(['eventDriven', 'jumps', PERIOD_KEY, 'until'], NUMBER, {
    label: text('simulation.jumpsUntil'),
    symbol: 't_n',
    unit: 's',
    isOptional: true,
    help: text('simulation.jumpsUntilHelp'),
  }),
  simulationField(['eventDriven', 'fastest'], NUMBER, {
    label: text('simulation.fastest'),
    symbol: '\\delta',
    unit: 's',
    isOptional: true,
    help: text('simulation.fastestHelp'),
  }),
];

export const newtonFields = (): SimulationField[] => [
  simulationField(['newton', 'tolerance'], NUMBER, {
    label: text('simulation.newtonTolerance'),
    symbol: '\\varepsilon',
    byDefault: 1e-12,
    help: text('simulation.newtonToleranceHelp'),
  }),
  simulationField(
    ['newton', 'maxIterations'],
    { kind: 'integer', min: 1, max: 1000 },
    {
      label: text('simulation.newtonIterations'),
      symbol: 'k_{\\max}',
      byDefault: 20,
      help: text('simulation.newtonIterationsHelp'),
    },
  ),
];

export const derivativesField = (): SimulationField =>
  simulationField(
    ['derivatives'],
    {
      kind: 'choice',
      options: [
        {
          value: 'automatic',
          label: text('simulation.automatic'),
          help: text('simulation.automaticHelp'),
        },
        {
          value: 'finite-differences',
          label: text('simulation.finiteDifferences'),
          help: text('simulation.finiteDifferencesHelp'),
        },
      ],
    },
    {
      label: text('simulation.derivatives'),
      symbol: '\\nabla',
      byDefault: 'automatic',
      help: text('simulation.derivativesHelp'),
    },
  );

export const stepControlFields = (): SimulationField[] => [
  simulationField(['stepControl', 'tolerance'], NUMBER, {
    label: text('simulation.stepTolerance'),
    symbol: '\\varepsilon_h',
    help: text('simulation.stepToleranceHelp'),
  }),
  simulationField(['stepControl', 'hMin'], NUMBER, {
    label: text('simulation.hMin'),
    symbol: 'h_{\\min}',
    unit: 's',
    help: text('simulation.hMinHelp'),
  }),
  simulationField(['stepControl', 'hMax'], NUMBER, {
    label: text('simulation.hMax'),
    symbol: 'h_{\\max}',
    unit: 's',
    help: text('simulation.hMaxHelp'),
  }),
];
