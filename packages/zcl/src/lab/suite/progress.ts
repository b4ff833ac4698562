// Reports the progress of a run: one JSON line per step for programs; on a terminal, one line per
// attempt and a status line that is redrawn in place.
import path from 'node:path'
import { coloursFor } from '@zee/core/colour'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { openJournal, type Journal } from '@zee/core/journal'
import { formatMilliseconds, Progress } from '../../output/output.ts'
import type { TryResult } from '../attempt/attempt.ts'

export type ProgressKind = 'run_started' | 'attempt_started' | 'attempt_finished' | 'run_finished'

export interface ProgressOptions {
  /** A file, or `-` for stdout. */
  jsonl: string | undefined
  /** Stdout is reserved for the JSON answer. */
  json: boolean
  runId: string
  suiteId: string
  total: number
}

export class RunProgress {
  readonly #host: Host
  readonly #options: ProgressOptions
  readonly #journal: Journal | undefined
  readonly #line: Progress
  readonly #running = new Set<string>()
  readonly #counts = { passed: 0, failed: 0, infra: 0, abandoned: 0 }
  readonly #ticker: NodeJS.Timeout | undefined

  constructor(host: Host, options: ProgressOptions) {
    this.#host = host
    this.#options = options
    this.#line = new Progress(host)
    const { jsonl } = options
    if (jsonl !== undefined && jsonl !== '-') {
      const file = path.resolve(host.cwd, jsonl)
      ensureFolder(path.dirname(file))
      this.#journal = openJournal(file)
    }
    if (host.stderr.isTTY !== true) return
    this.#ticker = setInterval(() => this.#show(), 200)
    this.#ticker.unref()
  }

  emit(kind: ProgressKind, details: object = {}): void {
    const { jsonl, json, runId, suiteId } = this.#options
    if (jsonl === undefined) return
    const record = { v: 1, ts: rfc3339(this.#host.clock.now()), kind, runId, suiteId, ...details }
    if (this.#journal !== undefined) return this.#journal.append(record)
    const stream = json ? this.#host.stderr : this.#host.stdout
    stream.write(`${JSON.stringify(record)}\n`)
  }

  started(attemptId: string, missionId: string, slot: number): void {
    this.#running.add(attemptId)
    this.emit('attempt_started', { attemptId, missionId, slot })
    this.#show()
  }

  finished(result: TryResult): void {
    const { attemptId, missionId, slot, outcome, code, durationMs } = result
    this.#running.delete(attemptId)
    this.#counts[outcome]++
    const ok = outcome === 'passed'
    this.emit('attempt_finished', { attemptId, missionId, slot, ok, outcome, code, durationMs })
    this.#print(result)
  }

  end(): void {
    clearInterval(this.#ticker)
    this.#line.end()
    this.#journal?.close()
  }

  #print({ attemptId, outcome, code, durationMs }: TryResult): void {
    if (this.#host.stderr.isTTY !== true) return
    const paint = coloursFor(this.#host.stderr, this.#host.env)
    const labels = {
      passed: paint.green('passed'),
      failed: paint.red('failed'),
      infra: paint.yellow('infra '),
      abandoned: paint.dim('stopped'),
    }
    this.#line.end()
    const why = code === undefined ? '' : `  ${code}`
    const duration = formatMilliseconds(durationMs)
    this.#host.stderr.write(`${labels[outcome]}  ${attemptId}  ${duration}${why}\n`)
    this.#show()
  }

  #show(): void {
    const { passed, failed, infra } = this.#counts
    const done = passed + failed + infra
    const now = [...this.#running].slice(0, 3).join(', ')
    const rest = this.#running.size > 3 ? ', ...' : ''
    const text =
      `${done}/${this.#options.total}  ${passed} passed, ${failed} failed, ${infra} infra` +
      `${now === '' ? '' : `  running ${now}${rest}`}`
    this.#line.show(this.#host.clock.monotonicMs(), text)
  }
}
