// `zdx acp`: modes, models, the list of sessions, file access through the editor, separate blocks.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, say } from '../../support/fake-anthropic.ts'
import { withEditor } from './editor.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()
const open = withEditor(at)

const write = answer({ tool: 'write', input: { path: 'new.txt', content: 'x' } })

describe('the options of an ACP session', () => {
  it('are the permission modes and the models of providers with a key', async () => {
    const { agent } = await open()
    const opened = await agent.request('session/new', { cwd: at.box.root, mcpServers: [] })
    expect(opened.modes?.currentModeId).toBe('allow')
    expect(opened.modes?.availableModes.map(({ id }) => id)).toEqual(['allow', 'ask', 'read-only'])
    const [model] = opened.configOptions ?? []
    expect(model).toMatchObject({
      id: 'model',
      category: 'model',
      currentValue: 'anthropic:claude-haiku-4-5',
    })
    expect(JSON.stringify(model)).toContain('anthropic:claude-opus-5-5')
    expect(JSON.stringify(opened)).toContain('"currentModelId":"anthropic:claude-haiku-4-5"')
  })

  it('change the model for the next prompt of the same session', async () => {
    const { agent, begin, prompt } = await open()
    const sessionId = await begin()
    await prompt(sessionId, 'one')
    const value = 'anthropic:claude-opus-5-5'
    const changed = await agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value,
    })
    expect(changed.configOptions[0]).toMatchObject({ currentValue: value })
    await prompt(sessionId, 'two')
    expect(at.server.requests.map(({ body }) => body.model)).toEqual([
      'claude-haiku-4-5',
      'claude-opus-5-5',
    ])
    expect(at.server.requests[1]?.body.messages).toHaveLength(3)
    const choice = { sessionId, modelId: 'anthropic:claude-sonnet-5-5' }
    await agent.request('session/set_model', choice)
    await prompt(sessionId, 'three')
    expect(at.server.requests[2]?.body.model).toBe('claude-sonnet-5-5')
  })

  it('change the mode: read-only refuses a write, ask asks before the call is in progress', async () => {
    at.respond = inTurn(write, say('done'), write, say('done'))
    const { agent, begin, prompt, updates, asked } = await open({ permit: 'allow' })
    const sessionId = await begin()
    await agent.request('session/set_mode', { sessionId, modeId: 'read-only' })
    await prompt(sessionId, 'go')
    expect(updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }),
    )
    expect(asked).toEqual([])
    await agent.request('session/set_mode', { sessionId, modeId: 'ask' })
    await prompt(sessionId, 'again')
    expect(asked).toHaveLength(1)
    await expect(
      agent.request('session/set_mode', { sessionId, modeId: 'other' }),
    ).rejects.toThrow()
  })
})

describe('ACP session/list', () => {
  it('lists the sessions of a project, newest first', async () => {
    await at.box.exec('first prompt', '--session', 'one')
    const { agent } = await open()
    const { sessions } = await agent.request('session/list', { cwd: at.box.root })
    expect(sessions).toMatchObject([{ sessionId: 'one', cwd: at.box.root, title: 'first prompt' }])
    expect((await agent.request('session/list', { cwd: '/' })).sessions).toEqual([])
    expect((await agent.request('session/list', {})).sessions).toHaveLength(1)
  })
})

describe('ACP session/load', () => {
  it('starts the first session of a user who has no zdx folder yet', async () => {
    rmSync(at.box.zdxHome, { recursive: true, force: true })
    const { begin } = await open()
    expect(await begin()).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('loads a session without a prompt, also in another process', async () => {
    const first = await open()
    const sessionId = await first.begin()
    const params = { sessionId, cwd: at.box.root, mcpServers: [] }
    await first.agent.request('session/load', params)
    await first.close()
    const second = await open()
    await second.agent.request('session/load', params)
    await second.prompt(sessionId, 'hi')
    expect(at.box.session(sessionId).map(({ type }) => type)).toEqual([
      'meta',
      'message',
      'message',
    ])
  })
})

describe('an ACP prompt', () => {
  it('reaches the model as separate blocks of text, links and images', async () => {
    const { agent, begin } = await open()
    const sessionId = await begin()
    await agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look at' },
        { type: 'resource_link', name: 'a', uri: 'file:///tmp/a%20b.txt' },
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      ],
    })
    expect(at.server.requests[0]?.body.messages[0]?.content).toMatchObject([
      { type: 'text', text: 'Look at' },
      { type: 'text', text: '/tmp/a b.txt' },
      { type: 'image', source: { media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    ])
  })
})

describe('files of an ACP editor', () => {
  it('are read and written through the editor if it offers that', async () => {
    const file = path.join(at.box.root, 'a.txt')
    writeFileSync(file, 'on disk')
    at.respond = inTurn(
      answer(
        { tool: 'read', input: { path: 'a.txt' } },
        { tool: 'edit', input: { path: 'a.txt', old: 'unsaved', new: 'changed' } },
      ),
      say('done'),
    )
    const files = new Map([[file, 'unsaved text']])
    const { begin, prompt } = await open({ files })
    await prompt(await begin(), 'go')
    expect(at.server.requests[1]?.raw).toContain('unsaved text')
    expect(files.get(file)).toBe('changed text')
  })
})
