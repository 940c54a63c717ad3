import type { TableView } from '@engine/document/types';
import { Table } from '@lucide/vue';
import { signalNames } from '../shared/signal-choice';
import type { ViewKind } from '../shared/offer';

/** Columns that fit into a pane. */
const MOST_SIGNALS = 6;

export const table: ViewKind<TableView> = {
  type: 'table',
  title: 'views.table.title',
  icon: Table,
  share: 1,
  needs: { signals: 'texts' },
  create: (id, { signals }) => ({
    type: 'table',
    id,
    signals: signalNames(signals, 'time', 'state', 'position', 'velocity', 'gap', 'observable').slice(
      0,
      MOST_SIGNALS,
    ),
  }),
};
