/**
 * What a page shows wrongly, told from the boxes of its texts and controls: texts that are cut or lie over
 * one another, controls that something covers or that cannot be reached.
 */
import type { Page } from '@playwright/test';
// Declares the hook that plots leave on the window.
import type {} from '@renderer/dashboard/plot/plot-registry';

/** Everything that is wrong in what the page shows now, in words. */
export async function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Rounding of boxes, px. */
    const SLACK = 1.5;
    /** A text that is cut with dots says what it is with as many letters, or with as much of itself. */
    const LETTERS = 5;
    const CONTROLS =
      'button, a[href], input, select, textarea, summary, [role="tab"], [role="menuitem"], [role="slider"], [role="option"]';
    /** What pages of other programs draw, and what is written for screen readers only. */
    const SKIPPED = '.monaco-editor, .katex, .visually-hidden, [aria-hidden="true"] svg, [inert], [inert] *';

    interface Box {
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    const faults = new Set<string>();
    const name = (element: Element): string => {
      const id = element.closest('[data-testid], [data-command], [id]');
      const at = id?.getAttribute('data-testid') ?? id?.getAttribute('data-command') ?? id?.id ?? '';
      const classes = element.getAttribute('class')?.split(' ')[0] ?? '';
      const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 30);
      return `${element.tagName.toLowerCase()}${classes === '' ? '' : `.${classes}`} “${words}” in ${at}`;
    };
    interface Clip {
      x: boolean;
      y: boolean;
      isScrolled: boolean;
      bounds: DOMRect;
    }
    const known = new Map<Element, Clip>();
    const clips = (element: Element): Clip => {
      let found = known.get(element);
      if (found === undefined) {
        const { overflowX, overflowY } = getComputedStyle(element);
        const isScrolled = /auto|scroll/.test(overflowX + overflowY);
        const bounds = element.getBoundingClientRect();
        found = { x: overflowX !== 'visible', y: overflowY !== 'visible', isScrolled, bounds };
        known.set(element, found);
      }
      return found;
    };
    /** What of a box is to be seen inside the boxes that clip it; null where nothing is. */
    const seen = (element: Element, box: Box): { box: Box; isScrolled: boolean } | null => {
      let { left, top, right, bottom } = box;
      let isScrolled = false;
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        const clip = clips(at);
        isScrolled ||= clip.isScrolled || at.matches('.vue-flow');
        if (!clip.x && !clip.y) continue;
        const { bounds } = clip;
        if (clip.x) [left, right] = [Math.max(left, bounds.left), Math.min(right, bounds.right)];
        if (clip.y) [top, bottom] = [Math.max(top, bounds.top), Math.min(bottom, bounds.bottom)];
      }
      return right - left < 1 || bottom - top < 1 ? null : { box: { left, top, right, bottom }, isScrolled };
    };
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest(SKIPPED) === null;
    const top = (x: number, y: number): Element | null => document.elementFromPoint(x, y);
    const related = (a: Element, b: Element): boolean => a.contains(b) || b.contains(a);
    /** Whether something is above by intention: a dialog, a menu, a hint. */
    const isLayer = (element: Element): boolean =>
      element.closest(
        '[role="dialog"], [role="menu"], [role="listbox"], [role="tooltip"], .scrim, .help, .maximised',
      ) !== null;

    const { innerWidth: width, innerHeight: height } = window;
    const modal = document.querySelector('[role="dialog"][data-state="open"]');
    const root = document.documentElement;
    if (root.scrollWidth > width + SLACK || root.scrollHeight > height + SLACK)
      faults.add(`the page is larger than the window: ${root.scrollWidth} × ${root.scrollHeight}`);

    for (const element of document.querySelectorAll(CONTROLS)) {
      if (!isShown(element) || (modal !== null && !modal.contains(element))) continue;
      const bounds = element.getBoundingClientRect();
      if (bounds.width < 2 || bounds.height < 2) continue;
      const part = seen(element, bounds);
      if (part === null) {
        // What can be scrolled to is there.
        let at = element.parentElement;
        while (at !== null && !clips(at).isScrolled && !at.matches('.vue-flow')) at = at.parentElement;
        if (at === null) faults.add(`cannot be reached: ${name(element)}`);
        continue;
      }
      const outside =
        bounds.left < -SLACK ||
        bounds.top < -SLACK ||
        bounds.right > width + SLACK ||
        bounds.bottom > height + SLACK;
      if (outside && !part.isScrolled) faults.add(`outside of the window: ${name(element)}`);
      // What is scrolled half out of sight may have its middle below what stands at the edge.
      const share =
        ((part.box.right - part.box.left) * (part.box.bottom - part.box.top)) /
        (bounds.width * bounds.height);
      if (share < 0.5 && part.isScrolled) continue;
      const x = (part.box.left + part.box.right) / 2;
      const y = (part.box.top + part.box.bottom) / 2;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const above = top(x, y);
      if (above === null || related(above, element)) continue;
      if (element.id !== '' && above.closest(`label[for="${CSS.escape(element.id)}"]`) !== null) continue;
      if (above.closest('label')?.contains(element) === true) continue;
      if (isLayer(above) && !isLayer(element)) continue;
      // What comes up with the pointer is not there yet.
      if (!above.checkVisibility({ opacityProperty: true })) continue;
      faults.add(`covered: ${name(element)} by ${name(above)}`);
    }

    const texts: { element: Element; box: Box; words: string }[] = [];
    const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const words = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (words === '' || element === null || !isShown(element)) continue;
      if (/^(script|style|option|title|desc)$/i.test(element.tagName)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const part = seen(node as unknown as Element, rect);
        if (part === null || part.box.right < 0 || part.box.left > width || part.box.top > height) continue;
        const { box } = part;
        const hidden = rect.width - (box.right - box.left);
        const { textOverflow, overflowX } = getComputedStyle(element);
        if (hidden > SLACK && overflowX !== 'visible' && !clips(element).isScrolled) {
          const share = element.clientWidth / element.scrollWidth;
          if (textOverflow !== 'ellipsis') {
            if (!part.isScrolled) faults.add(`cut: ${name(element)}`);
          } else if (
            share * words.length < Math.min(LETTERS, words.length * 0.7) &&
            !element.matches('.ending')
          )
            faults.add(`too little is left: ${name(element)}, ${(share * words.length).toFixed(1)} letters`);
        } else if (hidden > SLACK && !part.isScrolled) faults.add(`cut: ${name(element)}`);
        const x = (box.left + box.right) / 2;
        const y = (box.top + box.bottom) / 2;
        const above = top(x, y);
        if (x < 0 || y < 0 || x >= width || y >= height || above === null) continue;
        if (related(above, element)) texts.push({ element, box, words });
        else if (!isLayer(above) && !part.isScrolled && hidden <= SLACK && isShown(above))
          faults.add(`covered: ${name(element)} by ${name(above)}`);
      }
    }
    for (let i = 0; i < texts.length; i++)
      for (let j = i + 1; j < texts.length; j++) {
        const a = texts[i];
        const b = texts[j];
        if (a.element === b.element) continue;
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        const low = Math.min(a.box.bottom - a.box.top, b.box.bottom - b.box.top);
        if (across > 3 && down > 0.35 * low) {
          const x = (Math.max(a.box.left, b.box.left) + Math.min(a.box.right, b.box.right)) / 2;
          const y = (Math.max(a.box.top, b.box.top) + Math.min(a.box.bottom, b.box.bottom)) / 2;
          const above = top(x, y);
          if (above !== null && isLayer(above) && isLayer(a.element) !== isLayer(b.element)) continue;
          faults.add(`over one another: ${name(a.element)} and ${name(b.element)}`);
        }
      }
    return [...faults];
  });
}
