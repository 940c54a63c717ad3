/** Methods that write plots as files. */
import { MoreauError } from '@contract/errors';
import type { MethodHandlers } from '../context';

/** What is known of it; what a drawing or a document is wrong in, otherwise. */
function asFailure(error: unknown): MoreauError {
  if (error instanceof MoreauError) return error;
  return new MoreauError({
    code: 'not-drawable',
    message: `The plot cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    remedy: 'Export it as SVG.',
  });
}

export const figureMethods: MethodHandlers<'figure.pdf' | 'figure.convert' | 'figure.draw'> = {
  'figure.pdf': async (_, { title, pages }) => {
    try {
      // Loaded with the first of them.
      const [{ pdfOf }, { withFontNames }] = await Promise.all([
        import('../../export/figures/pdf'),
        import('../../export/figures/svg'),
      ]);
      const drawn = pages.map((page) => ({ ...page, svg: withFontNames(page.svg) }));
      return { data: new Uint8Array(await pdfOf(drawn, title)) };
    } catch (error) {
      throw asFailure(error);
    }
  },
  'figure.convert': async (_, { title, svg, width, height, format, dpi }) => {
    try {
      const [{ fileOfDrawing }, { withFontNames }] = await Promise.all([
        import('../../export/figures/figure-file'),
        import('../../export/figures/svg'),
      ]);
      const drawing = { svg: withFontNames(svg), width, height };
      return { data: new Uint8Array(await fileOfDrawing(drawing, title, format, dpi)) };
    } catch (error) {
      throw asFailure(error);
    }
  },
  'figure.draw': async ({ dispatcher, runs }, { document, figure, runId, compared, format, ...look }) => {
    try {
      const [{ figureFile }, { figurePlan }] = await Promise.all([
        import('../../export/figures/figure-file'),
        import('../../export/figures/figure-parts'),
      ]);
      const { width, height } = look;
      const plan = figurePlan(document, figure, { width, height, isHeightGiven: true });
      const infoOf = (id: string) => runs.get(id).info();
      const behind = compared.map(infoOf);
      return {
        data: new Uint8Array(await figureFile(dispatcher, infoOf(runId), behind, plan, format, look)),
      };
    } catch (error) {
      throw asFailure(error);
    }
  },
};
