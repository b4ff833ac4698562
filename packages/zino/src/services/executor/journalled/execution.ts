// One execution of a turn on disk: its script, its claim by a runner, its output and exit code. The
// folder outlives exc, so a restarted exc finds the execution again instead of repeating it.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { isObject } from '@zee/core/json'
import { attachSession, bootId } from '@zee/core/process'

/** Whether an execution can be waited for. */
export type ExecutionState =
  | 'new'
  /** Prepared, and no runner has claimed it. */
  | 'prepared'
  | 'running'
  | 'ended'
  /** Its runner is gone without an exit code, or the machine was restarted. */
  | 'lost'

export interface CapturedOutput {
  bytes: Buffer
  /** Bytes written after the captured ones. */
  dropped: number
}

/** Time between the claim of a runner and its process id in the folder. */
const claimMs = 2000

export class Execution {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Writes the script; the request is last, so a crash before it leaves an execution that is new. */
  async prepare(code: string, extension: string, startedMs: number): Promise<string> {
    rmSync(this.folder, { recursive: true, force: true })
    ensureDurableFolder(this.folder, 0o700)
    const script = this.#at(`script${extension}`)
    writeFileSync(script, code, { mode: extension === '.sh' ? 0o700 : 0o600 })
    const request = { boot: bootId(), started_ms: startedMs, script }
    await writeJsonAtomic(this.#at('request.json'), request, { mode: 0o600 })
    return script
  }

  state(): ExecutionState {
    const request = this.request()
    if (request === undefined) return 'new'
    if (existsSync(this.#at('code'))) return 'ended'
    if (request.boot !== bootId()) return 'lost'
    const claimed = statSync(this.#at('claim'), { throwIfNoEntry: false })
    if (claimed === undefined) return 'prepared'
    const pid = this.pid()
    if (pid === undefined) return Date.now() - claimed.mtimeMs < claimMs ? 'running' : 'lost'
    if (attachSession(pid).isAlive()) return 'running'
    // The runner may have written the code between the two checks.
    return existsSync(this.#at('code')) ? 'ended' : 'lost'
  }

  request(): { boot: string; startedMs: number; script: string } | undefined {
    const text = this.#read('request.json')
    if (text === undefined) return undefined
    const value: unknown = JSON.parse(text.toString('utf8'))
    if (!isObject(value)) return undefined
    const { boot, started_ms: startedMs, script } = value
    return { boot: String(boot), startedMs: Number(startedMs), script: String(script) }
  }

  /** The leader of the execution's session. */
  pid(): number | undefined {
    const pid = Number(this.#read('claim/pid')?.toString('latin1'))
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
  }

  exitCode(): number {
    return Number(this.#read('code')?.toString('latin1') ?? -1)
  }

  isDrained(): boolean {
    return existsSync(this.#at('out.rest')) && existsSync(this.#at('err.rest'))
  }

  output(name: 'out' | 'err'): CapturedOutput {
    const dropped = Number(this.#read(`${name}.rest`)?.toString('latin1') ?? 0)
    return { bytes: this.#read(name) ?? Buffer.alloc(0), dropped: dropped || 0 }
  }

  #at(name: string): string {
    return path.join(this.folder, name)
  }

  #read(name: string): Buffer | undefined {
    try {
      return readFileSync(this.#at(name))
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw error
    }
  }
}
