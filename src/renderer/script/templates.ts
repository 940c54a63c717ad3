/** Starting text of script functions, made from the signatures of the plug-in kinds. */
import type { Catalogue, ElementDefinition, PluginKind } from '@engine/model/definition';

/** Kinds that belong together in the menu. */
export type KindGroup = 'firstOrder' | 'lagrangian' | 'firstOrderRelation' | 'lagrangianRelation' | 'other';

/** `ExternalForce` in words: “External force”. */
export function kindTitle(catalogue: Catalogue, kind: PluginKind): string {
  const words = catalogue.plugins[kind].typeName.replace(
    /(?<=[a-z])[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return words;
}

/** Name proposed for a new function of a kind: `externalForce`. */
export function proposedName(catalogue: Catalogue, kind: PluginKind): string {
  const { typeName } = catalogue.plugins[kind];
  return typeName.charAt(0).toLowerCase() + typeName.slice(1);
}

/** Source lines of a new function. */
export function functionTemplate(catalogue: Catalogue, kind: PluginKind, name: string): string[] {
  const { typeName, parameters, summary, body } = catalogue.plugins[kind];
  return [
    `/** ${summary.replaceAll('`', '')} */`,
    `export const ${name}: ${typeName} = (${parameters.join(', ')}) => {`,
    `  ${body}`,
    '};',
  ];
}

const kindsOf = (definitions: readonly ElementDefinition[], order: 1 | 2): PluginKind[] =>
  definitions
    .filter((definition) => definition.order === order)
    .flatMap(({ fields }) => fields.flatMap((field) => ('plugin' in field ? [field.plugin] : [])));

/** Every plug-in kind under the elements that use it, in the order the menu lists them. */
export function pluginGroups(catalogue: Catalogue): { group: KindGroup; kinds: PluginKind[] }[] {
  const { systems, relations, plugins } = catalogue;
  const wanted: [KindGroup, PluginKind[]][] = [
    ['firstOrder', kindsOf(systems, 1)],
    ['lagrangian', kindsOf(systems, 2)],
    ['firstOrderRelation', kindsOf(relations, 1)],
    ['lagrangianRelation', kindsOf(relations, 2)],
    ['other', Object.keys(plugins) as PluginKind[]],
  ];
  const listed = new Set<PluginKind>();
  return wanted.flatMap(([group, candidates]) => {
    const kinds = [...new Set(candidates)].filter((kind) => !listed.has(kind));
    kinds.forEach((kind) => listed.add(kind));
    return kinds.length === 0 ? [] : [{ group, kinds }];
  });
}

/** Source lines of a new builder script: a row of masses, each linked to the next. */
export const BUILDER_TEMPLATE: readonly string[] = [
  '/** Adds elements to the model, in the form used in the document. Runs again when a parameter changes. */',
  'export default (model: ModelBuilder, p: Parameters) => {',
  '  const count = 3;',
  '  for (let i = 0; i < count; i++) {',
  '    model.system({',
  '      id: `mass-${i}`,',
  "      type: 'LagrangianLinearTI',",
  '      ndof: 1,',
  '      mass: [[1]],',
  '      q0: [i],',
  '      v0: [0],',
  '    });',
  '  }',
  '};',
];
