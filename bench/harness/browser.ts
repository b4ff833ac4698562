// Opens pages in headless Chromium from Debian, without a GPU, and measures paint and frames.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserType, Page } from 'playwright-core'
import type { FunctionVariant, Sample } from './case.ts'

const chromiumPath = '/usr/bin/chromium'
const scrollMs = 3000

/** Wall time until the first paint of `<scratch>/<file>`. */
export function firstPaint(name: string, file: string, calls: number): FunctionVariant {
  return {
    name,
    unit: 'calls',
    run: async (scratch) => ({
      ...(await firstPaintAt(pathToFileURL(path.join(scratch, file)).href)),
      amount: Math.max(1, calls),
    }),
  }
}

export function firstPaintAt(url: string): Promise<Partial<Sample>> {
  return withPage(url, async (page) => {
    const wallMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    )
    return { wallMs, amount: 1 }
  })
}

export interface Scrolled {
  element: string
  /** In every frame. */
  pixels: number
}

/** Frames that `<scratch>/<file>` draws while the element scrolls by `pixels` in every frame. */
export function frames(name: string, file: string, scrolled: Scrolled): FunctionVariant {
  return {
    name,
    unit: 'frames',
    run: (scratch) => framesAt(pathToFileURL(path.join(scratch, file)).href, scrolled),
  }
}

export function framesAt(url: string, scrolled: Scrolled): Promise<Partial<Sample>> {
  return withPage(url, async (page) => {
    await page.waitForSelector(scrolled.element)
    const [amount, wallMs] = await page.evaluate(countFrames, { ...scrolled, ms: scrollMs })
    return { amount, wallMs }
  })
}

/** Runs in the page. */
function countFrames(at: Scrolled & { ms: number }) {
  const element = document.querySelector(at.element)
  return new Promise<[number, number]>((resolve) => {
    const start = performance.now()
    let drawn = 0
    const step = (): void => {
      drawn++
      if (element !== null) element.scrollTop += at.pixels
      const spent = performance.now() - start
      if (spent < at.ms) requestAnimationFrame(step)
      else resolve([drawn, spent])
    }
    requestAnimationFrame(step)
  })
}

async function withPage(
  url: string,
  look: (page: Page) => Promise<Partial<Sample>>,
): Promise<Partial<Sample>> {
  const browser = await startBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(url)
    await page.waitForSelector('main h1')
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    )
    return await look(page)
  } finally {
    await browser.close()
  }
}

function startBrowser(): Promise<Browser> {
  if (!existsSync(chromiumPath)) throw new Error(`${chromiumPath} is missing`)
  const load = createRequire(path.join(process.cwd(), 'package.json'))
  const { chromium } = load('playwright-core') as { chromium: BrowserType }
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync']
  return chromium.launch({ executablePath: chromiumPath, args })
}
