// Finds the traced call that a call is a part of. A call inside `zcl run` has the recorder of that call
// among its ancestors, so the environment of commands stays unchanged. Programs that record their own
// calls name the parent in the environment. Loads Node built-ins only.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { currentProcess, isAlive, processStat } from '@zee/core/identity'
import { artifactName } from '../layout/layout.ts'
import { parentIdFrom } from './ids.ts'

/** Begin lines that are searched for an ancestor: about 700 calls. */
const maxTailBytes = 256 * 1024
const maxAncestors = 64
/** Bytes of a begin line from its id to the end of its recorder. */
const maxNameBytes = 128
/** Digits of the id of a call. */
const idLength = 16

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
  const begins = recentBegins(path.join(folder, artifactName.begins))
  if (begins === undefined) return parentIdFrom(env)
  return ancestorIn(begins) ?? runningIn(begins, parentIdFrom(env))
}

/** The id, unless the recorder of its call has ended: such a call has no parts any more. */
function runningIn(begins: Buffer, id: string | undefined): string | undefined {
  const found = begins.lastIndexOf(`"id":"${id}","recorder":"`, undefined, 'latin1')
  if (id === undefined || found < 0) return id
  const name = begins.toString('latin1', found, found + maxNameBytes)
  const [, pid, started = ''] = /"recorder":"(\d+)-(\w*)"/.exec(name) ?? []
  return isAlive({ pid: Number(pid), started }) ? id : undefined
}

function ancestorIn(begins: Buffer): string | undefined {
  let pid = process.ppid
  for (let step = 0; step < maxAncestors && pid > 1; step++) {
    const stat = processStat(pid)
    if (stat === undefined) return undefined
    const id = idOfRecorder(begins, `${pid}-${stat.started}`)
    if (id !== undefined) return id
    pid = stat.parent
  }
  return undefined
}

/** The id of the newest call of this recorder; a begin line has the fields `id` and `recorder` in this order. */
function idOfRecorder(begins: Buffer, recorder: string): string | undefined {
  const found = begins.lastIndexOf(`","recorder":"${recorder}"`, undefined, 'latin1')
  if (found < idLength) return undefined
  const id = begins.toString('latin1', found - idLength, found)
  return /^[0-9a-f]+$/.test(id) ? id : undefined
}

/** The end of the begin lines; undefined before the first call. */
function recentBegins(file: string): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(descriptor)
    const tail = Buffer.allocUnsafe(Math.min(size, maxTailBytes))
    const length = readSync(descriptor, tail, 0, tail.length, size - tail.length)
    return tail.subarray(0, length)
  } catch {
    // The append of the begin line fails for the same reason and reports it.
    return undefined
  } finally {
    closeSync(descriptor)
  }
}
