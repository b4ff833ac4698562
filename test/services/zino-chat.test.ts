// The chat page of `zino http` in a real browser.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox, until } from '../contract/zino/sandbox.ts'
import type { FakeOpenAi } from '../support/fake-openai.ts'
import { delta, fakeOpenAi, streaming } from '../support/fake-openai.ts'
import { expectToFit, openPage, accessibilityFaults, startBrowser } from './pages-browser.ts'
import type { Look, OpenPage } from './pages-browser.ts'

let browser: Browser
let model: FakeOpenAi
let box: Sandbox
let base: string
let token: string
beforeAll(async () => {
  browser = await startBrowser()
  model = await fakeOpenAi(({ body }) => ['you said: ', body.messages.at(-1)?.content ?? ''])
  box = new Sandbox({ base: model.base, over: { http: { port: 0, token_file: 'token' } } })
  const toml = readFileSync(box.config, 'utf8')
  box.put('ZINO.toml', `${toml}\n[channels.careful]\napprove = "ask"\n`)
  await box.up()
  const bridge = box.start(['http', '--config', box.config])
  await until(() => bridge.stdout.includes('listening at '), 30_000)
  base = /listening at (\S+)/.exec(bridge.stdout)?.[1] ?? ''
  token = readFileSync(box.at('token'), 'utf8').trim()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await box?.remove()
  await model?.close()
})

let open: OpenPage[] = []
afterEach(async () => {
  // The page logs no error, asks no other server and runs no script from its contents.
  for (const { page, complaints, close } of open) {
    expect(complaints).toEqual([])
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    await close()
  }
  open = []
})

async function signIn(look: Look = {}): Promise<Page> {
  const opened = await openPage(browser, base, look)
  open.push(opened)
  const { page } = opened
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Chat' }).waitFor()
  return page
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

describe('the chat page', () => {
  it('asks for the token and refuses a wrong one', async () => {
    const opened = await openPage(browser, base)
    const { page } = opened
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').filter({ hasText: 'token' }).waitFor()
    await opened.close()
  })

  it('sends a message, shows the answer and finds both after a reload', async () => {
    const page = await signIn()
    const hostile = 'hello <img src=x onerror="window.pwned = 1">'
    await say(page, hostile)
    await page.getByText(`you said: ${hostile}`).waitFor()
    await page.reload()
    await page.getByText(`you said: ${hostile}`).waitFor()
  })

  it('keeps a channel and a message that are typed while histories load', async () => {
    const opened = await openPage(browser, base)
    open.push(opened)
    const { page } = opened
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/v1/channels**', async (route) => {
      await released
      await route.continue()
    })
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
    const channel = page.getByRole('combobox', { name: 'Channel' })
    await channel.fill('notes')
    const listed = page.waitForResponse((response) => response.url().endsWith('/v1/channels'))
    release()
    await listed
    await page.keyboard.press('Tab')
    await say(page, 'a short note')
    await page.getByText('you said: a short note').waitFor()
    expect(await channel.inputValue()).toBe('notes')
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'notes' })
    expect(messages).toHaveLength(2)
  })

  it('streams an answer and stops it', async () => {
    const before = model.answer
    model.answer = () => streaming((response) => void response.write(delta('thinking hard')))
    const page = await signIn()
    await say(page, 'a long question')
    await page.getByText('thinking hard').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('status').filter({ hasText: 'stopped' }).waitFor()
    await until(() => model.requests.at(-1)?.isAborted === true, 20_000)
    model.answer = before
  })

  it('lets the user allow a tool call that waits', async () => {
    const before = model.answer
    const block =
      '<tool_call>{"name":"execute_bash","arguments":{"code":"echo c$((40+2))"}}</tool_call>'
    model.answer = ({ body }) =>
      JSON.stringify(body.messages).includes('c42') ? 'it printed c42' : block
    const page = await signIn()
    await page.getByRole('combobox', { name: 'Channel' }).fill('careful')
    await page.keyboard.press('Tab')
    await say(page, 'run it')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('it printed c42').waitFor()
    model.answer = before
  })

  it('searches the memory and names the sources', async () => {
    await box.ask('mem', {
      type: 'store_hard',
      messages: [{ role: 'user', content: 'The heron stands by the pond' }],
    })
    const page = await signIn()
    await page.getByRole('link', { name: 'Memory' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('where is the heron')
    await page.keyboard.press('Enter')
    const result = page.getByRole('listitem').filter({ hasText: 'The heron stands by the pond' })
    await result.getByText('memory').waitFor()
  })

  it('adds a timer, runs it and shows the inbox', async () => {
    const page = await signIn()
    await page.getByRole('link', { name: 'Timers' }).click()
    await page.getByLabel('When').fill('tomorrow 9:00')
    await page.getByLabel('Text').fill('water the plants')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Run water the plants' }).click()
    await until(async () => {
      const { entries } = await box.ask('tmr', { type: 'inbox' })
      return JSON.stringify(entries).includes('water the plants')
    }, 20_000)
    await page.reload()
    await page.getByRole('button', { name: 'Done with entry 1' }).click()
    await page.getByText('the inbox is empty').waitFor()
  })

  it.each([
    { width: 1280, colours: 'light' },
    { width: 1280, colours: 'dark' },
    { width: 390, colours: 'light' },
    { width: 390, colours: 'dark' },
  ] as const)('is accessible and fits at $width pixels with $colours colours', async (look) => {
    const page = await signIn(look)
    for (const view of ['Chat', 'Memory', 'Timers', 'Status']) {
      await page.getByRole('link', { name: view }).click()
      await page.getByRole('heading', { name: view, level: 1 }).waitFor()
      expect(await accessibilityFaults(page), view).toEqual([])
      await expectToFit(page)
    }
  })
})
