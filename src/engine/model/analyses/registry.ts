/** What can be found out about a model beyond its single runs, in the order in which it is offered. */
import type { ElementDefinition } from '../definition';
import { basinsAnalysis } from './basins';
import { branch } from './branch';
import { lyapunov } from './lyapunov';
import { orbit } from './orbit';
import { sweep } from './sweep';

export const analysisDefinitions: readonly ElementDefinition[] = [
  sweep,
  orbit,
  branch,
  basinsAnalysis,
  lyapunov,
];
