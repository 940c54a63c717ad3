/** Commands of the script pane and its console. */
import { Braces, Gauge, Lock, LockOpen, Sigma, SquareTerminal } from '@lucide/vue';
import type { ScriptPlace } from '@engine/errors';
import { formatScript } from '../../script/format';
import { makeEditable, scriptOriginOf } from '../../script/make-editable';
import { useDerivativesStore } from '../../stores/derivatives';
import { useDocumentStore } from '../../stores/document';
import { useProfileStore } from '../../stores/profile';
import { useRunsStore } from '../../stores/runs';
import { useWorkspaceStore } from '../../stores/workspace';
import { useLayoutStore } from '../../stores/layout';
import type { Command } from '../registry';
import { title } from './title';

async function format(): Promise<void> {
  const workspace = useWorkspaceStore();
  const name = workspace.activeScript ?? useDocumentStore().model.scripts[0]?.name;
  if (name === undefined) return;
  await formatScript(name);
}

/** The line that builds what is selected; null where nothing is, or several are. */
function selectedOrigin(): ScriptPlace | null {
  const [id, ...more] = useWorkspaceStore().selectedIds;
  return id === undefined || more.length > 0 ? null : scriptOriginOf(id);
}

export function scriptCommands(): Command[] {
  const documents = useDocumentStore();
  const workspace = useWorkspaceStore();
  const runs = useRunsStore();
  const profile = useProfileStore();
  return [
    {
      id: 'script.format',
      group: 'edit',
      title: title('command.formatScript'),
      icon: Braces,
      shortcut: 'Shift+Alt+F',
      enabled: () => documents.model.scripts.length > 0,
      run: format,
    },
    {
      id: 'script.goToOrigin',
      group: 'edit',
      title: title('scripting.goToOrigin'),
      icon: Lock,
      enabled: () => selectedOrigin() !== null,
      run: () => {
        const place = selectedOrigin();
        if (place !== null) workspace.showScript(place.name, place.line, place.column);
      },
    },
    {
      id: 'script.makeEditable',
      group: 'edit',
      title: title('scripting.makeEditable'),
      icon: LockOpen,
      enabled: () => documents.model.scripts.some(({ role }) => role === 'builder'),
      run: () => {
        const builders = documents.model.scripts.filter(({ role }) => role === 'builder');
        const shown = builders.find(({ name }) => name === workspace.activeScript);
        const name = selectedOrigin()?.name ?? (shown ?? builders[0])?.name;
        return name === undefined ? undefined : makeEditable(name);
      },
    },
    {
      id: 'script.checkDerivatives',
      group: 'run',
      title: title('command.checkDerivatives'),
      icon: Sigma,
      enabled: () => documents.model.scripts.length > 0,
      run: () => useDerivativesStore().check(),
    },
    {
      id: 'script.measure',
      group: 'run',
      title: title('command.measureFunctions'),
      icon: Gauge,
      enabled: () => runs.current !== null && !profile.measuring,
      run: profile.measure,
    },
    {
      id: 'view.console',
      group: 'view',
      title: title('command.showConsole'),
      icon: SquareTerminal,
      run: () => {
        useLayoutStore().reveal('lower');
        workspace.lowerTab = 'console';
      },
    },
  ];
}
