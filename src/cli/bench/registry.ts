/** Benchmarks, in the order they run: a new one is a file and a line here. */
import { beadColumns } from './bead-column';
import type { Benchmark } from './benchmark';
import { basinsBenchmark } from './basins';
import { bifurcationBenchmark } from './bifurcation';
import { bodiesPeers } from './bodies-peers';
import { bouncingBall } from './bouncing-ball';
import { boxStack } from './box-stack';
import { buckConverter } from './buck-converter';
import { ballInShaft, bouncingBall as ballFromEventToEvent } from './small-models/bouncing';
import { wholeBuckDiagram } from './small-models/buck-diagram';
import { camDiagramBenchmark } from './small-models/cam-diagram';
import { basinRows } from './small-models/impact-basins';
import { chaoticCam, lorenz } from './small-models/lyapunov';
import { sideBySideBenchmark } from './small-models/side-by-side';
import { stickSlip } from './small-models/stick-slip';
import { contactDetection } from './contact-detection';
import { decimation } from './decimation';
import { diodeBridge } from './diode-bridge';
import { drawnModels } from './drawn';
import { eventDrivenBenchmark } from './event-driven';
import { eventDrivenGrowth } from './event-driven-growth';
import { exportBenchmark } from './export';
import { friction } from './friction';
import { impactingBars } from './impacting-bar';
import { lcp } from './lcp';
import { oneContact } from './one-contact';
import { rollingPiles } from './rolling-pile';
import { startBenchmark } from './start';
import { stepBenchmark } from './step-benchmark';
import { peersBenchmark } from './peers/peers';
import type { StepModel } from './step-run';

const plain: readonly StepModel[] = [bouncingBall, diodeBridge, buckConverter];
const built: readonly StepModel[] = [...beadColumns, ...impactingBars];

/** Jobs from event to event that are measured beside programs in C. */
const besideTwins = [
  basinRows,
  ballFromEventToEvent,
  ballInShaft,
  chaoticCam,
  lorenz,
  wholeBuckDiagram,
  stickSlip,
] as const;

/** Models whose time loop is measured beside that of Siconos. */
export const stepModels: readonly StepModel[] = [...plain, ...built];

export const benchmarks: readonly Benchmark[] = [
  ...plain.map(stepBenchmark),
  decimation,
  exportBenchmark,
  lcp,
  friction,
  oneContact,
  contactDetection,
  boxStack,
  rollingPiles,
  bodiesPeers,
  ...built.map(stepBenchmark),
  eventDrivenBenchmark,
  eventDrivenGrowth,
  drawnModels,
  camDiagramBenchmark,
  ...besideTwins.map(sideBySideBenchmark),
  peersBenchmark,
  bifurcationBenchmark,
  basinsBenchmark,
  startBenchmark,
];
