import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createRedactor } from '@zee/core/redact'
import { appendTraceEvent, appendTraceEvents, noOutput, prepareInput } from '@zee/evidence/trace'
import { traceEvent } from '@zee/evidence/trace'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isForged, Witness } from './witness.ts'

let folder: string
let witness: Witness
const redactor = createRedactor({})
const ids = { runId: 'r', suiteId: 's', missionId: 'm', attemptId: 'a' }
const event = (word: string) =>
  traceEvent(
    ids,
    {
      tool: 'cli',
      op: 'exec',
      startedAt: new Date(0),
      input: prepareInput({ argv: [word] }, redactor),
      result: { ok: true, durationMs: 1 },
      out: noOutput,
      err: noOutput,
    },
    redactor,
  )

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zcl-attempt-'))
  writeFileSync(path.join(folder, 'attempt.json'), '{"mode":"ci"}')
  witness = await Witness.open(folder)
})
afterEach(async () => {
  await witness.close()
  expect(existsSync(witness.folder)).toBe(false)
  rmSync(folder, { recursive: true, force: true })
})

test('a trace that funnels wrote is as the harness recorded it', async () => {
  await appendTraceEvent(folder, event('one'))
  await appendTraceEvents(folder, [event('two'), event('three')])
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => appendTraceEvent(folder, event(`${index}`))),
  )
  const record = await witness.compare()
  expect(record).toMatchObject({ events: 23, added: 0, removed: 0, changed: [] })
  expect(isForged(record)).toBe(false)
})

test('a torn line is no event, and a line of another writer is found', async () => {
  await appendTraceEvent(folder, event('one'))
  const trace = path.join(folder, 'tool.calls.jsonl')
  appendFileSync(trace, '{"torn":')
  expect(await witness.compare()).toMatchObject({ added: 0 })
  appendFileSync(trace, `\n${event('two').line('0'.repeat(64))}\n`)
  expect(await witness.compare()).toMatchObject({ added: 1 })
})

test('a changed attempt.json is found, and the start of the deadline is no change', async () => {
  const file = path.join(folder, 'attempt.json')
  writeFileSync(file, '{"mode":"ci","timeoutStartedAt":"2026-01-01T00:00:00.000Z"}')
  expect(await witness.compare()).toMatchObject({ changed: [] })
  writeFileSync(file, '{"mode":"discovery"}')
  expect(await witness.compare()).toMatchObject({ changed: ['attempt.json'] })
})

test('files of the harness that an agent deleted, replaced or planted are restored and reported', async () => {
  rmSync(path.join(folder, 'attempt.json'))
  spawnSync('mkfifo', [path.join(folder, 'tool.calls.jsonl'), path.join(folder, 'attempt.json')])
  mkdirSync(path.join(folder, 'verify.result.json/inner'), { recursive: true })
  symlinkSync('/', path.join(folder, 'workspace'))
  writeFileSync(path.join(folder, 'own.txt'), 'of the agent')
  witness.restore()
  const record = await witness.compare()
  expect(record.changed.sort()).toEqual([
    ...['attempt.json', 'tool.calls.jsonl', 'verify.result.json', 'workspace'],
  ])
  expect(readdirSync(folder).sort()).toEqual(['.witness', 'attempt.json', 'own.txt'])
  expect(readFileSync(path.join(folder, 'attempt.json'), 'utf8')).toBe('{"mode":"ci"}')
})

test('a folder and files without permissions are readable again', async () => {
  await appendTraceEvent(folder, event('one'))
  const trace = path.join(folder, 'tool.calls.jsonl')
  chmodSync(trace, 0)
  chmodSync(folder, 0)
  witness.restore()
  expect([statSync(folder).mode & 0o777, statSync(trace).mode & 0o600]).toEqual([0o700, 0o600])
  expect(isForged(await witness.compare())).toBe(false)
})

test('a folder of the attempt that is a link now becomes a folder with its attempt.json', async () => {
  const moved = `${folder}.moved`
  renameSync(folder, moved)
  symlinkSync(moved, folder)
  witness.restore()
  expect(readdirSync(folder)).toEqual(['attempt.json'])
  expect(isForged(await witness.compare())).toBe(true)
  rmSync(moved, { recursive: true })
})

test('a peer that does not follow the protocol is cut off', async () => {
  const socket = net.connect(path.join(witness.folder, 's'))
  await new Promise((resolve) => {
    socket.on('close', resolve)
    socket.on('error', resolve)
    socket.write('x'.repeat(100))
  })
  await appendTraceEvent(folder, event('one'))
  expect(await witness.compare()).toMatchObject({ events: 1, added: 0 })
})
