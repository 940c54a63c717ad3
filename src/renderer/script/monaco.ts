/** The Monaco editor, set up once: TypeScript with strict checks, own themes, workers from this origin. */
import {
  editor,
  Emitter,
  type IDisposable,
  languages,
  MarkerSeverity,
  Range,
  Uri,
} from 'monaco-editor/editor';
import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/definitions/typescript/register';
import {
  getTypeScriptWorker,
  typescriptDefaults,
} from 'monaco-editor/languages/features/typescript/register';
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker';
import { languageLibrary } from './library';
import type { RangesByScript } from './rename-function';
import TypeScriptWorker from 'monaco-editor/language/typescript/ts.worker.js?worker';

const TYPINGS_PATH = 'file:///moreau.d.ts';
const LIBRARY_PATH = 'file:///ecmascript.d.ts';
/**
 * Values of the compiler's own enumerations: ES2020 target, ES modules, classic resolution of sibling files.
 */
const ES2020 = 7;
const ES_MODULES = 99;

let ready = false;
let typings: IDisposable | null = null;
let library: Promise<void> | null = null;

function defineThemes(): void {
  editor.defineTheme('moreau-light', {
    base: 'vs',
    inherit: true,
    rules: [
      { token: 'comment', foreground: '5d6b7a', fontStyle: 'italic' },
      { token: 'keyword', foreground: '8a2d8f' },
      { token: 'number', foreground: '0f6e4f' },
      { token: 'string', foreground: '9a4708' },
      { token: 'type', foreground: '1b5fb4' },
    ],
    colors: {
      'editor.background': '#ffffff',
      'editorLineNumber.foreground': '#67727f',
      'editor.lineHighlightBackground': '#f3f6fa',
      'editorGutter.background': '#ffffff',
      focusBorder: '#1b5fb4',
    },
  });
  editor.defineTheme('moreau-dark', {
    base: 'vs-dark',
    inherit: true,
    rules: [
      { token: 'comment', foreground: '8b98a8', fontStyle: 'italic' },
      { token: 'keyword', foreground: 'd39ae0' },
      { token: 'number', foreground: '83d3ad' },
      { token: 'string', foreground: 'eab07d' },
      { token: 'type', foreground: '7fb8f7' },
    ],
    colors: {
      'editor.background': '#171b21',
      'editorLineNumber.foreground': '#8794a5',
      'editor.lineHighlightBackground': '#1d232b',
      'editorGutter.background': '#171b21',
      'editorWidget.background': '#20262e',
      focusBorder: '#6fb0f7',
    },
  });
}

/** Prepares Monaco; further calls do nothing. */
export function prepareMonaco(): void {
  if (ready) return;
  ready = true;
  (globalThis as { MonacoEnvironment?: unknown }).MonacoEnvironment = {
    getWorker: (_id: string, label: string) =>
      label === 'typescript' || label === 'javascript' ? new TypeScriptWorker() : new EditorWorker(),
  };
  defineThemes();
  typescriptDefaults.setCompilerOptions({
    target: ES2020,
    module: ES_MODULES,
    noLib: true,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    allowNonTsExtensions: true,
    noImplicitReturns: true,
    // p and t are given to every function; a script need not use them.
    noUnusedParameters: false,
  });
  // Until the library is there every name of it would be underlined.
  typescriptDefaults.setDiagnosticsOptions({ noSemanticValidation: true, noSyntaxValidation: false });
  typescriptDefaults.setEagerModelSync(true);
  // Names in the document follow a new name, and prettier formats: both are done by `language.ts`.
  typescriptDefaults.setModeConfiguration({
    ...typescriptDefaults.modeConfiguration,
    rename: false,
    documentRangeFormattingEdits: false,
  });
}

/** As the language service tells it. */
interface RenameLocation {
  fileName: string;
  textSpan: { start: number; length: number };
}

/**
 * Text ranges of a name wherever it is used, by script; none where the language service knows no such name.
 */
export async function renameRanges(model: editor.ITextModel, offset: number): Promise<RangesByScript> {
  const connect = await languageService();
  const worker = await connect(model.uri);
  const found = (await worker.findRenameLocations(model.uri.toString(), offset, false, false, false)) as
    readonly RenameLocation[] | undefined;
  const ranges = new Map<string, [number, number][]>();
  for (const { fileName, textSpan } of found ?? []) {
    const script = scriptOf(Uri.parse(fileName));
    if (script === null) continue;
    const own = ranges.get(script) ?? [];
    own.push([textSpan.start, textSpan.start + textSpan.length]);
    ranges.set(script, own);
  }
  return ranges;
}

/** The worker's own list of library files, which the editor's declarations leave out. */
interface LibraryFiles {
  getLibFiles(): Promise<Record<string, string>>;
}

/**
 * Monaco registers its language service some time after the first script is shown, and says so only by
 * refusing.
 */
const REGISTRATION_POLL_MS = 100;
const REGISTRATION_ATTEMPTS = 300;

