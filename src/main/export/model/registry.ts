/**
 * Formats a model can be exported to: a new one is a file with its `ModelFormat`, its name in the contract
 * and one line here.
 */
import type { ModelFormatName } from '@contract/methods';
import { jsonModel } from './json';
import type { ModelFormat } from './model-format';
import { netlistModel } from './netlist';
import { siconosPython } from './siconos-python';
import { svgModel } from './svg';

export const modelFormats: Readonly<Record<ModelFormatName, ModelFormat>> = {
  'siconos-python': siconosPython,
  json: jsonModel,
  svg: svgModel,
  spice: netlistModel,
};
