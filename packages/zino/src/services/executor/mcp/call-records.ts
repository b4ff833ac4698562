// Calls of turns on disk: a call that has begun is never repeated, because its effect may be done.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { ensureDurableFolder } from '@zee/core/folders'
import { executionFolderOf } from '../../../turns/turns.ts'
import type { ExecutionResult } from '../execute.ts'
import { failedResult } from '../execute.ts'
import type { JournalledCall } from '../journalled/journalled.ts'

const beginName = 'mcp-call.json'
const endName = 'mcp-result.json'

export class CallRecords {
  readonly #folder: string

  /** `folder` is the folder of turns. */
  constructor(folder: string) {
    this.#folder = folder
  }

  hasBegun(call: JournalledCall): boolean {
    return existsSync(this.#at(call, beginName))
  }

  async begin(call: JournalledCall, tool: string): Promise<void> {
    ensureDurableFolder(executionFolderOf(this.#folder, call.turn, call.call), 0o700)
    await writeJsonAtomic(this.#at(call, beginName), { tool }, { mode: 0o600 })
  }

  async end(call: JournalledCall, result: ExecutionResult): Promise<void> {
    // A cancelled turn has no records any more.
    if (!this.hasBegun(call)) return
    await writeJsonAtomic(this.#at(call, endName), result, { mode: 0o600 })
  }

  /** The recorded result; a failure for a call that an earlier process began and did not end. */
  result(call: JournalledCall): ExecutionResult {
    const file = this.#at(call, endName)
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ExecutionResult
    return failedResult('The execution was interrupted. It is not known how far it came.')
  }

  #at({ turn, call }: JournalledCall, name: string): string {
    return path.join(executionFolderOf(this.#folder, turn, call), name)
  }
}
