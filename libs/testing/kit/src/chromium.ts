import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const program = () => PROGRAMS.find((path) => existsSync(path));

/** Why there is no browser for tests on this machine; undefined when there is one. */
export function chromiumMissing(): string | undefined {
  return program() ? undefined : '(skipped: no chromium)';
}

/** A real Chromium without a window. Tests as root have no sandbox to offer it; it sees pages of ours alone. */
export async function startChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: program(), args });
}

/** Where the pictures of a test run lie: a folder that git ignores. */
export const picturesFolder = (): string => {
  const folder = resolve(process.cwd(), 'tmp', 'pictures');
  mkdirSync(folder, { recursive: true });
  return folder;
};

const SIZES = { wide: { width: 1200, height: 800 }, phone: { width: 360, height: 740 } };

/** The page as it looks by day, by night and on a telephone; left by day and wide. */
export async function picture(page: Page, name: string): Promise<void> {
  const shoot = async (suffix: string, colorScheme: 'light' | 'dark', size: keyof typeof SIZES) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(SIZES[size]);
    await page.screenshot({
      path: join(picturesFolder(), `${name}-${suffix}.png`),
      fullPage: true,
    });
  };
  await shoot('phone', 'light', 'phone');
  await shoot('dark', 'dark', 'wide');
  await shoot('light', 'light', 'wide');
}

/**
 * What people who see or move less would stumble over, by the rules of axe-core (WCAG 2.2 AA), by day and by night.
 * It is put into the page by the debugger: no policy stands in its way, and none has to be loosened.
 */
export async function stumbles(page: Page): Promise<string[]> {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const violations = await page.evaluate(async (values) => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> };
      };
      return (await axe.run({ runOnly: { type: 'tag', values } })).violations;
    }, rules);
    for (const { id, help, nodes } of violations)
      found.push(`${colorScheme}: ${id} (${help}): ${nodes.map((n) => n.html).join(' ')}`);
  }
  return found;
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}
