/**
 * The editor for the text of a document: Monaco with its JSON language, completed and explained by the
 * published schema.
 */
import JsonWorker from 'monaco-editor/language/json/json.worker.js?worker';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';
import { diffArrays } from 'diff';
import schemaText from '../../../resources/schema/moreau-model-3.schema.json?raw';
import { editor, prepareMonaco } from '../script/monaco';
import { MarkerSeverity, Uri } from 'monaco-editor/editor';

const DOCUMENT_URI = Uri.parse('file:///document.moreau.json');
/** Changed lines up to which the text is changed line by line. */
const MOST_CHANGES = 2000;

let ready = false;

interface Environment {
  getWorker: (id: string, label: string) => Worker;
}

/** Prepares Monaco for documents; further calls do nothing. */
function prepare(): void {
  prepareMonaco();
  if (ready) return;
  ready = true;
  const environment = (globalThis as unknown as { MonacoEnvironment: Environment }).MonacoEnvironment;
  const others = environment.getWorker;
  environment.getWorker = (id, label) => (label === 'json' ? new JsonWorker() : others(id, label));
  const schema = JSON.parse(schemaText) as { $id: string };
  jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    comments: 'error',
    trailingCommas: 'error',
    enableSchemaRequest: false,
    // The report of the engine says what is wrong, with a remedy; one underline is enough.
    schemaValidation: 'ignore',
    schemas: [{ uri: `moreau:///${schema.$id}`, fileMatch: ['*.moreau.json'], schema }],
  });
  // Documents hold no colours, and every edit would have the whole text searched for them.
  jsonDefaults.setModeConfiguration({ ...jsonDefaults.modeConfiguration, colors: false });
}

/** Longest text that has everything an editor can draw of it, characters. */
const MOST_DRAWN = 200_000;

/**
 * What is drawn of a text of some length. Folds, brackets in colours and the like are made of the whole text,
 * on the thread that draws the window: of long texts they would be felt.
 */
export function optionsFor(length: number): editor.IEditorOptions {
  const isShort = length <= MOST_DRAWN;
  return {
    folding: isShort,
    stickyScroll: { enabled: isShort },
    bracketPairColorization: { enabled: isShort },
    matchBrackets: isShort ? 'always' : 'never',
    guides: { indentation: isShort, bracketPairs: false },
    links: isShort,
    colorDecorators: false,
    occurrencesHighlight: isShort ? 'singleFile' : 'off',
    selectionHighlight: isShort,
  };
}

/** The editor in a frame, with the one text model of documents. */
export function createTextEditor(
  frame: HTMLElement,
  options: editor.IStandaloneEditorConstructionOptions,
): editor.IStandaloneCodeEditor {
  prepare();
  const model = editor.getModel(DOCUMENT_URI) ?? editor.createModel('', 'json', DOCUMENT_URI);
  return editor.create(frame, { ...options, model });
}

interface LineEdit {
  /** 0-based line of the old text, and how many of its lines are replaced */
  at: number;
  removed: number;
  added: string[];
}

function lineEdits(before: string[], after: string[]): LineEdit[] {
  const changes = diffArrays(before, after, { maxEditLength: MOST_CHANGES });
  const edits: LineEdit[] = [];
  let at = 0;
  let open: LineEdit | null = null;
  for (const { added, removed, value } of changes ?? []) {
    if (!added && !removed) {
      at += value.length;
      open = null;
      continue;
    }
    if (open === null) edits.push((open = { at, removed: 0, added: [] }));
    if (removed) {
      open.removed += value.length;
      at += value.length;
    } else open.added.push(...value);
  }
  return edits;
}

/**
 * Brings the editor to a text by changing only the lines that differ, so that carets, folds and the view
 * stay.
 */
export function bringToJson(model: editor.ITextModel, next: string): void {
  if (model.getValue() === next) return;
  if (model.getValueLength() === 0) {
    // Nothing of it could stay.
    model.setValue(next);
    return;
  }
  const before = model.getLinesContent();
  const after = next.split('\n');
  const edits = lineEdits(before, after);
  const isWhole = edits.length === 0;
  if (isWhole) edits.push({ at: 0, removed: before.length, added: after });
  model.pushStackElement();
  model.pushEditOperations(
    null,
    edits.map(({ at, removed, added }) => {
      const end = at + removed;
      const atEnd = end >= before.length;
      // Lines before the last go with the break after them; the last one, with the break before it.
      const range = atEnd
        ? {
            startLineNumber: Math.max(1, at),
            startColumn: at === 0 ? 1 : (before[at - 1]?.length ?? 0) + 1,
            endLineNumber: before.length,
            endColumn: (before.at(-1)?.length ?? 0) + 1,
          }
        : { startLineNumber: at + 1, startColumn: 1, endLineNumber: end + 1, endColumn: 1 };
      const lines = added.join('\n');
      const text = atEnd
        ? at > 0 && added.length > 0
          ? `\n${lines}`
          : lines
        : added.map((line) => `${line}\n`).join('');
      return { range, text };
    }),
    () => null,
  );
  model.pushStackElement();
}

/** A range to be underlined. */
export interface TextMarker {
  offset: number;
  length: number;
  message: string;
  severity: 'error' | 'warning';
}

/** Replaces the underlines that are ours; the JSON language keeps its own. */
export function setTextMarkers(model: editor.ITextModel, markers: readonly TextMarker[]): void {
  editor.setModelMarkers(
    model,
    'moreau',
    markers.map(({ offset, length, message, severity }) => {
      const start = model.getPositionAt(offset);
      const end = model.getPositionAt(offset + Math.max(1, length));
      return {
        severity: severity === 'error' ? MarkerSeverity.Error : MarkerSeverity.Warning,
        message,
        startLineNumber: start.lineNumber,
        startColumn: start.column,
        endLineNumber: end.lineNumber,
        endColumn: end.column,
      };
    }),
  );
}

export { editor };
