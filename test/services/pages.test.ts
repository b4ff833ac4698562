// The pages in a real browser: contents, interaction, accessibility, and no requests to the
// network.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hostileTexts } from '../contract/pages/page-file.ts'
import { cleanEnvironment } from '../contract/zcl/project.ts'
import { builtProgram } from '../support/paths.ts'
import {
  expectToFit,
  openPage,
  accessibilityFaults,
  startBrowser,
  type Look,
  type OpenPage,
} from './pages-browser.ts'
import { makePages, manyCalls, type PageSet } from './pages-evidence.ts'

let browser: Browser
let pages: PageSet
beforeAll(async () => {
  browser = await startBrowser()
  pages = await makePages()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await pages?.remove()
})

let open: OpenPage[] = []
afterEach(async () => {
  // No page may log an error, send a request elsewhere, or run a script from its contents.
  for (const { page, complaints, close } of open) {
    expect(complaints).toEqual([])
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    await close()
  }
  open = []
})

async function look(url: string, how: Look = {}): Promise<Page> {
  const opened = await openPage(browser, url, how)
  open.push(opened)
  return opened.page
}

const names = ['run', 'attempt', 'comparison', 'session', 'trajectory'] as const

describe.each(names)('the page of a %s', (name) => {
  it.each([
    { width: 1280, colours: 'light' },
    { width: 1280, colours: 'dark' },
    { width: 390, colours: 'light' },
    { width: 390, colours: 'dark' },
  ] as const)('is accessible and fits at $width pixels with $colours colours', async (how) => {
    const page = await look(pages[name], how)
    expect(await accessibilityFaults(page)).toEqual([])
    await expectToFit(page)
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const [red = 0] = background.match(/\d+/g)?.map(Number) ?? []
    expect(red > 128).toBe(how.colours === 'light')
  })

  it('has landmarks and one h1, and its button switches the colours', async () => {
    const page = await look(pages[name])
    expect(await page.locator('h1').count()).toBe(1)
    for (const landmark of ['header', 'main', 'nav']) {
      expect(await page.locator(landmark).first().isVisible(), landmark).toBe(true)
    }
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(scheme).toBe('dark')
    await page.getByRole('button', { name: 'Use light colours' }).click()
  })
})

describe('the page of a run', () => {
  it('shows missions by attempts and links to each attempt', async () => {
    const page = await look(pages.run)
    await page.getByRole('link', { name: /001-hello-r1: .*failed/ }).click()
    await page.getByRole('listbox', { name: 'Calls in order' }).waitFor()
    await page.goBack()
    await page.locator('table.grid').waitFor()
    expect(await page.getByRole('table').count()).toBe(2)
  })

  it('shows pass rates with intervals and distributions on its suite page', async () => {
    const page = await look(pages.run)
    await page.getByRole('link', { name: 'Suite', exact: true }).click()
    await page.locator('.plot canvas').nth(3).waitFor()
    expect(await page.getByRole('img', { name: /^between \d+ % and \d+ %$/ }).count()).toBe(1)
    expect(await page.locator('.plot canvas').count()).toBe(4)
    const rates = page.getByRole('img', { name: /^Pass rate across runs: .*1 of 2 passed/ })
    expect(await rates.isVisible()).toBe(true)
    const costs = page.getByRole('img', {
      name: /^Cost against pass rate: hello: 50 % for \$0\.25/,
    })
    expect(await costs.isVisible()).toBe(true)
    expect(await page.getByText('1 of 2').first().isVisible()).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('breaks no pass rate into two lines on a phone', async () => {
    const page = await look(`${pages.run}#/suite`, { width: 390 })
    const rate = page.getByRole('cell', { name: /^\d+ %$/ }).first()
    expect(await rate.evaluate((cell) => getComputedStyle(cell).whiteSpace)).toBe('nowrap')
  })

  it('sorts its attempts by their number of calls', async () => {
    const page = await look(pages.run)
    const firstCell = () => page.locator('table').nth(1).locator('tbody tr').first().innerText()
    await page.getByRole('button', { name: 'Calls', exact: true }).click()
    expect(await firstCell()).toContain('001-hello-r1')
    await page.getByRole('button', { name: 'Calls', exact: true }).click()
    expect(await firstCell()).toContain('002-hello-r2')
  })
})

describe('the page of a run of 100 attempts', () => {
  it.each([390, 800, 1280])(
    'shows all of them and scrolls nothing sideways at %i pixels',
    async (width) => {
      const page = await look(pages.dense, { width })
      const cells = page.locator('.dense .cell')
      expect(await cells.count()).toBe(100)
      expect(await page.getByText('100 of 120 planned').isVisible()).toBe(true)
      expect(await cells.last().getAttribute('title')).toMatch(/^100-steps-r100: running/)
      if (width === 1280) {
        const place = await cells.last().boundingBox()
        expect((place?.y ?? Infinity) + (place?.height ?? 0)).toBeLessThan(900)
      }
      expect(await wideBoxes(page)).toEqual([])
      expect(await cutFigures(page)).toEqual([])
      await page.getByRole('link', { name: 'Suite', exact: true }).click()
      await page.locator('.plot canvas').first().waitFor()
      expect(await wideBoxes(page)).toEqual([])
      const names = await page.locator('.axis-name').allInnerTexts()
      expect(names.slice(0, 4)).toEqual([
        'share of attempts at or below',
        'calls',
        'share of attempts at or below',
        'time',
      ])
    },
  )
})

/** Elements whose contents are wider than they are. */
function wideBoxes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('html, .scroll, .dense, main')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map(({ className, scrollWidth }) => `${className} ${scrollWidth}`),
  )
}

