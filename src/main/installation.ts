/** Where the parts of the built program lie, seen from a bundled entry file in `out/main`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EngineHostOptions } from './host/host';

export interface Installation {
  /** options of an engine host that depend on the place only */
  host: Pick<
    EngineHostOptions,
    | 'engineWorkerUrl'
    | 'readerWorkerUrl'
    | 'sweepWorkerUrl'
    | 'analysisWorkerUrl'
    | 'examplesDirectory'
    | 'version'
  >;
  /** entry of the command line, for processes of their own */
  commandLine: string;
  rendererDirectory: string;
  /** file of the sandboxed preload */
  preload: string;
}

/** @param entryUrl `import.meta.url` of the entry file: shared chunks lie in another folder */
export function installation(entryUrl: string): Installation {
  const place = (relative: string): string => fileURLToPath(new URL(relative, entryUrl));
  return {
    host: {
      engineWorkerUrl: new URL('./engine-worker.js', entryUrl),
      readerWorkerUrl: new URL('./reader-worker.js', entryUrl),
      sweepWorkerUrl: new URL('./sweep-worker.js', entryUrl),
      analysisWorkerUrl: new URL('./analysis-worker.js', entryUrl),
      examplesDirectory: place('../../resources/examples'),
      version: packageVersion(place('../../package.json')),
    },
    commandLine: place('./cli.js'),
    rendererDirectory: place('../renderer'),
    preload: place('../preload/preload.cjs'),
  };
}

function packageVersion(path: string): string {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const { version } = content as { version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}
