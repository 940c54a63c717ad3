/** Texts of kinds of views that are looked up by key, as all texts of the window are. */
import { certificateWords } from './certificate/words';
import { returnMapWords } from './return-map/words';

export const viewWords = {
  certificate: certificateWords,
  returnMap: returnMapWords,
};
