// Receipts and replay of the built program: one running zino, one fake model.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi, status } from '../../support/fake-openai.ts'
import { Sandbox } from './sandbox.ts'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base })
  box.put('skills/helper.json', { system: 'You help.', tools: ['bash'], examples: [] })
  await box.up()
}, 60_000)
afterAll(async () => {
  await box.remove()
  await model.close()
})

const receiptsFile = () => box.at('data/mem/receipts.jsonl')

interface Shown {
  receipts: Record<string, unknown>[]
}

async function shown(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await box.zino(['receipts', 'show', '--json', ...args])
  return (JSON.parse(stdout) as Shown).receipts
}

/** The model runs the code in its first answer, then says `done now`. */
function modelRuns(code: string): void {
  model.requests.length = 0
  const call = { name: 'execute_bash', arguments: { code } }
  model.answer = (_request, number) =>
    number === 1 ? `first <tool_call>${JSON.stringify(call)}</tool_call>` : 'done now'
}

it('every turn leaves a chained receipt with hashes instead of texts', async () => {
  modelRuns(`echo ran >> ${box.at('effects')}; echo visible result`)
  const turn = 'turn-with-a-call'
  await box.ask('daemon', { message: 'the private question', channel_id: 'c', turn })
  const [receipt] = await shown(turn)
  expect(receipt).toMatchObject({
    turn,
    channel: 'c',
    request: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 20 },
    context: { messages: expect.any(Number) },
    permission: { allow: null, approve: null, decisions: [] },
    execution: [{ call: 0, executor: 'bash', exit_code: 0 }],
    answer: { state: 'answered' },
    iterations: 2,
    cost: { usd: null },
    models: ['openai-compatible:fake'],
  })
  expect(receipt?.tokens).toMatchObject({ output: expect.any(Number) as number })
  const text = readFileSync(receiptsFile(), 'utf8')
  for (const secret of ['private question', 'visible result', 'done now']) {
    expect(text).not.toContain(secret)
  }
  expect(await box.zino(['receipts', 'verify'])).toMatchObject({ code: 0 })
})

it('a turn that fails, or that a limit ends, leaves a receipt too', async () => {
  model.requests.length = 0
  model.answer = () => status(400, 'no such thing')
  await box.ask('daemon', { message: 'x', turn: 'turn-failed' })
  expect((await shown('turn-failed'))[0]).toMatchObject({ answer: { state: 'failed' } })
  await box.ask('daemon', { message: 'x', turn: 'turn-limited', allow: { tokens: 1 } })
  expect((await shown('turn-limited'))[0]).toMatchObject({
    permission: { allow: [{ tokens: 1 }] },
    answer: { state: 'failed', error: expect.stringContaining('[allow.tokens]') as string },
  })
  model.answer = () =>
    `<tool_call>${JSON.stringify({ name: 'execute_bash', arguments: { code: 'true' } })}</tool_call>`
  await box.ask('daemon', { message: 'x', turn: 'turn-endless' })
  expect((await shown('turn-endless'))[0]).toMatchObject({
    answer: { state: 'answered', limit: 'iterations' },
  })
})

it('the calls of a sub-agent are in the receipt of the turn', async () => {
  model.requests.length = 0
  const call = { name: 'execute_bash', arguments: { code: 'echo sub; exit 3' } }
  const answers = [
    `<task>${JSON.stringify({ skill: 'helper', request: 'go' })}</task>`,
    `<tool_call>${JSON.stringify(call)}</tool_call>`,
    'helped',
    'all done',
  ]
  model.answer = (_request, number) => answers[number - 1] ?? ''
  await box.ask('daemon', { message: 'delegate', channel_id: 'c', turn: 'turn-of-helper' })
  expect((await shown('turn-of-helper'))[0]?.execution).toMatchObject([
    { call: 0, sub: { step: 0, call: 0 }, executor: 'bash', exit_code: 3 },
    { call: 0, exit_code: null },
  ])
})

it('replay runs no tool, asks no model and finds no difference', async () => {
  model.requests.length = 0
  const before = readFileSync(box.at('effects'), 'utf8')
  const { code, stdout } = await box.zino(['replay', '--since', '1h'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^replayed 5 turns: 0 differences\n$/) as string,
  })
  expect(model.requests).toHaveLength(0)
  expect(readFileSync(box.at('effects'), 'utf8')).toBe(before)
  expect(await box.zino(['replay'])).toMatchObject({ code: 2 })
  expect(await box.zino(['replay', receiptsFile()])).toMatchObject({ code: 0 })
})

it('replay reports a recorded answer that calls something else', async () => {
  const file = box.at('data/mem/answers/turn-with-a-call.jsonl')
  const recorded = readFileSync(file, 'utf8')
  writeFileSync(file, recorded.replaceAll('visible result', 'another result'))
  const { code, stdout } = await box.zino(['replay', '--since', '1h', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    differences: [{ turn: 'turn-with-a-call', in: 'recording' }, { in: 'context' }],
  })
  writeFileSync(file, recorded)
})

it('replay reports a context that would differ now', async () => {
  const differences = async () => {
    const { code, stdout } = await box.zino(['replay', '--since', '1h', '--json'])
    const report = JSON.parse(stdout) as { differences: { in: string; text: string }[] }
    expect(code).toBe(report.differences.length === 0 ? 0 : 1)
    return report.differences.map((each) => `${each.in}: ${each.text}`)
  }
  // The history of the second turn in the channel quotes the first one.
  const file = box.at('data/mem/channels/c.json')
  const history = readFileSync(file, 'utf8')
  writeFileSync(file, history.replace('the private question', 'another question'))
  expect(await differences()).toEqual([
    'context: a message of the context changed or disappeared since then',
  ])
  writeFileSync(file, history)
  expect(await differences()).toEqual([])
})

it('verify finds lines cut from the end', async () => {
  const text = readFileSync(receiptsFile(), 'utf8')
  writeFileSync(receiptsFile(), `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`)
  const { code, stdout } = await box.zino(['receipts', 'verify'])
  expect(code).toBe(1)
  expect(stdout).toContain('this line is missing: 1 lines were cut from the end')
  writeFileSync(receiptsFile(), text)
  expect(await box.zino(['receipts', 'verify'])).toMatchObject({ code: 0 })
})

it('verify finds one changed byte', async () => {
  const bytes = readFileSync(receiptsFile())
  const copy = Buffer.from(bytes)
  const at = copy.lastIndexOf('"iterations"')
  copy[at + 1] = 'I'.charCodeAt(0)
  box.put('changed.jsonl', copy.toString())
  const { code, stdout } = await box.zino(['receipts', 'verify', box.at('changed.jsonl')])
  expect(code).toBe(1)
  expect(stdout).toContain('this line was changed')
})

it('forget erases the recorded answers of a turn, and keeps the receipt', async () => {
  const file = box.at('data/mem/answers/turn-with-a-call.jsonl')
  expect(existsSync(file)).toBe(true)
  await box.zino(['memory', 'forget', 'c:1', '--yes'])
  expect(existsSync(file)).toBe(false)
  for (const name of readdirSync(box.at('data/mem/answers'))) {
    expect(readFileSync(box.at('data/mem/answers', name), 'utf8')).not.toContain('visible result')
  }
  expect(await shown('turn-with-a-call')).toHaveLength(1)
  const { stdout } = await box.zino(['replay', '--since', '1h'])
  expect(stdout).toBe('replayed 4 turns: 0 differences, 1 without recorded answers\n')
})
