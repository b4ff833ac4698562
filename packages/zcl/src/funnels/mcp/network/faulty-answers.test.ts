import { expect, it } from 'vitest'
import { parseInject } from '../../../faults/faults.ts'
import { AnswerFaults, ProxyFaults } from '../faults/faults.ts'
import { rewriteBody } from './faulty-bodies.ts'
import { rewriteFrames, textFrame } from './faulty-frames.ts'
import { FrameReader } from './frame-reader.ts'

const answer = (id: number, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
const failed = (id: number) => ({ id, error: { message: 'injected by zcl' } })

/** Faults of a conversation in which the client has called a tool with these ids. */
function faultsFor(rule: string, ids: readonly number[]): AnswerFaults {
  const faults = new AnswerFaults(new ProxyFaults({ rules: [parseInject(rule)], seed: 1 }, 'a'))
  faults.fromClient(ids.map((id) => ({ kind: 'request', id, method: 'tools/call', text: '{}' })))
  return faults
}

type Make = (faults: AnswerFaults, emit: (bytes: Buffer) => void) => ReturnType<typeof rewriteBody>

/** What the client gets when the answer arrives in pieces of `size` bytes. */
async function received(make: Make, rule: string, sent: Buffer, size: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  const rewriter = make(faultsFor(rule, [1, 2]), (bytes) => pieces.push(bytes))
  for (let at = 0; at < sent.length; at += size) rewriter.push(sent.subarray(at, at + size))
  await new Promise<void>((resolve) => rewriter.end(resolve))
  return Buffer.concat(pieces)
}

const document: Make = (faults, emit) => rewriteBody('application/json', faults, emit)
const events: Make = (faults, emit) => rewriteBody('text/event-stream', faults, emit)

it('a JSON answer gets its fault and otherwise stays as it is', async () => {
  const sent = Buffer.from(answer(1, 'hi'))
  expect(JSON.parse((await received(document, 'error:1', sent, 7)).toString())).toMatchObject(
    failed(1),
  )
  expect(await received(document, 'error:0', sent, 7)).toEqual(sent)
})

it.each(['\n', '\r\n'])('events of a stream get faults one by one (line end %j)', async (end) => {
  const stream = [': hello', '', `id: 7`, `data: ${answer(1, 'ü')}`, '', 'data: {}', '', 'rest']
  const sent = Buffer.from(stream.join(end))
  for (const size of [1, 9, 1000]) {
    const text = (await received(events, 'error:1', sent, size)).toString()
    const data = text.split(/\r?\n/).find((line) => line.startsWith('data: {"j')) ?? ''
    expect(JSON.parse(data.slice(6))).toMatchObject(failed(1))
    expect(text).toContain('id: 7')
    expect(text.endsWith(`data: {}${end}${end}rest`)).toBe(true)
  }
  expect(await received(events, 'error:0', sent, 5)).toEqual(sent)
})

it('messages of a WebSocket get faults, and other frames pass', async () => {
  const ping = Buffer.from([0x89, 0])
  const long = answer(2, 'x'.repeat(70_000))
  const sent = Buffer.concat([
    textFrame(Buffer.from(answer(1, 'hi'))),
    ping,
    textFrame(Buffer.from(long)),
  ])
  const got = await received(rewriteFrames, 'truncate:1', sent, 1000)
  const texts: string[] = []
  new FrameReader((text) => texts.push(text.toString())).push(got)
  expect(texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { id: 1, result: { content: [{ text: 'h' }] } },
    { id: 2, result: { content: [{ text: 'x'.repeat(35_000) }] } },
  ])
  expect(got.includes(ping)).toBe(true)
  expect(await received(rewriteFrames, 'error:0', sent, 997)).toEqual(sent)
})
