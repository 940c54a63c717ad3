/** The shell's methods, and the validated entrance to them. */
import { MoreauError } from '@contract/errors';
import { type ShellMethod, shellParams, type ShellParams, type ShellResults } from '@contract/shell';
import type { z } from 'zod';
import { invalidParams } from '../../host/errors';
import type { ShellContext, ShellHandler, ShellHandlers } from './context';
import { fileMethods } from './files';
import { windowMethods } from './window';

const handlers: ShellHandlers<ShellMethod> = { ...fileMethods, ...windowMethods };

/**
 * Validates a shell call and performs it.
 * @throws {MoreauError} `unknown-method`, `invalid-params`, or what the method reports
 */
export async function callShell(context: ShellContext, method: string, params: unknown): Promise<unknown> {
  if (!Object.hasOwn(shellParams, method)) {
    throw new MoreauError({
      code: 'unknown-method',
      message: `The shell has no method named ${method.slice(0, 100)}.`,
      remedy: 'Start the application again; its window may be of another version.',
    });
  }
  return perform(context, method as ShellMethod, params);
}

async function perform<M extends ShellMethod>(
  context: ShellContext,
  method: M,
  params: unknown,
): Promise<ShellResults[M]> {
  const schema = shellParams[method] as unknown as z.ZodType<ShellParams<M>>;
  const checked = schema.safeParse(params);
  if (!checked.success) throw invalidParams(method, checked.error);
  const handler: ShellHandler<M> = handlers[method];
  return handler(context, checked.data);
}
