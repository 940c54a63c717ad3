import type { MethodHandlers } from '../context';
import { checkDocumentSize } from '../document-size';

/** Netlists of other simulators. The grammar is loaded by the first of them. */
export const netlistMethods: MethodHandlers<'netlist.import'> = {
  'netlist.import': async (_context, { name, text, files = {} }) => {
    checkDocumentSize([text, ...Object.values(files)].reduce((sum, one) => sum + Buffer.byteLength(one), 0));
    if (/\.asc$/i.test(name)) {
      const { importSchematic } = await import('@engine/netlist/schematic');
      return importSchematic(text, name, files);
    }
    const { importNetlist } = await import('@engine/netlist/import');
    return importNetlist(text, name, files);
  },
};
