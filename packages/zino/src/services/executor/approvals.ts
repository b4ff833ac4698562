// Calls that wait for the approval of the user. A call without an answer is denied after a while.
import { rfc3339 } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import { maxTimerMs } from '@zee/core/clock'
import { cutToBytes } from '@zee/core/bounded'
import { lineHash } from '@zee/core/chain'
import { randomHex } from '@zee/core/ids'

/** As clients see it, in `approvals` and in the frame `approval`. */
export interface WaitingCall {
  id: string
  turn: string | null
  call: number | null
  /** The function or the skill that the model called. */
  tool: string
  executor: string
  code: string
  /** RFC 3339. */
  since: string
  expires: string
}

export interface Decision {
  decision: 'approved' | 'denied' | 'expired'
  /** The client that decided; empty after the time-out. */
  by: string
  ts: string
}

export interface ApprovalRequest {
  turn: string | undefined
  call: number | undefined
  tool: string
  executor: string
  code: string
}

const maxShownBytes = 8192
const maxNameBytes = 100

export class Approvals {
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #waiting = new Map<string, { call: WaitingCall; settle(decision: Decision): void }>()

  constructor(clock: Clock, timeoutSeconds: number) {
    this.#clock = clock
    this.#timeoutMs = Math.min(timeoutSeconds * 1000, maxTimerMs)
  }

  /** Oldest first. */
  list(): WaitingCall[] {
    return [...this.#waiting.values()].map(({ call }) => call)
  }

  /** Returns false when no call with this id waits. */
  decide(id: string, isAllowed: boolean, by: string): boolean {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return false
    const name = cutToBytes(by, maxNameBytes).text
    waiting.settle(this.#decision(isAllowed ? 'approved' : 'denied', name))
    return true
  }

  /** Resolves to the answer; `onWaiting` receives the call. Rejects when the caller leaves. */
  async wait(
    request: ApprovalRequest,
    signal: AbortSignal,
    onWaiting: (call: WaitingCall) => Promise<void>,
  ): Promise<Decision> {
    const call = this.#waitingCall(request)
    const decided = new Promise<Decision>((resolve, reject) => {
      const timer = setTimeout(() => settle(this.#decision('expired', '')), this.#timeoutMs)
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        if (this.#waiting.get(call.id)?.settle === settle) this.#waiting.delete(call.id)
      }
      const settle = (decision: Decision) => {
        end()
        resolve(decision)
      }
      const onAbort = () => {
        end()
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.set(call.id, { call, settle })
      if (signal.aborted) onAbort()
    })
    decided.catch(() => {})
    await onWaiting(call)
    return decided
  }

  #waitingCall({ turn, call, tool, executor, code }: ApprovalRequest): WaitingCall {
    const now = this.#clock.now()
    return {
      id: idOf(turn, call),
      turn: turn ?? null,
      call: call ?? null,
      tool,
      executor,
      code: cutToBytes(code, maxShownBytes).text,
      since: rfc3339(now),
      expires: rfc3339(new Date(now.getTime() + this.#timeoutMs)),
    }
  }

  #decision(decision: Decision['decision'], by: string): Decision {
    return { decision, by, ts: rfc3339(this.#clock.now()) }
  }
}

/** The same for a repeated request of one call, so that a restart of exc changes no id. */
function idOf(turn: string | undefined, call: number | undefined): string {
  if (turn === undefined || call === undefined) return randomHex(4)
  return lineHash(Buffer.from(`${turn} ${call}`)).slice(0, 8)
}
