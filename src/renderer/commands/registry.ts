/** One registry of everything the user can do, behind menus, toolbar, keys and palette. */
import type { Component } from 'vue';

export type CommandGroup = 'file' | 'edit' | 'view' | 'run' | 'help';

export interface Command {
  /** stable identifier, e.g. `run.start`; the native menu sends it */
  id: string;
  group: CommandGroup;
  title: () => string;
  /** title without what it would act on now; default `title` */
  plainTitle?: () => string;
  icon?: Component;
  /** e.g. `Ctrl+Shift+P`; Ctrl stands for Command on macOS */
  shortcut?: string;
  /** further keys for the same, for hands used to other programs */
  aliases?: readonly string[];
  /** false hides the command in this door; default true */
  available?: () => boolean;
  /** false shows it greyed and makes it do nothing; default true */
  enabled?: () => boolean;
  run: () => unknown;
}

/** Commands by id, in the order they were registered. */
export class CommandRegistry {
  readonly #commands = new Map<string, Command>();

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

  /** True when the command exists, belongs to this door and may run now. */
  isEnabled(id: string): boolean {
    const command = this.#commands.get(id);
    return command !== undefined && (command.available?.() ?? true) && (command.enabled?.() ?? true);
  }

  /** Runs a command. @returns false when it does not exist or may not run now */
  run(id: string): boolean {
    if (!this.isEnabled(id)) return false;
    void this.#commands.get(id)?.run();
    return true;
  }
}
