/** The built window's files, as both doors serve them. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

export interface Asset {
  body: Buffer;
  type: string;
  /** the name carries a hash of the content, so it never changes */
  immutable: boolean;
}

/**
 * File that a URL's path names below the root, or null: it leaves the root, names a hidden file, or is not
 * well formed.
 * @param pathname path of the URL, still percent-encoded; `/` is the page
 */
function assetPath(root: string, pathname: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const relative = decoded.endsWith('/') ? `${decoded}index.html` : decoded;
  if (relative.split('/').some((part) => part.startsWith('.'))) return null;
  const base = normalize(root + sep);
  const path = normalize(join(base, relative));
  return path.startsWith(base) ? path : null;
}

/** Reads an asset; null when there is none. */
export async function readAsset(root: string, pathname: string): Promise<Asset | null> {
  const path = assetPath(root, pathname);
  if (path === null) return null;
  try {
    return {
      body: await readFile(path),
      type: TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
      immutable: pathname.startsWith('/assets/'),
    };
  } catch {
    return null;
  }
}
