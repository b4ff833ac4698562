// A real browser for the tests of pages, with everything that it complained about.
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import { expect } from 'vitest'

const executablePath = '/usr/bin/chromium'

const switches = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function startBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`${executablePath} is missing: apt-get install chromium`)
  }
  // Playwright gives it a profile of its own and removes that.
  return chromium.launch({ executablePath, args: switches })
}

export interface Look {
  width?: number
  colours?: 'light' | 'dark'
}

export interface OpenPage {
  page: Page
  /** Errors and warnings of the console, uncaught errors, dialogs, requests to anywhere. */
  complaints: string[]
  close(): Promise<void>
}

export async function openPage(browser: Browser, url: string, look: Look = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1280, height: 900 },
    colorScheme: look.colours ?? 'light',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const own = new URL(url)
  page.on('request', (request) => {
    const asked = new URL(request.url())
    const isOwn =
      asked.protocol === 'data:' || (asked.host === own.host && own.protocol === asked.protocol)
    if (!isOwn) complaints.push(`a request: ${request.url()}`)
  })
  await page.goto(url)
  await page.waitForSelector('main h1')
  return { page, complaints, close: () => context.close() }
}

/** Faults that keep people out, by the rules of axe. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Evaluated by the debugger: the page's own policy would not let it in.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    interface Violation {
      id: string
      impact: string
      nodes: { html: string; failureSummary: string }[]
    }
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> }
    }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  })
}

/** Nothing sticks out to the side: no page needs to be scrolled sideways. */
export async function expectToFit(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(window ?? 0)
}
