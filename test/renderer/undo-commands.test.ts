/**
 * Undo and redo over random sequences of commands: undone to the start, the document is byte for byte what it
 * was, and redone to the end, what the commands had made of it.
 */
import { writeDocument } from '@engine/document/write';
import type { MendStep, SubmodelDocument } from '@engine/document/types';
import type { PluginKind } from '@engine/model/definition';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import {
  addDashboard,
  duplicatePanel,
  movePanel,
  movePanelTo,
  putPanel,
  removeDashboard,
} from '@renderer/dashboard/board/dashboard-edits';
import { addView, removeView, toggleSignal } from '@renderer/dashboard/edits';
import { SIDES } from '@renderer/document/dashboards';
import { changeInto } from '@renderer/document/structural-edit';
import { align, distribute, nudge } from '@renderer/graph/arrangement/arrangement';
import {
  addComponent,
  deleteBranch,
  layWire,
  mend,
  mirrorChosen,
  removeEnd,
  renameInDrawing,
  setComponentFields,
  turnChosen,
  unlayChosen,
  wirePins,
  wireToWire,
} from '@renderer/graph/editing/circuit-edits';
import {
  duplicateOfChosen,
  editSubmodel,
  makeOfChosen,
  removeOwn,
  renameOwn,
  renameOwnParameter,
  renameOwnPort,
  setArray,
  setInstanceValue,
  unlinkChosen,
} from '@renderer/graph/editing/submodel-edits';
import { putLibrary } from '@renderer/exchange/libraries';
import { stretchAt, withShifted } from '@figures/circuit/lines';
import { submodelOf } from '@figures/circuit/own-components';
import { instancePaths } from '@renderer/document/submodels';
import { useDrawingStore } from '@renderer/stores/drawing';
import { useCircuitStore } from '@renderer/graph/circuit/circuit-store';
import { pasteInto } from '@renderer/graph/editing/clipboard';
import { duplicateChosen } from '@renderer/graph/editing/copying';
import {
  addInteraction,
  addSystem,
  connectElements,
  deleteElements,
  disconnectElements,
  moveNodes,
} from '@renderer/graph/editing/edits';
import {
  addNote,
  groupChosen,
  leaveChosen,
  recolourChosen,
  renameGroup,
  resizeNote,
  toggleCollapsed,
  ungroupChosen,
  writeNote,
} from '@renderer/graph/frames/frame-edits';
import { groupNode, noteNode } from '@renderer/graph/frames/frames';
import { LAYOUT_COLOURS } from '@renderer/document/frames';
import { useGraphStore } from '@renderer/graph/graph-store';
import {
  addParameter,
  changeParameterName,
  commitParameterValue,
  removeParameter,
  setParameterDetail,
  setParameterValue,
  slideParameterValue,
} from '@renderer/parameters/edits';
import { addFunction, addScript, removeScript } from '@renderer/script/functions';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import {
  addEntry,
  isMovableNode,
  isRemovable,
  isRenamable,
  moveNode,
  removeNode,
  renameNode,
} from '@renderer/tree/edits';
import { modelTree, type TreeNode } from '@renderer/tree/nodes';
import { camFollower } from './fake/cam-follower';
import { openCamFollower } from './setup';
import { sample } from '../support/prove';

beforeAll(async () => {
  await openCamFollower();
});

/** The cam-follower, and beside it a circuit of a source, a diode and a resistor. */
const start = (): ReturnType<typeof camFollower> & { submodels: SubmodelDocument[] } => ({
  ...camFollower(),
  components: [
    { id: 'V1', type: 'SineVoltage', amplitude: 10, frequency: 50 },
    { id: 'D1', type: 'Diode' },
    { id: 'R1', type: 'Resistor', resistance: 1000 },
    { id: 'GND1', type: 'Ground' },
  ],
  instances: [{ id: 'half', of: 'Half' }],
  submodels: [
    {
      id: 'Half',
      ports: [{ name: 'a', wire: 'top' }],
      parameters: [{ name: 'gain', value: 1 }],
      components: [{ id: 'R1', type: 'Resistor', resistance: 'gain' }],
      wires: [{ id: 'top', ends: ['R1.a'] }],
    },
  ],
  wires: [
    { id: 'n1', ends: ['V1.p', 'D1.a'] },
    { id: 'out', ends: ['D1.k', 'R1.a'] },
    { id: 'n2', ends: ['R1.b', 'V1.n', 'GND1.p'] },
  ],
});

