/** The figures of a certificate in words, by scheme. */
import type { CertificateSummary } from '@contract/methods';
import type { ContactResidual, EventResidual } from '@engine/certificate/residual-maxima';
import { limitOf, TOLERANCE } from '@contract/verdict';
import { text, type TextKey } from '../i18n';

export interface CertificateFigure {
  key: string;
  label: string;
  help: string;
  value: number;
  /** empty for figures that are relative to the largest magnitude of their kind */
  unit: string;
  /**
   * null where it has a unit: what is much depends on the model, and the figures of the badge are relative
   * for that
   */
  isGood: boolean | null;
}

const SHARED = ['complementarity', 'coneViolation', 'dynamics'] as const;

/**
 * Figures of the events with their units. The energy that a law of impact lets appear is no error, but worth
 * a word.
 */
const OF_EVENTS: readonly { key: EventResidual; unit: string; shownFrom: number }[] = [
  { key: 'law', unit: '', shownFrom: 0 },
  { key: 'impact', unit: '', shownFrom: 0 },
  { key: 'energy', unit: '', shownFrom: 0 },
  { key: 'motion', unit: '', shownFrom: 0 },
  { key: 'penetration', unit: 'm', shownFrom: 0 },
  { key: 'pull', unit: 'N', shownFrom: 0 },
  { key: 'cone', unit: 'N', shownFrom: Number.MIN_VALUE },
  { key: 'slip', unit: 'N', shownFrom: Number.MIN_VALUE },
  { key: 'gain', unit: '', shownFrom: TOLERANCE },
];

/**
 * Figures of 3D bodies by steps, all relative. Of what a model does not have, such as motors, they are zero.
 */
const OF_CONTACTS: readonly ContactResidual[] = [
  'momentum',
  'motion',
  'joints',
  'positions',
  'law',
  'gaps',
  'cone',
  'limits',
  'drives',
  'moments',
];
/** Shown where they are zero, too. */
const OF_ANY_CONTACTS: readonly ContactResidual[] = ['momentum', 'motion', 'law', 'gaps'];

// What is not a number fails: it must not pass for satisfied.
const isWithin = (value: number, limit: number): boolean => value <= limit;

function figure(
  key: string,
  words: TextKey,
  help: TextKey,
  value: number,
  limit: number,
  unit = '',
): CertificateFigure {
  return {
    key,
    label: text(words),
    help: text(help),
    value,
    unit,
    isGood: unit === '' ? isWithin(value, limit) : null,
  };
}

/** All figures that say something of this run. */
export function certificateFigures(certificate: CertificateSummary): CertificateFigure[] {
  const { blocks } = certificate;
  const ofMotion = motionFigures(certificate);
  if (blocks === undefined) return ofMotion;
  const [words, help] = ['certificate.blocks', 'certificate.blocksHelp'] as const;
  return [...ofMotion, figure('blocks', words, help, blocks.worst, TOLERANCE)];
}

/** Where a control block is wrong first, in words; null where all are as they should be. */
export function blockDefect({ blocks }: CertificateSummary): string | null {
  if (blocks === undefined || blocks.defect === null) return null;
  const { kind, block, signal, time, expected, found } = blocks.defect;
  const numbers = { time: String(time), expected: String(expected), found: String(found) };
  return text(`certificate.blockDefects.${kind}`, { ...numbers, block, signal });
}

function motionFigures(certificate: CertificateSummary): CertificateFigure[] {
  const { parts, contactParts } = certificate;
  const limit = limitOf(certificate);
  if (contactParts !== undefined)
    return OF_CONTACTS.filter((key) => contactParts[key] !== 0 || OF_ANY_CONTACTS.includes(key)).map((key) =>
      figure(
        key,
        `certificate.contactParts.${key}`,
        `certificate.contactParts.${key}Help`,
        contactParts[key],
        limit,
      ),
    );
  if (parts === undefined) {
    return SHARED.map((key) =>
      figure(key, `certificate.${key}`, `certificate.${key}Help`, certificate[key], limit),
    );
  }
  return OF_EVENTS.filter(({ key, shownFrom }) => !(parts[key] < shownFrom)).map(({ key, unit }) =>
    figure(key, `certificate.parts.${key}`, `certificate.parts.${key}Help`, parts[key], limit, unit),
  );
}

/**
 * A certificate as lines of text for reports and mails, numbers in full.
 * @param head first line, such as the name of the run
 */
export function certificateText(head: string, certificate: CertificateSummary, drift: number | null): string {
  const lines = certificateFigures(certificate).map(({ label, help, value, unit }) =>
    text('certificate.line', { label, help, value: `${String(value)} ${unit}`.trimEnd() }),
  );
  if (drift !== null) {
    const words = { label: text('certificate.energy'), help: text('certificate.energyHelp') };
    lines.push(text('certificate.line', { ...words, value: String(drift) }));
  }
  const { worstTime, worstElement } = certificate;
  if (worstTime !== null)
    lines.push(text('certificate.worst', { time: String(worstTime), element: worstElement ?? '–' }));
  const defect = blockDefect(certificate);
  if (defect !== null) lines.push(defect);
  if (limitOf(certificate) > TOLERANCE)
    lines.push(text('certificate.limit', { limit: String(limitOf(certificate)) }));
  return `${[head, ...lines].join('\n')}\n`;
}
