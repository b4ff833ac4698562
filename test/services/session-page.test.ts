// The page of a session with 10,000 calls in a real browser. It holds few elements, wherever it is
// scrolled to; `npm run bench -- session-page` measures paint and frames.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createSandbox } from '../contract/zdx/sandbox.ts'
import { accessibilityFaults, openPage, startBrowser, type OpenPage } from './pages-browser.ts'

const calls = 10_000
const callsPerTurn = 4
const box = createSandbox()
let browser: Browser
let url = ''

beforeAll(async () => {
  box.writeSession('long', [...sessionRecords()])
  const file = path.join(box.root, 'long.html')
  expect(await box.zdx(['view', 'long', '--out', file])).toMatchObject({ code: 0 })
  url = pathToFileURL(file).href
  browser = await startBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  box.remove()
})

let open: OpenPage[] = []
afterEach(async () => {
  for (const { complaints, close } of open) {
    expect(complaints).toEqual([])
    await close()
  }
  open = []
})

async function look(hash = '', width = 1280): Promise<Page> {
  const opened = await openPage(browser, `${url}${hash}`, { width })
  open.push(opened)
  return opened.page
}

function* sessionRecords() {
  const ts = '2026-11-15T10:00:00.000Z'
  yield { type: 'meta', schema_version: 1, ts }
  for (let index = 0; index < calls; index++) {
    if (index % callsPerTurn === 0) {
      const text = `Task ${index / callsPerTurn + 1}.${' More words.'.repeat(index % 90)}`
      yield { type: 'message', role: 'user', text, ts }
    }
    const id = `call-${index}`
    const data = {
      stdout: `output ${index}\n`.repeat(index % 7),
      exit_code: index % 50 === 7 ? 1 : 0,
    }
    yield { type: 'tool_use', id, name: 'bash', input: { command: `step ${index}` }, ts }
    yield { type: 'tool_result', tool_use_id: id, output: { ok: true, data }, ok: true, ts }
  }
}

const countElements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

const patient = { timeout: 20_000 }

/** The distance of an element from the top of the window. */
const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top))

it('holds fewer than 2,000 elements while it is scrolled from its top to its end', async () => {
  const page = await look()
  expect(await countElements(page)).toBeLessThan(2000)
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 700)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(await countElements(page)).toBeLessThan(2000)
  }
  await page.keyboard.press('End')
  await page.getByText(`step ${calls - 1}`, { exact: true }).waitFor()
  expect(await countElements(page)).toBeLessThan(2000)
  expect(await accessibilityFaults(page)).toEqual([])
})

it.each([1280, 390])(
  'opens at the turn in its URL and follows links, at %i pixels',
  async (width) => {
    const page = await look('#/turn/1234', width)
    await page.locator('#turn-1234').waitFor()
    await expect.poll(() => topOf(page, '#turn-1234'), patient).toBe(60)
    await page.evaluate(() => (location.hash = '#/turn/77'))
    await page.locator('#turn-77').waitFor()
    await expect.poll(() => topOf(page, '#turn-77'), patient).toBe(60)
    expect(await countElements(page)).toBeLessThan(2000)
  },
)

it('keeps the place of what is visible while rows above it are measured', async () => {
  const page = await look('#/turn/1500')
  await page.locator('#turn-1500').waitFor()
  for (let step = 1; step <= 20; step++) {
    const [before] = await visibleTurn(page)
    await page.evaluate(() => window.scrollBy(0, -150))
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    const [after] = await visibleTurn(page, before?.id)
    const moved = (after?.top ?? 0) - (before?.top ?? 0)
    // Browsers round scroll positions to whole pixels.
    expect(Math.abs(moved - 150)).toBeLessThanOrEqual(1)
  }
})

it('keeps an opened call open while it is out of view, and shows its texts', async () => {
  const page = await look()
  await page.locator('summary', { hasText: 'step 2' }).first().click()
  await page.getByRole('group', { name: 'Result' }).waitFor()
  await page.keyboard.press('End')
  await page.getByText(`step ${calls - 1}`, { exact: true }).waitFor()
  expect(await page.getByRole('group', { name: 'Result' }).count()).toBe(0)
  await page.keyboard.press('Home')
  await expect.poll(() => page.evaluate(() => window.scrollY), patient).toBe(0)
  expect(await page.getByRole('group', { name: 'Result' }).innerText()).toContain('output 2')
})

it('reaches its end with one press of End while blocks are measured, and stays there', async () => {
  const page = await look()
  await page.keyboard.press('End')
  await page.getByText(`step ${calls - 1}`, { exact: true }).waitFor()
  const below = () =>
    page.evaluate(() => document.documentElement.scrollHeight - window.scrollY - window.innerHeight)
  await expect.poll(below, patient).toBeLessThanOrEqual(1)
  // The reader leaves the end with the wheel.
  await page.mouse.wheel(0, -3000)
  await expect.poll(below, patient).toBeGreaterThan(1000)
})

it('prints all calls and then shows few elements again', async () => {
  const page = await look()
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await page.waitForFunction((all) => document.querySelectorAll('summary').length === all, calls, {
    timeout: 60_000,
  })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect.poll(() => countElements(page), patient).toBeLessThan(2000)
}, 120_000)

it('finds the failed calls and a text in the output of one call', async () => {
  const page = await look()
  await page.getByRole('button', { name: 'Failed calls' }).click()
  await page.getByRole('status').getByText('200 entries').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('searchbox').fill('output 9998')
  await page.getByRole('status').getByText('1 entry').waitFor()
  expect(await page.locator('summary .cut').innerText()).toBe('step 9998')
})

/** The first turn below the bar, or the turn with this id. */
function visibleTurn(page: Page, id?: string) {
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll('.turn[id]')]
        .map((element) => ({ id: element.id, top: element.getBoundingClientRect().top }))
        .filter((turn) => (wanted === undefined ? turn.top >= 60 : turn.id === wanted)),
    id,
  )
}