/** What a command chooses by: places among what there is, and a number. */
interface Choice {
  a: number;
  b: number;
  x: number;
}

const pick = <T>(list: readonly T[], k: number): T | undefined => list[k % Math.max(1, list.length)];
const model = (): ReturnType<typeof useDocumentStore>['model'] => useDocumentStore().model;
const elements = (): string[] => [...model().systems, ...model().interactions].map(({ id }) => id);
const ids = (): string[] => [...elements(), ...(model().components ?? []).map(({ id }) => id)];
const pins = (): string[] =>
  [...useCircuitStore().components.values()].flatMap(({ component: { id }, definition }) =>
    (definition?.pins ?? []).map(({ name }) => `${id}.${name}`),
  );
const wires = (): string[] => (model().wires ?? []).map(({ id }) => id);

const drawnIds = (): string[] => [...useCircuitStore().components.keys()];
const instances = (): string[] =>
  [...useCircuitStore().components.values()]
    .filter(({ component }) => submodelOf(component.type) !== null)
    .map(({ component }) => component.id);

const groups = (): string[] => (model().layout.groups ?? []).map(({ id }) => id);
const groupMembers = (): string[] => (model().layout.groups ?? []).flatMap(({ members }) => members);
const notes = (): string[] => (model().layout.notes ?? []).map(({ id }) => id);

function treeNodes(): { node: TreeNode; parent: TreeNode | undefined }[] {
  const { report } = useReportStore();
  const all: { node: TreeNode; parent: TreeNode | undefined }[] = [];
  const walk = (nodes: readonly TreeNode[], parent: TreeNode | undefined): void => {
    for (const node of nodes) {
      all.push({ node, parent });
      walk(node.children(), node);
    }
  };
  walk(modelTree({ document: model(), report, title: (_group, type) => type }), undefined);
  return all;
}

function choose(...chosen: (string | undefined)[]): void {
  useGraphStore().choose(chosen.filter((id) => id !== undefined));
}

