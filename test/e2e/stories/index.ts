/** All stories, and those told in the desktop application as well. */
import { ballByKeyboard } from './ball-by-keyboard';
import { ballByMouse } from './ball-by-mouse';
import { breakAndRepair } from './break-and-repair';
import { compareRuns } from './compare-runs';
import { diodeBridge } from './diode-bridge';
import { forcePlugIn } from './force-plug-in';
import type { Story } from './story';
import { strangersModel } from './strangers-model';
import { thousandBeads } from './thousand-beads';

export const STORIES: readonly Story[] = [
  ballByMouse,
  ballByKeyboard,
  diodeBridge,
  forcePlugIn,
  breakAndRepair,
  compareRuns,
  strangersModel,
  thousandBeads,
];

/** What crosses the borders that the two doors have different: files, dialogs, the menu, keys. */
export const DESKTOP_STORIES: readonly Story[] = [ballByMouse, forcePlugIn, compareRuns, strangersModel];
