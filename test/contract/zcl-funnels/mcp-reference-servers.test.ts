// Transparency with third-party parts: the reference servers and the client of the official SDK. Every tool
// is called once without the proxy and once with it.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgram, repository } from '../../support/paths.ts'
import { createLab, type Lab } from './lab.ts'

let lab: Lab
let files: string
beforeEach(async () => {
  lab = await createLab()
  files = mkdtempSync(path.join(os.tmpdir(), 'zee-mcp-files-'))
})
afterEach(async () => {
  await lab.remove()
  rmSync(files, { recursive: true, force: true })
})

type Call = [name: string, given: Record<string, unknown>]

interface Heard {
  tools: string[]
  told: unknown[]
  progress: unknown[]
}

const require = createRequire(path.join(repository, 'package.json'))

function referenceServer(name: string, ...args: string[]): string[] {
  const folder = path.dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`))
  return [process.execPath, path.join(folder, 'dist/index.js'), ...args]
}

/** A client that answers every request of a server. */
function answeringClient(): Client {
  const capabilities = { roots: {}, sampling: {}, elicitation: {} }
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///x', name: 'x' }] }))
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
    model: 'none',
  }))
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
  return client
}

async function talk([command = '', ...args]: string[], calls: readonly Call[]): Promise<Heard> {
  const client = answeringClient()
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...lab.env }).filter((each) => each[1] !== undefined),
  ) as Record<string, string>
  const stdio = { command, args, env, cwd: lab.folder, stderr: 'ignore' } as const
  await client.connect(new StdioClientTransport(stdio))
  const progress: unknown[] = []
  const listed = await client.listTools()
  const told: unknown[] = [client.getServerVersion(), client.getServerCapabilities(), listed]
  for (const [name, given] of calls) {
    const onprogress = (each: unknown) => progress.push(each)
    const call = client.callTool({ name, arguments: given }, { onprogress })
    told.push(await call.catch((error: unknown) => String(error)))
  }
  await client.close()
  return { tools: listed.tools.map(({ name }) => name), told: told.map(withoutTime), progress }
}

/** Removes times of day from answers. */
function withoutTime(answer: unknown): unknown {
  const text = JSON.stringify(answer)
  return JSON.parse(text.replace(/created at \d+:\d+:\d+ [AP]M/g, 'created')) as unknown
}

async function expectSame(server: string[], calls: readonly Call[], before = () => {}) {
  before()
  const direct = await talk(server, calls)
  before()
  const proxied = await talk([builtProgram('zcl'), 'mcp', 'proxy', '--', ...server], calls)
  expect(proxied.told).toEqual(direct.told)
  // The client drops a final progress notification that arrives with the answer.
  expect(proxied.progress.slice(0, 3)).toEqual(direct.progress.slice(0, 3))
  expect([...new Set(calls.map(([name]) => name))].sort()).toEqual(direct.tools.sort())
  const recorded = lab.trace().filter(({ op }) => op === 'tools/call')
  expect(recorded.map(({ input }) => (input.params as { name: string }).name)).toEqual(
    calls.map(([name]) => name),
  )
  return direct
}

describe('every tool behaves the same with and without the proxy:', () => {
  it('the reference server "everything"', { timeout: 120_000 }, async () => {
    const text = 'data:text/plain;base64,Z3LDvMOfZQ=='
    const { progress } = await expectSame(referenceServer('server-everything', 'stdio'), [
      ['echo', { message: 'grüße\r\n"quoted" \\ 😀\u2028' }],
      ['echo', { message: 7 }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-env', {}],
      ['get-resource-links', { count: 4 }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 2 }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-sum', { a: 1.5, b: 2e21 }],
      ['get-tiny-image', {}],
      ['gzip-file-as-resource', { name: 'x.gz', data: text, outputType: 'resource' }],
      ['toggle-simulated-logging', {}],
      ['toggle-simulated-logging', {}],
      ['toggle-subscriber-updates', {}],
      ['toggle-subscriber-updates', {}],
      ['trigger-long-running-operation', { duration: 0.2, steps: 4 }],
      ['get-roots-list', {}],
      ['trigger-elicitation-request', {}],
      ['trigger-sampling-request', { prompt: 'say something', maxTokens: 5 }],
      ['simulate-research-query', { topic: 'pipes' }],
    ])
    expect(progress.length).toBeGreaterThanOrEqual(3)
  })

  it('the reference server for files', { timeout: 120_000 }, async () => {
    const at = (name: string) => path.join(files, name)
    const makeFiles = () => {
      rmSync(files, { recursive: true, force: true })
      mkdirSync(at('deep/er'), { recursive: true })
      writeFileSync(at('text.txt'), 'one\ntwo\nthree ä\n')
      writeFileSync(at('deep/er/large.txt'), 'line of a large file\n'.repeat(50_000))
      writeFileSync(at('image.png'), Buffer.from('89504e470d0a1a0a00ff', 'hex'))
    }
    const fixed = mkdtempSync(path.join(os.tmpdir(), 'zee-mcp-fixed-'))
    const known = path.join(fixed, 'known')
    writeFileSync(known, 'x')
    // Reading it first would mark it as read for the second call.
    utimesSync(known, new Date(), new Date(Date.now() - 60_000))
    try {
      await expectSame(
        referenceServer('server-filesystem', files, fixed),
        [
          ['list_allowed_directories', {}],
          ['read_file', { path: at('text.txt'), tail: 1 }],
          ['read_text_file', { path: at('deep/er/large.txt') }],
          ['read_text_file', { path: '/etc/passwd' }],
          ['read_media_file', { path: at('image.png') }],
          ['read_multiple_files', { paths: [at('text.txt'), at('missing')] }],
          ['write_file', { path: at('new.txt'), content: 'a\r\nb\u0000c 😀' }],
          ['edit_file', { path: at('text.txt'), edits: [{ oldText: 'two', newText: '2' }] }],
          ['create_directory', { path: at('made/here') }],
          ['list_directory', { path: at('deep') }],
          ['list_directory_with_sizes', { path: at('deep/er'), sortBy: 'size' }],
          ['directory_tree', { path: files }],
          ['move_file', { source: at('new.txt'), destination: at('made/new.txt') }],
          ['search_files', { path: files, pattern: '**/*.txt' }],
          ['get_file_info', { path: known }],
        ],
        makeFiles,
      )
    } finally {
      rmSync(fixed, { recursive: true, force: true })
    }
  })
})
