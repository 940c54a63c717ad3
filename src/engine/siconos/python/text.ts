/**
 * Texts of a document in a Python script: as a comment, a string and a docstring. Whatever stands in them stays text. Python
 * ends a comment at every carriage return and does not read a null at all, and readers see lines where Unicode has them.
 */

/** Ends of lines: those of Python, and those that editors and readers see. */
const LINE_ENDS = /\r\n|[\n\r\v\f\x85\u2028\u2029]/g;
/** What has no shape of its own, or turns the text around it so that it reads as another one. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu;

/** The text behind `# `: one line. */
export const pythonComment = (text: string): string =>
  text.replaceAll(LINE_ENDS, ' ').replaceAll(UNSEEN, ' ').trimEnd();

/** A string literal, quotes included. */
export const pythonString = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The text between three quotes, over several lines. */
export const pythonDocstring = (text: string): string =>
  text
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(/[^\n]+/g, (line) => line.replaceAll(UNSEEN, ' '))
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '\\"\\"\\"');
