// No command that reads evidence answers with the text of a JavaScript error, whatever the evidence
// holds. A sample of damaged runs; ZEE_DAMAGED_RUNS sets another number.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { fixedClock } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { damageRun, draws } from '../test/damage.ts'
import { runAttemptExplain, runAttemptFinish } from './attempts/attempt/command.ts'
import { runExpect } from './attempts/expect/command.ts'
import { runExport } from './attempts/export/command.ts'
import { runAttemptList } from './attempts/list/command.ts'
import { runReport } from './attempts/report/command.ts'
import { runRunsList } from './attempts/runs/command.ts'
import { runShow } from './attempts/show/command.ts'
import { runValidate } from './attempts/validate/command.ts'
import { runCompare } from './compare/command.ts'
import { runStats } from './compare/stats/command.ts'
import { describe } from './describe-error.ts'
import { runReplay } from './funnels/replay/command.ts'
import { comparisonPage } from './view/comparison-page.ts'

const rounds = Number(process.env.ZEE_DAMAGED_RUNS ?? 8)
const runId = '20260215-180012Z-09c5a6'
const otherId = '20260215-180013Z-09c5a6'
const createdAt = '2026-02-15T18:00:12.000Z'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zcl-damage-')))
  writeRun('sound', runId)
  writeRun('sound', otherId)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('commands over damaged evidence end with a typed line and no JavaScript error', async () => {
  const found = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    const folder = path.join(root, 'work')
    rmSync(folder, { recursive: true, force: true })
    cpSync(path.join(root, 'sound'), folder, { recursive: true })
    const run = path.join(folder, '.zcl/runs', runId)
    damageRun(run, draws(round))
    for (const [name, command] of Object.entries(commands(run))) {
      const said = await outcomeOf(command, folder)
      if (javaScriptError.test(said)) found.set(`${name}: ${said.trim()}`, `round ${round}`)
    }
  }
  expect(Object.fromEntries(found)).toEqual({})
}, 600_000)

const javaScriptError =
  /unexpected error|TypeError|RangeError|SyntaxError|ReferenceError|undefined is not|Cannot read prop|is not iterable|is not a function|Unexpected token|Maximum call stack|\[object Object\]/

type Command = (host: Host) => Promise<unknown> | unknown

function commands(run: string): Record<string, Command> {
  const attempt = path.join(run, 'attempts/001-m-r1')
  const other = path.join(path.dirname(run), otherId)
  const statistics = { seed: 1, resamples: 100 }
  const compare = {
    ...{ ...statistics, alpha: 0.05, margin: 0.05, effect: 0.1, power: 0.8, maxInfra: 0.1 },
    ...{ failOn: 'worse' as const, eachMission: true, anyProfile: true, alsoA: [], alsoB: [] },
    ...{ format: undefined, out: undefined, json: true },
  }
  const list = { suite: undefined, limit: undefined, outRoot: undefined, json: true }
  const exported = (format: string): Command => {
    const flags = { format, out: undefined, redact: true, json: false }
    return (host) => runExport(run, flags, host)
  }
  const replay = { execute: false, verifyOnly: false, allow: [], allowAll: false, maxSteps: 50 }
  const maker = { madeBy: 'zcl', now: () => createdAt, redactor: createRedactor({}) }
  return {
    validate: (host) =>
      runValidate(
        run,
        { strict: true, semantic: false, semanticRules: undefined, json: true },
        host,
      ),
    show: (host) => runShow(run, { json: true }, host),
    'show attempt': (host) => runShow(attempt, { json: false }, host),
    explain: (host) => runAttemptExplain(attempt, { strict: false, tail: 20, json: false }, host),
    stats: (host) => runStats([run], { ...statistics, k: [1, 2], json: false }, host),
    compare: (host) => runCompare(run, other, compare, host),
    expect: (host) => runExpect(run, { strict: false, json: true }, host),
    'runs list': (host) => runRunsList(list, host),
    'attempt list': (host) => runAttemptList({ ...list, status: 'any' }, host),
    replay: (host) => runReplay(attempt, { ...replay, stdin: false, json: true }, host),
    otlp: exported('otlp-json'),
    atif: exported('atif'),
    junit: exported('junit'),
    csv: exported('csv'),
    jsonl: exported('jsonl'),
    page: () => void comparisonPage([run, other], maker),
    finish: (host) =>
      runAttemptFinish(attempt, { strict: false, strictExpect: false, json: true }, host),
    report: (host) => runReport(run, { strict: false, level: 'action', json: true }, host),
  }
}

/** What the command prints on stderr, with the line that ends it. */
async function outcomeOf(command: Command, cwd: string): Promise<string> {
  let said = ''
  const stream = (keep: boolean) =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          if (keep) said += chunk.toString()
          done()
        },
      }),
      { isTTY: false },
    ) as unknown as NodeJS.WriteStream
  const host: Host = {
    env: { HOME: cwd },
    cwd,
    stdin: process.stdin,
    stdout: stream(false),
    stderr: stream(true),
    clock: fixedClock(new Date(createdAt)),
  }
  try {
    await command(host)
  } catch (error) {
    said += describe(error).line
  }
  return said
}

function writeRun(name: string, id: string): void {
  const folder = path.join(root, name, '.zcl/runs', id)
  const put = (file: string, value: unknown) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), `${JSON.stringify(value)}\n`)
  }
  const expects = {
    ok: true,
    result: { type: 'string', pattern: 'x' },
    trace: { maxToolCallsTotal: 9 },
  }
  put('run.json', { schemaVersion: 1, runId: id, suiteId: 's', createdAt })
  put('suite.json', {
    suiteId: 's',
    version: 1,
    missions: [{ missionId: 'm', prompt: 'p', expects }],
  })
  for (const attemptId of ['001-m-r1', '002-m-r1', '002-m-r2']) {
    const ids = { runId: id, suiteId: 's', missionId: 'm', attemptId }
    const at = `attempts/${attemptId}`
    put(`${at}/attempt.json`, { schemaVersion: 1, ...ids, mode: 'discovery', startedAt: createdAt })
    put(`${at}/feedback.json`, { schemaVersion: 1, ...ids, ok: true, result: 'x', createdAt })
    const event = (tool: string, op: string, input: object) => ({
      ...{ v: 1, ts: createdAt, ...ids, tool, op, input, id: `${tool}${op}` },
      result: { ok: tool !== 'mcp', code: 'X', durationMs: 5 },
      io: { outBytes: 3, errBytes: 0, outPreview: 'abc' },
      ...{ redactionsApplied: [], enrichment: { http: { status: 200 } } },
    })
    const lines = [
      event('cli', 'exec', { argv: ['ls', '--help'] }),
      event('mcp', 'tools/call', { id: 1, method: 'tools/call', params: { name: 't' } }),
      event('http', 'request', { method: 'GET', url: 'http://x/' }),
    ]
    writeFileSync(
      path.join(folder, at, 'tool.calls.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    put(`${at}/tool.begins.jsonl`, {
      v: 1,
      ts: createdAt,
      ...ids,
      id: 'a',
      tool: 'cli',
      op: 'exec',
    })
    put(`${at}/notes.jsonl`, { v: 1, ts: createdAt, ...ids, kind: 'agent', message: 'x' })
    put(`${at}/runner.metrics.json`, { schemaVersion: 1, runner: 'x', model: 'm', inputTokens: 5 })
  }
}
