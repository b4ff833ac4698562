// Counts the attempts of a run for its row. A finished suite run has a summary file; other runs are counted
// attempt by attempt.
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import { readJsonArtifact, type EvidenceFolder } from '@zee/evidence/artifact'
import { artifactName, attemptsFolder, labArtifactName } from '@zee/evidence/layout'
import { attemptNames, attemptsOf, isWorkedOn } from '@zee/evidence/runs'
import type { RunDetails } from '@zee/web/data'
import { failedCallsOf } from './failed-calls.ts'

const maxOutcomes = 60
/** Cost and failed calls of larger runs would take long to read. */
const maxReadAttempts = 200
const letters: Readonly<Record<string, string>> = { passed: 'p', failed: 'f', infra: 'i' }

interface Counted {
  outcomes: string[]
  /** Of finished attempts. */
  durations: number[]
}

export function runDetails(run: EvidenceFolder, outRoot: string, nowMs: number): RunDetails {
  const plan = artifact(run, labArtifactName.runPlan)
  const planned = typeof plan?.total === 'number' ? plan.total : undefined
  const queue = path.join(outRoot, 'queue', path.basename(run.path))
  const hasQueue = existsSync(queue)
  const { outcomes, durations } = fromSummary(run, hasQueue) ?? fromAttempts(run)
  const count = (letter: string) => outcomes.filter((each) => each === letter).length
  const done = durations.length
  const left = planned === undefined ? 0 : planned - done
  const isRunning = hasQueue && left > 0 && isWorkedOn(queue, nowMs)
  const elapsedMs = nowMs - Date.parse(String(plan?.createdAt ?? ''))
  const names = attemptNames(run.path)
  const read = names.length <= maxReadAttempts ? names : []
  const metrics = read.flatMap((name): Record<string, unknown>[] => {
    const found = artifact(attempt(run, name), artifactName.runnerMetrics)
    return found === undefined ? [] : [found]
  })
  const costs = metrics.flatMap(({ costUsd }) => (typeof costUsd === 'number' ? [costUsd] : []))
  const model = metrics.find((each) => typeof each.model === 'string')?.model
  return {
    attempts: outcomes.length,
    passed: count('p'),
    failed: count('f'),
    infra: count('i'),
    missing: count('m'),
    planned,
    model: typeof model === 'string' ? oneLine(model) : '',
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, each) => sum + each, 0),
    isRunning,
    leftMs: isRunning && done > 0 && elapsedMs > 0 ? (elapsedMs / done) * left : undefined,
    outcomes: outcomes.slice(-maxOutcomes).join(''),
    failedCalls: failedCallsOf(run, names, count('f') > 0),
  }
}

/** Changes when attempts are added, end or are judged. */
export function runFingerprint(run: EvidenceFolder): string {
  const folder = attemptsFolder(run.path)
  const names = [run.path, folder, ...newestFolders(folder)]
  return names.map((name) => statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
}

const watchedAttempts = 20

function newestFolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .slice(-watchedAttempts)
      .map((name) => path.join(folder, name))
  } catch {
    return []
  }
}

/** Undefined without a summary of all planned attempts. */
function fromSummary(run: EvidenceFolder, hasQueue: boolean): Counted | undefined {
  if (hasQueue) return undefined
  const summary = artifact(run, labArtifactName.runSummary)
  if (!Array.isArray(summary?.attempts)) return undefined
  const attempts = summary.attempts.filter(isObject)
  return {
    outcomes: attempts.map(({ outcome }) => letters[String(outcome)] ?? 'm'),
    durations: attempts.map(({ durationMs }) => Number(durationMs) || 0),
  }
}

function fromAttempts(run: EvidenceFolder): Counted {
  const outcomes: string[] = []
  const durations: number[] = []
  for (const { status, outcome, isSuperseded } of attemptsOf(run)) {
    if (isSuperseded) continue
    if (outcome === 'abandoned') continue
    const byStatus = { ok: 'p', fail: 'f', missing_feedback: 'm' }[status]
    const isOpen = outcome === undefined && status === 'missing_feedback'
    outcomes.push(letters[outcome ?? ''] ?? (isOpen ? 'm' : byStatus))
    if (outcome !== undefined || !isOpen) durations.push(0)
  }
  return { outcomes: outcomes.reverse(), durations }
}

function attempt(run: EvidenceFolder, name: string): EvidenceFolder {
  return { path: path.join(attemptsFolder(run.path), name), within: run.path }
}

function artifact(from: EvidenceFolder, name: string): Record<string, unknown> | undefined {
  const read = readJsonArtifact(from, name)
  return read.failure === undefined ? read.value : undefined
}
