import { nativeTheme } from 'electron';
import type { ShellHandlers } from './context';

/** Methods on the window itself. */
export const windowMethods: ShellHandlers<
  'shell.setDocument' | 'shell.setTheme' | 'shell.setMenu' | 'shell.setZoom' | 'shell.closeNow'
> = {
  'shell.setDocument': (context, { name, dirty }) => {
    context.setDocument(name, dirty);
    return {};
  },
  'shell.setTheme': (_context, { theme }) => {
    nativeTheme.themeSource = theme;
    return {};
  },
  'shell.setMenu': (context, { sections }) => {
    context.setMenu(sections);
    return {};
  },
  'shell.setZoom': (context, { factor }) => {
    context.window().webContents.setZoomFactor(factor);
    return {};
  },
  'shell.closeNow': (context) => {
    context.closeNow();
    return {};
  },
};
