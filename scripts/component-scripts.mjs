/**
 * Scripts of components, where Oxlint reads them. It sees no types in `.vue` files: so they are written out
 * as `out/lint/….vue.ts`, where imports of components find each other, line by line.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse } from 'vue/compiler-sfc';
import { root } from './paths.mjs';

/** Folders of components. */
const COMPONENTS = ['src/renderer', 'src/views'];
/** Whose settings of types hold for all of them. */
const RENDERER = 'src/renderer';
/** Where they are written. */
export const SCRIPTS = 'out/lint';

/** Rules that cannot be kept where the template and the default export of a component are not seen. */
const NEED_THE_COMPONENT = [
  'typescript/no-unused-vars',
  'typescript/consistent-type-imports',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/no-redundant-type-constituents',
  'typescript/restrict-plus-operands',
  'max-lines',
];

/** @param {string} source of a component; @returns {string} its script, each line at its place */
function scriptOf(source) {
  const { script, scriptSetup } = parse(source, { sourceMap: false }).descriptor;
  const blocks = [script, scriptSetup]
    .filter((block) => block !== null)
    .sort((a, b) => a.loc.start.offset - b.loc.start.offset);
  let text = '';
  for (const { content, loc } of blocks) {
    text += '\n'.repeat(loc.start.line - text.split('\n').length) + content;
  }
  return text;
}

/** @param {string} file a component, from the root; @returns {string} where its script is written */
export const writtenScript = (file) => `${join(SCRIPTS, relative('src', file))}.ts`;

/** Writes the scripts of all components, and what the type checker must know of them. */
export function writeComponentScripts() {
  rmSync(join(root, SCRIPTS), { recursive: true, force: true });
  // Taken for a repository of its own, it is not left out by the .gitignore of this one.
  mkdirSync(join(root, SCRIPTS, '.git'), { recursive: true });
  for (const folder of COMPONENTS)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.vue')) continue;
      const file = join(folder, name);
      const target = join(root, writtenScript(file));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, scriptOf(readFileSync(join(root, file), 'utf8')));
    }
  const { compilerOptions } = JSON.parse(readFileSync(join(root, RENDERER, 'tsconfig.json'), 'utf8'));
  const paths = Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, [path]]) => {
      const place = join(RENDERER, path);
      // A component is found among the scripts first.
      return [name, [`./${relative('src', place)}`, `../../${place}`]];
    }),
  );
  writeFileSync(
    join(root, SCRIPTS, 'tsconfig.json'),
    JSON.stringify({
      extends: `../../${RENDERER}/tsconfig.json`,
      compilerOptions: { rootDir: '../..', rootDirs: ['.', '../../src'], paths, noEmit: true },
      include: ['./**/*.ts', `../../${RENDERER}/**/*.d.ts`],
      exclude: [],
      references: [],
    }),
  );
  const { ignorePatterns: _, ...config } = parseJson(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  const rules = Object.fromEntries(NEED_THE_COMPONENT.map((rule) => [rule, 'off']));
  config.overrides.push({ files: ['**/*.ts'], rules });
  writeFileSync(join(root, SCRIPTS, '.oxlintrc.json'), JSON.stringify(config));
}
