// `zdx acp` driven by the official client: the same turns and sessions as everywhere, as updates.
import type { ClientContext, SessionNotification } from '@agentclientprotocol/sdk'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, FakeAnthropic } from '../../support/fake-anthropic.ts'
import {
  answer,
  event,
  fakeAnthropic,
  messageEnd,
  messageStart,
  openStream,
  say,
  status,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import { childProgram } from '../../support/paths.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let server: FakeAnthropic
let box: Sandbox
let respond: Answer
let editor: Editor | undefined
beforeEach(async () => {
  respond = say('ok')
  server = await fakeAnthropic((request, response) => respond(request, response))
  box = createSandbox(server)
})
afterEach(async () => {
  await editor?.close()
  editor = undefined
  box.remove()
  await server.close()
})

type Update = SessionNotification['update']

interface Editor {
  agent: ClientContext
  child: ChildProcess
  updates: Update[]
  stderr(): string
  /** Permission requests that came, as their tool calls. */
  asked: unknown[]
  begin(): Promise<string>
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>
  close(): Promise<number | null>
}

async function openEditor(
  options: { permit?: string; notices?: boolean; args?: string[] } = {},
): Promise<Editor> {
  const child = box.start(['acp', ...(options.args ?? [])])
  const updates: Update[] = []
  const asked: unknown[] = []
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const exited = once(child, 'close')
  const connection = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params.toolCall)
      return options.permit === undefined
        ? { outcome: { outcome: 'cancelled' } }
        : { outcome: { outcome: 'selected', optionId: options.permit } }
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin as Writable),
        Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
      ),
    )
  const { agent } = connection
  const clientCapabilities = options.notices === true ? { session: { notices: {} } } : {}
  await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities })
  editor = {
    agent,
    child,
    updates,
    asked,
    stderr: () => stderr,
    begin: async () =>
      (await agent.request('session/new', { cwd: box.root, mcpServers: [] })).sessionId,
    prompt: (sessionId, text) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    close: async () => {
      child.stdin?.end()
      const [code] = (await exited) as [number | null]
      return code
    },
  }
  return editor
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain')
    await sleep(5)
  }
}

const textOf = (updates: Update[], kind: Update['sessionUpdate']) =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map((update) => ('content' in update && update.content ? update.content : {}))
    .map((content) => ('text' in content ? content.text : ''))
    .join('')

describe('initialize', () => {
  it('says what zdx is and can', async () => {
    const { agent } = await openEditor()
    expect(await agent.request('initialize', { protocolVersion: 1 })).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'zdx', version: expect.stringContaining('0.1') },
      agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } },
    })
    expect(server.requests).toHaveLength(0)
    expect(box.sessionIds()).toEqual([])
  })
})

