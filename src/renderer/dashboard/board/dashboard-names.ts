/** What dashboards are called. */
import type { ShownDashboard } from '@figures/dashboard-layout';
import { text } from '../../i18n';

/** Its title, else its number. */
export const dashboardName = ({ title }: ShownDashboard, index: number): string =>
  title === undefined || title === '' ? text('dashboard.name', { number: index + 1 }) : title;
