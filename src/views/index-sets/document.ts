/** States of contacts and other non-smooth laws over time. */
import { z } from 'zod';
import { head, interactions, type OfConstraints, type ViewHead } from '../../engine/document/views/common';

export type IndexSetsView = ViewHead<'index-sets'> & OfConstraints;

export const indexSets = z.strictObject({ ...head<IndexSetsView>('index-sets'), interactions });
