/** Commands of the help menu. */
import {
  BookOpenText,
  CircleQuestionMark,
  GraduationCap,
  House,
  Info,
  Keyboard,
  Signpost,
} from '@lucide/vue';
import { useDialogsStore } from '../../stores/dialogs';
import { HELP_HOME, useHelpStore } from '../../stores/help';
import { useStartPageStore } from '../../stores/start-page';
import { useTourStore } from '../../stores/tour';
import type { Command } from '../registry';
import { title } from './title';

/** Commands of the help menu. */
export function helpCommands(): Command[] {
  const dialogs = useDialogsStore();
  const help = useHelpStore();
  return [
    {
      id: 'help.context',
      group: 'help',
      title: title('help.onThis'),
      icon: CircleQuestionMark,
      shortcut: 'F1',
      run: () => help.showContext(document.activeElement),
    },
    {
      id: 'help.start',
      group: 'help',
      title: title('start.command'),
      icon: House,
      run: useStartPageStore().show,
    },
    {
      id: 'help.tour',
      group: 'help',
      title: title('tour.command'),
      icon: Signpost,
      run: useTourStore().start,
    },
    {
      id: 'help.contents',
      group: 'help',
      title: title('help.open'),
      icon: BookOpenText,
      shortcut: 'Ctrl+Shift+F1',
      run: () => help.show(HELP_HOME),
    },
    {
      id: 'help.tutorial',
      group: 'help',
      title: title('help.tutorial'),
      icon: GraduationCap,
      run: () => help.show('tutorials/first-session.md'),
    },
    {
      id: 'help.shortcuts',
      group: 'help',
      title: title('command.shortcuts'),
      icon: Keyboard,
      run: () => dialogs.showSettings('keyboard'),
    },
    {
      id: 'help.about',
      group: 'help',
      title: title('command.about'),
      icon: Info,
      run: () => (dialogs.open = 'about'),
    },
  ];
}
