// The dashboard of `zee ui` in a real browser: accessibility, keys, comparison, live rows, many records.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ZeeSandbox } from '../contract/zee/sandbox.ts'
import { builtProgram } from '../support/paths.ts'
import {
  expectToFit,
  openPage,
  accessibilityFaults,
  startBrowser,
  type Look,
  type OpenPage,
} from './pages-browser.ts'

const box = new ZeeSandbox()
const many = new ZeeSandbox()
const children: ChildProcess[] = []
let browser: Browser
let url = ''
let manyUrl = ''

beforeAll(async () => {
  browser = await startBrowser()
  await box.answer('round the prices', 'They are rounded now.')
  await box.answer('<img src=x onerror="pwned=1">', 'An answer.')
  await box.attempt(['sh', '-c', 'exit 3'])
  await box.attempt(['true'])
  for (const at of [1, 2]) storeFailedSession(at)
  storeMany()
  url = await serve(box)
  manyUrl = await serve(many)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  for (const child of children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGINT')
    await once(child, 'close')
  }
  box.remove()
  many.remove()
}, 180_000)

let open: OpenPage[] = []
afterEach(async () => {
  for (const { page, complaints, close } of open) {
    expect(complaints).toEqual([])
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    await close()
  }
  open = []
})

async function serve(sandbox: ZeeSandbox): Promise<string> {
  const env = { ...process.env, ...sandbox.env }
  const child = spawn(builtProgram('zee'), ['ui', '--no-open'], { cwd: sandbox.project, env })
  children.push(child)
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return /http:\S+/.exec(String(chunk))?.[0] ?? ''
}

async function look(place: string, how: Look = {}, at = url): Promise<Page> {
  const opened = await openPage(browser, `${at}#/${place}`, how)
  open.push(opened)
  return opened.page
}

const row = '.grid-body .grid-row'
const looks = [
  { width: 1280, colours: 'light' },
  { width: 1280, colours: 'dark' },
  { width: 390, colours: 'light' },
  { width: 390, colours: 'dark' },
] as const

describe.each(['', 'sessions', 'runs', 'reading', 'memory', 'usage'])('the place "%s"', (place) => {
  it.each(looks)('is accessible and fits at $width pixels, $colours', async (how) => {
    const page = await look(place, how)
    expect(await page.locator('nav [aria-current=page]').count()).toBe(1)
    expect(await accessibilityFaults(page)).toEqual([])
    await expectToFit(page)
  })
})

it('has the places Now, Sessions, Runs, Reading, Memory and Usage in its rail', async () => {
  const page = await look('')
  const links = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  const names = ['Now', 'Sessions', 'Runs', 'Reading', 'Memory', 'Usage']
  expect(await links.allInnerTexts()).toEqual(names)
  for (const name of names) {
    await links.getByText(name, { exact: true }).click()
    await page.waitForSelector(`nav [aria-current=page]:text-is("${name}")`)
  }
})

