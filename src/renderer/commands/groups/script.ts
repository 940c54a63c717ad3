/** Commands of the script pane and its console. */
import { Braces, Gauge, Sigma, SquareTerminal } from '@lucide/vue';
import { formatScript } from '../../script/format';
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
