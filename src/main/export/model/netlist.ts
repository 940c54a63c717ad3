import { MoreauError } from '@contract/errors';
import { exportNetlist } from '@engine/netlist/export';
import type { ModelFormat } from './model-format';

/** A netlist that ngspice runs. */
export const netlistModel: ModelFormat = {
  name: 'spice',
  extension: '.cir',
  title: 'SPICE netlist',
  write: ({ document }) => {
    const netlist = exportNetlist(document);
    if (netlist.ok) return netlist;
    const { code, message, where, remedy } = netlist;
    throw new MoreauError({
      code,
      message: `The model cannot be written as a netlist. ${message}`,
      where,
      remedy,
    });
  },
};
