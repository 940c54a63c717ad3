/**
 * Lets the user choose one file by the file input of the page.
 * @param accept name endings and media types that are offered, as the input's attribute of that name
 * @returns null when the dialog is dismissed
 */
export function chooseFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.hidden = true;
    const end = (file: File | null): void => {
      input.remove();
      resolve(file);
    };
    input.addEventListener('change', () => end(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => end(null));
    // In the page while the dialog is open: an input that nothing holds may be collected before the user has
    // chosen.
    document.body.append(input);
    input.click();
  });
}
