/** What a page in our window may not do: leave, open others, ask the system for anything. */
import type { Session, WebContents } from 'electron';
import { isAppUrl } from './app-protocol';

/** Pages that may be handed to the system's browser. None yet: the help is part of the program. */
const EXTERNAL_PAGES: readonly string[] = [];

/** Writing text that the user copies, which a page in any browser may do. */
const COPYING = 'clipboard-sanitized-write';

/** Who asks for a permission, as Electron tells it. */
interface Requester {
  readonly isMainFrame: boolean;
  readonly requestingUrl?: string;
}

/**
 * Denies every other permission, as the window needs neither camera nor clipboard reading nor notifications,
 * and that one to all but the window's own page.
 * @param own contents of the window; null while there is none
 */
export function denyPermissions(
  session: Session,
  own: () => WebContents | null,
  devUrl: string | undefined,
): void {
  const isGranted = (
    contents: WebContents | null,
    permission: string,
    { isMainFrame, requestingUrl }: Requester,
  ): boolean =>
    permission === COPYING &&
    contents !== null &&
    contents === own() &&
    isMainFrame &&
    requestingUrl !== undefined &&
    isAppUrl(requestingUrl, devUrl);
  session.setPermissionRequestHandler((contents, permission, decide, details) =>
    decide(isGranted(contents, permission, details)),
  );
  session.setPermissionCheckHandler((contents, permission, _origin, details) =>
    isGranted(contents, permission, details),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // Files leave through the shell's save dialogs only; blob downloads of this page are the browser door's
    // way.
    if (!item.getURL().startsWith('blob:')) event.preventDefault();
  });
}

/**
 * Keeps a page on our origin.
 * @param openExternal hands an allowed address to the system's browser
 */
export function confineNavigation(
  contents: WebContents,
  devUrl: string | undefined,
  openExternal: (url: string) => void,
): void {
  const confine = (event: { preventDefault(): void }, url: string): void => {
    if (!isAppUrl(url, devUrl)) event.preventDefault();
  };
  contents.on('will-navigate', (event) => confine(event, event.url));
  contents.on('will-frame-navigate', (event) => confine(event, event.url));
  contents.on('will-redirect', (event) => confine(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (EXTERNAL_PAGES.includes(url)) openExternal(url);
    return { action: 'deny' };
  });
}
