import type { CertificateView } from '@engine/document/types';
import { ShieldCheck } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const certificate: ViewKind<CertificateView> = {
  type: 'certificate',
  title: 'views.certificate.title',
  icon: ShieldCheck,
  share: 0.8,
  create: (id) => ({ type: 'certificate', id }),
};
