import type { LoadStage } from './stage';

/** Loads what draws; a chunk of its own, as the window must not wait for it. */
export const loadStage: LoadStage = async () => (await import('./three/three-stage')).createThreeStage;
