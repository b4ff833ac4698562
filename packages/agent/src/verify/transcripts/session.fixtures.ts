// Builds sessions for the corpora: tool calls with their results, and a last answer.
import type { SessionEvent } from '../../session/session.ts'

export interface Transcript {
  name: string
  events: SessionEvent[]
  isWrong: boolean
}

type Step = Record<string, unknown> & { type: string }

export class Session {
  readonly #steps: Step[] = [{ type: 'message', role: 'user', text: 'please fix it' }]
  #next = 1

  bash(command: string, stdout: string, exitCode = 0): this {
    const data = { stdout, stderr: '', exit_code: exitCode, timed_out: false }
    return this.#call('bash', { command }, { ok: true, data })
  }

  edit(path: string, isOk = true): this {
    const input = { path, old: 'before', new: 'after' }
    return this.#call('edit', input, isOk ? { ok: true, data: { path, replacements: 1 } } : failure)
  }

  write(path: string, created = true): this {
    return this.#call(
      'write',
      { path, content: 'x' },
      { ok: true, data: { path, bytes: 1, created } },
    )
  }

  read(path: string): this {
    return this.#call('read', { path }, { ok: true, data: { path, content: 'x' } })
  }

  answer(text: string): SessionEvent[] {
    const steps = [...this.#steps, { type: 'message', role: 'assistant', text }]
    return steps.map((record, index) => ({ event: index + 2, record: record as never }))
  }

  #call(name: string, input: object, output: { ok: boolean } & Record<string, unknown>): this {
    const id = `call_${this.#next++}`
    this.#steps.push(
      { type: 'tool_use', id, name, input },
      { type: 'tool_result', tool_use_id: id, output, ok: output.ok },
    )
    return this
  }
}

const failure = { ok: false, error: { code: 'old_not_found', message: 'not found' } }
