/** Where the browser door keeps what lasts: settings, and the journal of edits. */
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';

/** The customary folder of a platform for data of a program. */
export function stateDirectory(
  platform: NodeJS.Platform = process.platform,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): string {
  const asked = environment['MOREAU_STATE'];
  if (asked) return asked;
  if (platform === 'win32') {
    return win32.join(environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Moreau');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Moreau');
  const data = environment['XDG_DATA_HOME'];
  // A relative path is to be ignored, by the XDG base directory specification.
  const base = data?.startsWith('/') === true ? data : join(home, '.local', 'share');
  return posix.join(base, 'moreau');
}
