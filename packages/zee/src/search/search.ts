// Searches everything the programs recorded: each source yields hits, the newest come first.
import path from 'node:path'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { shellQuoted } from '@zee/evidence/attempt'
import { artifactName } from '@zee/evidence/layout'
import { runFolders, storedAttempts } from '@zee/evidence/runs'
import { findTraces, type Places } from '../places/places.ts'
import { parseJsonLines, runProgram } from '../programs/programs.ts'
import { firstText, listIn, memoryText, zinoState } from '../zino/zino.ts'
import { excerptOf, findInFile } from './in-file.ts'

export interface Hit {
  kind: 'session' | 'run' | 'attempt' | 'trace' | 'memory'
  id: string
  timeMs: number
  /** The speaker, artifact or source of the text. */
  where: string
  excerpt: string
  /** The command that shows the hit. */
  command: string
}

export interface SearchResult {
  hits: Hit[]
  /** Sources that could not be searched, with the reason. */
  skipped: string[]
}

const excerptBytes = 120

/** `text` is searched without regard to case. */
export async function searchEverything(
  text: string,
  places: Places,
  host: Host,
): Promise<SearchResult> {
  const needle = text.toLowerCase()
  const skipped: string[] = []
  const hits = [
    ...(await sessionHits(text, places, host, skipped)),
    ...runHits(needle, places),
    ...attemptHits(needle, places, skipped),
    ...traceHits(needle, places, host, skipped),
    ...(await memoryHits(text, host, skipped)),
  ]
  hits.sort((a, b) => b.timeMs - a.timeMs || (a.id < b.id ? -1 : 1))
  return { hits, skipped }
}

async function sessionHits(
  text: string,
  places: Places,
  host: Host,
  skipped: string[],
): Promise<Hit[]> {
  if (places.sessions.length === 0) return []
  const { code, stdout, stderr } = await runProgram(
    'zdx',
    ['sessions', 'search', '--format', 'json', '--', text],
    host,
  )
  if (code !== 0) skipped.push(`sessions: ${oneLine(stderr)}`)
  const times = new Map(places.sessions.map(({ id, modifiedMs }) => [id, modifiedMs]))
  return parseJsonLines(stdout).map(({ id, event, speaker, excerpt }) => ({
    kind: 'session',
    id: String(id),
    timeMs: Math.trunc(times.get(String(id)) ?? 0),
    where: `${String(speaker)}, event ${String(event)}`,
    excerpt: String(excerpt),
    command: `zdx sessions show ${shellWord(String(id))}`,
  }))
}

/** A run is found by its id and by the name of its suite. */
function* runHits(needle: string, { outRoots }: Places): Generator<Hit> {
  for (const folder of outRoots.flatMap((outRoot) => runFolders(outRoot))) {
    const read = readJsonArtifact(folder, artifactName.run)
    const { suiteId, createdAt } = read.failure === undefined ? read.value : {}
    const runId = path.basename(folder.path)
    const excerpt = excerptOf(`${String(suiteId ?? '')} ${runId}`, needle)
    if (excerpt === undefined) continue
    const timeMs = Date.parse(String(createdAt)) || 0
    const command = `zcl report ${shellWord(folder.path)}`
    yield { kind: 'run', id: runId, timeMs, where: 'suite and run', excerpt, command }
  }
}

const attemptFiles = [
  artifactName.prompt,
  artifactName.feedback,
  artifactName.notes,
  artifactName.messages,
  artifactName.trace,
  artifactName.runnerStdout,
  artifactName.runnerStderr,
]

function* attemptHits(needle: string, { outRoots }: Places, skipped: string[]): Generator<Hit> {
  for (const outRoot of outRoots) {
    for (const { folder, runId, attemptId, startedAt } of storedAttempts(outRoot)) {
      for (const name of ['id', ...attemptFiles]) {
        const excerpt =
          name === 'id'
            ? excerptOf(attemptId, needle)
            : findInFile(path.join(folder, name), needle, skipped)
        if (excerpt === undefined) continue
        yield {
          kind: 'attempt',
          id: `${runId}/${attemptId}`,
          timeMs: Date.parse(startedAt) || 0,
          where: name,
          excerpt,
          command: `zcl attempt explain ${shellWord(folder)}`,
        }
        break
      }
    }
  }
}

function* traceHits(
  needle: string,
  { projects }: Places,
  host: Host,
  skipped: string[],
): Generator<Hit> {
  for (const { file, modifiedMs } of findTraces(projects, host)) {
    const excerpt = findInFile(file, needle, skipped)
    if (excerpt === undefined) continue
    yield {
      kind: 'trace',
      id: path.basename(file),
      timeMs: Math.trunc(modifiedMs),
      where: path.dirname(file),
      excerpt,
      command: `zeno tail --log ${shellWord(file)}`,
    }
  }
}

async function memoryHits(text: string, host: Host, skipped: string[]): Promise<Hit[]> {
  const { state } = await zinoState(host)
  if (state === 'absent') return []
  const args = ['memory', 'search', '--json', '--', text]
  const { code, stdout, stderr } = await runProgram('zino', args, host, 10_000)
  if (code !== 0) {
    const reason = state === 'stopped' ? 'zino is not running' : oneLine(stderr.trim())
    skipped.push(`memories: ${reason}`)
    return []
  }
  return listIn(parseObject(stdout), 'memories', 'results').map((row) => ({
    kind: 'memory',
    id: firstText(row, ['id']),
    timeMs: typeof row.ts === 'string' ? Date.parse(row.ts) : Number(row.ts ?? 0),
    where: 'zino',
    excerpt: oneLine(cutToBytes(memoryText(row), excerptBytes).text),
    command: `zino memory show ${shellWord(firstText(row, ['id']))}`,
  }))
}

/** The commands of hits are made to be copied into a shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text)
}
