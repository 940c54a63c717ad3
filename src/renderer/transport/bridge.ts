/** The desktop door: the preload script's bridge behind the contract's interfaces. */
import { MoreauError, type RemoteError } from '@contract/errors';
import type { Dispatcher, HostEvent, MethodName, MethodParams, MethodResult } from '@contract/methods';
import type { Shell, ShellEvent, ShellMethod, ShellParams, ShellResults } from '@contract/shell';
import { type Host, steadyConnection } from './host';
import { plain } from './plain';

/** Errors cross the context bridge as data: a thrown class would arrive as a bare message. */
type Envelope = { ok: true; result: unknown } | { ok: false; error: RemoteError };

/** What the preload script exposes as `window.moreauBridge`. */
export interface MoreauBridge {
  door: 'desktop';
  dispatch(method: string, params: unknown): Promise<Envelope>;
  shell(method: string, params: unknown): Promise<Envelope>;
  onHostEvent(listener: (event: HostEvent) => void): () => void;
  onShellEvent(listener: (event: ShellEvent) => void): () => void;
}

declare global {
  interface Window {
    moreauBridge?: MoreauBridge;
  }
}

function open(envelope: Envelope): unknown {
  if (envelope.ok) return envelope.result;
  throw new MoreauError(envelope.error);
}

/** Calls of the engine host over the bridge. Failures are `MoreauError`. */
export class BridgeDispatcher implements Dispatcher {
  constructor(private readonly bridge: MoreauBridge) {}

  async dispatch<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
    return open(await this.bridge.dispatch(method, plain(params))) as MethodResult<M>;
  }

  onEvent(listener: (event: HostEvent) => void): () => void {
    return this.bridge.onHostEvent(listener);
  }
}

/** Native dialogs, files and menu over the bridge. Failures are `MoreauError`. */
class BridgeShell implements Shell {
  constructor(private readonly bridge: MoreauBridge) {}

  async call<M extends ShellMethod>(method: M, params: ShellParams<M>): Promise<ShellResults[M]> {
    return open(await this.bridge.shell(method, plain(params))) as ShellResults[M];
  }

  onEvent(listener: (event: ShellEvent) => void): () => void {
    return this.bridge.onShellEvent(listener);
  }
}

/** The host of an Electron window. */
export function desktopHost(bridge: MoreauBridge): Host {
  return {
    door: 'desktop',
    dispatcher: new BridgeDispatcher(bridge),
    shell: new BridgeShell(bridge),
    features: { recentFiles: true, nativeMenu: true, savesInPlace: true },
    connection: steadyConnection,
  };
}
