// The existing pages below `page/`: session/ID, run/KEY, attempt/KEY/NAME, trace/KEY, compare/KEY/KEY. Keys
// come from rows, so that no address names a file.
import { promises } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { attemptsFolder } from '@zee/evidence/layout'
import { attemptNames } from '@zee/evidence/runs'
import { writeComparison, writePage } from '../open/open.ts'
import type { Records } from './records/records.ts'

/** The HTML of the page that the words name. */
export async function readRecordPage(
  words: readonly string[],
  records: Records,
  host: Host,
): Promise<Buffer> {
  return promises.readFile(await makePage(words, records, host))
}

function makePage(words: readonly string[], records: Records, host: Host): Promise<string> {
  const [kind, key = '', name = ''] = words
  const timeMs = 0
  if (kind === 'session' && words.length === 2 && records.session(key) !== undefined) {
    return writePage({ kind, id: key, path: '', timeMs }, host)
  }
  const trace = records.trace(key)
  if (kind === 'trace' && words.length === 2 && trace !== undefined) {
    return writePage({ kind, id: key, path: trace, timeMs }, host)
  }
  const folder = records.run(key)?.folder.path
  if (folder === undefined) throw notFound()
  if (kind === 'run' && words.length === 2) {
    return writePage({ kind, id: key, path: folder, timeMs }, host)
  }
  const other = records.run(name)?.folder.path
  if (kind === 'compare' && words.length === 3 && other !== undefined) {
    return writeComparison([folder, other], host)
  }
  if (kind !== 'attempt' || !attemptNames(folder).includes(name)) throw notFound()
  const attempt = path.join(attemptsFolder(folder), name)
  return writePage({ kind, id: `${key}-${name}`, path: attempt, timeMs }, host)
}

function notFound(): ZeeError {
  return new ZeeError('no_page', 'there is no such page')
}
