/**
 * Writes docs/proofs.md: what `npm run prove` has proved, one row for each test that takes a sample
 * otherwise, with the revision it was proved for. Rows of files that did not run stay, so that the proofs,
 * which take hours, can be had one after the other.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TABLE = `${ROOT}docs/proofs.md`;

const HEAD = `# Proofs

What holds in all cases, as \`npm run prove\` has computed it; \`npm test\` takes samples of them. Written by that command, which renews the rows of the files that
it runs.

| file | test | cases | holds | revision |
| --- | --- | ---: | --- | --- |
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const fileOf = (row: string): string => row.split(' | ')[0].slice(2);
const nameOf = ({ relativeModuleId }: TestModule): string => relativeModuleId.replace(/^test\//, '');

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/**
 * Revision of what is tested; it says where it is not the one that is committed. The tables in docs are what
 * proofs write.
 */
function revision(): string {
  try {
    const isChanged = git('status', '--porcelain', '--', '.', ':!docs') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '-dirty' : ''}`;
  } catch {
    return '';
  }
}

function keptRows(renewed: ReadonlySet<string>): string[] {
  if (!existsSync(TABLE)) return [];
  const [, ...lines] = readFileSync(TABLE, 'utf8').split('| --- | --- | ---: | --- | --- |\n');
  const rows = lines.join('').split('\n');
  return rows.filter(
    (row) => row !== '' && !renewed.has(fileOf(row)) && existsSync(`${ROOT}test/${fileOf(row)}`),
  );
}

function rowsOf(module: TestModule, at: string): string[] {
  const tests = [...module.children.allTests()];
  const stated = tests.filter((test) => test.meta().cases !== undefined);
  const row = (name: string, cases: number | undefined, holds: string): string =>
    `| ${nameOf(module)} | ${cell(name)} | ${cases} | ${holds} | ${at} |`;
  if (stated.length > 0)
    return stated.map((test) =>
      row(test.fullName, test.meta().cases, test.result().state === 'passed' ? 'yes' : '**no**'),
    );
  // A file whose lists are parts otherwise: all of its tests together.
  const failed = tests.filter((test) => test.result().state === 'failed').length;
  return tests.length === 0
    ? []
    : [row('each test', tests.length, failed === 0 ? 'yes' : `**no**, ${failed} fail`)];
}

export default class ProofReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const at = revision();
    const rows = [
      ...keptRows(new Set(modules.map(nameOf))),
      ...modules.flatMap((module) => rowsOf(module, at)),
    ];
    const byFile = rows
      .map((row, k) => ({ row, k, file: fileOf(row) }))
      .sort((a, b) => (a.file === b.file ? a.k - b.k : a.file < b.file ? -1 : 1));
    const table = `${HEAD}${byFile.map(({ row }) => row).join('\n')}\n`;
    writeFileSync(TABLE, table);
    console.log(table);
  }
}
