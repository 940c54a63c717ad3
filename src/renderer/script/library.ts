/**
 * The language library the script editor checks against: ECMAScript 2020 as the sandbox has it, without the
 * DOM.
 *
 * The scripts' `Parameters` are the values of the model. TypeScript's own library declares a utility type of
 * that name, and one name cannot mean both, so the utility type goes by another name here.
 */

const LIBRARY_FILE = /^lib\.(es5|es20(15|16|17|18|19|20)(\.[a-z0-9.]+)?|decorators(\.legacy)?)\.d\.ts$/;

/** One declaration text from the compiler's library files, by file name. */
export function languageLibrary(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .filter(([name]) => LIBRARY_FILE.test(name) && !name.includes('.full.'))
    .map(([, content]) =>
      content.replace(/^\/\/\/ <reference .*$/gm, '').replace(/\bParameters</g, 'FunctionParameters<'),
    )
    .join('\n');
}
