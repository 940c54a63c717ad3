/** French texts of the window. */
import { frAnimation } from './fr/animation';
import { frCertificate } from './fr/certificate';
import { frVerdict } from './fr/verdict';
import { frAnalysis } from './fr/analysis';
import { frComparison } from './fr/comparison';
import { frDashboard } from './fr/dashboard';
import { frEvents } from './fr/events';
import { frExchange } from './fr/exchange';
import { frFigure } from './fr/figure';
import { frFind } from './fr/find';
import { frGallery } from './fr/gallery';
import { frForms } from './fr/forms';
import { frInitialValues } from './fr/initial-values';
import { frKeptRuns } from './fr/kept-runs';
import { frMain } from './fr/main';
import { frModelDifference } from './fr/model-difference';
import { frPlot } from './fr/plot';
import { frPlotOptions } from './fr/plot-options';
import { frRecovery } from './fr/recovery';
import { frHelp } from './fr/help';
import { frSettings, frSettingWords } from './fr/settings';
import { frStart } from './fr/start';
import { frTour } from './fr/tour';
import { frShell } from './fr/shell';
import { frRunControl } from './fr/run-control';
import { frRunDetails } from './fr/run-details';
import { frScripting } from './fr/scripting';
import { frCircuit } from './fr/circuit';
import { frSubmodels } from './fr/submodels';
import { frEquations } from './fr/equations';
import { frGraph } from './fr/graph';
import { frGraphFrames } from './fr/graph-frames';
import { frSpaceTopology } from './fr/space-topology';
import { frText } from './fr/text';
import { frTree } from './fr/tree';
import { frUnits } from './fr/units';
import { frViews } from './fr/views';
import type { Texts } from './texts';

export const french: Texts = {
  texts: {
    views: frViews,
    ...frMain,
    ...frAnimation,
    ...frCertificate,
    ...frVerdict,
    ...frAnalysis,
    ...frComparison,
    ...frDashboard,
    ...frEvents,
    ...frExchange,
    ...frFigure,
    ...frFind,
    ...frGallery,
    ...frForms,
    ...frInitialValues,
    ...frKeptRuns,
    ...frModelDifference,
    ...frPlot,
    ...frPlotOptions,
    ...frRecovery,
    ...frHelp,
    ...frSettings,
    ...frShell,
    ...frStart,
    ...frTour,
    ...frRunControl,
    ...frRunDetails,
    ...frScripting,
    ...frCircuit,
    ...frSubmodels,
    ...frEquations,
    ...frGraph,
    ...frGraphFrames,
    ...frSpaceTopology,
    ...frText,
    ...frTree,
    ...frUnits,
  },
  settings: frSettingWords,
};
