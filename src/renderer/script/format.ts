/** Formatting of scripts by prettier, which is loaded in a worker when it is asked for the first time. */
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useSettingsStore } from '../stores/settings';
import type { FormatReply, FormatRequest } from './format-worker';
import FormatWorker from './format.worker.ts?worker';

let worker: Worker | null = null;
let nextId = 1;
const waiting = new Map<number, (reply: FormatReply) => void>();

function started(): Worker {
  if (worker !== null) return worker;
  worker = new FormatWorker();
  worker.addEventListener('message', ({ data }: MessageEvent<FormatReply>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  worker.addEventListener('error', (event) => {
    for (const [id, answer] of waiting) answer({ id, ok: false, message: event.message });
    waiting.clear();
    worker = null;
  });
  return worker;
}

/** The text as prettier writes it, or why it cannot be written. */
function formatted(source: string): Promise<FormatReply> {
  return new Promise((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    const request: FormatRequest = { id, source };
    started().postMessage(request);
  });
}

/**
 * Formats a script of the document as one undoable step. @returns false where it cannot be formatted
 * @param isQuiet no message for a script that cannot be parsed, if the user did not ask for formatting
 */
export async function formatScript(name: string, isQuiet = false): Promise<boolean> {
  const documents = useDocumentStore();
  const { session } = documents;
  const linesOf = (): string[] | undefined =>
    documents.model.scripts.find((script) => script.name === name)?.source;
  const before = linesOf();
  if (before === undefined) return false;
  const source = before.join('\n');
  const reply = await formatted(source);
  if (!reply.ok && isQuiet) return false;
  if (!reply.ok) {
    useNoticesStore().warning(
      text('scripting.formatFailed', { message: reply.message }),
      text('scripting.formatRemedy'),
    );
    return false;
  }
  if (session !== documents.session) return false;
  // What was typed meanwhile is worth more than the order of what was there before.
  if (linesOf()?.join('\n') !== source) return false;
  const lines = reply.text.replace(/\n$/, '').split('\n');
  documents.edit(text('scripting.formatted', { name }), (draft) => {
    const script = draft.scripts.find((candidate) => candidate.name === name);
    if (script !== undefined && script.source.join('\n') !== lines.join('\n')) script.source = lines;
  });
  return true;
}

/** Formats the scripts of the document that is about to be saved, where its user has set that. */
export async function formatForSave(): Promise<void> {
  if (useSettingsStore().values['editor.format'] !== 'save') return;
  for (const { name } of useDocumentStore().model.scripts) await formatScript(name, true);
}

/** Formats a script after a paste, where its user has set that. */
export async function formatAfterPaste(name: string): Promise<void> {
  if (useSettingsStore().values['editor.format'] === 'paste') await formatScript(name, true);
}
