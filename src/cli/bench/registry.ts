/** Benchmarks, in the order they run: a new one is a file and a line here. */
import { beadColumn } from './bead-column';
import type { Benchmark } from './benchmark';
import { bouncingBall } from './bouncing-ball';
import { decimation } from './decimation';

// The bead column comes last: its builder script locks the realm down, which slows typed arrays on Node 20.
export const benchmarks: readonly Benchmark[] = [bouncingBall, decimation, beadColumn];
