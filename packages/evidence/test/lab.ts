// A temporary output root for tests: runs, attempts and traces in the documented form.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chainStart, lineHash } from '@zee/core/chain'

export interface LabAttempt {
  folder: string
  runFolder: string
  ids: { runId: string; suiteId: string; missionId: string; attemptId: string }
  file(name: string): string
  write(name: string, content: string | object): void
  read(name: string): string
  json(name: string): Record<string, unknown>
}

export type Event = Record<string, unknown>

export const runId = '20260215-180012Z-09c5a6'

export class Lab {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zcl-evidence-')))

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** An attempt with its run.json and attempt.json; `over` changes attempt.json. */
  attempt(over: Event = {}, name = '001-hello-r1', run = runId): LabAttempt {
    const runFolder = path.join(this.root, 'runs', run)
    const folder = path.join(runFolder, 'attempts', name)
    mkdirSync(folder, { recursive: true })
    const ids = { runId: run, suiteId: 'smoke', missionId: 'hello', attemptId: name }
    const attempt: LabAttempt = {
      folder,
      runFolder,
      ids,
      file: (each) => path.join(folder, each),
      write: (each, content) => writeFileSync(path.join(folder, each), fileText(content)),
      read: (each) => readFileSync(path.join(folder, each), 'utf8'),
      json: (each) => JSON.parse(readFileSync(path.join(folder, each), 'utf8')) as Event,
    }
    const created = { runId: run, suiteId: 'smoke', createdAt: '2026-02-15T18:00:12.000Z' }
    writeFileSync(
      path.join(runFolder, 'run.json'),
      fileText({ schemaVersion: 1, artifactLayoutVersion: 1, ...created }),
    )
    const file = { schemaVersion: 1, ...ids, mode: 'discovery', startedAt: created.createdAt }
    attempt.write('attempt.json', { ...file, ...over })
    return attempt
  }

  /** An attempt with two calls and an outcome. */
  complete(over: Event = {}, name?: string): LabAttempt {
    const attempt = this.attempt(over, name)
    writeTrace(attempt, [event(attempt), event(attempt, { ts: '2026-02-15T18:00:02.000Z' })])
    attempt.write('feedback.json', feedback(attempt))
    return attempt
  }
}

export function event(attempt: LabAttempt, over: Event = {}): Event {
  const { result = {}, io = {}, ...rest } = over as { result?: Event; io?: Event }
  return {
    v: 1,
    ts: '2026-02-15T18:00:01.000Z',
    ...attempt.ids,
    tool: 'cli',
    op: 'exec',
    input: { argv: ['echo', 'x'] },
    result: { ok: true, exitCode: 0, durationMs: 1, ...result },
    io: { outBytes: 0, errBytes: 0, ...io },
    redactionsApplied: [],
    ...rest,
  }
}

export function feedback(attempt: LabAttempt, over: Event = {}): Event {
  const createdAt = '2026-02-15T18:00:30.000Z'
  return { schemaVersion: 1, ...attempt.ids, ok: true, result: 'x', createdAt, ...over }
}

/** Writes the events without a hash chain. */
export function writeTrace(attempt: LabAttempt, events: readonly Event[]): void {
  attempt.write('tool.calls.jsonl', events.map((each) => `${JSON.stringify(each)}\n`).join(''))
}

/** Writes the events with a valid hash chain and returns the lines. */
export function writeChained(attempt: LabAttempt, events: readonly Event[]): string[] {
  const lines: string[] = []
  let chain = chainStart
  for (const each of events) {
    const line = JSON.stringify({ ...each, chain })
    lines.push(line)
    chain = lineHash(Buffer.from(line))
  }
  attempt.write('tool.calls.jsonl', lines.map((line) => `${line}\n`).join(''))
  return lines
}

export function fileText(content: string | object): string {
  return typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`
}
