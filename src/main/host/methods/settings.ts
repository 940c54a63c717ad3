import type { MethodHandlers } from '../context';

/** Methods on the user's settings. */
export const settingsMethods: MethodHandlers<'settings.read' | 'settings.write'> = {
  'settings.read': ({ settings }) => settings.read(),
  'settings.write': ({ settings }, { changes }) => settings.write(changes),
};
