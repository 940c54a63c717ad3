/** Files named on the command line of the desktop application. */
import { isAbsolute, resolve } from 'node:path';

/**
 * The model's file among the arguments, absolute; null when none is named.
 * @param argv arguments after the executable; Electron's and Chromium's own switches may be among them
 * @param entry path of the application itself, which an unpackaged start passes as an argument
 */
export function fileArgument(
  argv: readonly string[],
  workingDirectory: string,
  entry: string,
): string | null {
  for (const argument of argv) {
    if (argument.startsWith('-') || !argument.toLowerCase().endsWith('.json')) continue;
    const path = isAbsolute(argument) ? argument : resolve(workingDirectory, argument);
    if (path !== entry) return path;
  }
  return null;
}
