// Cost of zdx compared with a minimal node:http client that prints the stream. The model is a
// loopback server in this process; the clients are separate processes.
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Case, CommandVariant, Place } from './harness/case.ts'

const floor = 'bare client'
const deltas = 200_000
const deltaText = 'x'.repeat(50)

export const cases: readonly Case[] = [
  {
    name: 'answer',
    question: 'what does one prompt with a short answer cost above a bare client?',
    repetitions: 10,
    prepare: (scratch) => prepareClient(scratch, 'text'),
    variants: [
      bareClient(),
      zdxExec('zdx exec'),
      {
        name: 'zdx --no-save exec',
        command: (place) => zdxCommand(place, 'home', '--no-save', 'exec', '-p', 'hi'),
      },
    ],
    goals: [
      { variant: 'zdx exec', figure: 'cpu', atMost: 1.3, peer: floor },
      { variant: 'zdx --no-save exec', figure: 'cpu', atMost: 1.3, peer: floor },
      { variant: 'zdx exec', figure: 'wall', atMost: 1.6, peer: floor },
      // The floor is 41 MiB, so the limit is 15 MiB above it.
      { variant: 'zdx exec', figure: 'rss', atMost: 1.36, peer: floor },
    ],
  },
  {
    name: 'tool',
    question: 'what does one tool call followed by text cost above a bare client?',
    repetitions: 10,
    prepare: (scratch) => prepareClient(scratch, 'tool'),
    variants: [bareClient(), zdxExec('zdx exec')],
    goals: [{ variant: 'zdx exec', figure: 'cpu', atMost: 1.8, peer: floor }],
  },
  {
    name: 'stream',
    question: 'how fast do 200,000 deltas (10 MB of text) reach a file?',
    repetitions: 3,
    prepare: (scratch) => prepareClient(scratch, 'flood'),
    variants: [bareClient(), zdxExec('zdx exec')],
    // 10 MB at 20 MB/s, including the start.
    goals: [{ variant: 'zdx exec', figure: 'wall', atMost: 500 }],
  },
  {
    name: 'sessions',
    question: 'what do many and large sessions cost?',
    repetitions: 3,
    prepare: prepareSessions,
    variants: [
      {
        name: 'ls -t',
        command: ({ scratch }) => ['ls', '-t', path.join(scratch, 'many/sessions')],
      },
      zdxSessions('list of 10,000', 'many', 'sessions', 'list'),
      zdxSessions('show 200 MB', 'large', 'sessions', 'show', 'large'),
      {
        name: 'resume 20,000 events',
        command: (place) => zdxCommand(place, 'long', 'exec', '--session', 'long', '-p', 'more'),
      },
    ],
    goals: [
      { variant: 'list of 10,000', figure: 'wall', atMost: 500 },
      { variant: 'show 200 MB', figure: 'rss', atMost: 120 },
      { variant: 'resume 20,000 events', figure: 'wall', atMost: 1000 },
    ],
  },
]

function bareClient(): CommandVariant {
  return {
    name: floor,
    command: ({ node, scratch }) => [
      'env',
      ...inEmptyFolder(scratch),
      node,
      path.join(scratch, 'client.cjs'),
      urlOf(scratch),
    ],
  }
}

function zdxExec(name: string): CommandVariant {
  return { name, command: (place) => zdxCommand(place, 'home', 'exec', '-p', 'hi') }
}

function zdxSessions(name: string, home: string, ...args: string[]): CommandVariant {
  return { name, command: (place) => zdxCommand(place, home, ...args) }
}

function zdxCommand(place: Place, home: string, ...args: string[]): string[] {
  return [
    'env',
    ...inEmptyFolder(place.scratch),
    `ZDX_HOME=${path.join(place.scratch, home)}`,
    `ANTHROPIC_BASE_URL=${urlOf(place.scratch)}`,
    'ANTHROPIC_API_KEY=none',
    place.node,
    path.join(place.repository, 'packages/zdx/bin/zdx.cjs'),
    ...args,
  ]
}

/** Not in this repository: its AGENTS.md would be read, redacted and sent. */
function inEmptyFolder(scratch: string): string[] {
  return ['-C', path.join(scratch, 'empty')]
}

