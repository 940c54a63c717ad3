import { writeDocument } from '@engine/document/write';
import type { ModelFormat } from './model-format';

/** The document itself in its canonical text, with the given values of parameters. */
export const jsonModel: ModelFormat = {
  name: 'json',
  extension: '.moreau.json',
  title: 'model document',
  write: ({ document, expanded, expand }) => ({
    text: writeDocument(expand ? expanded : document),
    warnings: [],
  }),
};
