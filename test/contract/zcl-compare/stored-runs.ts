// Writes runs directly to disk as zcl stores them, so that hundreds of attempts need no processes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Project } from '../zcl/project.ts'

export interface StoredRun {
  /** One character per attempt: `+` passed, `-` failed, `i` infra, `?` missing. */
  missions: Readonly<Record<string, string>>
  suite?: object
  summary?: object
  calls?: number
}

export class RunsProject extends Project {
  #runs = 0

  /** Returns the run's id; its folder is `.zcl/runs/<id>` of the project. */
  store(run: StoredRun): string {
    const runId = `20260215-180012Z-${(++this.#runs).toString(16).padStart(6, '0')}`
    const folder = this.runFolder(runId)
    mkdirSync(path.join(folder, 'attempts'), { recursive: true })
    const createdAt = '2026-02-15T18:00:12.000Z'
    const file = { schemaVersion: 1, artifactLayoutVersion: 1, runId, suiteId: 'smoke', createdAt }
    writeJson(path.join(folder, 'run.json'), file)
    if (run.suite !== undefined) writeJson(path.join(folder, 'suite.json'), run.suite)
    if (run.summary !== undefined) {
      writeJson(path.join(folder, 'suite.run.summary.json'), run.summary)
    }
    let index = 0
    for (const [missionId, marks] of Object.entries(run.missions)) {
      for (const mark of marks)
        this.#attempt(folder, runId, missionId, ++index, mark, run.calls ?? 2)
    }
    return runId
  }

  runFolder(runId: string): string {
    return path.join(this.folder, '.zcl/runs', runId)
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8')
  }

  #attempt(
    folder: string,
    runId: string,
    missionId: string,
    index: number,
    mark: string,
    calls: number,
  ): void {
    const attemptId = `${String(index).padStart(3, '0')}-${missionId}-r1`
    const place = path.join(folder, 'attempts', attemptId)
    mkdirSync(place)
    const ids = { runId, suiteId: 'smoke', missionId, attemptId }
    const startedAt = '2026-02-15T18:00:12.000Z'
    writeJson(path.join(place, 'attempt.json'), {
      schemaVersion: 1,
      ...ids,
      mode: 'discovery',
      startedAt,
    })
    const lines = Array.from({ length: calls }, (_, call) => callLine(ids, call))
    writeFileSync(path.join(place, 'tool.calls.jsonl'), lines.join(''))
    if (mark === '?') return
    const infra = { kind: 'infra_failure', code: 'ZCL_E_SPAWN', message: 'no runner' }
    writeJson(path.join(place, 'feedback.json'), {
      schemaVersion: 1,
      ...ids,
      ok: mark === '+',
      ...(mark === 'i' ? { resultJson: infra } : { result: 'x' }),
      createdAt: '2026-02-15T18:00:30.000Z',
      redactionsApplied: [],
    })
  }
}

export function callLine(ids: object, call: number): string {
  const ok = call % 2 === 0
  const failed = { ok, code: 'ZCL_E_TOOL_FAILED', exitCode: 3, durationMs: 7 }
  const event = {
    v: 1,
    ts: new Date(Date.UTC(2026, 1, 15, 18, 0, 13, call)).toISOString(),
    ...ids,
    tool: 'cli',
    op: 'exec',
    input: { argv: ['rg', '-n', `word "${call}"`] },
    result: ok ? { ok, exitCode: 0, durationMs: 5 } : failed,
    io: { outBytes: 100, errBytes: 1 },
    redactionsApplied: [],
  }
  return `${JSON.stringify(event)}\n`
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
}
