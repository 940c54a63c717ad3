import { chooseFile } from '../components/choose-file';

/** Largest settings file that is read, bytes. */
const MAX_BYTES = 1024 * 1024;

/** Lets the user choose a file and reads it as text. @returns null when the dialog is dismissed */
export async function chooseText(accept: string): Promise<string | null> {
  const file = await chooseFile(accept);
  if (file === null) return null;
  // What is too large to be settings is refused as what is no JSON is.
  return file.size > MAX_BYTES ? '' : file.text();
}
