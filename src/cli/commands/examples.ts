import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import { fileError } from '@main/files/file-errors';
import { EngineHost } from '@main/host/host';
import { type CliCommand, EXIT, UsageError } from '../command';
import { readExample } from '../model';

/** `moreau examples`: lists the examples, or copies one to be changed. */
export const examplesCommand: CliCommand = {
  name: 'examples',
  summary: 'list the examples, or copy one',
  positionals: [{ name: 'DIR', help: 'folder to copy to, with --copy', required: false }],
  flags: { copy: { type: 'string', value: 'NAME', help: 'copy this example into DIR' } },
  run: async (args, context) => {
    const name = args.text('copy');
    const folder = args.positionals[0];
    if (name !== undefined && folder === undefined)
      throw new UsageError('--copy needs a folder: --copy NAME DIR.');
    if (name === undefined && folder !== undefined)
      throw new UsageError(`Which example? --copy NAME ${folder}.`);
    const host = new EngineHost({ ...context.place.host, door: 'command-line' });
    try {
      if (name === undefined || folder === undefined) {
        const examples = await host.dispatch('examples.list', {});
        const width = Math.max(0, ...examples.map((example) => example.name.length));
        for (const { name: id, title } of examples) context.out(`${id.padEnd(width)}  ${title}\n`);
        return EXIT.done;
      }
      const text = await readExample(host, name);
      context.out(`${await copy(join(folder, `${name}.moreau.json`), folder, text)}\n`);
      return EXIT.done;
    } finally {
      await host.dispose();
    }
  },
};

/** Writes a new file; one that is there may hold a user's changes. */
async function copy(path: string, folder: string, text: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw fileError(folder, 'made', error);
  }
  try {
    await writeFile(path, text, { flag: 'wx' });
    return path;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new MoreauError({
        code: 'file-exists',
        message: `${path} already exists.`,
        where: path,
        remedy: 'Choose another folder, or move that file away.',
      });
    }
    // A part of the model under its name would look like the model.
    await rm(path, { force: true });
    throw fileError(path, 'written', error);
  }
}
