/** The command line taken apart against a command's definition. */
import { parseArgs } from 'node:util';
import { closest } from '@engine/closest';
import { type CliCommand, type CommandArguments, UsageError } from './command';

const HELP_FLAG = 'help';

/**
 * @returns the arguments, or `help` when the command's help is asked for
 * @throws {UsageError} for unknown flags, missing or superfluous arguments
 */
export function parseCommand(command: CliCommand, argv: readonly string[]): CommandArguments | 'help' {
  const names = [...Object.keys(command.flags), HELP_FLAG];
  const options: Record<string, { type: 'string' | 'boolean'; multiple: true; short?: string }> = {
    help: { type: 'boolean', multiple: true, short: 'h' },
  };
  for (const [name, flag] of Object.entries(command.flags)) {
    options[name] = { type: flag.type, multiple: true };
  }
  const { tokens } = parseArgs({
    args: joinNegativeValues(command, argv),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === HELP_FLAG) return 'help';
    values.set(token.name, [
      ...(values.get(token.name) ?? []),
      checkFlag(command, names, token.name, token.rawName, token.value),
    ]);
  }
  for (const [name, given] of values) {
    if (given.length > 1 && command.flags[name].multiple !== true) {
      throw new UsageError(`--${name} can be given only once.`);
    }
  }
  checkPositionals(command, positionals);
  return {
    positionals,
    has: (flag) => values.has(flag),
    flags: [...values.keys()],
    text: (flag) => values.get(flag)?.[0],
    texts: (flag) => values.get(flag) ?? [],
  };
}

/** `--t-end -1` means the number, not a flag named 1; `parseArgs` wants that as `--t-end=-1`. */
function joinNegativeValues(command: CliCommand, argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const argument of argv) {
    const last = joined.at(-1);
    const takesValue = last?.startsWith('--') === true && command.flags[last.slice(2)]?.type === 'string';
    if (takesValue && /^-[\d.]/.test(argument)) joined[joined.length - 1] = `${last ?? ''}=${argument}`;
    else joined.push(argument);
  }
  return joined;
}

function checkFlag(
  command: CliCommand,
  names: readonly string[],
  name: string,
  rawName: string,
  value: string | undefined,
): string {
  const flag = Object.hasOwn(command.flags, name) ? command.flags[name] : undefined;
  if (flag === undefined) {
    const meant = closest(name, names);
    const suggestion = meant === null ? `See moreau ${command.name} --help.` : `Did you mean --${meant}?`;
    throw new UsageError(`${command.name} has no flag ${rawName}. ${suggestion}`);
  }
  if (flag.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    return '';
  }
  if (value === undefined)
    throw new UsageError(`--${name} needs a value: --${name} ${flag.value ?? 'VALUE'}.`);
  return value;
}

function checkPositionals(command: CliCommand, given: readonly string[]): void {
  const required = command.positionals.filter((one) => one.required);
  if (given.length < required.length) {
    const missing = required[given.length];
    throw new UsageError(`${command.name} needs ${missing.name}: ${missing.help}.`);
  }
  const unlimited = command.positionals.some((one) => one.repeated === true);
  if (!unlimited && given.length > command.positionals.length) {
    throw new UsageError(
      `${command.name} does not know what to do with “${given[command.positionals.length]}”.`,
    );
  }
}
