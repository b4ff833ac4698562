// The actions of the dashboard. Nothing is done at the first request: its answer is a question and a code,
// and only a second request with that code acts.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { processState } from '@zee/core/identity'
import { leaseHolders } from '@zee/evidence/runs'
import type { ActionAnswer } from '@zee/web/data'
import { runProgram, type ProgramName } from '../programs/programs.ts'
import type { Records } from './records/records.ts'

interface Action {
  question: string
  run(): Promise<ActionAnswer>
}

/** A question must be answered within this time. */
const confirmMs = 120_000
const maxQuestions = 100

export class Actions {
  readonly #records: Records
  readonly #host: Host
  readonly #questions = new Map<string, { action: Action; atMs: number }>()

  constructor(records: Records, host: Host) {
    this.#records = records
    this.#host = host
  }

  async perform(request: Record<string, unknown>): Promise<ActionAnswer> {
    const { action, id, confirm } = request
    if (typeof confirm === 'string') return this.#confirmed(confirm)
    const found = this.#find(String(action), typeof id === 'string' ? id : '')
    if (found === undefined) return { problem: 'there is no such action' }
    if (this.#questions.size >= maxQuestions) this.#questions.clear()
    const code = randomBytes(18).toString('base64url')
    this.#questions.set(code, { action: found, atMs: this.#host.clock.monotonicMs() })
    return { question: found.question, confirm: code }
  }

  /** A code is valid once. */
  async #confirmed(code: string): Promise<ActionAnswer> {
    const asked = this.#questions.get(code)
    this.#questions.delete(code)
    const isValid = asked !== undefined && this.#host.clock.monotonicMs() - asked.atMs <= confirmMs
    return isValid ? asked.action.run() : { problem: 'the question is too old: ask again' }
  }

  #find(action: string, id: string): Action | undefined {
    if (action === 'undo') return this.#undo(id)
    if (action === 'stop' && id === 'zino') {
      const question = 'Stop zino and its services?'
      return { question, run: () => this.#run('zino', ['stop'], this.#host.cwd) }
    }
    if (action === 'stop') return this.#stopSuite(id)
    if (action !== 'approve' && action !== 'deny') return undefined
    // The id goes to a command line: it must not look like an option.
    if (!/^[\w][\w.:-]*$/.test(id)) return undefined
    const args = ['approve', id, ...(action === 'deny' ? ['--deny'] : [])]
    const verb = action === 'deny' ? 'Refuse' : 'Allow'
    return {
      question: `${verb} the call ${id}?`,
      run: () => this.#run('zino', args, this.#host.cwd),
    }
  }

  #undo(id: string): Action | undefined {
    const session = this.#records.session(id)
    if (session === undefined) return undefined
    const question = `Undo the file changes of the last turn of “${session.title || id}”?`
    const folder = session.project || this.#host.cwd
    return { question, run: () => this.#run('zdx', ['sessions', 'undo', id], folder) }
  }

  #stopSuite(key: string): Action | undefined {
    const run = this.#records.run(key)
    if (run === undefined) return undefined
    const runId = path.basename(run.folder.path)
    const question = `Stop the run ${runId}? zcl suite resume continues it.`
    return { question, run: async () => stopWorkers(path.join(run.outRoot, 'queue', runId)) }
  }

  async #run(program: ProgramName, args: string[], cwd: string): Promise<ActionAnswer> {
    const { code, stdout, stderr } = await runProgram(program, args, { ...this.#host, cwd })
    if (code !== 0) return { problem: oneLine(stderr.trim()) || `${program} failed` }
    return { result: stdout.trim() || 'done' }
  }
}

/** Sends SIGINT to the processes on this machine that hold a job of the queue. */
function stopWorkers(queue: string): ActionAnswer {
  const alive = leaseHolders(queue)
    .map(({ holder }) => holder)
    .filter((holder) => processState(holder) === 'alive' && isZcl(holder.pid))
  const pids = new Set(alive.map(({ pid }) => pid))
  for (const pid of pids) process.kill(pid, 'SIGINT')
  if (pids.size === 0) return { problem: 'no worker of this run is on this machine' }
  return { result: `stopped ${pids.size === 1 ? 'the worker' : `${pids.size} workers`}` }
}

/** A lock file in a foreign project could name any process. */
function isZcl(pid: number): boolean {
  try {
    return /\bzcl\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}
