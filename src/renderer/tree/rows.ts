/** The rows of a tree that are to be drawn: what is open, or what a filter finds. */
import type { DocumentIssue } from '@engine/document/types';
import { tokens, pointer } from '../document/pointer';
import type { TreeNode } from './nodes';

export interface TreeRow {
  readonly node: TreeNode;
  /** from 1 */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly isOpen: boolean;
  /** key of the node above; null at the top */
  readonly parent: string | null;
}

const matches = ({ label, detail }: TreeNode, words: readonly string[]): boolean => {
  const content = `${label} ${detail}`.toLowerCase();
  return words.every((word) => content.includes(word));
};

/** Rows of a tree in which some nodes are open. */
export function openRows(roots: readonly TreeNode[], open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (nodes: readonly TreeNode[], level: number, parent: string | null): void => {
    nodes.forEach((node, index) => {
      const isOpen = node.childCount > 0 && open.has(node.key);
      rows.push({ node, level, position: index + 1, setSize: nodes.length, isOpen, parent });
      if (isOpen) add(node.children(), level + 1, node.key);
    });
  };
  add(roots, 1, null);
  return rows;
}

/** Rows of the nodes that contain every word of a filter, with the nodes above them. */
export function filteredRows(roots: readonly TreeNode[], filter: string): TreeRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  interface Found {
    node: TreeNode;
    below: Found[];
  }
  const find = (nodes: readonly TreeNode[]): Found[] =>
    nodes.flatMap((node): Found[] => {
      const below = node.childCount === 0 ? [] : find(node.children());
      return below.length > 0 || matches(node, words) ? [{ node, below }] : [];
    });
  const rows: TreeRow[] = [];
  const add = (found: readonly Found[], level: number, parent: string | null): void => {
    found.forEach(({ node, below }, index) => {
      const isOpen = below.length > 0;
      rows.push({ node, level, position: index + 1, setSize: found.length, isOpen, parent });
      add(below, level + 1, node.key);
    });
  };
  add(find(roots), 1, null);
  return rows;
}

export interface IssueCount {
  errors: number;
  warnings: number;
}

/** Number of issues at each place of the document and inside it, by JSON pointer. */
export function issueCounts(issues: readonly DocumentIssue[]): Map<string, IssueCount> {
  const counts = new Map<string, IssueCount>();
  for (const { pointer: place, severity } of issues) {
    const path = tokens(place);
    for (let length = path.length; length >= 0; length--) {
      const above = pointer(...path.slice(0, length));
      const count = counts.get(above) ?? { errors: 0, warnings: 0 };
      count[severity === 'error' ? 'errors' : 'warnings']++;
      counts.set(above, count);
    }
  }
  return counts;
}
