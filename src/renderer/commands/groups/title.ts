import { text, type TextKey } from '../../i18n';

/** The title of a command, looked up when it is shown. */
export const title = (key: TextKey) => (): string => text(key);
