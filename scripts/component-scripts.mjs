/**
 * Scripts of components, where Oxlint reads them. It sees no types in `.vue` files: so they are written out
 * as `out/lint/….vue.ts`, where imports of components find each other, line by line.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse } from 'vue/compiler-sfc';
import { root } from './paths.mjs';

const COMPONENTS = 'src/renderer';
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

/** Writes the scripts of all components, and what the type checker must know of them. */
export function writeComponentScripts() {
  rmSync(join(root, SCRIPTS), { recursive: true, force: true });
  // Taken for a repository of its own, it is not left out by the .gitignore of this one.
  mkdirSync(join(root, SCRIPTS, '.git'), { recursive: true });
  for (const file of readdirSync(join(root, COMPONENTS), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.vue')) continue;
    const target = join(root, SCRIPTS, `${file}.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, scriptOf(readFileSync(join(root, COMPONENTS, file), 'utf8')));
  }
  const { compilerOptions } = JSON.parse(readFileSync(join(root, COMPONENTS, 'tsconfig.json'), 'utf8'));
  const paths = Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, [path]]) => [
      name,
      [`../../${join(COMPONENTS, path)}`],
    ]),
  );
  writeFileSync(
    join(root, SCRIPTS, 'tsconfig.json'),
    JSON.stringify({
      extends: `../../${COMPONENTS}/tsconfig.json`,
      compilerOptions: { rootDir: '../..', rootDirs: ['.', `../../${COMPONENTS}`], paths, noEmit: true },
      include: ['./**/*.ts', `../../${COMPONENTS}/**/*.d.ts`],
      references: [],
    }),
  );
  const { ignorePatterns: _, ...config } = parseJson(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  const rules = Object.fromEntries(NEED_THE_COMPONENT.map((rule) => [rule, 'off']));
  config.overrides.push({ files: ['**/*.ts'], rules });
  writeFileSync(join(root, SCRIPTS, '.oxlintrc.json'), JSON.stringify(config));
}
