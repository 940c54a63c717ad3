/** Contacts that lie in a face of two bodies: from the third on their reactions are not determined, and W has no rank for them. */
import type { FrictionContactProblem } from '../../problems/friction-contact';

/** How many contacts on average are coupled with the same others, as those between the same two bodies are; the contact itself counts. */
export function contactsInFaces({ W, count }: FrictionContactProblem): number {
  let alike = 0;
  for (let c = 0; c < count; c++)
    for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++) if (hasSameRow(c, W.columns[k], W)) alike++;
  return alike / count;
}

function hasSameRow(c: number, other: number, { rowStart, columns }: FrictionContactProblem['W']): boolean {
  if (c === other) return true;
  const shift = rowStart[other] - rowStart[c];
  if (rowStart[other + 1] - rowStart[c + 1] !== shift) return false;
  for (let k = rowStart[c]; k < rowStart[c + 1]; k++) if (columns[k] !== columns[k + shift]) return false;
  return true;
}
