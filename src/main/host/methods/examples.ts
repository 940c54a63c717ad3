import type { MethodHandlers } from '../context';

/** Methods on the examples that come with the program. */
export const exampleMethods: MethodHandlers<'examples.list' | 'examples.read'> = {
  'examples.list': ({ examples }) => examples.list(),
  'examples.read': async ({ examples }, { name }) => ({ text: await examples.read(name) }),
};
