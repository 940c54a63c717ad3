/**
 * Entry of the command line. The thread of a command that computes begins before the rest of the program is
 * loaded: to load the engine takes longer than all the rest.
 */
import { startEngine } from '@main/host/thread';
import { installation } from '@main/installation';

/** Commands that ask for an engine thread in any case, by `openHost`. */
const COMPUTING = ['run', 'measure', 'compare', 'analyse', 'validate', 'export'];

const [command, ...rest] = process.argv.slice(2);
const place = installation(import.meta.url);
const computes = COMPUTING.includes(command) && !rest.includes('--help') && !rest.includes('-h');
const begun = computes ? { engineThread: startEngine(place.host.engineWorkerUrl) } : {};
const { execute } = await import('./program');
await execute({ place, ...begun });
// One that no host was opened for, as when the arguments are wrong.
await begun.engineThread?.terminate();
