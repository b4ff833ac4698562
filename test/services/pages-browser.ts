// Opens pages in a real browser and collects its errors and warnings.
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
  // Playwright creates a temporary profile and removes it.
  return chromium.launch({ executablePath, args: switches })
}

export interface Look {
  width?: number
  colours?: 'light' | 'dark'
}

export interface OpenPage {
  page: Page
  /** Console errors and warnings, uncaught errors, dialogs, requests to other origins. */
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
  const pageUrl = new URL(url)
  page.on('request', (request) => {
    const requested = new URL(request.url())
    const isSameOrigin = requested.host === pageUrl.host && requested.protocol === pageUrl.protocol
    if (requested.protocol !== 'data:' && !isSameOrigin)
      complaints.push(`a request: ${request.url()}`)
  })
  await page.goto(url)
  await page.waitForSelector('main h1')
  return { page, complaints, close: () => context.close() }
}

/** Accessibility violations of every impact that axe finds. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The debugger evaluates the script, because the page's content security policy blocks it.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    interface Violation {
      id: string
      nodes: { html: string; failureSummary: string }[]
    }
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  })
}

/** Expects that the page needs no horizontal scrolling. */
export async function expectToFit(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(window ?? 0)
}
