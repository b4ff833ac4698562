// The first line of a session: schema version and project. Reads only the start of the file, so that a
// list of sessions costs the same for short and long ones.
import { closeSync, openSync, readSync } from 'node:fs'
import { parseObject } from '@zee/core/json'
import { sessionPath } from './file.ts'
import type { MetaRecord } from './records.ts'
import { parseRecord } from './records.ts'

/** A path has at most 4 KiB; JSON escapes may double it. */
const maxMetaBytes = 16 * 1024

/** Undefined if the session has no readable meta line. */
export function readMeta(folder: string, id: string): MetaRecord | undefined {
  try {
    const descriptor = openSync(sessionPath(folder, id), 'r')
    try {
      const buffer = Buffer.allocUnsafe(maxMetaBytes)
      const length = readSync(descriptor, buffer, 0, maxMetaBytes, 0)
      return metaOf(buffer.toString('utf8', 0, length))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/** The meta record at the start of a session's text. */
export function metaOf(head: string): MetaRecord | undefined {
  const end = head.indexOf('\n')
  const line = parseObject(end === -1 ? head : head.slice(0, end))
  const record = line === undefined ? undefined : parseRecord(line)
  return record?.type === 'meta' ? record : undefined
}

/** A session without a recorded root belongs to every project. */
export function belongsTo(meta: MetaRecord | undefined, project: string): boolean {
  return meta?.root === undefined || meta.root === project
}