const commands: Readonly<Record<string, (choice: Choice) => void>> = {
  addSystem: ({ a }) => addSystem(pick(useCatalogueStore().catalogue?.systems ?? [], a)?.type ?? ''),
  addInteraction: ({ a }) =>
    addInteraction(pick(useCatalogueStore().catalogue?.relations ?? [], a)?.type ?? ''),
  connect: ({ a, b }) => connectElements(pick(elements(), a) ?? '', pick(elements(), b) ?? ''),
  disconnect: ({ a, b }) => {
    const interaction = pick(model().interactions, a);
    const system = pick(interaction?.systems ?? [], b);
    if (interaction !== undefined && system !== undefined)
      disconnectElements([{ interaction: interaction.id, system }]);
  },
  delete: ({ a, b }) => deleteElements([pick(ids(), a) ?? '', pick(ids(), b) ?? '']),
  move: ({ a, x }) => moveNodes({ [pick(ids(), a) ?? 'none']: { x, y: -x } }, 'move'),
  align: ({ a, b }) => {
    choose(pick(ids(), a), pick(ids(), b));
    align('left');
  },
  distribute: () => {
    choose(...ids().slice(0, 4));
    distribute('x');
  },
  nudge: ({ a }) => {
    choose(pick(ids(), a));
    nudge({ x: 1, y: 0 }, a % 2 === 0);
  },
  duplicate: ({ a, b }) => {
    choose(pick(ids(), a), pick(ids(), b));
    duplicateChosen();
  },
  group: ({ a, b, x }) => {
    choose(pick(ids(), a), pick(ids(), b), x % 2 === 0 ? 'note:note' : undefined);
    groupChosen();
  },
  ungroup: ({ a }) => {
    choose(groupNode(pick(groups(), a) ?? ''));
    ungroupChosen();
  },
  leaveGroup: ({ a }) => {
    choose(pick(groupMembers(), a));
    leaveChosen();
  },
  deleteGroup: ({ a }) => deleteElements([groupNode(pick(groups(), a) ?? '')]),
  collapse: ({ a }) => toggleCollapsed(pick(groups(), a) ?? ''),
  renameGroup: ({ a, b }) => renameGroup(pick(groups(), a) ?? '', `part ${b}`),
  recolour: ({ a, b }) => {
    choose(pick([...groups().map(groupNode), 'note:note'], a));
    recolourChosen(pick(LAYOUT_COLOURS, b) ?? 'grey');
  },
  addNote: ({ x }) => addNote({ x, y: x }),
  writeNote: ({ a, x }) => writeNote(pick(notes(), a) ?? '', `Note ${x}`),
  resizeNote: ({ a, x }) => resizeNote(pick(notes(), a) ?? '', { width: x, height: 100 }, 'resize'),
  moveFrame: ({ a, x }) => {
    const node = pick([...groups().map(groupNode), ...notes().map(noteNode)], a);
    if (node !== undefined) moveNodes({ [node]: { x, y: x } });
  },
  addParameter: () => addParameter(),
  removeParameter: ({ a }) => {
    if (model().parameters.length > 0) removeParameter(a % model().parameters.length);
  },
  setParameter: ({ a, x }) => {
    if (model().parameters.length > 0) setParameterValue(a % model().parameters.length, x);
  },
  slide: ({ a, x }) => {
    if (model().parameters.length === 0) return;
    for (const k of [0, 1, 2]) slideParameterValue(a % model().parameters.length, x + k);
    commitParameterValue();
  },
  detail: ({ a, x }) => {
    if (model().parameters.length > 0) setParameterDetail(a % model().parameters.length, 'max', x);
  },
  renameParameter: ({ a, b }) => changeParameterName(pick(model().parameters, a)?.name ?? '', `name${b % 7}`),
  addFunction: ({ a }) => {
    const kinds = Object.keys(useCatalogueStore().catalogue?.plugins ?? {}) as PluginKind[];
    const kind = pick(kinds, a);
    if (kind !== undefined) addFunction(kind);
  },
  addScript: ({ a }) => void addScript(a % 2 === 0 ? 'functions' : 'builder'),
  removeScript: ({ a }) => removeScript(pick(model().scripts, a)?.name ?? ''),
  typeScript: ({ a, x }) => {
    const name = pick(model().scripts, a)?.name;
    useDocumentStore().edit(
      'Edit',
      (draft) => void draft.scripts.find((script) => script.name === name)?.source.push(`// ${x}`),
      { mergeKey: `script:${name}` },
    );
  },
  addView: ({ a }) =>
    addView(pick(['time-series', 'phase-portrait', 'animation'] as const, a) ?? 'time-series'),
  removeView: ({ a }) => removeView(pick(model().views, a)?.id ?? ''),
  toggleSignal: ({ a, b }) =>
    toggleSignal(pick(model().views, a)?.id ?? '', pick(useReportStore().signals, b)?.name ?? 'x'),
  movePanel: ({ a, b }) => movePanel(pick(model().views, a)?.id ?? '', pick(SIDES, b) ?? 'left'),
  putPanel: ({ a, b }) =>
    putPanel(pick(model().views, a)?.id ?? '', { kind: 'tab', view: pick(model().views, b)?.id ?? '' }),
  duplicatePanel: ({ a }) => duplicatePanel(pick(model().views, a)?.id ?? ''),
  addDashboard,
  movePanelTo: ({ a, b }) =>
    movePanelTo(pick(model().views, a)?.id ?? '', pick(model().dashboards ?? [], b)?.id ?? ''),
  removeDashboard: ({ a }) => removeDashboard(pick(model().dashboards ?? [], a)?.id ?? ''),
  treeAdd: ({ a }) =>
    addEntry(pick(['parameters', 'observables', 'references', 'views'] as const, a) ?? 'views'),
  treeRename: ({ a, b }) => {
    const target = pick(
      treeNodes().filter(({ node }) => isRenamable(node)),
      a,
    );
    if (target !== undefined) renameNode(target.node, `renamed${b % 9}`);
  },
  treeRemove: ({ a }) => {
    const target = pick(
      treeNodes().filter(({ node }) => isRemovable(node)),
      a,
    );
    if (target !== undefined) removeNode(target.node, target.parent);
  },
  treeMove: ({ a, b }) => {
    const target = pick(
      treeNodes().filter(({ node }) => isMovableNode(node)),
      a,
    );
    if (target !== undefined) moveNode(target.node, target.parent, b % 4);
  },
  typeText: ({ a, x }) => {
    const before = model();
    const after = structuredClone(before) as typeof before & Record<string, unknown>;
    if (a % 3 === 0) after.title = `Title ${x}`;
    else if (a % 3 === 1) after.systems.reverse();
    else delete after.description;
    useDocumentStore().edit('Edit text', (draft) => changeInto(draft, before, after), { mergeKey: 'text' });
  },
  addComponent: ({ a, b, x }) =>
    addComponent(
      pick(useCatalogueStore().catalogue?.components ?? [], a)?.type ?? '',
      b % 2 === 0 ? undefined : { x, y: 20 * b },
    ),
  addWired: ({ a, b, x }) =>
    addComponent(pick(['Resistor', 'Capacitor', 'Ground'], a) ?? '', { x, y: 0 }, pick(pins(), b)),
  wirePins: ({ a, b }) => wirePins(pick(pins(), a) ?? '', pick(pins(), b) ?? ''),
  wireToWire: ({ a, b }) => {
    const [pin, wire] = [pick(pins(), a), pick(wires(), b)];
    if (pin !== undefined && wire !== undefined) wireToWire(pin, wire);
  },
  layWire: ({ a, b, x }) => {
    const wire = pick(useCircuitStore().wires, a);
    const stretch =
      wire === undefined ? null : stretchAt(wire, b % Math.max(1, wire.branches.length), { x, y: x });
    if (wire === undefined || stretch === null) return;
    for (const by of [10, x, 2 * x]) layWire(wire.id, withShifted(wire, stretch, by));
    useDrawingStore().endGesture();
  },
  moveLaid: ({ a, x }) => moveNodes({ [pick(drawnIds(), a) ?? 'none']: { x: 20 * x, y: -20 } }),
  unlay: () => {
    choose(...Object.keys(useDrawingStore().model.layout.wires ?? {}));
    unlayChosen();
  },
  mend: ({ a, b, x }) => {
    const end = pick(pins(), a);
    if (end === undefined) return;
    const id = `fresh${x}`;
    const steps: MendStep[] = [
      { do: 'add', component: { id, type: 'Resistor', resistance: '1m' }, near: end },
      { do: 'join', ends: [end, `${id}.b`] },
      { do: 'release', end },
      { do: 'join', ends: [end, `${id}.a`] },
    ];
    const inner = useDrawingStore().submodel?.id;
    if (inner === undefined && drawnIds().includes(id)) return;
    mend({ label: `Mend ${b}`, steps, ...(inner === undefined ? {} : { inside: inner }) });
  },
  cutWire: ({ a, b }) => {
    const wire = pick(useCircuitStore().wires, a);
    if (wire !== undefined && wire.branches.length > 0)
      deleteBranch({ wire: wire.id, branch: b % wire.branches.length });
  },
  removeEnd: ({ a, b }) => {
    const end = pick(pick(model().wires ?? [], a)?.ends ?? [], b);
    if (end !== undefined) removeEnd(end);
  },
  turn: ({ a }) => {
    choose(pick(model().components ?? [], a)?.id, pick(model().components ?? [], a + 1)?.id);
    turnChosen();
  },
  mirror: ({ a }) => {
    choose(pick(model().components ?? [], a)?.id);
    mirrorChosen();
  },
  setValue: ({ a, x }) => {
    const index = a % Math.max(1, model().components?.length ?? 0);
    const field = pick(
      useCircuitStore().definitions.get(model().components?.[index]?.type ?? '')?.fields ?? [],
      a,
    );
    if (field !== undefined) setComponentFields(index, { [field.key]: x });
  },
  renameDrawn: ({ a, b }) => {
    const from = pick([...wires(), ...(model().components ?? []).map(({ id }) => id)], a);
    if (from !== undefined && !ids().includes(`net${b}`) && !wires().includes(`net${b}`))
      renameInDrawing(from, `net${b}`);
  },
  makeComponent: ({ a, b }) => {
    choose(pick(drawnIds(), a), pick(drawnIds(), b));
    makeOfChosen();
  },
  enter: ({ a }) => {
    useDrawingStore().enter(pick(instances(), a) ?? '');
    // What stands alone inside is turned, so that something has changed there.
    choose(pick(drawnIds(), a));
    turnChosen();
  },
  leave: () => {
    useDrawingStore().leave(0);
    choose(pick(model().components ?? [], 0)?.id);
    mirrorChosen();
  },
  placeInstance: ({ a, x }) =>
    addComponent(pick(useCircuitStore().placeable, a)?.type ?? '', { x, y: 20 * a }),
  unlink: ({ a }) => {
    choose(pick(instances(), a));
    unlinkChosen();
  },
  unlinkArray: ({ a, b }) => {
    const id = pick(instances(), a);
    if (id === undefined) return;
    setArray(id, 1 + (b % 4), [{ from: 'a', to: 'a' }]);
    choose(id);
    unlinkChosen();
  },
  pasteOwn: ({ a, x }) =>
    useDrawingStore().edit('Paste', (draft) => {
      const half = { ...start().submodels[0], parameters: [{ name: 'gain', value: x }] } as SubmodelDocument;
      const fragment = {
        ...{ format: 'moreau-graph' as const, systems: [], interactions: [], parameters: [], scripts: [] },
        ...{ components: [{ id: `own${a}`, type: ':Half' }], nodes: {}, submodels: [half] },
        tables: [{ id: `data${a}`, t: [0, 1], y: [0, x] }],
      };
      pasteInto(draft, fragment, null);
    }),
  duplicateDefinition: ({ a }) => {
    choose(pick(instances(), a));
    duplicateOfChosen();
  },
  instanceValue: ({ a, x }) => {
    const id = pick(instances(), a);
    if (id !== undefined) setInstanceValue(id, 'gain', x);
  },
  array: ({ a, b }) => {
    const id = pick(instances(), a);
    const count = b % 3 === 0 ? undefined : b;
    const chains = Array.from({ length: b % 4 }, (_, k) => ({ from: 'a', to: k === 0 ? 'a' : 'b' }));
    if (id !== undefined) setArray(id, count, chains);
  },
  useLibrary: ({ x }) =>
    useDocumentStore().edit('Use', (draft) =>
      putLibrary(draft, { name: 'Lib', hash: 'a'.repeat(64), submodels: ['Half'] }, [
        {
          id: 'Half',
          ports: [{ name: 'a', wire: 'top' }],
          parameters: [{ name: 'gain', value: x }],
          components: [{ id: 'R1', type: 'Resistor', resistance: 'gain' }],
          wires: [{ id: 'top', ends: ['R1.a'] }],
        },
      ]),
    ),
  submodelParameter: ({ a, x }) => {
    const id = pick(model().submodels ?? [], a)?.id;
    if (id !== undefined) editSubmodel(id, 'Add', (own) => own.parameters.push({ name: `k${x}`, value: x }));
  },
  renameSubmodel: ({ a, b }) => {
    const id = pick(model().submodels ?? [], a)?.id;
    if (id !== undefined && !(model().submodels ?? []).some((one) => one.id === `Own${b}`))
      renameOwn(id, `Own${b}`);
  },
  renamePort: ({ a, b }) => {
    const own = pick(model().submodels ?? [], a);
    const port = pick(own?.ports ?? [], b);
    if (own !== undefined && port !== undefined && !own.ports.some(({ name }) => name === `port${b}`))
      renameOwnPort(own.id, port.name, `port${b}`);
  },
  renameParameterInside: ({ a, b }) => {
    const own = pick(model().submodels ?? [], a);
    const parameter = pick(own?.parameters ?? [], b);
    if (own !== undefined && parameter !== undefined) renameOwnParameter(own.id, parameter.name, `q${b}`);
  },
  removeSubmodel: ({ a }) => {
    const unused = (model().submodels ?? []).filter(({ id }) => instancePaths(model(), id).length === 0);
    const id = pick(unused, a)?.id;
    if (id !== undefined) removeOwn(id);
  },
  undo: () => useDocumentStore().undo(),
  redo: () => {
    // By chance few follow one that has been undone.
    if (useDocumentStore().redoLabel === null) useDocumentStore().undo();
    useDocumentStore().redo();
  },
};

const names = Object.keys(commands);
const step = fc.record({
  command: fc.constantFrom(...names),
  a: fc.nat(40),
  b: fc.nat(40),
  x: fc.integer({ min: -999, max: 999 }),
});

it(`any sequence of ${names.length} commands is undone and redone to the byte`, () => {
  const documents = useDocumentStore();
  const worked = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 9 }), (steps) => {
      const first = documents.session;
      documents.load(start(), null);
      documents.close(first, start);
      const before = writeDocument(documents.model);
      for (const { command, ...choice } of steps) {
        const { version } = documents;
        commands[command]?.(choice);
        if (documents.version !== version) worked.add(command);
      }
      const end = writeDocument(documents.model);
      let depth = 0;
      for (; documents.undoLabel !== null; depth++) documents.undo();
      expect(writeDocument(documents.model)).toBe(before);
      expect(documents.dirty).toBe(false);
      for (; depth > 0; depth--) documents.redo();
      expect(writeDocument(documents.model)).toBe(end);
    }),
    { seed: 1, numRuns: sample(2000, 10_000) },
  );
  // A command that never does anything would prove nothing.
  expect(names.filter((name) => !worked.has(name))).toEqual([]);
});
