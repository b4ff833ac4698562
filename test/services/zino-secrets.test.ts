// The corpus of secrets through a running zino: prompts, tool output, answers, reminders and the HTTP bridge.
// No value is in clear in logs, receipts, histories and the inbox with `mem.redact`.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox, until, type Running } from '../contract/zino/sandbox.ts'
import { fakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts'
import { corpusSeed, secretSamples, seededRandom } from '../support/secret-corpus.ts'

const samples = secretSamples(seededRandom(corpusSeed(31)))
const words = samples.map(({ text }) => text).join('\n\n')
let model: FakeOpenAi
let box: Sandbox
let up: Running
let bridge: Running

beforeAll(async () => {
  model = await fakeOpenAi()
  const over = { mem: { redact: true }, http: { port: 0, token_file: 'private/token' } }
  box = new Sandbox({ base: model.base, over, env: { ZINO_LOG_LEVEL: 'debug' } })
  box.put('samples.txt', words)
  up = await box.up()
  bridge = box.start(['http', '--config', box.config])
  await until(() => bridge.stdout.includes('listening at '), 30_000)
}, 60_000)
afterAll(async () => {
  await box.remove()
  await model.close()
})

/** Formats with a line of their value in the text. */
function inClear(text: string): string[] {
  return samples
    .filter(({ value }) => value.split(/\n|\\n/).some((line) => text.includes(line)))
    .map(({ format }) => format)
}

/** Formats in clear by file below the data folder. */
function storedInClear(): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const name of readdirSync(box.at('data'), { recursive: true, encoding: 'utf8' })) {
    if (!statSync(box.at('data', name)).isFile()) continue
    const formats = inClear(readFileSync(box.at('data', name), 'latin1'))
    if (formats.length > 0) found[name] = formats
  }
  return found
}

/** The record of a turn is removed after its last frame has left. */
async function expectNothingInClear(): Promise<void> {
  await expect.poll(storedInClear, { timeout: 10_000 }).toEqual({})
}

test('a turn leaves no secret in logs, receipts and histories', { timeout: 120_000 }, async () => {
  const call = { name: 'execute_bash', arguments: { code: `cat ${box.at('samples.txt')}` } }
  model.answer = (_request, number) =>
    number === 1 ? `<tool_call>${JSON.stringify(call)}</tool_call>` : `the file says ${words}`
  await box.ask('daemon', { message: words, channel_id: 'c', turn: 'turn-1' })
  const base = /listening at (\S+)\//.exec(bridge.stdout)?.[1] ?? ''
  const token = readFileSync(box.at('private/token'), 'utf8').trim()
  const sent = await fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'zino', messages: [{ role: 'user', content: words }] }),
  })
  expect(sent.status, await sent.text()).toBe(200)
  await until(
    async () =>
      (await box.ask('mem', { type: 'get_history', channel_id: 'c' })).messages !== undefined,
  )
  await expectNothingInClear()
  expect(inClear([up.stdout, up.stderr, bridge.stdout, bridge.stderr].join('\n'))).toEqual([])
  const shown = await box.zino(['receipts', 'show', '--config', box.config])
  expect(inClear(shown.stdout + shown.stderr)).toEqual([])
})

test('a reminder leaves no secret in the inbox and its files', { timeout: 120_000 }, async () => {
  const added = await box.zino(['remind', '2031-07-01 9:00', words, '--config', box.config])
  expect(added.code, added.stderr).toBe(0)
  const id = added.stdout.slice(0, 6)
  await box.zino(['timers', 'run', id, '--config', box.config])
  await until(async () => ((await box.ask('tmr', { type: 'inbox' })).entries as []).length > 0)
  for (const args of [['inbox'], ['timers'], ['doctor'], ['logs'], ['status']]) {
    const { stdout, stderr } = await box.zino([...args, '--config', box.config])
    expect(inClear(stdout + stderr), args.join(' ')).toEqual([])
  }
  await expectNothingInClear()
})
