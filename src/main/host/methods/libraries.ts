import { libraryHash, readLibrary, writeLibrary } from '@engine/document/libraries';
import type { MethodHandlers } from '../context';
import { checkDocumentSize } from '../document-size';

/** Libraries of components of one’s own, as files. */
export const libraryMethods: MethodHandlers<'library.read' | 'library.write'> = {
  'library.read': (_context, { text }) => {
    checkDocumentSize(Buffer.byteLength(text));
    return readLibrary(text);
  },
  'library.write': (_context, { title, document: { submodels = [] } }) => ({
    text: writeLibrary(title, submodels),
    hash: libraryHash(submodels),
  }),
};
