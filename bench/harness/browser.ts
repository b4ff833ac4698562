// Opens pages in headless Chromium from Debian, without a GPU, and measures paint and frames.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserType, Page } from 'playwright-core'
import type { Case, FunctionVariant, Sample } from './case.ts'

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

/** The cases `open` and `scroll` of pages: their first paint within a second, and 60 frames per second. */
export function pageCases(page: {
  /** The name in the questions, such as `a session with 10,000 calls`. */
  name: string
  prepare: Case['prepare']
  /** The first is the floor, without a goal. */
  open: readonly FunctionVariant[]
  /** The first does not scroll. */
  scroll: readonly FunctionVariant[]
}): Case[] {
  const { name, prepare, open, scroll } = page
  return [
    {
      name: 'open',
      question: `how long until the first paint of ${name} (wall time)?`,
      repetitions: 5,
      prepare,
      variants: open,
      goals: open.slice(1).map((each) => ({ variant: each.name, figure: 'wall', atMost: 1000 })),
    },
    {
      name: 'scroll',
      question: `how many frames per second does the browser draw while it scrolls ${name}?`,
      repetitions: 3,
      prepare,
      variants: scroll,
      goals: scroll.slice(1).map((each) => ({ variant: each.name, figure: 'rate', atLeast: 60 })),
    },
  ]
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
