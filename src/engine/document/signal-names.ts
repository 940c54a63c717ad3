/** How signals of circuits may be written: `v(out)` is `out.v`, `i(R1)` is `R1.i`. */

/** A name behind `v` or `i`; not where these end another name. */
const ALIAS = /(?<![\w.])([vi])\(\s*([A-Za-z_](?:[\w.]|\[\d+\])*)\s*\)/g;

/** The text with signals as they are recorded. */
export const withSignalNames = (text: string): string => text.replaceAll(ALIAS, '$2.$1');
