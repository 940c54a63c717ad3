/** What can be done to a node of the tree; each is one undoable step. */
import type { ModelDocument } from '@engine/document/types';
import { addView, removeView } from '../dashboard/edits';
import { freshName } from '../document/factory';
import { moveLink, unlink } from '../document/links';
import { nameRefusal } from '../document/name-refusal';
import { renameElement, renameObservable, renameScript } from '../document/rename';
import { useDataImportStore } from '../exchange/data-import';
import { removeTable, renameTableTo } from '../exchange/table-edits';
import { renameInDrawing } from '../graph/editing/circuit-edits';
import { deleteElements } from '../graph/editing/edits';
import { renameGroup, takeOutOfFrame } from '../graph/frames/frame-edits';
import { groupNode, noteNode } from '../graph/frames/frames';
import { text } from '../i18n';
import { addParameter, changeParameterName, removeParameter } from '../parameters/edits';
import { addScript, removeScript } from '../script/functions';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useDrawingStore } from '../stores/drawing';
import { useReportStore } from '../stores/report';
import { useWorkspaceStore } from '../stores/workspace';
import { type TreeList, type TreeNode, wayKey } from './nodes';

const FREE_TEXT: ReadonlySet<TreeNode['kind']> = new Set(['model', 'view', 'reference']);

/** Whether a node has a name that can be changed in place. */
export const isRenamable = ({ kind, list, isBuilt }: TreeNode): boolean =>
  isBuilt !== true && (kind === 'model' || kind === 'group' || (list !== undefined && list !== 'links'));

/** Whether a node can be deleted, or taken out of what it stands in. */
export const isRemovable = ({ kind, list, isBuilt }: TreeNode): boolean =>
  isBuilt !== true && (list !== undefined || kind === 'group' || kind === 'note' || kind === 'member');

/** Whether a node has a place among others that can be changed. */
export const isMovableNode = ({ list, isBuilt }: TreeNode): boolean => isBuilt !== true && list !== undefined;

/** Why a node cannot be called so; empty when it can. */
export function renameTrouble({ kind, list, label }: TreeNode, name: string): string {
  if (
    FREE_TEXT.has(kind) ||
    list === undefined ||
    list === 'links' ||
    list === 'views' ||
    list === 'references'
  )
    return kind === 'model' && name.trim() === ''
      ? text('tree.titleEmpty')
      : kind === 'group' && name.trim() === ''
        ? text('tree.groupEmpty')
        : '';
  return nameRefusal(useDocumentStore().model, list, label, name);
}

/** Shows the drawing that a node stands in. */
export function showDrawingOf({ way = [] }: TreeNode): void {
  const drawing = useDrawingStore();
  if (wayKey(drawing.way) !== wayKey(way)) drawing.show(way);
}

/** Gives a node another name, and everything that refers to it. The name has been checked. */
export function renameNode(node: TreeNode, name: string): void {
  const to = name.trim();
  const from = node.label;
  if (to === from) return;
  const documents = useDocumentStore();
  const workspace = useWorkspaceStore();
  const index = node.index ?? -1;
  const rename = (recipe: (draft: ModelDocument) => void): void =>
    documents.edit(text('edit.rename', { from, to }), recipe);
  if (node.kind === 'model') {
    documents.edit(text('edit.title'), (draft) => void (draft.title = to));
  } else if (node.kind === 'group') renameGroup(layoutId(node), to);
  else if (node.list === 'parameters') changeParameterName(from, to);
  else if (node.list === 'observables') rename((draft) => renameObservable(draft, from, to));
  else if (node.list === 'tables') renameTableTo(from, to);
  else if (node.list === 'scripts') rename((draft) => renameScript(draft, from, to));
  else if (node.list === 'views') {
    rename((draft) => {
      const view = draft.views[index];
      if (view === undefined) return;
      if (to === '') delete view.title;
      else view.title = to;
    });
  } else if (node.list === 'references') {
    rename((draft) => {
      if (draft.references !== undefined) draft.references[index] = to;
    });
  } else if (isDrawn(node.kind)) {
    showDrawingOf(node);
    renameInDrawing(from, to);
  } else if (isElement(node)) {
    rename((draft) => renameElement(draft, from, to));
    const { selectedIds } = workspace;
    if (selectedIds.includes(from))
      workspace.selectElements(selectedIds.map((id) => (id === from ? to : id)));
  }
}

