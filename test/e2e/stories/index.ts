/** All stories, and those that run in the desktop application as well. */
import { ballByKeyboard } from './ball-by-keyboard';
import { ballByMouse } from './ball-by-mouse';
import { breakAndRepair } from './break-and-repair';
import { compareRuns } from './compare-runs';
import { diodeBridge } from './diode-bridge';
import { forcePlugIn } from './force-plug-in';
import { halfWaveRectifier } from './half-wave-rectifier';
import { shakenMass } from './shaken-mass';
import type { Story } from './story';
import { strangersModel } from './strangers-model';
import { thousandBeads } from './thousand-beads';
import { voltageModeBuck } from './voltage-mode-buck';

export const STORIES: readonly Story[] = [
  ballByMouse,
  ballByKeyboard,
  diodeBridge,
  forcePlugIn,
  breakAndRepair,
  compareRuns,
  strangersModel,
  thousandBeads,
  halfWaveRectifier,
  shakenMass,
  voltageModeBuck,
];

/**
 * The window is the same in both doors; its host is not: files come through native dialogs, and a script runs
 * in the Node of Electron, out of which it must not get either. What else the desktop has of its own is in
 * `electron/session.spec.ts`.
 */
export const DESKTOP_STORIES: readonly Story[] = [
  strangersModel,
  halfWaveRectifier,
  shakenMass,
  voltageModeBuck,
];
