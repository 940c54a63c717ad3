/** The inspector in a document of its own, for tests of its parts. */
import { type DOMWrapper, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { defineComponent, h, nextTick } from 'vue';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import type {
  DocumentReport,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
} from '@engine/document/types';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import { emptyDocument } from '@renderer/document/factory';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { type Selection, useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from '../setup';

/** A document of 3D bodies. */
export function spatial(systems: SystemDocument[], interactions: InteractionDocument[] = []): ModelDocument {
  return { ...emptyDocument(catalogue(), 3, 'space'), systems, interactions };
}

/** Opens a document and shows a part of it in the inspector, with what the engine says of it. */
export async function inspect(
  document: ModelDocument,
  selection: Selection,
  built?: DocumentReport['built'],
): Promise<VueWrapper> {
  await openCamFollower();
  useDocumentStore().load(document, null);
  const report = useReportStore();
  report.report = { ...reportDocument(document), ...(built === undefined ? {} : { built }) };
  useWorkspaceStore().select(selection);
  const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(InspectorPane) }));
  const wrapper = mount(host, { attachTo: globalThis.document.body });
  await nextTick();
  return wrapper;
}

/** Has the engine look at the document as it is now. */
export async function examine(): Promise<void> {
  useReportStore().report = reportDocument(useDocumentStore().model);
  await nextTick();
}

/** Types a text without leaving the field. */
export async function type(field: Omit<DOMWrapper<Element>, 'exists'>, text: string): Promise<void> {
  (field.element as HTMLInputElement).value = text;
  await field.trigger('input');
}

/** Opens a menu or select as a pointer does: selects open when it goes down, menus at a click. */
export async function open(trigger: Omit<DOMWrapper<Element>, 'exists'>): Promise<void> {
  const isSelect = trigger.attributes('role') === 'combobox';
  await trigger.trigger(isSelect ? 'pointerdown' : 'click', {
    button: 0,
    ctrlKey: false,
    pointerType: 'mouse',
  });
  await nextTick();
}

/** Opens a menu or select, and chooses an item by its test id or the beginning of its text. */
export async function choose(trigger: Omit<DOMWrapper<Element>, 'exists'>, item: string): Promise<void> {
  await open(trigger);
  const items = [...globalThis.document.querySelectorAll<HTMLElement>('[role="menuitem"], [role="option"]')];
  const found = items.find((one) => one.dataset['testid'] === item || one.textContent.startsWith(item));
  if (found === undefined)
    throw new Error(`no item ${item} among ${items.map((one) => one.textContent).join(' | ')}`);
  if (found.role === 'menuitem') found.click();
  else found.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await nextTick();
}
