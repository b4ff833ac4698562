// Finds the processes of a child that left its session (`setsid`, daemons): by their parent while it
// lives, and by the mark in the environment that they inherited.
import { readdirSync, readFileSync } from 'node:fs'
import { isZombie, processStat, type ProcessStat } from '../../identity/identity.ts'

/** Names the children of zee that a process descends from, outermost first. */
export const markVariable = 'ZEE_CHILD'

/** Live processes of the machine by pid; undefined without /proc. */
export type Processes = ReadonlyMap<number, ProcessStat>

export function liveProcesses(): Processes | undefined {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return undefined
  }
  const found = new Map<number, ProcessStat>()
  for (const name of names) {
    if (!isNumber(name)) continue
    const stat = processStat(name)
    if (stat !== undefined && !isZombie(stat)) found.set(Number(name), stat)
  }
  return found
}

export class Strays {
  readonly #mark: string | undefined
  /** The start of the child in ticks since boot: an older process is none of its descendants. */
  readonly #since: number
  /** Start times by pid. A pid is reused; with its start time it is unique. */
  readonly #known = new Map<number, string>()

  constructor(pid: number, mark: string | undefined) {
    this.#mark = mark
    this.#since = Number((mark === undefined ? undefined : processStat(pid))?.started ?? Infinity)
  }

  /** The live strays. The parent of a stray may be gone at the next look, so a stray stays known. */
  find(processes: Processes, members: ReadonlySet<number>): readonly number[] {
    for (const [pid, started] of this.#known) {
      if (processes.get(pid)?.started !== started) this.#known.delete(pid)
    }
    const reached = new Set([...members, ...this.#known.keys()])
    for (const [pid, stat] of processes) {
      if (reached.has(pid) || Number(stat.started) < this.#since) continue
      if (this.#isMarked(pid)) reached.add(pid)
    }
    addDescendants(processes, reached)
    for (const pid of reached) {
      const stat = processes.get(pid)
      if (stat !== undefined && !members.has(pid)) this.#known.set(pid, stat.started)
    }
    return [...this.#known.keys()]
  }

  #isMarked(pid: number): boolean {
    if (this.#mark === undefined) return false
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
      const marks = variables.find((each) => each.startsWith(`${markVariable}=`)) ?? ''
      return marks
        .slice(markVariable.length + 1)
        .split(':')
        .includes(this.#mark)
    } catch {
      // The process belongs to another user or has ended.
      return false
    }
  }
}

function addDescendants(processes: Processes, reached: Set<number>): void {
  const children = new Map<number, number[]>()
  for (const [pid, { parent }] of processes) {
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [pid])
    else siblings.push(pid)
  }
  // A set iterates over the elements that are added during the iteration.
  for (const pid of reached) for (const child of children.get(pid) ?? []) reached.add(child)
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 0x30 && first <= 0x39
}
