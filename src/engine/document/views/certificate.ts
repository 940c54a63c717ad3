/** How well a run satisfies its equations and laws, over time. */
import { z } from 'zod';
import { head, type ViewHead } from './common';

export type CertificateView = ViewHead<'certificate'>;

export const certificate = z.strictObject(head('certificate'));
