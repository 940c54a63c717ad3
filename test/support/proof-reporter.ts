/** Writes docs/proofs.md: what `npm run prove` has proved, one row for each test that takes a sample otherwise. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';

const TABLE = fileURLToPath(new URL('../../docs/proofs.md', import.meta.url));

const HEAD = `# Proofs

What holds in all cases, as \`npm run prove\` has computed it; \`npm test\` takes samples of them. Written by that command.

| test | cases | holds |
| --- | ---: | --- |
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

export default class ProofReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows: string[] = [];
    const names = [...modules].sort((a, b) => (a.relativeModuleId < b.relativeModuleId ? -1 : 1));
    for (const module of names) {
      const tests = [...module.children.allTests()];
      const stated = tests.filter((test) => test.meta().cases !== undefined);
      for (const test of stated) {
        const holds = test.result().state === 'passed' ? 'yes' : '**no**';
        rows.push(`| ${cell(test.fullName)} | ${test.meta().cases} | ${holds} |`);
      }
      // A file whose lists are parts otherwise: all of its tests together.
      if (stated.length > 0 || tests.length === 0) continue;
      const failed = tests.filter((test) => test.result().state === 'failed').length;
      const holds = failed === 0 ? 'yes' : `**no**, ${failed} fail`;
      rows.push(`| ${cell(module.relativeModuleId)}, each test | ${tests.length} | ${holds} |`);
    }
    const table = `${HEAD}${rows.join('\n')}\n`;
    writeFileSync(TABLE, table);
    console.log(table);
  }
}
