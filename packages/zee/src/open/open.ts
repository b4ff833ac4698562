// Writes the page of a session, run, attempt, trace or memory. The program that owns the record makes it, if it can.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { runProgram, type ProgramName } from '../programs/programs.ts'
import { findMemory, isMemoryId } from '../zino/zino.ts'
import type { Target } from './find.ts'

export { findTarget, type Target } from './find.ts'

const deadlineMs = 120_000

/** The page of the memory with this id; undefined if zino has none. */
export async function openMemory(id: string, host: Host): Promise<string | undefined> {
  if (!isMemoryId(id)) return undefined
  const memory = await findMemory(id, host)
  if (memory === undefined) return undefined
  const { writeMemoryPage } = await import('./memory.ts')
  return writeMemoryPage(id, memory, pagesFolder(host), host)
}

/** Writes the page and returns its path. */
export function writePage(target: Target, host: Host): Promise<string> {
  const { kind, id, path: where } = target
  const [program, ...args] = pageCommand(kind, id, where)
  return makePage(`${kind}-${pageId(target)}`, program, args, host)
}

/** Ids of attempts repeat in each run, names of traces in each folder: another one has another page. */
function pageId({ kind, id, path: where }: Target): string {
  if (kind === 'attempt')
    return `${path.basename(path.resolve(where, '../..'))}-${path.basename(where)}`
  if (kind !== 'trace') return id
  const hash = createHash('sha256').update(where).digest('hex').slice(0, 8)
  return `${path.basename(where, '.jsonl')}-${hash}`
}

/** The page that compares two runs. */
export function writeComparison(
  [one, two]: readonly [string, string],
  host: Host,
): Promise<string> {
  const name = `compare-${path.basename(one)}-${path.basename(two)}`
  return makePage(name, 'zcl', ['view', one, two], host)
}

async function makePage(
  name: string,
  program: ProgramName,
  args: readonly string[],
  host: Host,
): Promise<string> {
  const page = path.join(pagesFolder(host), `${name.replaceAll(/[^\w.-]/g, '-')}.html`)
  const { code, stderr } = await runProgram(program, [...args, '--out', page], host, deadlineMs)
  if (code === 0) return page
  throw new ZeeError('no_page', `${program} could not write the page: ${oneLine(stderr.trim())}`)
}

function pageCommand(kind: Target['kind'], id: string, where: string): [ProgramName, ...string[]] {
  switch (kind) {
    case 'session':
      return ['zdx', 'view', id]
    case 'trace':
      return ['zeno', 'view', '--log', where]
    default:
      return ['zcl', 'view', where]
  }
}

/** Pages are derived data: they go to the cache folder, or to a new temporary folder without one. */
function pagesFolder({ env }: Host): string {
  const cache = env.XDG_CACHE_HOME || (env.HOME ? path.join(env.HOME, '.cache') : undefined)
  if (cache === undefined) return mkdtempSync(path.join(os.tmpdir(), 'zee-pages-'))
  const folder = path.join(cache, 'zee/pages')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
