/** The rows of the model tree: what is open, what a filter finds, and which row keys act on. */
import { computed, type ComputedRef, ref, type Ref, shallowRef, watch } from 'vue';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useDrawingStore } from '../stores/drawing';
import { useReportStore } from '../stores/report';
import { useWorkspaceStore } from '../stores/workspace';
import { modelTree, type TreeNode, wayKey } from './nodes';
import { filteredRows, issueCounts, type IssueCount, openRows, type TreeRow } from './rows';

/** Branches that are open at first. */
const OPEN = ['section:parameters', 'section:components', 'section:systems', 'section:interactions'];

export interface ModelTree {
  filter: Ref<string>;
  rows: ComputedRef<readonly TreeRow[]>;
  /** position of the row that keys act on; −1 without one */
  active: ComputedRef<number>;
  /** issues of a node and below it */
  issuesOf(node: TreeNode): IssueCount | undefined;
  setActive(key: string): void;
  setOpen(key: string, isOpen: boolean): void;
  closeAll(): void;
  /** the node above a row */
  parentOf(row: TreeRow): TreeNode | undefined;
}

export function useModelTree(): ModelTree {
  const documents = useDocumentStore();
  const report = useReportStore();
  const store = useCatalogueStore();
  const workspace = useWorkspaceStore();
  const drawing = useDrawingStore();
  const filter = ref('');
  const open = shallowRef<ReadonlySet<string>>(new Set(OPEN));
  const activeKey = ref<string | null>(null);

  const roots = computed(() =>
    modelTree({
      document: documents.model,
      report: report.report,
      title: (group, type) => store.definition(group, type)?.title ?? type,
    }),
  );
  const rows = computed(() =>
    filter.value.trim() === '' ? openRows(roots.value, open.value) : filteredRows(roots.value, filter.value),
  );
  const places = computed(() => new Map(rows.value.map(({ node }, place) => [node.key, place])));
  const active = computed(() => (activeKey.value === null ? -1 : (places.value.get(activeKey.value) ?? -1)));
  const counts = computed(() => issueCounts(report.report.issues));

  function setOpen(key: string, isOpen: boolean): void {
    const next = new Set(open.value);
    if (isOpen) next.add(key);
    else next.delete(key);
    open.value = next;
  }

  /** Opens what hides an element, and goes to it. */
  function reveal(id: string): void {
    const { model } = documents;
    if (drawing.way.length > 0) {
      const key = `inside:${wayKey(drawing.way)}.${id}`;
      if (places.value.has(key)) activeKey.value = key;
      return;
    }
    if (model.instances?.some((one) => one.id === id) === true) {
      if (filter.value === '') setOpen('section:components', true);
      if (places.value.has(`instance:${id}`)) activeKey.value = `instance:${id}`;
      return;
    }
    const list = (['components', 'wires'] as const).find((one) =>
      model[one]?.some((candidate) => candidate.id === id),
    );
    if (list !== undefined) {
      if (filter.value === '') setOpen(`section:${list}`, true);
      const own = `${list.slice(0, -1)}:${id}`;
      if (places.value.has(own)) activeKey.value = own;
      return;
    }
    const isSystem = model.systems.some((system) => system.id === id);
    const isOwn = isSystem || model.interactions.some((interaction) => interaction.id === id);
    const { built } = report.report;
    const isBuiltSystem = built?.systems.some((system) => system.id === id) === true;
    const key = `${isSystem || isBuiltSystem ? 'system' : 'interaction'}:${id}`;
    // A link of an interaction stands for the system as well: the hand stays where it is.
    if (rows.value[active.value]?.node.id === id) return;
    if (filter.value === '' && isOwn) setOpen(isSystem ? 'section:systems' : 'section:interactions', true);
    if (places.value.has(key)) activeKey.value = key;
  }
  watch(
    () => workspace.selection,
    (selection) => {
      if (selection.kind === 'element') reveal(selection.id);
    },
    { immediate: true },
  );
  watch(
    () => documents.session,
    () => {
      filter.value = '';
      activeKey.value = null;
      open.value = new Set(OPEN);
    },
  );

  return {
    filter,
    rows,
    active,
    issuesOf: ({ pointer }) => (pointer === null || pointer === '' ? undefined : counts.value.get(pointer)),
    setActive: (key) => (activeKey.value = key),
    setOpen,
    closeAll: () => (open.value = new Set()),
    parentOf: ({ parent }) =>
      parent === null ? undefined : rows.value[places.value.get(parent) ?? -1]?.node,
  };
}
