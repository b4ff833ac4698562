// Sessions over ACP: loading, permissions, MCP servers, several at once, and shutdown.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { childProgram } from '../../support/paths.ts'
import { withEditor } from './editor.ts'
import { until } from './sandbox.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()
const open = withEditor(at)

describe('session/load', () => {
  it('replays the stored session and continues it', async () => {
    at.box.put('a.txt', 'x\n')
    at.respond = inTurn(
      answer(
        { text: ['Looking. '] },
        { tool: 'edit', input: { path: 'a.txt', old: 'x', new: 'y' }, id: 't1' },
      ),
      say('seen'),
    )
    await at.box.exec('look', '--session', 'mine')
    const { agent, updates, prompt } = await open()
    await agent.request('session/load', { sessionId: 'mine', cwd: at.box.root, mcpServers: [] })
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
    expect(at.server.requests.at(-1)?.body.messages).toHaveLength(5)
  })

  it('marks a call without a result as failed, and rejects unknown ids', async () => {
    at.box.writeSession('torn', [
      { type: 'meta', schema_version: 1, ts: '' },
      { type: 'message', role: 'user', text: 'go', ts: '' },
      { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'x' }, ts: '' },
    ])
    const { agent, updates } = await open()
    const load = (sessionId: string) =>
      agent.request('session/load', { sessionId, cwd: at.box.root, mcpServers: [] })
    await load('torn')
    expect(updates.at(-1)).toMatchObject({ toolCallId: 't1', status: 'failed' })
    await expect(load('none')).rejects.toThrow('not found')
    await expect(load('../../etc/passwd')).rejects.toThrow('not found')
    const count = updates.length
    await agent.request('session/resume', { sessionId: 'torn', cwd: at.box.root })
    expect(updates).toHaveLength(count)
    await agent.request('session/close', { sessionId: 'torn' })
  })
})

describe('session/request_permission', () => {
  const change = () => {
    const answers = [
      answer(
        { tool: 'read', input: { path: 'none' }, id: 't1' },
        { tool: 'write', input: { path: 'f.txt', content: 'x' }, id: 't2' },
        { tool: 'write', input: { path: 'g.txt', content: 'y' }, id: 't3' },
      ),
      say('ok'),
    ]
    at.respond = (request, response) => answers[at.server.requests.length - 1]?.(request, response)
  }
  const written = () => ['f.txt', 'g.txt'].map((name) => existsSync(path.join(at.box.root, name)))

  it('is not sent with the default settings', async () => {
    change()
    const { begin, prompt, asked } = await open()
    await prompt(await begin(), 'go')
    expect(asked).toEqual([])
    expect(written()).toEqual([true, true])
  })

  it('is sent before a tool that changes files, with the proposed diff', async () => {
    at.box.config('permission = "ask"\n')
    change()
    const { begin, prompt, asked } = await open({ permit: 'allow' })
    await prompt(await begin(), 'go')
    expect(asked).toMatchObject([
      { toolCallId: 't2', content: [{ type: 'diff', newText: 'x' }] },
      { toolCallId: 't3' },
    ])
    expect(written()).toEqual([true, true])
  })

  it('is sent once after "always allow"', async () => {
    at.box.config('permission = "ask"\n')
    change()
    const { begin, prompt, asked } = await open({ permit: 'always' })
    await prompt(await begin(), 'go')
    expect(asked).toHaveLength(1)
    expect(written()).toEqual([true, true])
  })

  it.each(['reject', undefined])(
    'returns an error to the model when the user chooses %s',
    async (permit) => {
      at.box.config('permission = "ask"\n')
      change()
      const { begin, prompt } = await open(permit === undefined ? {} : { permit })
      expect(await prompt(await begin(), 'go')).toEqual({ stopReason: 'end_turn' })
      expect(written()).toEqual([false, false])
      expect(JSON.stringify(at.server.requests[1]?.body.messages)).toContain(
        'The user did not allow write',
      )
    },
  )
})

describe('MCP servers from an editor', () => {
  it('are offered without configuration and end with the session', async () => {
    const { agent } = await open()
    const starts = path.join(at.box.base, 'starts')
    const { sessionId } = await agent.request('session/new', {
      cwd: at.box.root,
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
    at.respond = (request, response) =>
      (answers[at.server.requests.length - 1] ?? say('ok'))(request, response)
    await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    expect(JSON.stringify(at.server.requests[1]?.body.messages)).toContain('\\"text\\":\\"hi\\"')
    const pid = readFileSync(starts, 'utf8').trim()
    await agent.request('session/close', { sessionId })
    await until(() => !existsSync(`/proc/${pid}`))
  })
})

describe('several sessions of one editor', () => {
  it('run concurrently, each with its own history and folder', async () => {
    at.respond = (request, response) =>
      say(JSON.stringify(request.body.messages))(request, response)
    const { begin, prompt } = await open()
    const ids = await Promise.all([begin(), begin(), begin()])
    await Promise.all(ids.map((id, index) => prompt(id, `prompt ${index}`)))
    expect(at.server.requests.map(({ body }) => body.messages.length)).toEqual([1, 1, 1])
    for (const [index, id] of ids.entries()) {
      expect(at.box.session(id)[1]).toMatchObject({ role: 'user', text: `prompt ${index}` })
    }
  })
})

describe('zdx acp', () => {
  it('exits and leaves no process when the editor stops reading', async () => {
    at.respond = answer(
      { text: ['x'.repeat(100)] },
      { tool: 'bash', input: { command: 'echo $$ > pid; sleep 1; echo hi' } },
    )
    const { begin, agent, child, close } = await open()
    const sessionId = await begin()
    const prompt = [{ type: 'text' as const, text: 'go' }]
    void agent.request('session/prompt', { sessionId, prompt }).catch(() => {})
    await until(() => existsSync(path.join(at.box.root, 'pid')))
    child.stdout?.destroy()
    await close()
    const pid = readFileSync(path.join(at.box.root, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`))
    expect(child.stdin?.destroyed).toBe(true)
  })

  it('exits at the end of input, also during a turn', async () => {
    at.respond = answer({ tool: 'bash', input: { command: 'echo $$ > pid; sleep 300' } })
    const { begin, prompt, close } = await open()
    const id = await begin()
    const going = prompt(id, 'go').catch(() => 'gone')
    await until(() => existsSync(path.join(at.box.root, 'pid')))
    expect(await close()).toBe(0)
    await going
    const pid = readFileSync(path.join(at.box.root, 'pid'), 'utf8').trim()
    await until(() => !existsSync(`/proc/${pid}`))
    expect(at.box.session(id).at(-1)).toMatchObject({ type: 'interrupted' })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('exits on %s', async (signal, code) => {
    const { child } = await open()
    child.kill(signal)
    const [exit] = await once(child, 'close')
    expect(exit).toBe(code)
  })

  it('ignores lines that are not valid messages', async () => {
    const { child, begin } = await open()
    child.stdin?.write('garbage\n\n[1,2]\n{"jsonrpc":"2.0","id":9,"method":"no/such"}\n')
    expect(await begin()).toMatch(/-/)
  })
})
