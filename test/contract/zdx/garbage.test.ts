// Invalid answers of providers: one clear error, no crash, and a usable session.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const sse = 'text/event-stream'
const json = 'application/json'

/** Content type and body, sent with status 200. */
const answers: [string, string, string | Buffer][] = [
  ['nothing', sse, ''],
  ['a web page', 'text/html', '<!doctype html><html><body>Please log in</body></html>'],
  ['bytes that are no text', sse, Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a, 0x0a, 0xc3, 0x28])],
  ['events that are no JSON', sse, 'data: {"type":\n\ndata: ][\n\ndata: \u0000\n\n'],
  ['JSON of other shapes', sse, 'data: null\n\ndata: []\n\ndata: "x"\n\ndata: 7\n\ndata: {}\n\n'],
  [
    'known events with wrong fields',
    sse,
    [
      { type: 'message_start', message: null },
      { type: 'content_block_start', index: 'a', content_block: 7 },
      { type: 'content_block_delta', index: -1, delta: [] },
      { choices: 'none' },
      { choices: [null, { delta: 'x' }, { delta: { tool_calls: [null, { index: 1e9 }] } }] },
      { type: 'response.output_item.added', item: 3 },
      { candidates: [{ content: { parts: [null, { functionCall: 'f' }] } }] },
    ]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join(''),
  ],
  ['JSON where events were asked for', json, '{"hello":"world"}'],
  ['one endless line', sse, `data: ${'x'.repeat(3_000_000)}`],
]

const providers = ['anthropic', 'openai', 'openai-responses', 'gemini']

let server: Server
let box: Sandbox
beforeEach(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      // The prompt selects the answer.
      const [, type, content] = answers[Number(/try (\d+)/.exec(body)?.[1])] ?? []
      response.writeHead(200, { 'content-type': type }).end(content)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  box = createSandbox()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const vendor of ['ANTHROPIC', 'OPENAI', 'GEMINI']) {
    box.env[`${vendor}_BASE_URL`] = url
    box.env[`${vendor}_API_KEY`] = 'key-0123456789'
  }
})
afterEach(async () => {
  box.remove()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe.each(providers)('a broken %s server', (provider) => {
  it('causes a clear error for every invalid answer and leaves a valid session', async () => {
    const runs = answers.map(([name], index) => oneAnswer(provider, name, index))
    await Promise.all(runs)
  })
})

async function oneAnswer(provider: string, name: string, index: number): Promise<void> {
  const session = `s${index}`
  const ran = await box.exec(`try ${index}`, '--session', session, '--provider', provider)
  expect(ran, name).toMatchObject({ code: 1, signal: null, stdout: '' })
  expect(ran.stderr, name).toMatch(/^Error \[(parse|api_error|http_status|internal|timeout)\]: /m)
  expect(ran.stderr, name).toMatch(/^Error \[\w+\]: .+$/m)
  expect(ran.stderr, name).not.toMatch(/^ {4}at |TypeError|undefined|\[object/m)
  // Every attempt that got an answer leaves a receipt.
  const types = box.session(session).map(({ type }) => type)
  expect(types.filter((type) => type !== 'receipt')).toEqual(['meta', 'message'])
}

it('a session with only invalid answers can be continued', async () => {
  for (const index of [3, 5])
    await box.exec(`try ${index}`, '--session', 's', '--provider', 'openai')
  box.put('play.jsonl', '{"text":"fine"}\n')
  const args = ['exec', '-p', 'on', '--session', 's', '--model', 'script:play.jsonl']
  expect(await box.zdx(args)).toMatchObject({ code: 0, stdout: 'fine\n' })
})