/** Whether nodes of a kind stand for what is drawn of components. */
const isDrawn = (kind: TreeNode['kind']): boolean =>
  kind === 'component' || kind === 'instance' || kind === 'wire';

/** Whether a node stands for something in the graph. */
export const isElement = ({ kind }: TreeNode): boolean =>
  isDrawn(kind) || kind === 'system' || kind === 'interaction';

/** Id of the group or note that a node stands for. */
const layoutId = ({ key }: TreeNode): string => key.slice(key.indexOf(':') + 1);

/** Deletes a node, or takes a linked system out of its interaction. @param parent node above it */
export function removeNode(node: TreeNode, parent: TreeNode | undefined): void {
  const documents = useDocumentStore();
  const index = node.index ?? -1;
  const name = node.label;
  switch (node.list) {
    case 'parameters':
      removeParameter(index);
      break;
    case 'systems':
    case 'interactions':
    case 'components':
    case 'instances':
    case 'wires':
      showDrawingOf(node);
      deleteElements([name]);
      break;
    case 'scripts':
      removeScript(name);
      break;
    case 'links': {
      const { catalogue } = useCatalogueStore();
      const interaction = parent?.id ?? '';
      documents.edit(text('edit.unlink'), (draft) => unlink(draft, catalogue, interaction, name));
      break;
    }
    case 'tables':
      removeTable(index, name);
      break;
    case 'views':
      removeView(documents.model.views[index]?.id ?? '');
      break;
    case 'observables':
    case 'references': {
      const { list } = node;
      documents.edit(text('edit.delete', { name }), (draft) => void draft[list]?.splice(index, 1));
      break;
    }
    case undefined:
      if (node.kind === 'group') deleteElements([groupNode(layoutId(node))]);
      else if (node.kind === 'note') deleteElements([noteNode(layoutId(node))]);
      else if (node.kind === 'member') takeOutOfFrame([name]);
      break;
  }
}

/**
 * Gives an entry another place in its list.
 * @param to place it has afterwards
 * @returns false when there is none
 */
export function moveNode(node: TreeNode, parent: TreeNode | undefined, to: number): boolean {
  const documents = useDocumentStore();
  const { list, index } = node;
  if (list === undefined || index === undefined || to === index || to < 0) return false;
  const interaction = parent?.id ?? '';
  const entries: readonly unknown[] =
    list === 'links'
      ? (documents.model.interactions.find(({ id }) => id === interaction)?.systems ?? [])
      : (documents.model[list] ?? []);
  if (to >= entries.length) return false;
  const { catalogue } = useCatalogueStore();
  documents.edit(text('edit.order', { name: node.label }), (draft) => {
    if (list === 'links') {
      moveLink(draft, catalogue, interaction, index, to);
      return;
    }
    const target = draft[list] as unknown[];
    target.splice(to, 0, ...target.splice(index, 1));
  });
  return true;
}

/** Lists whose new entries need no choice of a type. */
export type PlainList = Exclude<
  TreeList,
  'systems' | 'interactions' | 'components' | 'instances' | 'wires' | 'links'
>;

/** Adds an entry at the end of a list. */
export function addEntry(list: PlainList): void {
  const documents = useDocumentStore();
  if (list === 'parameters') addParameter();
  else if (list === 'scripts') addScript('functions');
  else if (list === 'tables') void useDataImportStore().choose();
  else if (list === 'views') addView('time-series');
  else if (list === 'references') {
    const name = text('tree.newReference');
    documents.edit(text('edit.add', { name }), (draft) => void (draft.references ??= []).push(name));
  } else {
    const name = freshName(
      'observable',
      documents.model.observables.map((other) => other.name),
      '',
    );
    const [signal] = useReportStore().signals.filter(({ kind }) => kind === 'position');
    documents.edit(text('edit.add', { name }), (draft) => {
      draft.observables.push({ name, expression: signal?.name ?? '0' });
    });
  }
}
