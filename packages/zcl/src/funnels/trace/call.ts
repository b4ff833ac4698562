// One observed call, in a form that can be posted to the trace thread.
import type { FunnelWarningCode } from '../../codes/codes.ts'

export interface FunnelCall {
  tool: string
  op: string
  /** Start of the call, in milliseconds since the epoch. */
  startedAtMs: number
  durationMs: number
  ok: boolean
  code?: string
  exitCode?: number
  input: FunnelInput
  out?: StreamPreview
  err?: StreamPreview
  enrichment?: Readonly<Record<string, unknown>>
  /** The error of a JSON-RPC answer; its message is not bounded yet. */
  rpcError?: { code: unknown; message: unknown }
  warnings?: readonly FunnelWarning[]
}

export interface FunnelWarning {
  code: FunnelWarningCode
  message: string
}

/** The input of a call, not redacted yet. */
export type FunnelInput = { value: unknown } | { request: RpcRequest } | { http: HttpInput }

export interface HttpInput {
  method: string
  url: string
  /** Absent for a request without a body, or with a binary one. */
  body?: StreamPreview
}

/** A JSON-RPC request; the trace stores the part that fits. */
export interface RpcRequest {
  id: unknown
  method: string
  /** The complete message, unless it is too large to store. */
  text?: string
}

/** The size and the first bytes of a stream. */
export interface StreamPreview {
  bytes: number
  /** One character per byte (latin1): posting a string is cheaper than posting a buffer. */
  head: string
  /** Whether `head` holds all of it, in another form than sent; by default its length decides. */
  isWhole?: boolean
}

export function streamPreview(bytes: number, head: Buffer, isWhole?: boolean): StreamPreview {
  const preview = { bytes, head: head.toString('latin1') }
  return isWhole === undefined ? preview : { ...preview, isWhole }
}
