/** Methods that write data files. */
import type { MethodHandlers } from '../context';
import { tableFormats } from '../../export/registry';
import { runTable } from '../../export/run-table';

export const exportMethods: MethodHandlers<
  'data.formats' | 'data.export' | 'data.cancelExport' | 'data.dropExport'
> = {
  'data.formats': () => tableFormats.map(({ extension, title, help }) => ({ extension, title, help })),
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
