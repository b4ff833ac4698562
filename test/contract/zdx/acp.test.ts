// `zdx acp` driven by the official client: turns arrive as session updates.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  answer,
  event,
  messageEnd,
  messageStart,
  openStream,
  say,
  status,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import type { Update } from './editor.ts'
import { withEditor } from './editor.ts'
import { until } from './sandbox.ts'
import { withServer } from './with-server.ts'

const at = withServer()
const open = withEditor(at)

const textOf = (updates: Update[], kind: Update['sessionUpdate']) =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map((update) => ('content' in update && update.content ? update.content : {}))
    .map((content) => ('text' in content ? content.text : ''))
    .join('')

describe('ACP initialize', () => {
  it('returns the name and the capabilities of zdx', async () => {
    const { agent } = await open()
    expect(await agent.request('initialize', { protocolVersion: 1 })).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'zdx', version: expect.stringContaining('0.1') },
      agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } },
    })
    expect(at.server.requests).toHaveLength(0)
    expect(at.box.sessionIds()).toEqual([])
  })
})

describe('ACP session/prompt', () => {
  it('streams text, ends with the turn and stores an ordinary session', async () => {
    at.respond = say('Hel', 'lo')
    const { begin, prompt, updates } = await open()
    const id = await begin()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(at.box.sessionIds()).toEqual([])
    expect(await prompt(id, 'hi')).toEqual({ stopReason: 'end_turn' })
    expect(textOf(updates, 'agent_message_chunk')).toBe('Hello')
    expect(at.box.session(id).map(({ type }) => type)).toEqual(['meta', 'message', 'message'])
    at.respond = say('again')
    await prompt(id, 'more')
    expect(at.server.requests[1]?.body.messages).toHaveLength(3)
  })

  it('streams thinking as thought chunks', async () => {
    at.respond = (_request, response) => {
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
    const { begin, prompt, updates } = await open()
    await prompt(await begin(), 'hi')
    expect(textOf(updates, 'agent_thought_chunk')).toBe('hmm')
    expect(textOf(updates, 'agent_message_chunk')).toBe('so')
  })

  it('reports tool calls from request to result, with the diff of an edit', async () => {
    const file = at.box.put('a.txt', 'one\ntwo\n')
    const answers = [
      answer(
        { tool: 'edit', input: { path: 'a.txt', old: 'two', new: 'zwei' }, id: 't1' },
        { tool: 'write', input: { path: 'b.txt', content: 'new\n' }, id: 't2' },
        { tool: 'bash', input: { command: 'echo hi; exit 3' }, id: 't3' },
        { tool: 'read', input: { path: 'none' }, id: 't4' },
      ),
      say('done'),
    ]
    at.respond = (request, response) => answers[at.server.requests.length - 1]?.(request, response)
    const { begin, prompt, updates } = await open()
    const session = await begin()
    await prompt(session, 'go')
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
      content: [{ type: 'diff', path: path.join(at.box.root, 'b.txt'), newText: 'new\n' }],
    })
    expect(of('t3')).toMatchObject([
      { title: 'echo hi; exit 3', kind: 'execute' },
      {},
      { status: 'completed', content: [{ content: { text: 'hi\n' } }] },
    ])
    expect(of('t4').at(-1)).toMatchObject({ status: 'failed', rawOutput: { ok: false } })
    expect(await at.box.zdx(['sessions', 'undo', session])).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  })

  it('passes on the paths and the text of attached files as separate blocks', async () => {
    const { begin, agent } = await open()
    const sessionId = await begin()
    await agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'compare ' },
        { type: 'resource_link', name: 'a', uri: `file://${at.box.root}/a%20b.txt` },
        { type: 'text', text: ' with ' },
        { type: 'resource', resource: { uri: 'file:///b.txt', text: 'the text of b' } },
      ],
    })
    expect(at.server.requests[0]?.body.messages[0]?.content).toMatchObject([
      { text: 'compare ' },
      { text: `${at.box.root}/a b.txt` },
      { text: ' with ' },
      { text: '/b.txt:\n\n```\nthe text of b\n```' },
    ])
  })

  it('returns a request error when the turn fails, and the session stays usable', async () => {
    at.respond = status(400, 'no such thing')
    const { begin, prompt } = await open()
    const id = await begin()
    await expect(prompt(id, 'hi')).rejects.toThrow('HTTP 400: no such thing')
    at.respond = say('fine')
    expect(await prompt(id, 'again')).toEqual({ stopReason: 'end_turn' })
  })

  it('names the missing key', async () => {
    at.box.env.ANTHROPIC_API_KEY = undefined
    const { begin, prompt } = await open()
    await expect(prompt(await begin(), 'hi')).rejects.toThrow('ANTHROPIC_API_KEY')
  })

  it('reports the token limit as stop reason and as a notice or a warning', async () => {
    at.respond = (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart() + textDelta('half'))
      response.end(event({ type: 'content_block_stop', index: 0 }) + messageEnd('max_tokens'))
    }
    const { begin, prompt, updates, stderr, close } = await open({ notices: true })
    expect(await prompt(await begin(), 'hi')).toEqual({ stopReason: 'max_tokens' })
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'notice', severity: 'warning' })
    expect(stderr()).not.toContain('Warning')
    await close()
    const other = await open()
    await other.prompt(await other.begin(), 'hi')
    expect(other.stderr()).toContain('Warning: The answer was cut off')
  })

  it.each([
    ['an empty one', { prompt: [{ type: 'text' as const, text: ' ' }] }, 'the prompt is empty'],
    [
      'one with a sound',
      { prompt: [{ type: 'audio' as const, data: '', mimeType: 'audio/wav' }] },
      'a prompt cannot hold audio',
    ],
    ['one for an unknown session', { sessionId: 'none', prompt: [] }, 'not found'],
  ])('rejects the prompt with a message: %s', async (_name, params, words) => {
    const { begin, agent } = await open()
    const sessionId = await begin()
    await expect(agent.request('session/prompt', { sessionId, ...params })).rejects.toThrow(words)
    expect(at.server.requests).toHaveLength(0)
  })
})

describe('ACP session/cancel', () => {
  it('ends the turn as cancelled, kills the command and keeps the session usable', async () => {
    const answers = [answer({ tool: 'bash', input: { command: 'echo $$ > pid; sleep 300' } })]
    at.respond = (request, response) =>
      (answers[at.server.requests.length - 1] ?? say('back'))(request, response)
    const { begin, prompt, agent } = await open()
    const id = await begin()
    const going = prompt(id, 'go')
    await until(() => existsSync(path.join(at.box.root, 'pid')))
    await expect(prompt(id, 'second')).rejects.toThrow('a turn is already running')
    await agent.notify('session/cancel', { sessionId: id })
    expect(await going).toEqual({ stopReason: 'cancelled' })
    const pid = readFileSync(path.join(at.box.root, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`))
    expect(at.box.session(id).at(-1)).toMatchObject({ type: 'interrupted' })
    expect(await prompt(id, 'again')).toEqual({ stopReason: 'end_turn' })
  })

  it('aborts a pending request to the model', async () => {
    at.respond = () => {}
    const { begin, prompt, agent } = await open()
    const id = await begin()
    const going = prompt(id, 'go')
    await until(() => at.server.requests.length > 0)
    await agent.notify('session/cancel', { sessionId: id })
    expect(await going).toEqual({ stopReason: 'cancelled' })
  })
})