/** Figures whose text is wider than their box. */
function cutFigures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.stat dd')]
      .filter(
        (figure) =>
          (figure.firstElementChild?.getBoundingClientRect().right ?? 0) >
          figure.getBoundingClientRect().right,
      )
      .map(({ textContent }) => textContent ?? ''),
  )
}

describe('the page of an attempt', () => {
  it('shows hostile texts as text', async () => {
    const page = await look(pages.attempt)
    for (const text of [hostileTexts[0], hostileTexts[3]]) {
      expect(await page.getByText(text, { exact: true }).first().isVisible(), text).toBe(true)
    }
    expect(await page.locator('main img, main svg[onload], main script').count()).toBe(0)
  })

  it('selects the call that a finding cites', async () => {
    const page = await look(pages.attempt)
    const friction = page.getByRole('region', { name: 'Friction' })
    await friction.getByRole('button', { name: 'Show call 8' }).click()
    expect(await page.locator('.row[aria-selected="true"] .line').innerText()).toBe('8')
    expect(await page.getByRole('region', { name: 'Call 8' }).isVisible()).toBe(true)
    expect(page.url()).toContain('#/attempt/')
  })

  it('shows nested calls below their parent and the words of the agent between the calls', async () => {
    const page = await look(pages.attempt)
    const rows = await page.locator('.row').allInnerTexts()
    expect(rows[0]).toContain('Words after 0 calls.')
    expect(rows[2]).toContain('Words after 1 calls.')
    expect(rows.at(-1)).toContain('Words after 100 calls.')
    const parent = rows.findIndex((row) => /^\d+\s+cli\s+sh -c/.test(row))
    expect(rows[parent + 1]).toMatch(/└\s+echo nested/)
    await page.locator('.row').nth(2).click()
    expect(await page.getByRole('region', { name: 'assistant' }).innerText()).toContain(
      'Words after 1 calls.',
    )
  })

  it('opens at the first failed call, and follows the hash of an open page', async () => {
    const page = await look(pages.attempt)
    expect(await page.locator('.row[aria-selected="true"]').getAttribute('class')).toContain(
      'failed',
    )
    await page.evaluate(() => (location.hash = '#/attempt/001-hello-r1/call/2'))
    await page.getByRole('region', { name: 'Call 2' }).waitFor()
    await page.evaluate(() => (location.hash = '#/attempt/001-hello-r1/call/4'))
    await page.getByRole('region', { name: 'Call 4' }).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'Call 2' }).waitFor()
  })

  it('opens at the call in its URL', async () => {
    const page = await look(`${pages.attempt}#/attempt/001-hello-r1/call/3`)
    expect(await page.getByRole('region', { name: 'Call 3' }).isVisible()).toBe(true)
  })

  it('filters calls by failure and by text', async () => {
    const page = await look(pages.attempt)
    await page.getByRole('button', { name: 'Failed 3' }).click()
    expect(await page.locator('.row').count()).toBe(3)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('searchbox').fill('onload')
    expect(await page.locator('.row').count()).toBe(1)
    await page.getByRole('searchbox').fill('nothing is like this')
    expect(await page.getByText('No matching calls.').isVisible()).toBe(true)
  })
})

describe('the page of a comparison', () => {
  it('lists what differs and the attempts side by side, with links', async () => {
    const page = await look(pages.comparison)
    const pairs = page.getByRole('region', { name: 'Attempts side by side' }).first()
    const links = pairs.getByRole('link')
    expect(await links.count()).toBe(3)
    expect(await links.first().getAttribute('href')).toMatch(/^file:.*\/attempts\/001-hello-r1$/)
    const panels = await page.getByRole('region').allInnerTexts()
    const position = (title: string) => panels.findIndex((text) => text.startsWith(title))
    expect(position('What changed')).toBeLessThan(position('Attempts side by side'))
  })

  it('gives its verdict in words that agree with its numbers, and no p of 0.000', async () => {
    const page = await look(pages.comparison)
    // One mission, 1 of 2 against 1 of 1: the interval includes no difference.
    expect(await page.locator('.head .badge').innerText()).toBe('undecided')
    const text = await page.locator('main').innerText()
    expect(text).toMatch(/50\.0 ?%[^]*100\.0 ?%/)
    expect(text).not.toContain('0.000')
  })
})

