/** Largest settings file that is read, bytes. */
const MAX_BYTES = 1024 * 1024;

/** Lets the user choose a file and reads it as text. @returns null when the dialog is dismissed */
export function chooseText(accept: string): Promise<string | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (file === undefined) resolve(null);
      // What is too large to be settings is refused as what is no JSON is.
      else if (file.size > MAX_BYTES) resolve('');
      else resolve(file.text());
    });
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}
