/** The work of the formatting worker. Knows no worker. */
import { format } from 'prettier/standalone';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';

export interface FormatRequest {
  id: number;
  source: string;
}

export type FormatReply = { id: number } & ({ ok: true; text: string } | { ok: false; message: string });

/** Longest line that is not broken, characters: half a window. */
const LINE_LENGTH = 100;

/** Reformats a script. Never rejects. */
export async function answerFormat({ id, source }: FormatRequest): Promise<FormatReply> {
  try {
    const text = await format(source, {
      parser: 'typescript',
      plugins: [estree, typescript],
      printWidth: LINE_LENGTH,
      singleQuote: true,
    });
    return { id, ok: true, text };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The first line says what; a drawing of the place follows.
    return { id, ok: false, message: message.split('\n')[0] ?? message };
  }
}
