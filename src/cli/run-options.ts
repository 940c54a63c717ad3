/** The flags of `moreau run` as parameters of `run.start`. */
import type { MethodParams } from '@contract/methods';
import type { SchemeName } from '@engine/document/types';
import { type CommandArguments, type FlagDefinition, UsageError } from './command';

export type StartOptions = Omit<MethodParams<'run.start'>, 'document'>;

/** Flags of what runs a model once; `startOptions` reads them. */
export const RUN_FLAGS = {
  set: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'replace a parameter, also by an expression',
  },
  scheme: { type: 'string', value: 'SCHEME', help: 'time-stepping or event-driven' },
  h: { type: 'string', value: 'H', help: 'time step, s' },
  't-end': { type: 'string', value: 'T', help: 'end time, s' },
} as const satisfies Record<string, FlagDefinition>;

/** Names of parameters, as the document's schema has them. */
const PARAMETER_NAME = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/;

const SCHEMES: readonly SchemeName[] = ['time-stepping', 'event-driven'];

/** The scheme of a run that never began: the one asked for, or the usual one. */
export function schemeOf(args: CommandArguments): SchemeName {
  const scheme = args.text('scheme');
  return scheme !== undefined && isScheme(scheme) ? scheme : 'time-stepping';
}

const isScheme = (text: string): text is SchemeName => SCHEMES.some((name) => name === text);

/** The scheme that a flag asks for. @throws {UsageError} for one that does not exist */
export function schemeOption(args: CommandArguments, flag = 'scheme'): SchemeName | undefined {
  const scheme = args.text(flag);
  if (scheme === undefined || isScheme(scheme)) return scheme;
  throw new UsageError(`There is no scheme “${scheme}”; there are ${SCHEMES.join(' and ')}.`);
}

/** @throws {UsageError} */
export function startOptions(args: CommandArguments): StartOptions {
  const scheme = schemeOption(args);
  const h = numberFlag(args, 'h');
  if (h !== undefined && h <= 0) throw new UsageError('--h must be greater than zero.');
  const tEnd = numberFlag(args, 't-end');
  const signals = args
    .text('signals')
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (signals?.length === 0) throw new UsageError('--signals names no signal.');
  const set = parameters(args.texts('set'));
  return {
    ...(h === undefined ? {} : { h }),
    ...(tEnd === undefined ? {} : { tEnd }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(args.has('project') ? { project: true } : {}),
    ...(signals === undefined ? {} : { signals }),
    ...(set.size === 0 ? {} : { set: Object.fromEntries(set) }),
  };
}

/** A number, or nothing where the flag is not given. @throws {UsageError} */
export function numberFlag(args: CommandArguments, flag: string): number | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--${flag} needs a number, not “${text}”.`);
}

/** The span of time that `--from` and `--until` leave, s. @throws {UsageError} for one that is none */
export function spanOption(args: CommandArguments): { from: number | undefined; to: number | undefined } {
  const from = numberFlag(args, 'from');
  const to = numberFlag(args, 'until');
  if (from !== undefined && to !== undefined && from >= to)
    throw new UsageError('--from must be earlier than --until.');
  return { from, to };
}

export const COMMENTS_HELP = 'with .csv: what made it, in lines above the header that begin with #';

/** @throws {UsageError} where `--comments` cannot be followed */
export function checkComments(args: CommandArguments): void {
  if (args.has('comments') && args.text('out')?.toLowerCase().endsWith('.csv') !== true)
    throw new UsageError('--comments goes with --out FILE.csv; the other formats have what they say.');
}

/** `rpm=660` or `k=2*pi`: a number stays a number, anything else is an expression. */
export function parameters(texts: readonly string[]): Map<string, number | string> {
  const set = new Map<string, number | string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(0, at)).trim();
    const value = text.slice(at + 1).trim();
    if (name === '' || value === '') throw new UsageError(`--set needs NAME=VALUE, not “${text}”.`);
    if (!PARAMETER_NAME.test(name)) {
      throw new UsageError(
        `--set: “${name}” cannot be the name of a parameter; names have letters, digits and _ and begin with no digit.`,
      );
    }
    if (set.has(name)) throw new UsageError(`--set gives ${name} twice; give it once.`);
    const number = Number(value);
    set.set(name, Number.isFinite(number) ? number : value);
  }
  return set;
}
