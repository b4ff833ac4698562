// docs/migration.md: the programs read files of the original programs without conversion.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runProgram } from '../../support/run-program.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-old-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = {
  cwd: folder,
  env: { HOME: folder, ZDX_HOME: undefined, XDG_CONFIG_HOME: undefined },
}

function put(name: string, content: string | object): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}

const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

it('zdx continues a session without a meta line, with invalid times and a dangling tool call', async () => {
  const session = put(
    '.config/zdx/sessions/old.jsonl',
    lines(
      { type: 'message', role: 'user', text: 'the word is heron', ts: '123:000Z' },
      { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' }, ts: '123:000Z' },
    ),
  )
  put('.config/zdx/config.toml', 'model = "claude-haiku-4-5"\nmax_tokens = 1024\nold_key = 1\n')
  // The session already contains one turn, so zdx skips the first response.
  const said = { text: 'You said {{find:/the word is \\w+/}}.' }
  const play = put('play.jsonl', lines({ text: 'earlier' }, { end: true }, said))
  const before = readFileSync(session, 'utf8')
  const args = ['--provider', 'script', '--model', play, '--session', 'old', 'exec', '-p', 'which?']
  const ran = await runProgram('zdx', args, options)
  expect(ran).toMatchObject({ code: 0, stdout: 'You said the word is heron.\n' })
  expect(ran.stderr).toContain('old_key')
  const after = readFileSync(session, 'utf8')
  expect(after.startsWith(before)).toBe(true)
  expect(after.slice(before.length).split('\n')).toHaveLength(3)
})

it('zeno replays a trace without hashes', async () => {
  put('corpus/a.txt', 'one\ntwo\n')
  const ts = '2026-01-04T18:11:30Z'
  const args = { path: 'a.txt', start_line: 1, end_line: 2 }
  const metrics = { time_ms: 4, bytes_read: 8, files_scanned: 1 }
  const log = put(
    'old-trace.jsonl',
    lines(
      { ts, event: 'request', id: '1', op: 'read_file', args },
      {
        ts,
        event: 'response',
        id: '1',
        op: 'read_file',
        summary: { truncated: false, count: null, metrics },
      },
    ),
  )
  const replayed = await runProgram('zeno', ['replay', '--root', 'corpus', '--log', log], options)
  expect(replayed).toMatchObject({ code: 0, stdout: '1 replayed, 0 different\n' })
})

it('zino reads memories and histories, and appends to them', async () => {
  await runProgram('zino', ['init', 'z', '--script', put('zino.jsonl', '{"text":"hi"}\n')], options)
  appendFileSync(path.join(folder, 'z/ZINO.toml'), '\n[other]\nkey = 1\n')
  put('z/data/mem/hard_memories.json', [
    { messages: [{ role: 'user', content: 'the backup runs at 3' }], tag: 'ops' },
  ])
  put('z/data/mem/channels/home.json', [
    { role: 'user', content: 'my dog is called Rex' },
    { role: 'assistant', content: 'Noted.' },
  ])
  const zino = (...args: string[]) =>
    runProgram('zino', [...args, '--config', path.join(folder, 'z/ZINO.toml')], options)
  const up = await zino('up', '--detach')
  try {
    expect(up.code, up.stderr).toBe(0)
    expect((await zino('memory', 'search', 'backup')).stdout).toContain('the backup runs at 3')
    await zino('chat', '--channel', 'home', 'hello')
    const { stdout } = await zino('memory', 'history', 'home')
    expect(stdout).toBe(
      'user: my dog is called Rex\nassistant: Noted.\nuser: hello\nassistant: hi\n',
    )
  } finally {
    await zino('stop')
  }
  const stored = readFileSync(path.join(folder, 'z/data/mem/channels/home.json'), 'utf8')
  expect(JSON.parse(stored)).toHaveLength(4)
})

it('zcl reports, validates and continues a run whose trace has no hash chain', async () => {
  const ids = {
    runId: '20260215-180012Z-09c5a6',
    suiteId: 'smoke',
    missionId: 'latest-title',
    attemptId: '001-latest-title-r1',
  }
  const run = `.zcl/runs/${ids.runId}`
  const attempt = `${run}/attempts/${ids.attemptId}`
  const at = '2026-02-15T18:00:12.123456789Z'
  put(`${run}/run.json`, {
    schemaVersion: 1,
    runId: ids.runId,
    suiteId: ids.suiteId,
    createdAt: at,
  })
  put(`${attempt}/attempt.json`, { schemaVersion: 1, ...ids, mode: 'discovery', startedAt: at })
  const event = {
    ...{ v: 1, ts: at, ...ids, tool: 'cli', op: 'exec', input: { argv: ['ls'] } },
    ...{ result: { ok: true, exitCode: 0, durationMs: 3 }, io: { outBytes: 0, errBytes: 0 } },
    redactionsApplied: [],
  }
  put(`${attempt}/tool.calls.jsonl`, lines(event))
  const outcome = { schemaVersion: 1, ...ids, ok: true, result: 'x', createdAt: at }
  put(`${attempt}/feedback.json`, outcome)
  const zcl = (...args: string[]) => runProgram('zcl', args, options)
  expect((await zcl('validate', '--strict', attempt)).stdout).toContain('valid, 0 errors')
  expect((await zcl('report', attempt)).code).toBe(0)
  const { stdout } = await zcl('attempt', 'env', attempt, '--json')
  const { env } = JSON.parse(stdout) as { env: Record<string, string> }
  const more = { ...options, env: { ...options.env, ...env } }
  expect((await runProgram('zcl', ['run', '--', 'true'], more)).code).toBe(0)
  expect((await zcl('report', attempt)).stdout).toContain('calls      2')
  expect((await zcl('validate', attempt)).stdout).toContain('valid, 0 errors')
})
