/** The commands, in the order of the help: a new one is a file and a line here. */
import type { CliCommand } from '../command';
import { analyseCommand } from './analyse';
import { benchCommand } from './bench';
import { compareCommand } from './compare';
import { examplesCommand } from './examples';
import { exportCommand } from './export';
import { importCommand } from './import';
import { measureCommand } from './measure';
import { runCommand } from './run';
import { serveCommand } from './serve';
import { sweepCommand } from './sweep';
import { validateCommand } from './validate';
import { workerCommand } from './worker';

export const commands: readonly CliCommand[] = [
  runCommand,
  measureCommand,
  compareCommand,
  sweepCommand,
  workerCommand,
  analyseCommand,
  validateCommand,
  exportCommand,
  importCommand,
  examplesCommand,
  benchCommand,
  serveCommand,
];
