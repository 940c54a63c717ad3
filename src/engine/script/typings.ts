/** TypeScript declarations for the script editor, generated for exactly one document. */
import type { ModelDocument } from '../document/types';
import { declarationOf, PLUGIN_SIGNATURES } from '../model/plugin-signatures';

const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();

/** Declares the parameters of the document, the plug-in types and the globals of the sandbox. */
export function generateTypings(document: ModelDocument): string {
  const section: unknown = document.parameters;
  const known = Array.isArray(section) ? document.parameters : [];
  const parameters = known.flatMap(({ name, unit, description }) => {
    const words = [description ?? '', unit === undefined || unit === '' ? '' : `[${unit}]`].join(' ');
    return [...(words.trim() === '' ? [] : [`  /** ${comment(words)} */`]), `  readonly ${name}: number;`];
  });
  const plugins = Object.values(PLUGIN_SIGNATURES).flatMap((signature) => [
    `/** ${comment(signature.summary)} */`,
    `type ${signature.typeName} = ${declarationOf(signature)};`,
  ]);
  return [
    '/** Values of the model’s parameters. */',
    'interface Parameters {',
    ...parameters,
    '}',
    ...plugins,
    '/** A number, or an expression in the parameters such as "2*k". */',
    'type Expression = number | string;',
    '/** Adds elements to the model; they take the form they have in the document. */',
    'interface ModelBuilder {',
    '  system(system: { id: string; type: string; [field: string]: unknown }): void;',
    '  interaction(interaction: {',
    '    id: string;',
    '    systems: string[];',
    '    relation: { type: string; [field: string]: unknown };',
    '    law: { type: string; [field: string]: unknown };',
    '  }): void;',
    '}',
    '/** Builds systems and interactions before a run; the default export of a builder script. */',
    'type Builder = (model: ModelBuilder, p: Parameters) => void;',
    '/** What a script says stands in the pane “Console”, with simulated time and line. */',
    'declare const console: {',
    ...['log', 'info', 'debug', 'warn', 'error'].map((name) => `  ${name}(...values: unknown[]): void;`),
    '};',
    '',
  ].join('\n');
}