async function languageService(): ReturnType<typeof getTypeScriptWorker> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await getTypeScriptWorker();
    } catch (error) {
      if (attempt === REGISTRATION_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, REGISTRATION_POLL_MS));
    }
  }
}

/** Gives the language service its library; needs a script to be open, which starts the service. */
async function loadLibrary(): Promise<void> {
  const connect = await languageService();
  const worker = (await connect()) as unknown as LibraryFiles;
  typescriptDefaults.addExtraLib(languageLibrary(await worker.getLibFiles()), LIBRARY_PATH);
  typescriptDefaults.setDiagnosticsOptions({ noSemanticValidation: false, noSyntaxValidation: false });
}

/** Replaces the declarations generated for the present document. */
export function setTypings(text: string): void {
  typings?.dispose();
  typings = text === '' ? null : typescriptDefaults.addExtraLib(text, TYPINGS_PATH);
}

const uriOf = (script: string): Uri => Uri.parse(`file:///scripts/${encodeURIComponent(script)}`);

/** Longest script of which brackets are coloured, characters: a tree of the whole text is made at once. */
const MOST_COLOURED = 200_000;

function createScriptModel(source: string, uri: Uri): editor.ITextModel {
  const model = editor.createModel(source, 'typescript', uri);
  if (source.length > MOST_COLOURED) {
    const bracketColorizationOptions = { enabled: false, independentColorPoolPerBracketType: false };
    model.updateOptions({ bracketColorizationOptions });
  }
  return model;
}

/** The text model of a script, made at first use. */
export function scriptModel(script: string, source: string): editor.ITextModel {
  const model = editor.getModel(uriOf(script)) ?? createScriptModel(source, uriOf(script));
  // Without the library the editor still edits; it only knows fewer names.
  library ??= loadLibrary().catch(() => undefined);
  return model;
}

/** Drops text models of scripts that no longer exist. */
export function dropOtherModels(kept: readonly string[]): void {
  const uris = new Set(kept.map((name) => uriOf(name).toString()));
  for (const model of editor.getModels()) {
    if (model.uri.path.startsWith('/scripts/') && !uris.has(model.uri.toString())) model.dispose();
  }
}

/** Changes only the part of the text that differs, so that the cursor and the folding stay. */
export function bringToText(model: editor.ITextModel, next: string): void {
  const present = model.getValue();
  if (present === next) return;
  let start = 0;
  const shortest = Math.min(present.length, next.length);
  while (start < shortest && present[start] === next[start]) start++;
  let end = 0;
  while (end < shortest - start && present[present.length - 1 - end] === next[next.length - 1 - end]) end++;
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(present.length - end);
  model.applyEdits([
    {
      range: {
        startLineNumber: from.lineNumber,
        startColumn: from.column,
        endLineNumber: to.lineNumber,
        endColumn: to.column,
      },
      text: next.slice(start, next.length - end),
    },
  ]);
}

/** A problem to be underlined, 1-based. */
export interface ScriptMarker {
  line: number;
  column: number;
  message: string;
  severity: 'error' | 'warning';
}

/** Replaces the markers the engine put on a script; the language service keeps its own. */
export function setMarkers(model: editor.ITextModel, markers: readonly ScriptMarker[]): void {
  const ERROR = 8;
  const WARNING = 4;
  editor.setModelMarkers(
    model,
    'moreau',
    markers.map(({ line, column, message, severity }) => {
      const startLineNumber = Math.min(Math.max(1, line), model.getLineCount());
      const word = model.getWordAtPosition({ lineNumber: startLineNumber, column: Math.max(1, column) });
      return {
        severity: severity === 'error' ? ERROR : WARNING,
        message,
        startLineNumber,
        startColumn: word?.startColumn ?? Math.max(1, column),
        endLineNumber: startLineNumber,
        endColumn: word?.endColumn ?? model.getLineMaxColumn(startLineNumber),
      };
    }),
  );
}

/** Tells the type errors of a script whenever the language service has looked at it again. */
export function followTypeErrors(
  told: (script: string, errors: { line: number; column: number; message: string }[]) => void,
): IDisposable {
  return editor.onDidChangeMarkers((resources) => {
    for (const resource of resources) {
      const script = scriptOf(resource);
      // Of a script that is gone there is nothing to say.
      if (script === null || editor.getModel(resource) === null) continue;
      const own = editor.getModelMarkers({ resource, owner: 'typescript' });
      const errors = own.filter(({ severity }) => severity === MarkerSeverity.Error);
      told(
        script,
        errors.map(({ startLineNumber: line, startColumn: column, message }) => ({ line, column, message })),
      );
    }
  });
}

/** Name of the script a text model belongs to; null of any other. */
export const scriptOf = ({ path }: Uri): string | null =>
  path.startsWith('/scripts/') ? decodeURIComponent(path.slice('/scripts/'.length)) : null;

export { editor, Emitter, languages, Range };