describe('a prompt', () => {
  it('streams text and ends with the turn, in a session of ours', async () => {
    respond = say('Hel', 'lo')
    const { begin, prompt, updates } = await openEditor()
    const id = await begin()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(box.sessionIds()).toEqual([])
    expect(await prompt(id, 'hi')).toEqual({ stopReason: 'end_turn' })
    expect(textOf(updates, 'agent_message_chunk')).toBe('Hello')
    expect(box.session(id).map(({ type }) => type)).toEqual(['meta', 'message', 'message'])
    respond = say('again')
    await prompt(id, 'more')
    expect(server.requests[1]?.body.messages).toHaveLength(3)
  })

  it('streams thinking as thoughts', async () => {
    respond = (_request, response) => {
      openStream(response)
      const block = { type: 'thinking', thinking: '', signature: '' }
      response.write(messageStart())
      response.write(event({ type: 'content_block_start', index: 0, content_block: block }))
      const delta = { type: 'thinking_delta', thinking: 'hmm' }
      response.write(event({ type: 'content_block_delta', index: 0, delta }))
      response.write(event({ type: 'content_block_stop', index: 0 }))
      response.write(textStart(1) + textDelta('so', 1))
      response.end(event({ type: 'content_block_stop', index: 1 }) + messageEnd())
    }
    const { begin, prompt, updates } = await openEditor()
    await prompt(await begin(), 'hi')
    expect(textOf(updates, 'agent_thought_chunk')).toBe('hmm')
    expect(textOf(updates, 'agent_message_chunk')).toBe('so')
  })

  it('tells of tools from request to result, with the difference of an edit', async () => {
    const file = box.put('a.txt', 'one\ntwo\n')
    const answers = [
      answer(
        { tool: 'edit', input: { path: 'a.txt', old: 'two', new: 'zwei' }, id: 't1' },
        { tool: 'write', input: { path: 'b.txt', content: 'new\n' }, id: 't2' },
        { tool: 'bash', input: { command: 'echo hi; exit 3' }, id: 't3' },
        { tool: 'read', input: { path: 'none' }, id: 't4' },
      ),
      say('done'),
    ]
    respond = (request, response) => answers[server.requests.length - 1]?.(request, response)
    const { begin, prompt, updates } = await openEditor()
    await prompt(await begin(), 'go')
    const of = (id: string) =>
      updates.filter((update) => 'toolCallId' in update && update.toolCallId === id)
    expect(of('t1')).toMatchObject([
      {
        sessionUpdate: 'tool_call',
        title: 'edit a.txt',
        kind: 'edit',
        status: 'pending',
        locations: [{ path: file }],
        rawInput: { path: 'a.txt', old: 'two', new: 'zwei' },
      },
      { sessionUpdate: 'tool_call_update', status: 'in_progress' },
      {
        sessionUpdate: 'tool_call_update',
        status: 'completed',
        content: [{ type: 'diff', path: file, oldText: 'one\ntwo\n', newText: 'one\nzwei\n' }],
        rawOutput: { ok: true },
      },
    ])
    expect(of('t2').at(-1)).toMatchObject({
      content: [{ type: 'diff', path: path.join(box.root, 'b.txt'), newText: 'new\n' }],
    })
    expect(of('t3')).toMatchObject([
      { title: 'echo hi; exit 3', kind: 'execute' },
      {},
      { status: 'completed', content: [{ content: { text: 'hi\n' } }] },
    ])
    expect(of('t4').at(-1)).toMatchObject({ status: 'failed', rawOutput: { ok: false } })
  })

  it('holds files that the editor mentions or sends along', async () => {
    const { begin, agent } = await openEditor()
    const sessionId = await begin()
    await agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'compare ' },
        { type: 'resource_link', name: 'a', uri: `file://${box.root}/a%20b.txt` },
        { type: 'text', text: ' with ' },
        { type: 'resource', resource: { uri: 'file:///b.txt', text: 'the text of b' } },
      ],
    })
    expect(server.requests[0]?.body.messages[0]?.content).toBe(
      `compare ${box.root}/a b.txt with /b.txt\n\n/b.txt:\n\n\`\`\`\nthe text of b\n\`\`\``,
    )
  })

  it('that fails is an error of the request, and the session goes on', async () => {
    respond = status(400, 'no such thing')
    const { begin, prompt } = await openEditor()
    const id = await begin()
    await expect(prompt(id, 'hi')).rejects.toThrow('HTTP 400: no such thing')
    respond = say('fine')
    expect(await prompt(id, 'again')).toEqual({ stopReason: 'end_turn' })
  })

  it('without a key says which one is missing', async () => {
    box.env.ANTHROPIC_API_KEY = undefined
    const { begin, prompt } = await openEditor()
    await expect(prompt(await begin(), 'hi')).rejects.toThrow('ANTHROPIC_API_KEY')
  })

  it('that was cut at the token limit says so, and a warning reaches who listens', async () => {
    respond = (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart() + textDelta('half'))
      response.end(event({ type: 'content_block_stop', index: 0 }) + messageEnd('max_tokens'))
    }
    const { begin, prompt, updates, stderr } = await openEditor({ notices: true })
    expect(await prompt(await begin(), 'hi')).toEqual({ stopReason: 'max_tokens' })
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'notice', severity: 'warning' })
    expect(stderr()).not.toContain('Warning')
    await editor?.close()
    const other = await openEditor()
    await other.prompt(await other.begin(), 'hi')
    expect(other.stderr()).toContain('Warning: The answer was cut off')
  })

  it.each([
    ['an empty one', { prompt: [{ type: 'text' as const, text: ' ' }] }, 'the prompt is empty'],
    [
      'one with a picture',
      { prompt: [{ type: 'image' as const, data: '', mimeType: 'image/png' }] },
      'a prompt cannot hold image',
    ],
    ['one for an unknown session', { sessionId: 'none', prompt: [] }, 'not found'],
  ])('is refused with words: %s', async (_name, params, words) => {
    const { begin, agent } = await openEditor()
    const sessionId = await begin()
    await expect(agent.request('session/prompt', { sessionId, ...params })).rejects.toThrow(words)
    expect(server.requests).toHaveLength(0)
  })
})

