/** Drawings as PDF pages of their own size: vectors and text, fonts embedded. */
import { fontPath, OTHER, PLAIN } from './fonts';

/** Points of a px: 72 and 96 to the inch. */
const POINTS = 0.75;

export interface Page {
  readonly svg: string;
  /** px */
  readonly width: number;
  readonly height: number;
}

/** @param title of the document @throws {Error} for what is no drawing */
export async function pdfOf(pages: readonly Page[], title: string): Promise<Buffer> {
  const [{ default: PdfDocument }, { default: drawInto }] = await Promise.all([
    import('pdfkit'),
    import('svg-to-pdfkit'),
  ]);
  const document = new PdfDocument({
    autoFirstPage: false,
    info: { Title: title, Creator: 'Moreau', Producer: 'Moreau' },
  });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve) => document.once('end', resolve));
  for (const name of [PLAIN, OTHER] as const) document.registerFont(name, fontPath(name));
  for (const { svg, width, height } of pages) {
    document.addPage({ size: [POINTS * width, POINTS * height], margin: 0 });
    drawInto(document, svg, 0, 0, {
      width: POINTS * width,
      height: POINTS * height,
      assumePt: false,
      // What a drawing shows is in it: no file and no address is followed.
      imageCallback: (link: string) => (link.startsWith('data:image/') ? link : ''),
      fontCallback: (family: string) => (family.includes(OTHER) ? OTHER : PLAIN),
    });
  }
  document.end();
  await ended;
  return Buffer.concat(parts);
}
