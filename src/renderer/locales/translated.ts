/**
 * The shape of a translation: the keys of the English texts, each with a text of another language. A missing
 * key and one too many are both errors of the type check.
 */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]>;
};
