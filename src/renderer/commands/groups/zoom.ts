/** Commands on the size of the whole window. */
import { settingDefinitions } from '@contract/settings';
import { ZoomIn, ZoomOut } from '@lucide/vue';
import { useSettingsStore } from '../../stores/settings';
import type { Command } from '../registry';
import { title } from './title';

/** Sizes that the keys step through, percent. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250] as const;

/** The next size up or down; the same at the end. */
export function nextZoom(present: number, direction: 1 | -1): number {
  const steps = direction > 0 ? STEPS : [...STEPS].reverse();
  return steps.find((step) => direction * (step - present) > 0) ?? present;
}

/** Commands on the size of the whole window. Ctrl+0 fits the graph and the plots here. */
export function zoomCommands(): Command[] {
  const settings = useSettingsStore();
  const present = (): number => settings.values['appearance.zoom'];
  const zoom = (direction: 1 | -1) => () => settings.set('appearance.zoom', nextZoom(present(), direction));
  const { default: ordinary } = settingDefinitions['appearance.zoom'];
  return [
    {
      id: 'view.zoomIn',
      group: 'view',
      title: title('command.zoomIn'),
      icon: ZoomIn,
      shortcut: 'Ctrl+=',
      aliases: ['Ctrl+Plus', 'Ctrl+Shift+Plus'],
      enabled: () => nextZoom(present(), 1) !== present(),
      run: zoom(1),
    },
    {
      id: 'view.zoomOut',
      group: 'view',
      title: title('command.zoomOut'),
      icon: ZoomOut,
      shortcut: 'Ctrl+-',
      enabled: () => nextZoom(present(), -1) !== present(),
      run: zoom(-1),
    },
    {
      id: 'view.zoomReset',
      group: 'view',
      title: title('command.zoomReset'),
      shortcut: 'Ctrl+Alt+0',
      run: () => settings.set('appearance.zoom', ordinary),
    },
  ];
}
