// The latest failed calls of a run, from the end of the traces of its newest attempts.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { isObject, parseObject } from '@zee/core/json'
import type { EvidenceFolder } from '@zee/evidence/artifact'
import { artifactName, attemptsFolder } from '@zee/evidence/layout'
import type { FailedCall } from '@zee/web/data'

const maxAttempts = 5
/** In a run with failed attempts. */
const maxAttemptsWithFailures = 40
const maxCalls = 10
const tailBytes = 64 << 10

/** `names` are the attempts of the run in order. Traces are redacted when they are written. */
export function failedCallsOf(
  run: EvidenceFolder,
  names: readonly string[],
  hasFailures: boolean,
): FailedCall[] {
  const runId = path.basename(run.path)
  const newest = names.slice(-(hasFailures ? maxAttemptsWithFailures : maxAttempts))
  const calls = newest.flatMap((name) => {
    const file = path.join(attemptsFolder(run.path), name, artifactName.trace)
    return lastLines(file).flatMap((line) => {
      const event = parseObject(line)
      if (event === undefined || !isObject(event.result) || event.result.ok !== false) return []
      const title = oneLine(cutToBytes(callTitle(event), 120).text)
      const atMs = Date.parse(String(event.ts))
      return [{ page: `attempt/${runId}/${name}`, where: name, title, atMs }]
    })
  })
  return calls.slice(-maxCalls)
}

function callTitle({ tool, op, input }: Record<string, unknown>): string {
  const argv = isObject(input) && Array.isArray(input.argv) ? input.argv.join(' ') : undefined
  return argv ?? `${String(tool)} ${String(op)}`
}

/** The complete lines at the end of a file; empty if it cannot be read or is a link. */
function lastLines(file: string): string[] {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    return []
  }
  try {
    const { size } = fstatSync(descriptor)
    const start = Math.max(0, size - tailBytes)
    const buffer = Buffer.alloc(Math.min(size, tailBytes))
    const read = readSync(descriptor, buffer, 0, buffer.length, start)
    const lines = buffer.toString('utf8', 0, read).split('\n')
    return start === 0 ? lines : lines.slice(1)
  } finally {
    closeSync(descriptor)
  }
}
