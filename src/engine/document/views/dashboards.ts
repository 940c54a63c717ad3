/** Dashboards of a document: which views stand beside each other, and where. Physics never reads them. */
import { z } from 'zod';
import { viewId } from './common';

// The window's content security policy forbids code generation, which zod would otherwise use.
z.config({ jitless: true });

/** Parts beside each other, or one below the other. */
interface DashboardSplit {
  split: 'horizontal' | 'vertical';
  children: DashboardLayout[];
  /** share of each child of the room there is; equal when absent */
  sizes?: number[];
}

/** Views in one place, of which one is seen. */
export interface DashboardTabs {
  /** ids of views */
  tabs: string[];
  /** id of the one that is seen first; the first when absent */
  active?: string;
}

export type DashboardLayout = DashboardSplit | DashboardTabs;

export interface DashboardDocument {
  id: string;
  title?: string;
  /** absent: it has no views yet */
  layout?: DashboardLayout;
}

/** Splits inside of each other, at most: deeper ones have no room on any screen. */
export const MAX_DASHBOARD_DEPTH = 12;

const tabs = z.strictObject({
  tabs: z.array(viewId).describe('Ids of the views in one place, in the order of their tabs.'),
  active: viewId.optional().describe('Id of the view that is seen first; the first when absent.'),
});

const split = z.strictObject({
  split: z.enum(['horizontal', 'vertical']).describe('Horizontal: children stand beside each other.'),
  get children(): z.ZodArray<z.ZodUnion<readonly [typeof split, typeof tabs]>> {
    return z
      .array(z.union([split, tabs]))
      .min(1)
      .describe('Splits and tabs that share the room.');
  },
  sizes: z
    .array(z.number().positive())
    .optional()
    .describe('Share of each child of the room there is; equal when absent.'),
});

export const dashboardSchema = z.strictObject({
  id: viewId.describe('Its name; letters, digits, _ and -.'),
  title: z.string().max(200).optional().describe('Heading in the window; the id when absent.'),
  layout: z
    .union([split, tabs])
    .optional()
    .describe('Tree of splits, whose leaves are views in tabs. A view stands in one place of one dashboard.'),
});

/** Whether a layout, whatever it is, has more splits inside of each other than are read. */
export function isTooDeep(layout: unknown): boolean {
  let level: unknown[] = [layout];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DASHBOARD_DEPTH) return true;
    level = level.flatMap((node): unknown[] => {
      const children = (node as { children?: unknown } | null | undefined)?.children;
      return Array.isArray(children) ? children : [];
    });
  }
  return false;
}
