/** What the tour of the window points at, in its order. */
import { useLayoutStore } from '../stores/layout';
import { useWorkspaceStore } from '../stores/workspace';

type TourStep =
  'model' | 'parameters' | 'run' | 'plots' | 'certificate' | 'script' | 'analyses' | 'everything';

export interface Step {
  id: TourStep;
  /** selectors of what it points at; the first that is there counts */
  at: readonly string[];
  /** brings that into sight */
  before?: () => void;
  /** command that it offers to carry out */
  act?: string;
}

export const TOUR_EXAMPLE = 'bouncing-ball';

export const STEPS: readonly Step[] = [
  {
    id: 'model',
    at: ['[data-testid="graph-stage"]'],
    before: () => {
      useLayoutStore().reveal('model');
      useWorkspaceStore().modelTab = 'graph';
    },
  },
  { id: 'parameters', at: ['[data-pane="side"]'], before: () => useLayoutStore().reveal('side') },
  { id: 'run', at: ['[data-testid="run-button"]'], act: 'run.start' },
  { id: 'plots', at: ['[data-pane="plots"]'], before: () => useLayoutStore().reveal('plots') },
  { id: 'certificate', at: ['[data-testid="certificate-badge"]', '[data-testid="run-status"]'] },
  {
    id: 'script',
    at: ['[data-testid="tab-script"]'],
    before: () => useLayoutStore().reveal('model'),
  },
  {
    id: 'analyses',
    at: ['[data-testid="tab-analyses"]'],
    before: () => {
      useLayoutStore().reveal('lower');
      useWorkspaceStore().lowerTab = 'analyses';
    },
  },
  { id: 'everything', at: ['[data-testid="palette-button"]', '[data-testid="status-zoom"]'] },
];
