// promptfoo evaluates two providers, and what it writes imports. Skipped where it is not installed.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPromptfoo, promptfooCommand } from '../../build/install-promptfoo.mjs'
import { linesOf, Project, readJson, type Json } from '../contract/zcl/project.ts'
import { runFile } from '../support/run-program.ts'

/** An answer with one tool call, of which 3 input tokens were cached. */
const answer = {
  id: 'answer',
  object: 'chat.completion',
  created: 1,
  model: 'tiny',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } },
        ],
      },
    },
  ],
  usage: {
    prompt_tokens: 11,
    completion_tokens: 5,
    total_tokens: 16,
    prompt_tokens_details: { cached_tokens: 3 },
  },
}

describe.skipIf(!hasPromptfoo)('an output of promptfoo', () => {
  const project = new Project()
  let server: Server
  let imported: Json
  let attempts: { missionId: string; ok: boolean; calls: number; attemptDir: string }[]

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const model = { apiBaseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'none' }
    project.write('config.json', {
      description: 'Two providers',
      prompts: ['Say {{word}}'],
      providers: ['echo', { id: 'openai:chat:tiny', config: model }],
      tests: [
        {
          description: 'says hi',
          vars: { word: 'hi' },
          assert: [{ type: 'contains', value: 'Say hi' }],
        },
      ],
    })
    const [node = '', ...script] = promptfooCommand
    const flags = ['--no-cache', '--no-table', '--no-progress-bar', '--no-write']
    const args = [...script, 'eval', ...flags, '-c', 'config.json', '--output', 'out.json']
    const home = path.join(project.folder, 'home')
    const ran = await runFile(node, args, {
      cwd: project.folder,
      env: {
        HOME: home,
        PROMPTFOO_CONFIG_DIR: home,
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
      },
    })
    // promptfoo ends with 100 if a test failed.
    if (ran.code !== 100) throw new Error(ran.stderr)
    imported = (await project.json(['import', 'promptfoo', 'out.json'])).json
    attempts = imported.attempts as typeof attempts
  }, 240_000)
  afterAll(() => {
    server.close()
    project.remove()
  })

  const file = (index: number, name: string) =>
    path.join(project.folder, attempts[index]?.attemptDir ?? '', name)

  it('imports with one graded attempt per provider, and nothing is left out', () => {
    expect(imported).toMatchObject({ suiteId: 'two-providers', unmappedTotal: 0 })
    expect(attempts).toMatchObject([
      { missionId: 'says-hi', ok: true, calls: 0 },
      { missionId: 'says-hi', ok: false, calls: 1 },
    ])
  })

  it('imports with messages, tool calls and tokens', async () => {
    expect(linesOf(file(0, 'messages.jsonl'))).toMatchObject([
      { role: 'user', text: 'Say hi' },
      { role: 'assistant', text: 'Say hi' },
    ])
    expect(linesOf(file(1, 'tool.calls.jsonl'))).toMatchObject([
      { tool: 'promptfoo', op: 'look', result: { ok: true } },
    ])
    expect(readJson(file(1, 'runner.metrics.json'))).toMatchObject({
      model: 'tiny',
      inputTokens: 8,
      cachedInputTokens: 3,
      outputTokens: 5,
      totalTokens: 16,
    })
  })

  it('can be reported, compared with itself and validated', async () => {
    const run = path.join(project.folder, String(imported.runDir))
    expect((await project.json(['validate', '--strict', run])).json.errors).toEqual([])
    expect((await project.json(['report', run])).code).toBe(0)
    expect((await project.json(['compare', run, run])).code).toBe(0)
  })
})