describe('an empty page', () => {
  it('says that an attempt has no calls', async () => {
    const page = await look(pages.bare)
    expect(await page.getByText('No calls were traced.').isVisible()).toBe(true)
    expect(await page.getByText('No feedback was given.').isVisible()).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('says that a run has no attempts', async () => {
    const page = await look(pages.empty)
    expect(await page.getByText(/This run has no attempts yet/).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Suite', exact: true }).click()
    await page.getByText('No attempts to summarize yet.').waitFor()
  })
})

describe('a page with 5,000 calls', () => {
  it('renders fewer than 80 rows and reaches every call by keyboard', async () => {
    const page = await look(pages.large)
    const list = page.getByRole('listbox', { name: 'Calls in order' })
    expect(await page.locator('.row').count()).toBeLessThan(80)
    await list.focus()
    await page.keyboard.press('End')
    await page.waitForSelector(`.row[aria-posinset="${manyCalls}"][aria-selected="true"]`)
    expect(await page.getByRole('region', { name: `Call ${manyCalls}` }).isVisible()).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.waitForSelector(`.row[aria-posinset="${manyCalls - 1}"][aria-selected="true"]`)
    await page.keyboard.press('Home')
    await page.waitForSelector('.row[aria-posinset="1"][aria-selected="true"]')
  })

  it('selects a call by a click on the minimap', async () => {
    const page = await look(pages.large)
    const box = await page.locator('.minimap').boundingBox()
    await page.locator('.minimap').click({ position: { x: (box?.width ?? 0) / 2, y: 20 } })
    const line = Number(await page.locator('.row[aria-selected="true"] .line').innerText())
    expect(Math.abs(line - manyCalls / 2)).toBeLessThan(manyCalls / 20)
  })

  it('prints 2,000 rows', async () => {
    const page = await look(pages.large)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await page.waitForFunction(() => document.querySelectorAll('.row').length === 2000)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  })
})

describe('the page of a trajectory', () => {
  it('shows steps, a map of the corpus and claims with their verdicts', async () => {
    const page = await look(pages.trajectory)
    expect(await page.locator('.row').count()).toBe(7)
    expect(await page.locator('.map canvas').getAttribute('aria-label')).toContain('41 files')
    expect(await page.getByText('not verified').isVisible()).toBe(true)
    await page
      .getByRole('region', { name: 'Claims' })
      .getByRole('button', { name: 'Show step 5' })
      .click()
    expect(await page.getByRole('region', { name: 'read_file, line 5' }).isVisible()).toBe(true)
  })

  it('names the file below the pointer', async () => {
    const page = await look(pages.trajectory)
    await page.locator('.map canvas').hover({ position: { x: 60, y: 60 } })
    expect(await page.locator('.tip').innerText()).toMatch(/\.ts\n/)
  })
})

describe('the page of a session', () => {
  it('shows time and cost of calls, changed files, the growth of the context and coloured code', async () => {
    const page = await look(pages.session)
    const call = await page.locator('summary', { hasText: 'edit' }).innerText()
    expect(call).toContain('1.5 s')
    expect(call).toContain('$0.0123')
    const files = page.getByRole('region', { name: 'Files changed' })
    expect(await files.innerText()).toMatch(/a\.ts\s+1 edit\s+\+1\s+−1/)
    await page.getByRole('img', { name: 'Context of 2 answers, up to 12 tokens' }).waitFor()
    expect(await page.locator('pre .code-keyword').innerText()).toBe('const')
    expect(await page.locator('pre .code-comment').innerText()).toBe('// dollars')
    await page.locator('summary', { hasText: 'edit' }).click()
    await page.locator('.diff .add [class^=code-]').first().waitFor()
  })

  it('folds its tool calls and shows their diffs when opened', async () => {
    const page = await look(pages.session)
    expect(await page.locator('.diff').isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'edit' }).click()
    expect(await page.locator('.diff .del').innerText()).toContain('one')
    expect(await page.locator('.diff .add').innerText()).toContain(hostileTexts[0])
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('keeps only web links, with rel=noopener', async () => {
    const page = await look(pages.session)
    const links = page.locator('.prose a')
    expect(await links.count()).toBe(1)
    expect(await links.getAttribute('href')).toBe('https://example.com/')
    expect(await links.getAttribute('rel')).toContain('noopener')
  })

  it('links its list of turns to each turn', async () => {
    const page = await look(pages.session, { width: 390 })
    await page.getByRole('link', { name: '2 Thanks.' }).click()
    expect(page.url()).toMatch(/#\/turn\/2$/)
    expect(await page.locator('#turn-2').isVisible()).toBe(true)
  })
})

describe('a page of zcl view --serve', () => {
  it('shows new calls without a reload', async () => {
    const { project, first } = pages
    const env = { ...cleanEnvironment(), HOME: project.home }
    const args = ['view', '--serve', first.folder]
    const child = spawn(builtProgram('zcl'), args, { cwd: project.folder, env, stdio: 'pipe' })
    const ended = once(child, 'close')
    try {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
      const page = await look(/http:\S+/.exec(String(chunk))?.[0] ?? '')
      await page.waitForSelector('text=live')
      await project.run(first, ['echo', 'just now'])
      await page.getByText("echo 'just now'").first().waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await open.pop()?.close()
    } finally {
      child.kill('SIGINT')
      await ended
    }
  })
})
