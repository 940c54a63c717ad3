/** A document that opens can be shown, with any value missing or wrong. */
import { mount } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { describe, expect, it } from 'vitest';
import { type Component, h, nextTick } from 'vue';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { viewlessPlace } from '@renderer/document/document-shape';
import { flowElements } from '@renderer/graph/canvas/flow';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import StatusBar from '@renderer/shell/StatusBar.vue';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useFilesStore } from '@renderer/stores/files';
import { useReportStore } from '@renderer/stores/report';
import { type Selection, useWorkspaceStore } from '@renderer/stores/workspace';
import { modelTree, type TreeNode } from '@renderer/tree/nodes';
import { camFollower } from './fake/cam-follower';
import { openCamFollower } from './setup';

type Path = readonly (string | number)[];
type Tree = Record<string | number, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Places of all that a document holds. */
const pathsOf = (value: unknown, path: Path = []): Path[] =>
  !isTree(value)
    ? []
    : Object.keys(value).flatMap((key) => {
        const place = [...path, Array.isArray(value) ? Number(key) : key];
        return [place, ...pathsOf(value[key], place)];
      });

const DAMAGE: readonly unknown[] = [undefined, null, 7, 'x', [], {}, [null]];

/** The text of the document with one value damaged; undefined takes it out. */
function damaged(path: Path, value: unknown): string {
  const document = structuredClone(camFollower()) as unknown as Tree;
  const owner = path.slice(0, -1).reduce<Tree>((tree, key) => tree[key] as Tree, document);
  const last = path.at(-1) ?? '';
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return JSON.stringify(document);
}

const open = (nodes: readonly TreeNode[]): void => nodes.forEach((node) => open(node.children()));

describe('a document of which one value is missing or of another kind', () => {
  const cases = pathsOf(camFollower()).flatMap((path) => DAMAGE.map((value) => ({ path, value })));
  const readable = cases.flatMap(({ path, value }) => {
    const { document } = readDocument(damaged(path, value));
    if (document === null || viewlessPlace(document) !== null) return [];
    return [{ path, value, document }];
  });

  const failures = (look: (document: ModelDocument) => void): string[] =>
    readable.flatMap(({ path, value, document }) => {
      try {
        look(document);
        return [];
      } catch (error) {
        return [`/${path.join('/')} ${JSON.stringify(value) ?? 'missing'}: ${String(error)}`];
      }
    });

  it('is refused where no view could show a place, which is named; what is open stays', async () => {
    await openCamFollower();
    const { session } = useDocumentStore();
    for (const [path, value, place] of [
      [['simulation', 'integrators'], undefined, '/simulation/integrators'],
      [['interactions', 0, 'relation'], null, '/interactions/0/relation'],
      [['systems', 0, 'mass', 0], {}, '/systems/0/mass/0'],
      [['layout', 'nodes'], 7, '/layout/nodes'],
    ] as const) {
      const file = { handle: 'damaged', name: 'damaged.moreau.json', text: damaged(path, value) };
      expect(await useFilesStore().openFile(file)).toBe(false);
      const { issues = [] } = useDialogsStore().refusal ?? {};
      expect(
        issues.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer)[0],
      ).toContain(place);
      expect(useDocumentStore().session).toBe(session);
    }
  });

  it('has a tree', () => {
    const look = (document: ModelDocument): void =>
      open(
        modelTree({
          document,
          report: { exports: {}, values: {}, parameters: {} },
          title: (_group, type) => type,
        }),
      );
    expect(failures(look)).toEqual([]);
  });

  it('has a graph', async () => {
    await openCamFollower();
    const { report } = useReportStore();
    const { catalogue } = useCatalogueStore();
    expect(failures((document) => void flowElements({ document, report, catalogue }))).toEqual([]);
  });

  it.each<[string, Component, Selection, RegExp]>([
    ['a line of status', StatusBar, { kind: 'model' }, /^(title|simulation|systems)/],
    [
      'an inspector of the model',
      InspectorPane,
      { kind: 'model' },
      /^(title|description|references|parameters|observables)/,
    ],
    ['an inspector of the simulation', InspectorPane, { kind: 'simulation' }, /^simulation/],
    ['an inspector of a system', InspectorPane, { kind: 'element', id: 'follower' }, /^systems/],
    ['an inspector of an interaction', InspectorPane, { kind: 'element', id: 'cam' }, /^interactions/],
  ])('has %s', async (_name, view, selection, places) => {
    await openCamFollower();
    const errors: string[] = [];
    mount(
      { render: () => h(TooltipProvider, () => h(view)) },
      { global: { config: { errorHandler: (error) => void errors.push(String(error)) } } },
    );
    for (const { path, value, document } of readable.filter(({ path }) => places.test(path.join('/')))) {
      useDocumentStore().load(document, null);
      useWorkspaceStore().select(selection);
      const before = errors.length;
      await nextTick();
      // A form is drawn in a task of its own.
      await new Promise((resolve) => setTimeout(resolve));
      await nextTick();
      if (errors.length > before)
        errors[before] += ` /${path.join('/')} ${JSON.stringify(value) ?? 'missing'}`;
    }
    expect(errors).toEqual([]);
  });
});
