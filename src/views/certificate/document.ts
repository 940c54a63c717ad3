/** How well a run satisfies its equations and laws, over time. */
import { z } from 'zod';
import { type FixedRange, type ViewHead, fixedRange, head } from '../../engine/document/views/common';

const RESIDUAL_KINDS = ['dynamics', 'complementarity', 'coneViolation', 'energyDrift'] as const;
export type ResidualKind = (typeof RESIDUAL_KINDS)[number];

export interface CertificateView extends ViewHead<'certificate'> {
  /** residuals that are drawn; all of them when absent */
  residuals?: ResidualKind[];
  /** the largest residual that counts as satisfied is not drawn */
  hasNoLimit?: boolean;
  /** ends of the axis of residuals */
  yRange?: FixedRange;
}

export const certificate = z.strictObject({
  ...head<CertificateView>('certificate'),
  residuals: z
    .array(z.enum(RESIDUAL_KINDS))
    .optional()
    .describe('Residuals that are drawn; all when absent.'),
  hasNoLimit: z.boolean().optional().describe('Whether the limit of residuals is left out.'),
  yRange: fixedRange.optional().describe('Ends of the axis of residuals, which is logarithmic.'),
});
