/** Writes the published JSON Schema of the model document, generated from the schema that validates. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from './paths.mjs';

const { module } = await runnerImport(join(root, 'src/engine/document/schema.ts'), {
  root,
  configFile: false,
});
const folder = join(root, 'resources/schema');
const file = join(folder, `moreau-model-${module.FORMAT_VERSION}.schema.json`);
mkdirSync(folder, { recursive: true });
writeFileSync(file, `${JSON.stringify(module.jsonSchema(), null, 2)}\n`);
console.log(file);
