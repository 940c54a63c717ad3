/** Copy, cut, paste and duplicate of what is chosen in the graph. */
import { removeFromGraph } from '../../document/removal';
import { copyText } from '../../events/clipboard';
import { counted, text } from '../../i18n';
import { useCatalogueStore } from '../../stores/catalogue';
import { useDrawingStore } from '../../stores/drawing';
import { useNoticesStore } from '../../stores/notices';
import { type Fragment, fragmentOf, pasteInto, type Pasted, readFragment } from './clipboard';
import { pinLayout } from './edits';
import { withMembers } from '../frames/frames';
import { useCircuitStore } from '../circuit/circuit-store';
import { useGraphStore } from '../graph-store';
import type { Point } from '../arrangement/layout';
import { useNodePlaces } from '../arrangement/node-places';

function chosenFragment(): Fragment | null {
  const { model } = useDrawingStore();
  const ids = withMembers(useGraphStore().chosen, model.layout);
  const fragment = fragmentOf(model, ids, useNodePlaces().positions, useCircuitStore().places);
  return sizeOf(fragment) === 0 ? null : fragment;
}

const sizeOf = ({ systems, interactions, components = [], notes = [] }: Fragment): number =>
  systems.length + interactions.length + components.length + notes.length;

export function copyChosen(): Fragment | null {
  const fragment = chosenFragment();
  if (fragment === null) {
    useNoticesStore().info(text('graphEditor.nothingToCopy'));
    return null;
  }
  const copied = JSON.stringify(fragment, null, 2);
  useGraphStore().copied = copied;
  void copyText(copied);
  return fragment;
}

export function cutChosen(): void {
  const fragment = copyChosen();
  if (fragment === null) return;
  const { systems, interactions, components = [], notes = [], groups = [] } = fragment;
  const ids = [...systems, ...interactions, ...components, ...notes, ...groups].map(({ id }) => id);
  const { catalogue } = useCatalogueStore();
  useDrawingStore().edit(counted('graphEditor.cut', sizeOf(fragment)), (draft) => {
    pinLayout(draft);
    removeFromGraph(draft, catalogue, ids);
  });
  useGraphStore().choose([]);
}

function paste(fragment: Fragment, at: Point | null, label: string): void {
  let pasted: Pasted = { ids: [], frames: [], brought: [] };
  useDrawingStore().edit(label, (draft) => {
    pinLayout(draft);
    pasted = pasteInto(draft, fragment, at);
  });
  useGraphStore().choose([...pasted.ids, ...pasted.frames]);
  if (pasted.brought.length > 0)
    useNoticesStore().info(text('graphEditor.brought', { names: pasted.brought.join(', ') }));
}

async function clipboardText(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return useGraphStore().copied;
  }
}

/** Pastes where the pointer is, else beside the old places. */
export async function pasteCopied(): Promise<void> {
  const fragment = readFragment(await clipboardText());
  if (fragment === null) {
    useNoticesStore().info(text('graphEditor.badClipboard'));
    return;
  }
  const { pointer } = useGraphStore();
  paste(fragment, pointer, counted('graphEditor.paste', sizeOf(fragment)));
}

export function duplicateChosen(): void {
  const fragment = chosenFragment();
  if (fragment !== null) paste(fragment, null, counted('graphEditor.duplicate', sizeOf(fragment)));
}
