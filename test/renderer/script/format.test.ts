/** Prettier on scripts, as the worker answers. */
import { describe, expect, it } from 'vitest';
import { answerFormat } from '@renderer/script/format-worker';

describe('the formatter', () => {
  it('writes TypeScript in one style', async () => {
    const source = 'export const f:ExternalForce=(t,out,p)=>{out[0]=p.k*"a".length}';
    expect(await answerFormat({ id: 1, source })).toEqual({
      id: 1,
      ok: true,
      text: "export const f: ExternalForce = (t, out, p) => {\n  out[0] = p.k * 'a'.length;\n};\n",
    });
  });

  it('says in a line what it cannot read', async () => {
    const reply = await answerFormat({ id: 2, source: 'export const = 1' });
    expect(reply.ok).toBe(false);
    expect(reply.ok ? '' : reply.message).not.toContain('\n');
  });
});
