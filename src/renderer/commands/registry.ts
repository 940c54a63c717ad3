/** One registry of everything the user can do, behind menus, toolbar, keys and palette. */
import { type Component, shallowReactive } from 'vue';

export type CommandGroup = 'file' | 'edit' | 'view' | 'run' | 'help';
/** Where the keys of a command hold: everywhere, or only while the focus is in a part of the window. */
export type CommandContext = 'window' | 'graph' | 'editor';

export interface Command {
  /** stable identifier, e.g. `run.start`; the native menu sends it */
  id: string;
  group: CommandGroup;
  title: () => string;
  /** title without what it would act on now; default `title` */
  plainTitle?: () => string;
  icon?: Component;
  /** e.g. `Ctrl+Shift+P`; Ctrl stands for Command on macOS. The user may change it. */
  shortcut?: string;
  /** further keys for the same, for hands used to other programs */
  aliases?: readonly string[];
  /** default `window`; keys of another context leave text fields alone */
  context?: CommandContext;
  /** false keeps it out of the menus; default true */
  inMenu?: boolean;
  /** false hides the command in this door; default true */
  available?: () => boolean;
  /** false shows it greyed and makes it do nothing; default true */
  enabled?: () => boolean;
  /** why it may not run now */
  reason?: () => string | null;
  run: () => unknown;
}

/** Shortcuts by command, in place of the commands' own. */
export type KeyBindings = Readonly<Record<string, readonly string[]>>;

/** Commands by id, in the order they were registered. */
export class CommandRegistry {
  readonly #commands = shallowReactive(new Map<string, Command>());
  readonly #bindings: () => KeyBindings;
  readonly #onRun: (id: string) => void;

  /**
   * @param bindings what the user has set
   * @param onRun is called for each command that runs
   */
  constructor(bindings: () => KeyBindings = () => ({}), onRun: (id: string) => void = () => undefined) {
    this.#bindings = bindings;
    this.#onRun = onRun;
  }

  /** @throws {Error} when the id is taken */
  register(...commands: Command[]): void {
    for (const command of commands) {
      if (this.#commands.has(command.id)) throw new Error(`command ${command.id} is registered twice`);
      this.#commands.set(command.id, command);
    }
  }

  get(id: string): Command | undefined {
    return this.#commands.get(id);
  }

  /** Commands this door has. */
  list(): Command[] {
    return [...this.#commands.values()].filter((command) => command.available?.() ?? true);
  }

  /** Shortcuts of a command, the one shown in menus first: the user's, or its own. */
  shortcutsOf(command: Command): readonly string[] {
    return this.#bindings()[command.id] ?? ownShortcuts(command);
  }

  /** The shortcut shown in menus; empty where there is none. */
  shortcut(id: string): string {
    const command = this.#commands.get(id);
    return command === undefined ? '' : (this.shortcutsOf(command)[0] ?? '');
  }

  /** True when the command exists, belongs to this door and may run now. */
  isEnabled(id: string): boolean {
    const command = this.#commands.get(id);
    return command !== undefined && (command.available?.() ?? true) && (command.enabled?.() ?? true);
  }

  /** Runs a command. @returns false when it does not exist or may not run now */
  run(id: string): boolean {
    if (!this.isEnabled(id)) return false;
    this.#onRun(id);
    void this.#commands.get(id)?.run();
    return true;
  }
}

/** The shortcuts a command comes with. */
export function ownShortcuts(command: Pick<Command, 'shortcut' | 'aliases'>): string[] {
  return [...(command.shortcut === undefined ? [] : [command.shortcut]), ...(command.aliases ?? [])];
}