describe('a list', () => {
  it('moves with j and k, finds with / and helps with ?', async () => {
    const page = await look('sessions')
    await page.waitForSelector(row)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await page.locator(`${row}.selected`).getAttribute('aria-rowindex')).toBe('3')
    await page.keyboard.press('k')
    expect(await page.locator(`${row}.selected`).getAttribute('aria-rowindex')).toBe('2')
    await page.keyboard.press('/')
    await page.keyboard.type('prices')
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 1, row)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    expect(await page.locator('dialog[open]').textContent()).toContain('next row with a failure')
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('goes to the next row with a failure with f, and from the last one to the first', async () => {
    const page = await look('sessions')
    // The failures are known after the sessions were read.
    await page.waitForSelector(`${row} .bad-ink`)
    const selected = page.locator(`${row}.selected a`)
    for (const title of ['Failed task 2', 'Failed task 1', 'Failed task 2']) {
      await page.keyboard.press('f')
      await expect.poll(() => selected.innerText()).toBe(title)
    }
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:text("Failed task 2")')
  })

  it('shows the columns of its records and a sparkline', async () => {
    const page = await look('sessions')
    const first = page.locator(row, { hasText: 'Failed task 1' })
    await first.getByRole('img', { name: 'context of 2 answers' }).waitFor()
    const names = await page.getByRole('columnheader').allInnerTexts()
    const wanted = ['Session', 'Project', 'Model', 'Tokens', 'Cost', 'Failures', 'Context', 'Age']
    expect(names.slice(1)).toEqual(wanted)
    expect(await first.innerText()).toMatch(/project[^]*play[^]*910[^]*\$0\.25[^]*1/)
  })

  it('shows the outcomes of runs and their figures, without a tick for each attempt', async () => {
    const page = await look('runs', {}, manyUrl)
    const first = page.locator(row).first()
    await first.getByRole('img', { name: '75 passed, 25 failed' }).waitFor({ timeout: 60_000 })
    const names = await page.getByRole('columnheader').allInnerTexts()
    const wanted = ['Run', 'Project', 'Model', 'Passed', 'Cost', 'Failures', 'Outcomes', 'Age']
    expect(names.slice(1)).toEqual(wanted)
    expect(await first.innerText()).toMatch(
      /many \d{8}-\d{6}Z-000999[^]*project[^]*75 of 100[^]*25/,
    )
    expect(await first.locator('.outcomes path').count()).toBe(2)
    expect(await first.locator('a.cut').evaluate(isCut)).toBe(false)
  })

  it('leaves rows that stay visible alone while it scrolls, and ticks and selects one of them', async () => {
    const page = await look('sessions', {}, manyUrl)
    await page.waitForSelector(row)
    const changed = await page.locator('.grid-body').evaluate(async (body) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const touched = new Set<Node>()
      const watch = new MutationObserver((list) =>
        list.forEach(({ target }) => touched.add(target)),
      )
      body.scrollTop = 3600
      for (let at = 0; at < 5; at++) await frame()
      watch.observe(body, { subtree: true, attributes: true, childList: true, characterData: true })
      body.scrollTop += 108
      for (let at = 0; at < 5; at++) await frame()
      watch.disconnect()
      return touched.size
    })
    // The list itself gets and loses three rows.
    expect(changed).toBe(1)
    const box = page.locator(`${row} input`).nth(12)
    await box.check()
    expect(await box.isChecked()).toBe(true)
    await page.locator(row).nth(12).click()
    expect(await page.locator(`${row}.selected`).count()).toBe(1)
  })

  it('compares two ticked sessions side by side', async () => {
    const page = await look('sessions')
    for (const at of [1, 2]) {
      await page.getByRole('checkbox', { name: `Tick Failed task ${at}` }).check()
    }
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.waitForSelector('h1:text("Comparison")')
    const titles = page.getByRole('row', { name: /^Title/ })
    expect(await titles.innerText()).toMatch(/Failed task 1[^]*Failed task 2/)
    expect(await page.getByRole('row', { name: /^Cost/ }).innerText()).toMatch(/\$0\.25[^]*\$0\.25/)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('compares two ticked rows and opens the page of a row', async () => {
    const page = await look('runs')
    await page.waitForSelector(row)
    for (const box of await page.locator(`${row} input`).all()) await box.check()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.waitForSelector('h1:text("Comparison")')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Is the difference more than chance?' }).click()
    const pairs = page.getByRole('region', { name: 'Attempts side by side' })
    await pairs.getByRole('link', { name: '001-fix-it-r1' }).last().click()
    await page.getByRole('listbox', { name: 'Calls in order' }).waitFor()
    expect(page.url()).toMatch(/\/page\/attempt\/[^/]+\/001-fix-it-r1$/)
    await page.goto(`${url}#/sessions`)
    await page.getByRole('link', { name: 'round the prices' }).click()
    await page.waitForSelector('main h1')
    expect(await page.locator('body').textContent()).toContain('They are rounded now.')
  })

  it('asks before it undoes', async () => {
    const page = await look('sessions')
    await page.waitForSelector(row)
    await page.locator(`${row} input`).first().check()
    await page.getByRole('button', { name: 'Undo last turn' }).click()
    const dialog = page.locator('dialog[open]')
    expect(await dialog.textContent()).toContain('Undo the file changes')
    await dialog.getByRole('button', { name: 'No' }).click()
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  })

  it('shows a session that begins while it is open', async () => {
    const page = await look('sessions')
    await page.waitForSelector(row)
    await box.answer('a live question', 'An answer.')
    await page.waitForSelector('a:text("a live question")', { timeout: 30_000 })
  })
})

describe('the place "now"', () => {
  it('follows a suite, a conversation and zino while they run', async () => {
    const env = { ...process.env, ...box.env, ZINO_CONFIG: path.join(box.project, 'ZINO.toml') }
    const start = (name: 'zcl' | 'zdx', args: string[]): ChildProcess => {
      const child = spawn(builtProgram(name), args, { cwd: box.project, env, stdio: 'ignore' })
      children.push(child)
      return child
    }
    const zino = (...args: string[]) => box.run('zino', args, { ZINO_CONFIG: env.ZINO_CONFIG })
    const page = await look('')
    await page.getByText('No suite runs.').waitFor()
    const missions = [{ missionId: 'wait', prompt: 'Wait.' }]
    const suite = { version: 1, suiteId: 'live-suite', missions }
    writeFileSync(path.join(box.project, 'suite.json'), JSON.stringify(suite))
    const release = path.join(box.base, 'release')
    const second = path.join(box.base, 'second')
    const zcl = builtProgram('zcl')
    const runner =
      `case $ZCL_ATTEMPT_ID in 001*) until [ -e ${release} ]; do sleep 0.1; done; ` +
      `${zcl} run -- cat missing-file; ${zcl} feedback --ok --result x;; ` +
      `*) until [ -e ${second} ]; do sleep 0.1; done; exit 1;; esac`
    const words = ['suite', 'run', '--file', 'suite.json', '--total', '2', '--', 'sh', '-c', runner]
    const suiteRun = start('zcl', words)
    await page.getByText(/\d of 2 planned/).waitFor({ timeout: 60_000 })
    const play = path.join(box.base, 'slow.jsonl')
    writeFileSync(play, JSON.stringify({ text: 'Later.', delay_ms: 600_000 }))
    const talk = start('zdx', [
      '--provider',
      'script',
      '--model',
      play,
      'exec',
      '-p',
      'still here?',
    ])
    await page.getByRole('link', { name: 'still here?' }).waitFor({ timeout: 60_000 })
    await expect.poll(() => page.getByText('0 of 2 planned').count()).toBe(1)
    expect(await page.getByText('passed so far').count()).toBe(0)
    await zino('init', box.project)
    await zino('up', '--detach')
    try {
      await page.getByRole('button', { name: 'Stop zino' }).waitFor({ timeout: 60_000 })
      await zino('remind', 'tomorrow 9:00', 'water the plants')
      const timers = page.getByRole('region', { name: 'Timers and approvals' })
      await timers.getByText('water the plants').waitFor({ timeout: 60_000 })
      const services = page.getByRole('region', { name: 'zino' }).getByRole('listitem')
      expect(await services.allInnerTexts()).toContain('up memory')
    } finally {
      await zino('stop')
    }
    await page
      .getByRole('button', { name: 'Stop zino' })
      .waitFor({ state: 'detached', timeout: 60_000 })
    writeFileSync(release, '')
    await page.getByText('1 of 2 planned').waitFor({ timeout: 60_000 })
    const line = page.locator('.now-line', { hasText: 'live-suite' })
    await expect.poll(() => line.innerText()).toMatch(/100 % passed so far[^]*\d \S+ left/)
    const feed = page.getByRole('region', { name: 'Failed calls' })
    await feed.getByRole('link', { name: 'cat missing-file' }).waitFor({ timeout: 60_000 })
    writeFileSync(second, '')
    await once(suiteRun, 'close')
    await page.getByText('No suite runs.').waitFor({ timeout: 60_000 })
    talk.kill('SIGINT')
    expect(await accessibilityFaults(page)).toEqual([])
    await feed.getByRole('link', { name: 'cat missing-file' }).click()
    await page.waitForSelector('h1:text("wait")')
  }, 240_000)
})

describe('10,000 sessions and 100,000 attempts', () => {
  it.each(['sessions', 'runs'])(
    'render a few rows of the %s',
    async (place) => {
      const page = await look(place, {}, manyUrl)
      await page.waitForSelector(row, { timeout: 30_000 })
      const total = place === 'sessions' ? '10,000' : '1,000'
      await page.waitForSelector(`.list-head [role=status]:text("${total}")`, { timeout: 60_000 })
      expect(await page.locator(row).count()).toBeLessThan(80)
      await page.locator('.grid-body').evaluate((body) => (body.scrollTop = body.scrollHeight))
      await page.waitForSelector(`${row}[aria-rowindex="${Number(total.replace(',', '')) + 1}"]`)
    },
    90_000,
  )
})

/** Runs in the page: whether an ellipsis hides a part of the text. */
function isCut(element: Element): boolean {
  return element.scrollWidth > element.clientWidth
}

/** A session of one failed call, older than the sessions that zdx has just written. */
function storeFailedSession(at: number): void {
  const sessions = path.join(box.base, 'home/.config/zdx/sessions')
  const time = new Date(Date.UTC(2026, 0, at))
  const ts = time.toISOString()
  const output = { ok: false, error: { code: 'failed', message: 'no' } }
  const usage = { input_tokens: 900, output_tokens: 10 }
  const receipt = { provider: 'script', model: 'play', usage, cost_usd: 0.125 }
  const lines = [
    { type: 'meta', schema_version: 1, ts, root: box.project },
    { type: 'message', role: 'user', text: `Failed task ${at}`, ts },
    { type: 'tool_use', id: 'call', name: 'bash', input: { command: 'false' }, ts, ...receipt },
    { type: 'tool_result', tool_use_id: 'call', output, ok: false, ts },
    { type: 'message', role: 'assistant', text: 'It fails.', ts, ...receipt },
  ]
  const file = path.join(sessions, `10000000-0000-4000-8000-00000000000${at}.jsonl`)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(file, time, time)
}

/** Sessions, and runs of 100 attempts each, whose summaries stand for the attempts. */
function storeMany(): void {
  const sessions = path.join(many.base, 'home/.config/zdx/sessions')
  mkdirSync(sessions, { recursive: true })
  for (let at = 0; at < 10_000; at++) {
    const time = new Date(Date.UTC(2026, 0, 1) + at * 60_000)
    const ts = time.toISOString()
    const lines = [
      { type: 'meta', schema_version: 1, ts, root: many.project },
      { type: 'message', role: 'user', text: `Task ${at}`, ts },
      { type: 'message', role: 'assistant', text: 'Done.', ts },
    ]
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const file = path.join(sessions, `${id}.jsonl`)
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    utimesSync(file, time, time)
  }
  for (let at = 0; at < 1000; at++) {
    const time = new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString()
    const stamp = time.replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15)
    const runId = `${stamp}Z-${String(at).padStart(6, '0')}`
    const folder = path.join(many.project, '.zcl/runs', runId)
    mkdirSync(path.join(folder, 'attempts'), { recursive: true })
    const head = { schemaVersion: 1, runId, suiteId: 'many', createdAt: time }
    writeFileSync(
      path.join(folder, 'run.json'),
      JSON.stringify({ ...head, artifactLayoutVersion: 1 }),
    )
    const attempts = Array.from({ length: 100 }, (_, index) => ({
      outcome: index % 4 === 0 ? 'failed' : 'passed',
      durationMs: 1000,
    }))
    writeFileSync(
      path.join(folder, 'suite.run.summary.json'),
      JSON.stringify({ ...head, total: 100, pending: 0, attempts }),
    )
  }
}
