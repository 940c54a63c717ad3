/** Rows and rank of W in words. */
import type { ContactMatrix } from '@engine/inspection/contacts-at';
import { text } from '../i18n';

/** @returns what the rank says of impulses; null where there are no contacts */
export function rankWords({ rows, rank }: ContactMatrix): string | null {
  if (rows === 0) return null;
  if (rank === null) return text('animation.rankUnknown', { rows });
  return text(rank < rows ? 'animation.rankLow' : 'animation.rankFull', { rows, rank });
}
