import { viewWords } from '@views/words';
import { enAnimation } from './en-animation';
import { enCertificate } from './en-certificate';
import { enVerdict } from './en-verdict';
import { enAnalysis } from './en-analysis';
import { enComparison } from './en-comparison';
import { enDashboard } from './en-dashboard';
import { enEvents } from './en-events';
import { enExchange } from './en-exchange';
import { enFigure } from './en-figure';
import { enFind } from './en-find';
import { enGallery } from './en-gallery';
import { enForms } from './en-forms';
import { enInitialValues } from './en-initial-values';
import { enKeptRuns } from './en-kept-runs';
import { enMain } from './en-main';
import { enModelDifference } from './en-model-difference';
import { enPlot } from './en-plot';
import { enPlotOptions } from './en-plot-options';
import { enRecovery } from './en-recovery';
import { enHelp } from './en-help';
import { enSettings } from './en-settings';
import { enStart } from './en-start';
import { enTour } from './en-tour';
import { enShell } from './en-shell';
import { enRunControl } from './en-run-control';
import { enRunDetails } from './en-run-details';
import { enScripting } from './en-scripting';
import { enCircuit } from './en-circuit';
import { enSubmodels } from './en-submodels';
import { enEquations } from './en-equations';
import { enGraph } from './en-graph';
import { enGraphFrames } from './en-graph-frames';
import { enSpaceTopology } from './en-space-topology';
import { enText } from './en-text';
import { enTree } from './en-tree';
import { enUnits } from './en-units';

/**
 * English texts. Keys are grouped by the part of the window; a translation is another object of this shape.
 */
export const en = {
  views: viewWords,
  ...enMain,
  ...enAnimation,
  ...enCertificate,
  ...enVerdict,
  ...enAnalysis,
  ...enComparison,
  ...enDashboard,
  ...enEvents,
  ...enExchange,
  ...enFigure,
  ...enFind,
  ...enGallery,
  ...enForms,
  ...enInitialValues,
  ...enKeptRuns,
  ...enModelDifference,
  ...enPlot,
  ...enPlotOptions,
  ...enRecovery,
  ...enHelp,
  ...enSettings,
  ...enShell,
  ...enStart,
  ...enTour,
  ...enRunControl,
  ...enRunDetails,
  ...enScripting,
  ...enCircuit,
  ...enSubmodels,
  ...enEquations,
  ...enGraph,
  ...enGraphFrames,
  ...enSpaceTopology,
  ...enText,
  ...enTree,
  ...enUnits,
} as const;
