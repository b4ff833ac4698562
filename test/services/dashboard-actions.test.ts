// The actions of the dashboard in a real browser, each with its question, and what it shows of zino's memory
// and of the receipts.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ZeeSandbox } from '../contract/zee/sandbox.ts'
import { Sandbox } from '../contract/zino/sandbox.ts'
import { fakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts'
import { builtProgram } from '../support/paths.ts'
import { accessibilityFaults, openPage, startBrowser, type OpenPage } from './pages-browser.ts'

const box = new ZeeSandbox()
const children: ChildProcess[] = []
const patient = { timeout: 60_000 }
let browser: Browser
let model: FakeOpenAi
let zino: Sandbox
let url = ''

beforeAll(async () => {
  const call =
    '<tool_call>{"name":"execute_bash","arguments":{"code":"echo c$((40+2))"}}</tool_call>'
  model = await fakeOpenAi(({ body }) =>
    JSON.stringify(body.messages).includes('c42') ? 'it printed c42' : call,
  )
  zino = new Sandbox({ base: model.base })
  const toml = readFileSync(zino.config, 'utf8')
  zino.put('ZINO.toml', `${toml}\n[channels.careful]\napprove = "ask"\n`)
  box.env.ZINO_CONFIG = zino.config
  await zino.up()
  const ui = start('zee', ['ui', '--no-open'], 'pipe')
  const [chunk] = (await once(ui.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  url = /http:\S+/.exec(String(chunk))?.[0] ?? ''
  browser = await startBrowser()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  for (const child of children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGINT')
    await once(child, 'close')
  }
  await zino?.remove()
  await model?.close()
  box.remove()
}, 60_000)

let open: OpenPage[] = []
afterEach(async () => {
  for (const { complaints, close } of open) {
    expect(complaints).toEqual([])
    await close()
  }
  open = []
})

function start(name: 'zee' | 'zcl' | 'zino', args: string[], stdio: 'pipe' | 'ignore') {
  const env = { ...process.env, ...box.env }
  const child = spawn(builtProgram(name), args, { cwd: box.project, env, stdio })
  children.push(child)
  return child
}

async function look(place: string): Promise<Page> {
  const opened = await openPage(browser, `${url}#/${place}`)
  open.push(opened)
  return opened.page
}

/** Presses the button, expects the question and answers it. */
async function answer(page: Page, button: string, question: RegExp, yes: boolean): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click(patient)
  const dialog = page.getByRole('dialog', { name: button })
  await dialog.getByText(question).waitFor(patient)
  await dialog.getByRole('button', { name: yes ? 'Yes' : 'No' }).click()
  if (yes) await dialog.getByRole('button', { name: 'Close' }).click(patient)
  await dialog.waitFor({ state: 'detached', ...patient })
}

it('approves a waiting call of zino after a yes, and leaves it waiting after a no', async () => {
  const said = zino.zino(['chat', '--channel', 'careful', 'run it'])
  const page = await look('')
  await page.getByText('echo c$((40+2))').waitFor(patient)
  await answer(page, 'Approve', /^Allow the call \S+\?$/, false)
  await page.reload()
  await page.getByText('echo c$((40+2))').waitFor(patient)
  expect(model.requests.some(({ body }) => JSON.stringify(body).includes('c42'))).toBe(false)
  await answer(page, 'Approve', /^Allow the call \S+\?$/, true)
  expect((await said).stdout).toContain('it printed c42')
  await page.getByText('No timers, and nothing waits.').waitFor(patient)
}, 120_000)

it('shows why a memory was found, its source and its time', async () => {
  await zino.ask('mem', {
    type: 'store_hard',
    messages: [{ role: 'user', content: 'The heron stands by the pond' }],
  })
  const page = await look('memory')
  await page.getByRole('searchbox').fill('heron pond')
  const found = page.getByRole('listitem').filter({ hasText: 'The heron stands by the pond' })
  await found.getByText('found by heron, pond').waitFor(patient)
  expect(await found.innerText()).toMatch(/stored memory · .*\d\d:\d\d.* · found by heron, pond/)
  expect(await accessibilityFaults(page)).toEqual([])
}, 60_000)

it('undoes the file changes of a session after a yes, and keeps them after a no', async () => {
  const file = path.join(box.project, 'price.txt')
  const play = path.join(box.base, 'edit.jsonl')
  const steps = [
    { tool: 'write', input: { path: 'price.txt', content: '12\n' } },
    { end: true },
    { text: 'Done.' },
  ]
  writeFileSync(play, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  const words = ['--provider', 'script', '--model', play, 'exec', '-p', 'set the price']
  const { code, stderr } = await box.run('zdx', words)
  expect(code, stderr).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('12\n')
  const page = await look('sessions')
  await page.getByRole('checkbox', { name: 'Tick set the price' }).check(patient)
  await answer(
    page,
    'Undo last turn',
    /Undo the file changes of the last turn of “set the price”\?/,
    false,
  )
  expect(existsSync(file)).toBe(true)
  await answer(page, 'Undo last turn', /Undo the file changes/, true)
  expect(existsSync(file)).toBe(false)
}, 60_000)

it('sums cost and tokens over time by model, project, program and day', async () => {
  await box.answer('round the prices', 'They are rounded now.')
  const page = await look('usage')
  await page.getByRole('img', { name: /per day/ }).waitFor(patient)
  const rows = page.getByRole('group', { name: 'Sums' }).locator('tbody')
  for (const [by, name] of [
    ['model', /^script:.*1,200.*–/m],
    ['project', new RegExp(`^${box.project}`, 'm')],
    ['program', /^zdx/m],
    ['day', /^\d{4}-\d\d-\d\d/m],
  ] as const) {
    await page.getByRole('button', { name: by, exact: true }).click()
    await expect.poll(() => rows.innerText(), patient).toMatch(name)
  }
  expect(await accessibilityFaults(page)).toEqual([])
}, 60_000)

it('stops a suite and zino after a yes', async () => {
  const suite = { version: 1, suiteId: 'slow', missions: [{ missionId: 'wait', prompt: 'Wait.' }] }
  writeFileSync(path.join(box.project, 'suite.json'), JSON.stringify(suite))
  const words = ['suite', 'run', '--file', 'suite.json', '--total', '2', '--', 'sleep', '600']
  const run = start('zcl', words, 'ignore')
  const ended = once(run, 'close')
  const page = await look('')
  await page.getByText('0 of 2 planned').waitFor(patient)
  await answer(page, 'Stop', /^Stop the run \S+\? zcl suite resume continues it\.$/, false)
  expect(run.exitCode).toBeNull()
  await answer(page, 'Stop', /^Stop the run/, true)
  await ended
  await page.getByText('No suite runs.').waitFor(patient)
  await answer(page, 'Stop zino', /^Stop zino and its services\?$/, false)
  await answer(page, 'Stop zino', /^Stop zino/, true)
  await page.getByText('zino is stopped: zino up --detach').waitFor(patient)
}, 120_000)
