// Whether a page can be read: nothing is wider than the screen, and every piece of text has contrast with what is behind
// it, as WCAG 2 counts it. SCREENSHOTS=FOLDER keeps pictures.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Opened } from './chromium.ts';

const shots = process.env['SCREENSHOTS'];

/** On screens of these widths, light and dark, with everything unfolded, and without any trouble. */
export async function expectReadable(
  name: string,
  { page, trouble }: Opened,
  widths: readonly number[],
): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
  });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const look = `${name}-${width}-${colorScheme}`.replaceAll(' ', '-');
      expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBeLessThanOrEqual(width);
      expect(await faintTexts(page, 4.5), look).toEqual([]);
      if (shots === undefined) continue;
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${look}.png`), fullPage: true });
    }
  }
  expect(await unknownDeclarations(page)).toEqual([]);
  expect(trouble).toEqual([]);
}

/** What the browser passes over in the style of a page, such as a property that does not exist. */
function unknownDeclarations(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const style = document.querySelector('style')?.textContent ?? '';
    const declarations = [...style.replaceAll(/@page \{[^}]*\}/g, '').matchAll(/[{;]\s*([a-z-]+): ([^;{}]+)(?=[;}])/g)];
    const unknown = declarations.filter(([, name = '', value = '']) => {
      return !name.startsWith('--') && !CSS.supports(name, value.replace(/ *!important$/, ''));
    });
    return unknown.map(([, name, value]) => `${name}: ${value}`);
  });
}

interface FaintText {
  readonly text: string;
  readonly ratio: number;
  readonly colour: string;
  readonly behind: string;
}

/** The texts whose contrast is below `least`; what isn't laid out doesn't count. */
function faintTexts(page: Page, least: number): Promise<readonly FaintText[]> {
  return page.evaluate((minimum) => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const backOf = (element: Element | null): string => {
      if (element === null) return getComputedStyle(document.documentElement).backgroundColor;
      const colour = getComputedStyle(element).backgroundColor;
      return channels(colour)[3] === 0 ? backOf(element.parentElement) : colour;
    };
    const found: { text: string; ratio: number; colour: string; behind: string }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (text === '' || element === null || element.getClientRects().length === 0) continue;
      const [colour, behind] = [getComputedStyle(element).color, backOf(element)];
      const [light = 0, dark = 0] = [luminance(colour), luminance(behind)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < minimum) found.push({ text: text.slice(0, 40), ratio, colour, behind });
    }
    return found;
  }, least);
}
