import { describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '@contract/methods';
import { BrowserShell, readDroppedFiles } from '@renderer/transport/browser-shell';

const dropped = (file: unknown): DataTransfer => ({ files: [file] }) as unknown as DataTransfer;

describe('shell of the browser door', () => {
  it('keeps the name of an opened file', async () => {
    const file = new File(['{}'], 'cam.moreau.json');
    expect(await Promise.all(readDroppedFiles(dropped(file)))).toEqual([
      { handle: null, name: 'cam.moreau.json', text: '{}' },
    ]);
  });

  it('refuses a file that is too large before it is read', async () => {
    let read = false;
    const file = {
      name: 'large.json',
      size: MAX_DOCUMENT_BYTES + 1,
      text: () => {
        read = true;
        return Promise.resolve('');
      },
    };
    await expect(Promise.all(readDroppedFiles(dropped(file)))).rejects.toMatchObject({
      details: { code: 'file-too-large' },
    });
    expect(read).toBe(false);
  });

  it('says that a page cannot write to a file', async () => {
    const saving = new BrowserShell().call('shell.save', { handle: 'x', text: '' });
    await expect(saving).rejects.toMatchObject({ details: { code: 'not-in-browser' } });
  });

  it('shows the unsaved marker in the title of the tab', async () => {
    await new BrowserShell().call('shell.setDocument', { name: 'Cam', dirty: true });
    expect(document.title).toBe('● Cam · Moreau');
  });
});