function urlOf(scratch: string): string {
  return readFileSync(path.join(scratch, 'url'), 'utf8')
}

type Scene = 'text' | 'tool' | 'flood'

async function prepareClient(scratch: string, scene: Scene): Promise<void> {
  writeFileSync(path.join(scratch, 'client.cjs'), clientSource)
  mkdirSync(path.join(scratch, 'home'))
  await serve(scratch, scene)
}

/** A minimal client: posts, parses the events, prints text, runs the command, posts again. */
const clientSource = `
const http = require('node:http')
const { exec } = require('node:child_process')
const messages = [{ role: 'user', content: 'hi' }]
function ask() {
  const request = http.request(process.argv[2] + '/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'none' },
  })
  request.on('response', (response) => {
    let rest = ''
    let command
    let json = ''
    response.setEncoding('utf8')
    response.on('data', (chunk) => {
      const lines = (rest + chunk).split('\\n')
      rest = lines.pop()
      let text = ''
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue
        const event = JSON.parse(line.slice(6))
        if (event.type !== 'content_block_delta') continue
        if (event.delta.type === 'text_delta') text += event.delta.text
        else json += event.delta.partial_json
      }
      if (text !== '') process.stdout.write(text)
    })
    response.on('end', () => {
      if (json === '') return
      command = JSON.parse(json).command
      exec(command, (_error, stdout) => {
        messages.push({ role: 'assistant', content: json }, { role: 'user', content: stdout })
        ask()
      })
    })
  })
  request.end(JSON.stringify({ model: 'm', max_tokens: 1, stream: true, messages }))
}
ask()
`

async function serve(scratch: string, scene: Scene): Promise<void> {
  mkdirSync(path.join(scratch, 'empty'))
  const flood = scene === 'flood' ? floodText() : ''
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const isFirst = !body.includes('"role":"assistant"')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (scene === 'flood') response.end(flood)
      else response.end(scene === 'tool' && isFirst ? toolAnswer : textAnswer('Hello, world.'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  writeFileSync(path.join(scratch, 'url'), `http://127.0.0.1:${port}`)
}

function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function delta(text: string): string {
  return event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
}

function framed(block: Record<string, unknown>, inner: string, reason: string): string {
  const usage = { input_tokens: 1, output_tokens: 1 }
  return (
    event({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } }) +
    event({ type: 'content_block_start', index: 0, content_block: block }) +
    inner +
    event({ type: 'content_block_stop', index: 0 }) +
    event({ type: 'message_delta', delta: { stop_reason: reason }, usage }) +
    event({ type: 'message_stop' })
  )
}

function textAnswer(text: string): string {
  return framed({ type: 'text', text: '' }, delta(text), 'end_turn')
}

const toolAnswer = framed(
  { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} },
  event({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"command":"echo hi"}' },
  }),
  'tool_use',
)

function floodText(): string {
  return framed({ type: 'text', text: '' }, delta(deltaText).repeat(deltas), 'end_turn')
}

async function prepareSessions(scratch: string): Promise<void> {
  await serve(scratch, 'text')
  for (const home of ['many', 'large', 'long']) {
    mkdirSync(path.join(scratch, home, 'sessions'), { recursive: true })
  }
  const meta = `${JSON.stringify({ type: 'meta', schema_version: 1, ts: '2026-01-01T00:00:00Z' })}\n`
  for (let index = 0; index < 10_000; index++) {
    writeFileSync(path.join(scratch, `many/sessions/session-${index}.jsonl`), meta)
  }
  const large = [meta, line('user', 'go'), line('assistant', 'x'.repeat(1000)).repeat(190_000)]
  writePieces(path.join(scratch, 'large/sessions/large.jsonl'), large)
  const turns = line('user', 'question') + line('assistant', 'answer '.repeat(20))
  writePieces(path.join(scratch, 'long/sessions/long.jsonl'), [meta, turns.repeat(10_000)])
}

function line(role: string, text: string): string {
  return `${JSON.stringify({ type: 'message', role, text, ts: '2026-01-01T00:00:00Z' })}\n`
}

function writePieces(file: string, pieces: readonly string[]): void {
  const descriptor = openSync(file, 'w')
  for (const piece of pieces) writeSync(descriptor, piece)
  closeSync(descriptor)
}
