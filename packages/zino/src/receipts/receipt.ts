// The content of a receipt.
import { lineHash } from '@zee/core/chain'
import type { Allow } from '../allow/allow.ts'

/** A text, without the text. */
export interface TextFacts {
  sha256: string
  bytes: number
}

export interface ReceiptExecution {
  call: number
  /** A call of the sub-agent of task `call`: which of its answers made it, and which call in it. */
  sub?: { step: number; call: number } | undefined
  /** Absent for a call that was refused before it had an executor. */
  executor?: string | undefined
  code?: TextFacts | undefined
  result: TextFacts
  exit_code: number | null
  /** The rule that refused the call, or a part of it. */
  rule?: string | undefined
}

export interface Receipt {
  v: 1
  turn: string
  channel: string | null
  /** When the turn began and ended, RFC 3339. */
  started: string
  ts: string
  /** The version of zino. */
  version: string
  request: TextFacts
  /** The prompt that the model was asked with; null if no model was asked. */
  context: {
    sha256: string
    messages: number
    /** Messages that the client sent along; zino does not store them. */
    from_client?: number | undefined
  } | null
  permission: {
    allow: readonly Allow[] | null
    approve: 'ask' | null
    decisions: readonly {
      call: number
      sub?: ReceiptExecution['sub']
      decision: string
      by: string
      ts: string
    }[]
  }
  execution: readonly ReceiptExecution[]
  answer: Partial<TextFacts> & {
    state: 'answered' | 'failed' | 'cancelled'
    truncated?: boolean | undefined
    /** The limit that ended the turn: `iterations`, or a rule. */
    limit?: string | undefined
    error?: string | undefined
  }
  iterations: number
  models: readonly string[]
  tokens: { input: number; output: number; estimated?: boolean | undefined }
  /** Null if the price of a model is not known. */
  cost: { usd: number | null }
  /** The recorded answers of the model, for `zino replay`; null if there are none. */
  recording: TextFacts | null
}

export function textFacts(text: string | Uint8Array): TextFacts {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return { sha256: lineHash(bytes), bytes: bytes.length }
}
