/** Runs commands by their shortcuts, in the part of the window that has the focus. */
import { belongsToText, canonicalChord, chordOf } from './chords';
import type { Command, CommandContext, CommandRegistry } from './registry';

/** Attribute of the parts of the window whose keys are their own; its value is a `CommandContext`. */
const CONTEXT_ATTRIBUTE = 'data-key-context';
const TEXT_FIELDS =
  'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable]';
/** What is text to be read, and copied as such. */
const READ = '[role=dialog], [role=complementary], aside, article, pre';
const SELECT_ALL = canonicalChord('Ctrl+A');

let suspended = 0;

/** Keys run nothing until the returned function is called: a chord is being recorded. */
export function suspendShortcuts(): () => void {
  suspended++;
  let over = false;
  return () => {
    if (!over) suspended--;
    over = true;
  };
}

/** Whether the keys of a command hold where the focus is. */
function holds(context: CommandContext, chord: string, target: Element | null): boolean {
  const isText = (target?.closest(TEXT_FIELDS) ?? null) !== null;
  if (context === 'window') return !(isText && belongsToText(chord));
  const here = target?.closest(`[${CONTEXT_ATTRIBUTE}]`)?.getAttribute(CONTEXT_ATTRIBUTE);
  // A text editor is a text field itself; fields inside other parts keep their keys.
  return here === context && (context === 'editor' || !isText);
}

/**
 * The command that a chord runs where the focus is; one of the part with the focus before one of the window.
 */
function commandFor(registry: CommandRegistry, chord: string, target: Element | null): Command | null {
  const fitting = registry
    .list()
    .filter((command) => registry.shortcutsOf(command).some((shortcut) => canonicalChord(shortcut) === chord))
    .filter((command) => holds(command.context ?? 'window', chord, target));
  return fitting.find(({ context }) => context !== undefined && context !== 'window') ?? fitting[0] ?? null;
}

/**
 * Listens in the capture phase, so that the text editor and input fields do not take undo for their own
 * private history.
 * @returns a function that ends it
 */
export function listenForShortcuts(target: Window, registry: CommandRegistry): () => void {
  const onKey = (event: KeyboardEvent): void => {
    // AltGr types signs; it comes as Ctrl and Alt together.
    if (suspended > 0 || event.isComposing || event.getModifierState('AltGraph')) return;
    const chord = chordOf(event);
    if (chord === null) return;
    const element = event.target instanceof Element ? event.target : null;
    const command = commandFor(registry, chord, element);
    if (command === null) {
      // The browser would mark the labels of all panes as if they were one text.
      if (chord === SELECT_ALL && (element?.closest(`${TEXT_FIELDS}, ${READ}`) ?? null) === null)
        event.preventDefault();
      return;
    }
    // A bare letter is typed where its command has nothing to act on.
    if (chord.length === 1 && !registry.isEnabled(command.id)) return;
    // The keys are ours even while the command may not run: the browser would save the page otherwise.
    event.preventDefault();
    event.stopPropagation();
    registry.run(command.id);
  };
  target.addEventListener('keydown', onKey, { capture: true });
  return () => target.removeEventListener('keydown', onKey, { capture: true });
}
