// Finds the traced call that a call is a part of. A call inside `zcl run` has the recorder of that call
// among its ancestors, so the environment of commands stays unchanged. Programs that record their own
// calls name the parent in the environment. Loads Node built-ins only.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { currentProcess, processStat } from '@zee/core/identity'
import { artifactName } from '../layout/layout.ts'
import { parentIdFrom } from './ids.ts'

/** Begin lines that are searched for an ancestor: about 700 calls. */
const maxTailBytes = 256 * 1024
const maxAncestors = 64

/** The recorder of a call, as its begin line names it: pid and start time. */
export function recorderName(): string {
  const { pid, started } = currentProcess()
  return `${pid}-${started}`
}

/** Undefined for a call of the agent itself. */
export function findParentId(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const begun = recentRecorders(path.join(folder, artifactName.begins))
  return (begun.size === 0 ? undefined : ancestorIn(begun)) ?? parentIdFrom(env)
}

function ancestorIn(begun: ReadonlyMap<string, string>): string | undefined {
  let pid = process.ppid
  for (let step = 0; step < maxAncestors && pid > 1; step++) {
    const stat = processStat(pid)
    if (stat === undefined) return undefined
    const id = begun.get(`${pid}-${stat.started}`)
    if (id !== undefined) return id
    pid = stat.parent
  }
  return undefined
}

const recorderField = /"id":"([0-9a-f]{16})","recorder":"(\d+-\d+)"/g

/** Ids of recent calls by their recorder. */
function recentRecorders(file: string): Map<string, string> {
  const found = new Map<string, string>()
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return found
  }
  try {
    const { size } = fstatSync(descriptor)
    const tail = Buffer.allocUnsafe(Math.min(size, maxTailBytes))
    const length = readSync(descriptor, tail, 0, tail.length, size - tail.length)
    for (const [, id = '', recorder = ''] of tail
      .toString('latin1', 0, length)
      .matchAll(recorderField)) {
      found.set(recorder, id)
    }
  } catch {
    // The append of the begin line fails for the same reason and reports it.
  } finally {
    closeSync(descriptor)
  }
  return found
}
