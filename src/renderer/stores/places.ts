/**
 * Places of the document that the window is asked to show: one way for lists of results, problems, tree and
 * text.
 */
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { tokens } from '../document/pointer';
import { groupNode, noteNode } from '../graph/frames/frames';
import { useGraphStore } from '../graph/graph-store';
import { useDashboardsStore } from './dashboards';
import { useDialogsStore } from './dialogs';
import { useDocumentStore } from './document';
import { useWorkspaceStore } from './workspace';

/** Panels at the left. */
export type SideTab = 'parameters' | 'tree' | 'find';

/** A place in the lines of a script, 1-based. */
export interface LinePlace {
  line: number;
  column: number;
}

export const usePlacesStore = defineStore('places', () => {
  const workspace = useWorkspaceStore();
  const sideTab = shallowRef<SideTab>('parameters');
  /** JSON pointer of the field that is to take the focus; null once one has */
  const wanted = shallowRef<string | null>(null);
  /** JSON pointer the text view is asked to show, with a number that makes repeated wishes distinct */
  const textPlace = shallowRef<{ pointer: string; request: number } | null>(null);
  let requests = 0;

  /** Shows the form that holds a place, and gives its field the focus. */
  function show(pointer: string, at?: LinePlace): void {
    const { model } = useDocumentStore();
    const [section, first, ...rest] = tokens(pointer);
    const index = Number(first);
    const element = (id: string | undefined): void => {
      if (id !== undefined) workspace.select({ kind: 'element', id });
    };
    const drawn = (id: string | undefined): void => {
      if (id === undefined) return;
      workspace.modelTab = 'graph';
      workspace.select({ kind: 'element', id });
      useGraphStore().show([id]);
    };
    switch (section) {
      case 'parameters':
        sideTab.value = 'parameters';
        break;
      case 'systems':
        element(model.systems[index]?.id);
        break;
      case 'interactions':
        element(model.interactions[index]?.id);
        break;
      case 'components':
        drawn(model.components?.[index]?.id);
        break;
      case 'instances':
        drawn(model.instances?.[index]?.id);
        break;
      case 'wires':
        drawn(model.wires?.[index]?.id);
        break;
      case 'simulation':
        workspace.select({ kind: 'simulation' });
        break;
      case 'scripts': {
        const script = model.scripts[index];
        if (script === undefined) break;
        const line = at?.line ?? (rest[0] === 'source' ? Number(rest[1] ?? 0) + 1 : 1);
        workspace.showScript(script.name, line, at?.column ?? 1);
        return;
      }
      case 'layout': {
        const { groups = [], notes = [] } = model.layout;
        const [at] = rest;
        const group = first === 'groups' ? groups[Number(at)] : undefined;
        const note = first === 'notes' ? notes[Number(at)] : undefined;
        if (group === undefined && note === undefined) break;
        const node = group === undefined ? noteNode(note?.id ?? '') : groupNode(group.id);
        const graph = useGraphStore();
        workspace.modelTab = 'graph';
        graph.choose([node]);
        graph.show([node]);
        return;
      }
      case 'displayUnits':
        useDialogsStore().open = 'display-units';
        return;
      case 'dashboards': {
        const dashboard = model.dashboards?.[index];
        if (dashboard !== undefined) useDashboardsStore().choose(dashboard.id);
        break;
      }
      case 'views':
        if (model.views[index] !== undefined) useDashboardsStore().select(model.views[index].id);
        break;
      default:
        workspace.select({ kind: 'model' });
    }
    wanted.value = pointer;
  }

  /** Opens the text view at a place. */
  function showText(pointer: string): void {
    workspace.modelTab = 'text';
    textPlace.value = { pointer, request: ++requests };
  }

  return { sideTab, wanted, textPlace, show, showText };
});
