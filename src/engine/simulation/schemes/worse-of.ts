/** Certificates of a run before and after its numbers changed, as one. */
import type { CertificateValues } from '../../event-driven/certificate-ledger';
import type { Certificate } from '../certificate/certificate';

const worstOf = ({ complementarity, coneViolation, dynamics }: Certificate): number =>
  Math.max(complementarity, coneViolation, dynamics);

/** The worst of both, figure by figure, with the time and element of the worse one. */
export function worseOf(past: Certificate, present: Certificate): Certificate {
  const { worstTime, worstElement } = worstOf(past) >= worstOf(present) ? past : present;
  const parts: Partial<CertificateValues> = { ...present.parts };
  for (const [key, value] of Object.entries(past.parts ?? {}) as [keyof CertificateValues, number][])
    parts[key] = Math.max(value, parts[key] ?? 0);
  return {
    ...present,
    complementarity: Math.max(past.complementarity, present.complementarity),
    coneViolation: Math.max(past.coneViolation, present.coneViolation),
    dynamics: Math.max(past.dynamics, present.dynamics),
    worstTime,
    worstElement,
    ...(present.parts === undefined && past.parts === undefined ? {} : { parts: parts as CertificateValues }),
  };
}
