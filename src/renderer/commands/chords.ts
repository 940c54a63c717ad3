/** Chords of keys: how they are read from the keyboard, written, and shown. */

/** What of a keyboard event makes a chord. */
export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

const MODIFIERS: ReadonlySet<string> = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Dead',
]);
/** Keys that would be confused with the signs around them. */
const NAMES: Readonly<Record<string, string>> = { ' ': 'Space', '+': 'Plus' };
const MAC_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** Name of the key without modifiers; null for a modifier alone. */
function keyName({ key, code = '', altKey }: KeyPress): string | null {
  if (MODIFIERS.has(key)) return null;
  // With Option, macOS gives another sign for each letter; the key itself is meant.
  const plain = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  if (altKey && plain !== null) return plain[1] ?? plain[2];
  if (key.length === 1) return NAMES[key] ?? key.toUpperCase();
  return key;
}

/**
 * The chord of a key press, such as `Ctrl+Shift+P`; null while only modifiers are down. Command counts as
 * Ctrl, for macOS.
 */
export function chordOf(press: KeyPress): string | null {
  const name = keyName(press);
  if (name === null) return null;
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  return [
    ...(ctrlKey || metaKey ? ['Ctrl'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey ? ['Shift'] : []),
    name,
  ].join('+');
}

/** A chord with its modifiers in one order and its key in one spelling, so that chords can be compared. */
export function canonicalChord(chord: string): string {
  const parts = chord.split('+');
  const key = parts.pop() ?? '';
  const has = (name: string): boolean => parts.some((part) => part.toLowerCase() === name);
  return (
    chordOf({
      key: key.length === 1 ? key.toLowerCase() : key === 'Plus' ? '+' : key === 'Space' ? ' ' : key,
      ctrlKey: has('ctrl'),
      altKey: has('alt'),
      shiftKey: has('shift'),
      metaKey: false,
    }) ?? chord
  );
}

/** True when the pressed keys are those of `shortcut`. */
export const matchesShortcut = (press: KeyPress, shortcut: string): boolean =>
  chordOf(press) === canonicalChord(shortcut);

/** The shortcut as it is shown on this platform. */
export function shortcutLabel(shortcut: string): string {
  const mac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');
  const named = shortcut.replace(/Plus$/, '+').replace(/Arrow(?=\w+$)/, '');
  if (!mac) return named;
  return named.replace(/(Ctrl|Alt|Shift)\+/g, (_, name: string) => MAC_SIGNS[name] ?? name);
}

/** True for a chord that types something into a text field, or edits there. */
export function belongsToText(chord: string): boolean {
  const parts = chord.split('+');
  const key = parts.at(-1) ?? '';
  const isModified = parts.includes('Ctrl') || parts.includes('Alt');
  return !isModified && !/^F\d{1,2}$/.test(key);
}

/** Chords that browsers keep for themselves: a page never sees them. */
const BROWSER_CHORDS: ReadonlySet<string> = new Set([
  ...['Ctrl+N', 'Ctrl+T', 'Ctrl+W', 'Ctrl+Shift+N', 'Ctrl+Shift+T', 'Ctrl+Shift+W'],
  ...[
    'Ctrl+Tab',
    'Ctrl+Shift+Tab',
    'Ctrl+PageUp',
    'Ctrl+PageDown',
    'Ctrl+Q',
    'Ctrl+Shift+Q',
    'F11',
    'Alt+F4',
  ],
]);

export const isBrowserChord = (chord: string): boolean => BROWSER_CHORDS.has(canonicalChord(chord));
