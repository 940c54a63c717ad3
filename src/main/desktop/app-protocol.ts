/** The window's own origin, `app://moreau/`: files of the built window and nothing else. */
import { protocol, type Session } from 'electron';
import { readAsset } from '../assets';
import { SECURITY_HEADERS } from '../security/csp';

const SCHEME = 'app';
const HOST = 'moreau';

/** Address of the window's page. */
export const APP_URL = `${SCHEME}://${HOST}/`;

/** Makes the scheme a proper origin. Must be called before the application is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the built window to a session. @param root folder of the built window */
export function serveApp(session: Session, root: string): void {
  session.protocol.handle(SCHEME, (request) => answer(root, request.method, request.url));
}

/** Answers one request of the window; exported for its tests. */
export async function answer(root: string, method: string, url: string): Promise<Response> {
  const headers = { ...SECURITY_HEADERS };
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host !== HOST || method !== 'GET') {
    return new Response(null, { status: 403, headers });
  }
  const asset = await readAsset(root, parsed.pathname);
  if (asset === null) return new Response(null, { status: 404, headers });
  return new Response(new Uint8Array(asset.body), {
    headers: { ...headers, 'Content-Type': asset.type },
  });
}

/** Whether an address belongs to the window itself. @param devUrl development server, when there is one */
export function isAppUrl(url: string, devUrl: string | undefined): boolean {
  if (url.startsWith(APP_URL)) return true;
  return devUrl !== undefined && URL.parse(url)?.origin === URL.parse(devUrl)?.origin;
}
