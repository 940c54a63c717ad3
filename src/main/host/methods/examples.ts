import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { ExampleInfo } from '@contract/methods';
import type { HostContext, MethodHandlers } from '../context';
import { checkDocumentSize } from '../document-size';

const SUFFIX = '.moreau.json';

/** Methods on the examples that come with the program. */
export const exampleMethods: MethodHandlers<'examples.list' | 'examples.read'> = {
  'examples.list': async (context) => {
    const names = await exampleNames(context);
    return Promise.all(names.map((name) => describe(context, name)));
  },
  'examples.read': async (context, { name }) => ({ text: await readExample(context, name) }),
};

async function exampleNames(context: HostContext): Promise<string[]> {
  const files = await readdir(context.examplesDirectory);
  return files
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
}

/** The contract's pattern for names admits no separator, so a name cannot leave the folder. */
async function readExample(context: HostContext, name: string): Promise<string> {
  const path = join(context.examplesDirectory, name + SUFFIX);
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) {
    throw new MoreauError({
      code: 'unknown-example',
      message: `There is no example named ${name}.`,
      where: name,
      remedy: `The examples are: ${(await exampleNames(context)).join(', ')}.`,
    });
  }
  checkDocumentSize(size, name);
  return readFile(path, 'utf8');
}

async function describe(context: HostContext, name: string): Promise<ExampleInfo> {
  const text = (member: unknown): string => (typeof member === 'string' ? member : '');
  try {
    const document: unknown = JSON.parse(await readExample(context, name));
    const { title, description, references } = document as Partial<Record<keyof ExampleInfo, unknown>>;
    const list: unknown[] = Array.isArray(references) ? references : [];
    const cited = list.filter((reference): reference is string => typeof reference === 'string');
    return { name, title: text(title) || name, description: text(description), references: cited };
  } catch {
    // One unreadable file must not hide the others; opening it says what is wrong.
    return { name, title: name, description: '', references: [] };
  }
}
