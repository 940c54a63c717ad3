/** Fields that several analyses have. */
import type { FieldDefinition } from '../definition';

/** What determines the period of orbits. */
export const forcing: FieldDefinition = {
  key: 'forcing',
  kind: 'choice',
  options: [
    {
      value: 'periodic',
      label: 'Periodic',
      help: 'The orbit has the period of the forcing, or a multiple.',
    },
    { value: 'none', label: 'None', help: 'The model is autonomous: the period is found too.' },
  ],
  label: 'Forcing',
  symbol: '',
  unit: '',
  required: false,
  default: 'periodic',
  help: 'What determines the period.',
};

/** Of the forcing that orbits go with. */
export const period: FieldDefinition = {
  key: 'period',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Period',
  symbol: 'T',
  unit: 's',
  required: true,
  help: 'Of the forcing, such as 2*pi/omega; of a model without one, a guess of the orbit’s.',
};

export const multiple: FieldDefinition = {
  key: 'multiple',
  kind: 'integer',
  min: 1,
  max: 1000,
  label: 'Periods of the orbit',
  symbol: 'm',
  unit: '',
  required: false,
  help: 'Number of periods after which the orbit repeats; detected from the motion when left out.',
};

export const phase: FieldDefinition = {
  key: 'phase',
  kind: 'number',
  min: 0,
  max: 1,
  label: 'Phase',
  symbol: '\\varphi',
  unit: '',
  required: false,
  default: 0,
  help: 'Part of the period at which the orbit begins, counted from t = 0.',
};

export const settleField: FieldDefinition = {
  key: 'settle',
  kind: 'integer',
  min: 0,
  max: 1_000_000,
  label: 'Settling',
  symbol: 'n_0',
  unit: '',
  required: false,
  default: 100,
  help: 'Periods of motion from the initial state before the orbit is looked for.',
};

/** Where orbits are shot from. */
export const sectionChoiceField: FieldDefinition = {
  key: 'section',
  kind: 'reference',
  to: 'section',
  label: 'Section',
  symbol: '\\Sigma',
  unit: '',
  required: false,
  help: 'On impact or on a surface: the orbit starts there, in place of the phase, and closes by returning to it.',
};

export const returns: FieldDefinition = {
  key: 'returns',
  kind: 'integer',
  min: 1,
  max: 1000,
  label: 'Returns to the section',
  symbol: 'm_\\Sigma',
  unit: '',
  required: false,
  help: 'Number of returns after which the orbit repeats; detected from the motion when left out.',
};

/** What is varied. */
export const parameter: FieldDefinition = {
  key: 'parameter',
  kind: 'reference',
  to: 'parameter',
  label: 'Parameter',
  symbol: 'p',
  unit: '',
  required: true,
  help: 'What is varied.',
};
