// A model on the loopback interface that answers by rules: the root model calls `map` and sums up its result, and the
// sub-model looks only at the chunk that it is given. It speaks Anthropic Messages.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Oracle {
  /** Answers about one chunk; `lines` have their path and number. */
  sub(question: string, lines: readonly ChunkLine[]): string
  /** The next step of the root model, from the results of `map` so far. */
  root(question: string, results: readonly string[]): { map: string; glob: string } | string
}

export interface ChunkLine {
  path: string
  number: number
  text: string
}

export interface RunningOracle {
  env: Record<string, string>
  subCalls(): number
  close(): void
}

interface Block {
  type: string
  text?: string
  content?: unknown
}

export async function startOracle(oracle: Oracle): Promise<RunningOracle> {
  let subCalls = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        model: string
        messages: { content: string | Block[] }[]
      }
      const blocks = body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      )
      if (body.model === 'sub') subCalls++
      const step = body.model === 'sub' ? subStep(oracle, blocks) : rootStep(oracle, blocks)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(streamOf(step))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-key-0123456789' },
    subCalls: () => subCalls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function subStep(oracle: Oracle, blocks: readonly Block[]): string {
  const text = blocks.map((block) => textOf(block)).join('\n')
  const lines: ChunkLine[] = []
  let path = ''
  for (const line of text.split('\n')) {
    const [, file] = /^=== (.*):\d+-\d+$/.exec(line) ?? []
    const [, number, rest] = /^(\d+): (.*)$/.exec(line) ?? []
    if (file !== undefined) path = file
    else if (path !== '' && number !== undefined) {
      lines.push({ path, number: Number(number), text: rest ?? '' })
    }
  }
  return oracle.sub(text.slice(0, text.indexOf('\n=== ')), lines)
}

function rootStep(oracle: Oracle, blocks: readonly Block[]): ReturnType<Oracle['root']> {
  const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => textOf(block))
  const question = textOf(blocks.find(({ type }) => type === 'text') ?? { type: 'text' })
  return oracle.root(question, results)
}

function textOf({ text, content }: Block): string {
  if (typeof content === 'string') return content
  return text ?? ((content ?? []) as Block[]).map((block) => textOf(block)).join('')
}

let nextId = 0

function streamOf(step: ReturnType<Oracle['root']>): string {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
  const isText = typeof step === 'string'
  const block = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `t${++nextId}`, name: 'map', input: {} }
  const delta = isText
    ? { type: 'text_delta', text: step }
    : {
        type: 'input_json_delta',
        partial_json: JSON.stringify({ question: step.map, glob: step.glob }),
      }
  const usage = { input_tokens: 50, output_tokens: 10 }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage }
  return [
    event('message_start', { message }),
    event('content_block_start', { index: 0, content_block: block }),
    event('content_block_delta', { index: 0, delta }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: isText ? 'end_turn' : 'tool_use' }, usage }),
    event('message_stop', {}),
  ].join('')
}
