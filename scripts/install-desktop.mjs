/**
 * Registers the workbench with a Linux desktop: an entry in its menu, the type of model files, and a double
 * click on one opens it. Writes below XDG_DATA_HOME only. With --remove it takes all of that away again.
 *
 *     npm run desktop:install
 *     npm run desktop:remove
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { onPath, root, toolNode } from './paths.mjs';

const { build } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [model] = build.fileAssociations;

/**
 * @returns {string} an argument as a desktop entry's command line has it: quoted, and quoted again as a value
 *   of a key
 */
function execArgument(argument) {
  const quoted = argument.replace(/["`$\\]/g, '\\$&');
  return `"${quoted.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`;
}

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const desktopEntry = () =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    `Name=${build.productName}`,
    'GenericName=Modelling workbench',
    `Comment=${model.description}`,
    `Exec=${[toolNode, join(root, 'scripts/start.mjs')].map(execArgument).join(' ')} %f`,
    'Icon=moreau',
    'Terminal=false',
    `Categories=${build.linux.category};`,
    `MimeType=${model.mimeType};`,
    'Keywords=simulation;mechanics;impact;friction;',
    'StartupWMClass=moreau',
    '',
  ].join('\n');

const mimePackage = () =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    `  <mime-type type="${xml(model.mimeType)}">`,
    `    <comment>${xml(model.name)}</comment>`,
    '    <sub-class-of type="application/json"/>',
    '    <icon name="moreau"/>',
    // Above the weight of *.json, whose ending these files have, too.
    `    <glob pattern="*.${xml(model.ext)}" weight="80"/>`,
    '  </mime-type>',
    '</mime-info>',
    '',
  ].join('\n');

const given = process.env.XDG_DATA_HOME;
const data = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local/share');
const files = {
  entry: join(data, 'applications/moreau.desktop'),
  mime: join(data, 'mime/packages/moreau.xml'),
  icon: join(data, 'icons/hicolor/scalable/apps/moreau.svg'),
};
const removes = process.argv.includes('--remove');

if (process.platform !== 'linux') {
  console.error('This registers the workbench with Linux desktops only.');
  process.exit(2);
}
for (const file of Object.values(files)) {
  if (removes) rmSync(file, { force: true });
  else mkdirSync(dirname(file), { recursive: true });
}
if (!removes) {
  writeFileSync(files.entry, desktopEntry());
  writeFileSync(files.mime, mimePackage());
  copyFileSync(join(root, 'resources/icons/moreau.svg'), files.icon);
}
/** Their databases, which desktops read in place of the files. */
const DATABASES = [
  ['update-mime-database', join(data, 'mime')],
  ['update-desktop-database', join(data, 'applications')],
];
for (const [program, folder] of DATABASES) {
  mkdirSync(folder, { recursive: true });
  const path = onPath(program);
  if (path === null)
    console.log(`${program} is not installed; the change may take effect at the next login.`);
  else if (spawnSync(path, [folder], { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}
for (const file of Object.values(files)) console.log(`${removes ? 'Removed' : 'Wrote'} ${file}`);
