/** What stands against a chord for a command. */
import { canonicalChord, isBrowserChord } from './chords';
import type { Command, CommandContext, CommandRegistry } from './registry';

export type ChordTrouble =
  | { kind: 'taken'; by: Command }
  /** the browser takes it before the page sees it */
  | { kind: 'browser' }
  /** a sign alone would be lost for typing */
  | { kind: 'typing' };

const overlap = (a: CommandContext = 'window', b: CommandContext = 'window'): boolean =>
  a === b || a === 'window' || b === 'window';

/**
 * Another command that has the chord where this one would; one of a part of the window goes before one of the
 * window.
 */
function holderOf(registry: CommandRegistry, chord: string, command: Command): Command | null {
  const wanted = canonicalChord(chord);
  return (
    registry
      .list()
      .find(
        (other) =>
          other.id !== command.id &&
          overlap(other.context, command.context) &&
          registry.shortcutsOf(other).some((shortcut) => canonicalChord(shortcut) === wanted),
      ) ?? null
  );
}

/** What stands against it; null when nothing does. */
export function chordTrouble(
  registry: CommandRegistry,
  chord: string,
  command: Command,
  door: 'desktop' | 'browser',
): ChordTrouble | null {
  // Keys of the graph leave text fields alone.
  if (command.context !== 'graph' && /^(?:Shift\+)?.$/u.test(chord)) return { kind: 'typing' };
  if (door === 'browser' && isBrowserChord(chord)) return { kind: 'browser' };
  const by = holderOf(registry, chord, command);
  return by === null ? null : { kind: 'taken', by };
}
