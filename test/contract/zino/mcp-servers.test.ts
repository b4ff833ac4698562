// Tools of MCP servers through the text protocol, with the official servers.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi } from '../../support/fake-openai.ts'
import { repository } from '../../support/paths.ts'
import { Sandbox, until } from './sandbox.ts'

const serverFile = (name: string) =>
  path.join(repository, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')

let model: FakeOpenAi
let box: Sandbox
let says: string[]
beforeAll(async () => {
  model = await fakeOpenAi((_, number) => says[number - 1] ?? 'done')
  box = new Sandbox({ base: model.base, env: { SECRET_TOKEN: 'hidden-from-servers' } })
  box.put('shared/a.txt', 'the heron stands')
  const toml = readFileSync(box.config, 'utf8')
  box.put(
    'ZINO.toml',
    `${toml}
[channels.closed]
allow = { paths = ["/tmp"] }
[channels.some]
allow = { tools = ["files__list_directory"] }
[mcp.files]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([serverFile('server-filesystem'), box.at('shared')])}
[mcp.everything]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([serverFile('server-everything')])}
[mcp.broken]
command = "no-such-server"
`,
  )
  await box.serve('daemon', 'rtr', 'agr', 'sys', 'exc')
  await until(async () => {
    const { content } = await box.ask('sys', { type: 'get' })
    return String(content).includes('files__read')
  }, 60_000)
}, 90_000)
afterAll(async () => {
  await box.remove()
  await model.close()
})
const call = (name: string, args: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

/** The text that the model receives after its call. */
async function resultOf(block: string, channel?: string): Promise<string> {
  model.requests.length = 0
  says = [block]
  await box.exchange('daemon', { message: 'go', channel_id: channel })
  return model.requests[1]?.body.messages.at(-1)?.content ?? ''
}

describe('configured MCP servers', () => {
  it('are listed in the prompt with their arguments; a server that fails is left out', async () => {
    const { content } = await box.ask('sys', { type: 'get' })
    expect(content).toContain('  - "execute_bash": bash executor\n')
    expect(content).toMatch(/ {2}- "files__list_directory": .+ Arguments: \{"path": string\}\n/)
    expect(content).toMatch(/ {2}- "everything__echo": .+ Arguments: \{"message": string\}\n/)
    expect(content).not.toContain('broken__')
  })

  it('run their tools for the model and return the text of the result', async () => {
    const file = box.at('shared/a.txt')
    const read = await resultOf(call('files__read_text_file', { path: file }))
    expect(read).toContain('<tool_response>\nthe heron stands\n</tool_response>')
    expect(await resultOf(call('everything__echo', { message: 'hello' }))).toContain('Echo: hello')
  })

  it('report errors of a tool, unknown tools and broken servers to the model', async () => {
    const outside = await resultOf(call('files__read_text_file', { path: '/etc/hostname' }))
    expect(outside).toMatch(/\[stderr\]\n.*denied[^]*\[exit code: 1\]/i)
    expect(await resultOf(call('files__no_such_tool', {}))).toContain('files__no_such_tool')
    const broken = await resultOf(call('broken__x', {}))
    expect(broken).toContain('MCP server broken')
    expect(await resultOf(call('other__x', {}))).toContain("Unknown tool function 'other__x'")
    expect(await resultOf(call('files__read_text_file', [] as object))).toContain('Malformed')
  })

  it('get an environment without secrets', async () => {
    const text = await resultOf(call('everything__get-env', {}))
    expect(text).toContain('PATH')
    expect(text).not.toContain('hidden-from-servers')
    expect(text).not.toContain('sk-contract')
  })

  it('obey the capabilities of a channel', async () => {
    const list = call('files__list_directory', { path: box.at('shared') })
    expect(await resultOf(list, 'some')).toContain('[FILE] a.txt')
    const read = call('files__read_text_file', { path: box.at('shared/a.txt') })
    expect(await resultOf(read, 'some')).toContain('[allow.tools]')
    expect(await resultOf(read, 'closed')).toContain('[allow.paths]')
  })

  it('run a call of a turn once, and not again when exc died during the call', async () => {
    const request = {
      ...{ type: 'execute', executor: 'everything__echo', turn: 'turn-1', call: 0 },
      code: '{"message":"once"}',
    }
    expect(await box.ask('exc', request)).toMatchObject({ exit_code: 0, stdout: 'Echo: once' })
    const again = { ...request, code: '{"message":"twice"}' }
    expect(await box.ask('exc', again)).toMatchObject({ stdout: 'Echo: once' })
    box.put('data/mem/turns/turn-2.exec-0/mcp-call.json', { tool: 'everything__echo' })
    expect(await box.ask('exc', { ...request, turn: 'turn-2' })).toMatchObject({
      exit_code: -1,
      stderr: 'The execution was interrupted. It is not known how far it came.',
    })
  })
})
