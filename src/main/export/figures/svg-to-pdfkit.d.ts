declare module 'svg-to-pdfkit' {
  export default function svgToPdf(
    document: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options: {
      width?: number;
      height?: number;
      assumePt?: boolean;
      imageCallback?: (link: string) => string;
      fontCallback?: (family: string, bold: boolean, italic: boolean) => string;
    },
  ): void;
}
