/** What the certificate of a run comes to: whether the equations of its scheme hold. Every door shows the same verdict. */
import type { CertificateSummary } from './runs';

/** Worst violation that counts as satisfied: well above rounding, well below any modelling error. */
export const TOLERANCE = 1e-8;

/** Largest of the three figures that schemes share; NaN where one is none. */
export const worstOf = ({ complementarity, coneViolation, dynamics }: CertificateSummary): number =>
  Math.max(complementarity, coneViolation, dynamics);

/** Largest figure of a run that counts as satisfied: what its solver was asked for, where that is more than rounding. */
export const limitOf = ({ limit }: CertificateSummary): number => Math.max(limit ?? 0, TOLERANCE);

/** Whether the equations hold. What is not a number fails: it must not pass for satisfied. */
export const isCertified = (certificate: CertificateSummary): boolean =>
  worstOf(certificate) <= limitOf(certificate);
