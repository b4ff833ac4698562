// One call as a proxy saw it, in a form that can be handed to the thread that writes the trace.
import type { FunnelWarningCode } from '../../codes/codes.ts'

export interface FunnelCall {
  tool: string
  op: string
  /** Milliseconds of the epoch at which the call began. */
  startedAtMs: number
  durationMs: number
  ok: boolean
  code?: string
  exitCode?: number
  input: FunnelInput
  out?: StreamPreview
  err?: StreamPreview
  enrichment?: Readonly<Record<string, unknown>>
  /** The error of a JSON-RPC answer; its message may be of any length. */
  rpcError?: { code: unknown; message: unknown }
  warnings?: readonly FunnelWarning[]
}

export interface FunnelWarning {
  code: FunnelWarningCode
  message: string
}

/** Whatever it is, it is not redacted yet. */
export type FunnelInput = { value: unknown } | { request: RpcRequest }

/** A JSON-RPC request; the trace keeps of it what fits. */
export interface RpcRequest {
  id: unknown
  method: string
  /** The whole message, unless it is too large to be kept. */
  text?: string
}

/** The size of a stream of bytes and its beginning. */
export interface StreamPreview {
  bytes: number
  /** One character for each byte: threads hand strings over cheaply. */
  head: string
}

export function streamPreview(bytes: number, head: Buffer): StreamPreview {
  return { bytes, head: head.toString('latin1') }
}
