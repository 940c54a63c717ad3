import { MoreauError } from '@contract/errors';
import { siconosScript } from '@engine/siconos/script';
import type { ModelFormat } from './model-format';

/** A Python script that builds and runs the model in Siconos. */
export const siconosPython: ModelFormat = {
  name: 'siconos-python',
  extension: '.py',
  title: 'Python script for Siconos',
  write: ({ expanded }) => {
    const script = siconosScript(expanded);
    if (script.ok) return script;
    const [first, ...others] = script.issues;
    const rest = others.map(({ message, remedy }) => ` ${message} ${remedy}`).join('');
    throw new MoreauError({
      code: first.code,
      message: `The model cannot be written for Siconos. ${first.message}`,
      where: first.element ?? first.pointer,
      remedy: `${first.remedy}${rest}`,
    });
  },
};
