import { catalogue } from '@engine/model/registry';
import { FORMAT_VERSION } from '@engine/document/schema';
import type { MethodHandlers } from '../context';

/** Methods about the program itself. */
export const appMethods: MethodHandlers<'app.info' | 'catalogue'> = {
  'app.info': ({ version, door }) => ({ version, formatVersion: FORMAT_VERSION, door }),
  catalogue: () => catalogue(),
};
