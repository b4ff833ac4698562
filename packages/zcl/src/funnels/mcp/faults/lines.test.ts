import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { parseInject } from '../../../faults/faults.ts'
import { AnswerFaults, ProxyFaults, withFaults } from './faults.ts'

const call = (id: number) => [
  {
    kind: 'request' as const,
    id,
    method: 'tools/call',
    text: JSON.stringify({ params: { name: 'read' } }),
  },
]

const answer = (id: number, text: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n`

async function passed(
  rule: string,
  lines: string,
): Promise<{ text: string; faults: AnswerFaults }> {
  const settings = { rules: [parseInject(rule)], seed: 1 }
  const faults = new AnswerFaults(new ProxyFaults(settings, '001-m-r1'))
  for (const id of [1, 2]) faults.fromClient(call(id))
  const source = new PassThrough()
  const out = withFaults(source, faults)
  for (const piece of [lines.slice(0, 10), lines.slice(10)]) source.write(piece)
  source.end()
  let text = ''
  for await (const chunk of out) text += String(chunk)
  return { text, faults }
}

it('an injected error replaces the answer to a tool call and is reported once', async () => {
  const { text, faults } = await passed('error:1', answer(1, 'hello'))
  expect(JSON.parse(text)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32_000, message: 'injected by zcl' },
  })
  expect(faults.take(1)).toEqual([{ kind: 'error' }])
  expect(faults.take(1)).toEqual([])
})

it('truncated and malformed answers keep the frame of JSON-RPC', async () => {
  const cut = await passed('truncate:1', answer(1, '{"a":1}'))
  expect(JSON.parse(cut.text)).toMatchObject({ result: { content: [{ text: '{"a' }] } })
  const broken = await passed('malformed:1', answer(1, '{"a":1}'))
  expect(JSON.parse(broken.text)).toMatchObject({ result: { content: [{ text: '{"a":1' }] } })
})

it('a stale answer repeats the earlier answer of the tool; the first one passes', async () => {
  const { text, faults } = await passed('stale:1', answer(1, 'old') + answer(2, 'new'))
  const [first = '', second = ''] = text.split('\n')
  expect(`${first}\n`).toBe(answer(1, 'old'))
  expect(JSON.parse(second)).toMatchObject({ id: 2, result: { content: [{ text: 'old' }] } })
  expect(faults.take(1)).toEqual([])
})

it('other lines pass unchanged: notifications, answers to other methods, text, a last line without end', async () => {
  const lines = '{"jsonrpc":"2.0","method":"x"}\n{"id":9,"result":{}}\nplain\n{"id":1'
  expect((await passed('error:1', lines)).text).toBe(lines)
})
