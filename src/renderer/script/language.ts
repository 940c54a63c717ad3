/**
 * What the editor offers beside TypeScript's own help: lenses, uses, names that the document follows,
 * formatting.
 */
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useProfileStore } from '../stores/profile';
import { useWorkspaceStore } from '../stores/workspace';
import { formatScript } from './format';
import { assignUse, createMissing, selectUse } from './lens-actions';
import { lensesOf, usesText } from './lenses';
import { editor, Emitter, languages, Range, renameRanges, scriptOf } from './monaco';
import { functionsOf } from './outline';
import { renameName, renameProblem } from './rename-function';
import { missingFunctions } from './usages';
import { usesNow } from './uses';
import { useCatalogueStore } from '../stores/catalogue';

let registered = false;

const COMMANDS = {
  select: 'moreau.function.select',
  assign: 'moreau.function.assign',
  create: 'moreau.function.create',
} as const;

const lensesChanged = new Emitter<languages.CodeLensProvider>();
let lensProvider: languages.CodeLensProvider | null = null;

/** Has the editor ask for its lenses again: something has changed that is no text. */
export function refreshLenses(): void {
  if (lensProvider !== null) lensesChanged.fire(lensProvider);
}

/** Functions that elements name and no script has. */
function missing(): string[] {
  const { model } = useDocumentStore();
  const exported = new Set(functionsOf(model.scripts).map(({ name }) => name));
  return missingFunctions(model, exported, useCatalogueStore().catalogue);
}

function registerLenses(): void {
  const documents = useDocumentStore();
  const profile = useProfileStore();
  editor.registerCommand(COMMANDS.select, (_accessor, name: string) => void selectUse(name));
  editor.registerCommand(COMMANDS.assign, (_accessor, name: string) => void assignUse(name));
  editor.registerCommand(COMMANDS.create, (_accessor, name: string) => createMissing(name));
  const provider: languages.CodeLensProvider = {
    onDidChange: lensesChanged.event,
    provideCodeLenses: ({ uri }) => {
      const script = documents.model.scripts.find(({ name }) => name === scriptOf(uri));
      const lenses = script === undefined ? [] : lensesOf(script, usesNow(), missing(), profile.profile);
      return {
        lenses: lenses.map(({ line, title, command }) => ({
          range: new Range(line, 1, line, 1),
          command:
            command === null
              ? { id: '', title }
              : { id: COMMANDS[command.id], title, arguments: [command.argument] },
        })),
        dispose: () => undefined,
      };
    },
  };
  languages.registerCodeLensProvider('typescript', provider);
  lensProvider = provider;
}

function registerHover(): void {
  languages.registerHoverProvider('typescript', {
    provideHover: (model, position) => {
      const word = model.getWordAtPosition(position);
      const uses = word === null ? undefined : usesNow().get(word.word);
      if (uses === undefined) return null;
      return { contents: [{ value: text('scripting.usedBy', { uses: usesText(uses) }) }] };
    },
  });
}

function registerRename(): void {
  languages.registerRenameProvider('typescript', {
    resolveRenameLocation: (model, position) => {
      const word = model.getWordAtPosition(position);
      const { lineNumber } = position;
      if (word === null)
        return {
          range: new Range(lineNumber, 1, lineNumber, 1),
          text: '',
          rejectReason: text('scripting.renameFirst'),
        };
      return {
        range: new Range(lineNumber, word.startColumn, lineNumber, word.endColumn),
        text: word.word,
      };
    },
    provideRenameEdits: async (model, position, to) => {
      const from = model.getWordAtPosition(position)?.word ?? '';
      const script = scriptOf(model.uri);
      const problem = renameProblem(from, to);
      if (problem !== null || script === null) return { edits: [], rejectReason: problem ?? '' };
      const ranges = await renameRanges(model, model.getOffsetAt(position));
      if (ranges.size === 0) return { edits: [], rejectReason: text('scripting.renameFirst') };
      // The document is edited, and the editor follows it: one step of the one history.
      if (from !== to) renameName(script, from, to, ranges);
      return { edits: [] };
    },
  });
}

function registerActions(): void {
  languages.registerCodeActionProvider('typescript', {
    provideCodeActions: () => ({
      actions: missing().map((name) => {
        const title = text('scripting.create', { name });
        return { title, kind: 'quickfix', command: { id: COMMANDS.create, title, arguments: [name] } };
      }),
      dispose: () => undefined,
    }),
  });
  languages.registerDocumentFormattingEditProvider('typescript', {
    displayName: 'Prettier',
    provideDocumentFormattingEdits: async (model) => {
      const script = scriptOf(model.uri);
      if (script !== null) await formatScript(script);
      return [];
    },
  });
  // A definition in another script is shown by the pane, which has one editor for all of them.
  editor.registerEditorOpener({
    openCodeEditor: (_source, resource, at) => {
      const script = scriptOf(resource);
      if (script === null) return false;
      const line = at === undefined ? 1 : 'startLineNumber' in at ? at.startLineNumber : at.lineNumber;
      const column = at === undefined ? 1 : 'startColumn' in at ? at.startColumn : at.column;
      useWorkspaceStore().showScript(script, line, column);
      return true;
    },
  });
}

/** The exported function that a name in quotes stands for, e.g. in a builder script. */
function registerDefinitions(): void {
  languages.registerDefinitionProvider('typescript', {
    provideDefinition: (model, position) => {
      const word = model.getWordAtPosition(position);
      const before = model.getLineContent(position.lineNumber)[(word?.startColumn ?? 1) - 2];
      if (word === null || before === undefined || !`'"\``.includes(before)) return null;
      const place = functionsOf(useDocumentStore().model.scripts).find(({ name }) => name === word.word);
      if (place === undefined) return null;
      const target = editor.getModels().find(({ uri }) => scriptOf(uri) === place.script);
      if (target === undefined) return null;
      return { uri: target.uri, range: new Range(place.line, place.column, place.line, place.column) };
    },
  });
}

/** Registers all of it; further calls do nothing. */
export function prepareLanguage(): void {
  if (registered) return;
  registered = true;
  registerLenses();
  registerHover();
  registerRename();
  registerActions();
  registerDefinitions();
}
