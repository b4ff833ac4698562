// Finds what an id names: a session, a run, an attempt or a trace. An exact id wins over a prefix.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { storedAttempts, runFolders } from '@zee/evidence/runs'
import { findTraces, type Places } from '../places/places.ts'

export interface Target {
  kind: 'session' | 'run' | 'attempt' | 'trace'
  id: string
  /** The folder of a run or attempt, or the file of a session or trace. */
  path: string
  timeMs: number
}

const minPrefixLength = 4
const maxListed = 10

/** `latest` is the newest session, run or trace. Throws if nothing or more than one thing matches. */
export function findTarget(id: string, places: Places, host: Host): Target {
  const file = path.resolve(host.cwd, id)
  if (id.includes('/') && existsSync(file)) return pathTarget(file)
  const all = [...targets(places, host)]
  if (id === 'latest') {
    const newest = all
      .filter(({ kind }) => kind !== 'attempt')
      .reduce<Target | undefined>(
        (best, each) => (best && best.timeMs >= each.timeMs ? best : each),
        undefined,
      )
    if (newest === undefined)
      throw new ZeeError('nothing_recorded', 'nothing is recorded yet: try zee tour')
    return newest
  }
  const exact = all.filter((each) => each.id === id || fullId(each) === id)
  if (exact.length === 1 && exact[0] !== undefined) return exact[0]
  const matches = exact.length > 1 ? exact : byPrefix(all, id)
  if (matches.length === 1 && matches[0] !== undefined) return matches[0]
  if (matches.length === 0) {
    const hint =
      id.length < minPrefixLength ? ` (a prefix needs ${minPrefixLength} characters)` : ''
    throw new ZeeError('unknown_id', `nothing has the id '${id}'${hint}; zee search finds text`)
  }
  const listed = matches.slice(0, maxListed).map(({ kind, path: where }) => `${kind} ${where}`)
  throw new ZeeError('ambiguous_id', `'${id}' names ${matches.length} things: ${listed.join(', ')}`)
}

/** `zee search` prints the id of an attempt together with its run. */
function fullId({ kind, id, path: folder }: Target): string {
  return kind === 'attempt' ? `${path.basename(path.resolve(folder, '../..'))}/${id}` : id
}

function byPrefix(all: readonly Target[], id: string): Target[] {
  return id.length < minPrefixLength ? [] : all.filter((each) => each.id.startsWith(id))
}

function* targets(places: Places, host: Host): Generator<Target> {
  for (const { id, modifiedMs } of places.sessions) {
    const file = path.join(places.folder, `${id}.jsonl`)
    yield { kind: 'session', id, path: file, timeMs: modifiedMs }
  }
  for (const outRoot of places.outRoots) {
    for (const { path: folder } of runFolders(outRoot)) {
      const timeMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
      yield { kind: 'run', id: path.basename(folder), path: folder, timeMs }
    }
    for (const { attemptId, folder, startedAt } of storedAttempts(outRoot)) {
      yield { kind: 'attempt', id: attemptId, path: folder, timeMs: Date.parse(startedAt) }
    }
  }
  for (const { file, modifiedMs } of findTraces(places.projects, host)) {
    yield { kind: 'trace', id: path.basename(file, '.jsonl'), path: file, timeMs: modifiedMs }
  }
}

function pathTarget(file: string): Target {
  const stats = statSync(file)
  const kind = stats.isDirectory()
    ? existsSync(path.join(file, 'attempt.json'))
      ? 'attempt'
      : 'run'
    : 'trace'
  return { kind, id: path.basename(file), path: file, timeMs: stats.mtimeMs }
}
