/** Methods that write data files. */
import { MoreauError } from '@contract/errors';
import type { MethodHandlers } from '../context';
import { runTable } from '../../export/run-table';

export const exportMethods: MethodHandlers<
  'data.export' | 'data.cancelExport' | 'data.dropExport' | 'figure.pdf'
> = {
  'figure.pdf': async (_, { title, pages }) => {
    // Loaded with the first of them.
    const [{ pdfOf }, { withFontNames }] = await Promise.all([
      import('../../export/figures/pdf'),
      import('../../export/figures/svg'),
    ]);
    try {
      const data = await pdfOf(
        pages.map((page) => ({ ...page, svg: withFontNames(page.svg) })),
        title,
      );
      return { data: new Uint8Array(data) };
    } catch (error) {
      throw new MoreauError({
        code: 'not-drawable',
        message: `The plot cannot be written as PDF: ${error instanceof Error ? error.message : String(error)}.`,
        remedy: 'Export it as SVG.',
      });
    }
  },
  'data.export': ({ exports, dispatcher, runs }, { exportId, runId, format, comments, ...choice }) =>
    exports.write(exportId, format, runTable(dispatcher, runs.get(runId).info(), choice), { comments }),
  'data.cancelExport': ({ exports }, { exportId }) => {
    exports.cancel(exportId);
    return {};
  },
  'data.dropExport': ({ exports }, { ticket }) => {
    exports.drop(ticket);
    return {};
  },
};