describe('session/cancel', () => {
  it('ends the turn as cancelled, kills the command, and the session goes on', async () => {
    const answers = [answer({ tool: 'bash', input: { command: 'echo $$ > pid; sleep 300' } })]
    respond = (request, response) =>
      (answers[server.requests.length - 1] ?? say('back'))(request, response)
    const { begin, prompt, agent } = await openEditor()
    const id = await begin()
    const going = prompt(id, 'go')
    await until(() => existsSync(path.join(box.root, 'pid')))
    await expect(prompt(id, 'second')).rejects.toThrow('a turn is going on')
    await agent.notify('session/cancel', { sessionId: id })
    expect(await going).toEqual({ stopReason: 'cancelled' })
    const pid = readFileSync(path.join(box.root, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`))
    expect(box.session(id).at(-1)).toMatchObject({ type: 'interrupted' })
    expect(await prompt(id, 'again')).toEqual({ stopReason: 'end_turn' })
  })

  it('ends a wait for the model', async () => {
    respond = () => {}
    const { begin, prompt, agent } = await openEditor()
    const id = await begin()
    const going = prompt(id, 'go')
    await until(() => server.requests.length > 0)
    await agent.notify('session/cancel', { sessionId: id })
    expect(await going).toEqual({ stopReason: 'cancelled' })
  })
})

describe('session/load', () => {
  it('tells the session again and goes on with it', async () => {
    box.put('a.txt', 'x\n')
    respond = (request, response) =>
      (server.requests.length === 1
        ? answer(
            { text: ['Looking. '] },
            { tool: 'edit', input: { path: 'a.txt', old: 'x', new: 'y' }, id: 't1' },
          )
        : say('seen'))(request, response)
    await box.exec('look', '--session', 'mine')
    const { agent, updates, prompt } = await openEditor()
    await agent.request('session/load', { sessionId: 'mine', cwd: box.root, mcpServers: [] })
    expect(updates).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'look' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'Looking. ' } },
      { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'edit a.txt' },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't1',
        status: 'completed',
        content: [{ type: 'diff', oldText: 'x', newText: 'y' }],
      },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'seen' } },
    ])
    await prompt('mine', 'more')
    expect(server.requests.at(-1)?.body.messages).toHaveLength(5)
  })

  it('marks a call that never ended as failed, and knows what there is', async () => {
    box.writeSession('torn', [
      { type: 'meta', schema_version: 1, ts: '' },
      { type: 'message', role: 'user', text: 'go', ts: '' },
      { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'x' }, ts: '' },
    ])
    const { agent, updates } = await openEditor()
    const load = (sessionId: string) =>
      agent.request('session/load', { sessionId, cwd: box.root, mcpServers: [] })
    await load('torn')
    expect(updates.at(-1)).toMatchObject({ toolCallId: 't1', status: 'failed' })
    await expect(load('none')).rejects.toThrow('not found')
    await expect(load('../../etc/passwd')).rejects.toThrow('not found')
    const count = updates.length
    await agent.request('session/resume', { sessionId: 'torn', cwd: box.root })
    expect(updates).toHaveLength(count)
    await agent.request('session/close', { sessionId: 'torn' })
  })
})

describe('permission', () => {
  const change = () => {
    const answers = [
      answer(
        { tool: 'read', input: { path: 'none' }, id: 't1' },
        { tool: 'write', input: { path: 'f.txt', content: 'x' }, id: 't2' },
        { tool: 'write', input: { path: 'g.txt', content: 'y' }, id: 't3' },
      ),
      say('ok'),
    ]
    respond = (request, response) => answers[server.requests.length - 1]?.(request, response)
  }
  const written = () => ['f.txt', 'g.txt'].map((name) => existsSync(path.join(box.root, name)))

  it('is not asked for unless the settings say so', async () => {
    change()
    const { begin, prompt, asked } = await openEditor()
    await prompt(await begin(), 'go')
    expect(asked).toEqual([])
    expect(written()).toEqual([true, true])
  })

  it('is asked for before what may change something, with what it will be', async () => {
    box.config('permission = "ask"\n')
    change()
    const { begin, prompt, asked } = await openEditor({ permit: 'allow' })
    await prompt(await begin(), 'go')
    expect(asked).toMatchObject([
      { toolCallId: 't2', content: [{ type: 'diff', newText: 'x' }] },
      { toolCallId: 't3' },
    ])
    expect(written()).toEqual([true, true])
  })

  it('can be given for the whole session', async () => {
    box.config('permission = "ask"\n')
    change()
    const { begin, prompt, asked } = await openEditor({ permit: 'always' })
    await prompt(await begin(), 'go')
    expect(asked).toHaveLength(1)
    expect(written()).toEqual([true, true])
  })

  it.each(['reject', undefined])('that is not given (%s) is told to the model', async (permit) => {
    box.config('permission = "ask"\n')
    change()
    const { begin, prompt } = await openEditor(permit === undefined ? {} : { permit })
    expect(await prompt(await begin(), 'go')).toEqual({ stopReason: 'end_turn' })
    expect(written()).toEqual([false, false])
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain(
      'The user did not allow write',
    )
  })
})

describe('MCP servers of an editor', () => {
  it('are offered without being configured, and gone with the session', async () => {
    const { agent } = await openEditor()
    const starts = path.join(box.base, 'starts')
    const { sessionId } = await agent.request('session/new', {
      cwd: box.root,
      mcpServers: [
        {
          name: 'my tools',
          command: process.execPath,
          args: [childProgram('agent', 'mcp-server'), 'stubborn'],
          env: [{ name: 'MCP_STARTS', value: starts }],
        },
      ],
    })
    expect(existsSync(starts)).toBe(false)
    const answers = [answer({ tool: 'my_tools__echo', input: { text: 'hi' }, id: 't1' })]
    respond = (request, response) =>
      (answers[server.requests.length - 1] ?? say('ok'))(request, response)
    await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('\\"text\\":\\"hi\\"')
    const pid = readFileSync(starts, 'utf8').trim()
    await agent.request('session/close', { sessionId })
    await until(() => !existsSync(`/proc/${pid}`))
  })
})

describe('several sessions of one editor', () => {
  it('go on at the same time, each with its own history and folder', async () => {
    respond = (request, response) => say(JSON.stringify(request.body.messages))(request, response)
    const { begin, prompt } = await openEditor()
    const ids = await Promise.all([begin(), begin(), begin()])
    await Promise.all(ids.map((id, index) => prompt(id, `prompt ${index}`)))
    expect(server.requests.map(({ body }) => body.messages.length)).toEqual([1, 1, 1])
    for (const [index, id] of ids.entries()) {
      expect(box.session(id)[1]).toMatchObject({ role: 'user', text: `prompt ${index}` })
    }
  })
})

describe('the end', () => {
  it('comes when the editor no longer listens, and leaves nothing running', async () => {
    respond = answer(
      { text: ['x'.repeat(100)] },
      { tool: 'bash', input: { command: 'echo $$ > pid; sleep 1; echo hi' } },
    )
    const { begin, agent, child, close } = await openEditor()
    const sessionId = await begin()
    const prompt = [{ type: 'text' as const, text: 'go' }]
    void agent.request('session/prompt', { sessionId, prompt }).catch(() => {})
    await until(() => existsSync(path.join(box.root, 'pid')))
    child.stdout?.destroy()
    await close()
    const pid = readFileSync(path.join(box.root, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`))
    expect(child.stdin?.destroyed).toBe(true)
  })

  it('comes with the end of input, also in the middle of a turn', async () => {
    respond = answer({ tool: 'bash', input: { command: 'echo $$ > pid; sleep 300' } })
    const { begin, prompt, close } = await openEditor()
    const id = await begin()
    const going = prompt(id, 'go').catch(() => 'gone')
    await until(() => existsSync(path.join(box.root, 'pid')))
    expect(await close()).toBe(0)
    await going
    const pid = readFileSync(path.join(box.root, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`))
    expect(box.session(id).at(-1)).toMatchObject({ type: 'interrupted' })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('comes with %s', async (signal, code) => {
    const { child } = await openEditor()
    child.kill(signal)
    const [exit] = await once(child, 'close')
    expect(exit).toBe(code)
    editor = undefined
  })

  it('survives what is no message', async () => {
    const { child, begin } = await openEditor()
    child.stdin?.write('garbage\n\n[1,2]\n{"jsonrpc":"2.0","id":9,"method":"no/such"}\n')
    expect(await begin()).toMatch(/-/)
  })
})
