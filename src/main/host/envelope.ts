/** Calls as values: transports that flatten Error objects carry this envelope instead. */
import type { RemoteError } from '@contract/errors';
import type { Dispatcher, MethodName, MethodParams } from '@contract/methods';
import { toRemoteError } from './errors';

export type Envelope = { ok: true; result: unknown } | { ok: false; error: RemoteError };

/** Calls a method whose name and parameters came from outside; `dispatch` validates both. Never rejects. */
export async function callEnveloped(
  dispatcher: Dispatcher,
  method: string,
  params: unknown,
): Promise<Envelope> {
  try {
    const result = await dispatcher.dispatch(method as MethodName, params as MethodParams<MethodName>);
    return { ok: true, result };
  } catch (error) {
    return { ok: false, error: toRemoteError(error) };
  }
}
