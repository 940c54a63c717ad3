/** Fields of the simulation section that are not elements of the catalogue, as definitions for the field editor. */
import type { FieldDefinition, FieldShape } from '@engine/model/definition';
import { text } from '../i18n';

/** A field and the way to it inside the simulation section. */
export interface SimulationField {
  path: readonly string[];
  field: FieldDefinition;
}

interface Words {
  label: string;
  symbol: string;
  help: string;
  unit?: string;
  byDefault?: number | string;
}

function simulationField(path: readonly string[], shape: FieldShape, words: Words): SimulationField {
  const { label, symbol, help, unit, byDefault } = words;
  return {
    path,
    field: {
      ...shape,
      key: path.at(-1) ?? '',
      label,
      symbol,
      unit: unit ?? '',
      required: byDefault === undefined,
      ...(byDefault === undefined ? {} : { default: byDefault }),
      help,
    },
  };
}

const NUMBER: FieldShape = { kind: 'number' };

export const TIME_FIELDS: readonly SimulationField[] = [
  simulationField(['h'], NUMBER, {
    label: text('simulation.h'),
    symbol: 'h',
    unit: 's',
    help: text('simulation.hHelp'),
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
    { label: text('simulation.every'), symbol: 'n', byDefault: 1, help: text('simulation.everyHelp') },
  ),
];

export const NEWTON_FIELDS: readonly SimulationField[] = [
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

export const DERIVATIVES_FIELD: SimulationField = simulationField(
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

export const STEP_CONTROL_FIELDS: readonly SimulationField[] = [
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
