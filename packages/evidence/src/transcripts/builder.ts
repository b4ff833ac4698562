// Receives what the log of an agent says, in order. Each reader of a format calls it; zdx builds sessions
// with it, zcl builds attempts.

export interface LogCall {
  id: string
  name: string
  input: Readonly<Record<string, unknown>>
}

export interface LogResult {
  callId: string
  text: string
  isError: boolean
  /** Of a command, if the log has it. */
  exitCode?: number | undefined
  stderr?: string | undefined
}

export interface LogUsage {
  /** Cached input and cache writes included. */
  inputTokens: number
  /** Thinking included. */
  outputTokens: number
  cachedInputTokens?: number
  cacheWriteTokens?: number
  thinkingTokens?: number
}

export interface LogReceipt {
  provider: string
  model: string
  usage: LogUsage
  costUsd?: number | undefined
}

/** A session of another program, besides its conversation. */
export interface LogSession {
  /** The id in the other program. */
  id: string
  /** The working folder. */
  cwd: string | undefined
  /** Records of the log that were not understood. */
  unread: number
}

/** `key` identifies an answer: its texts and calls share one receipt. */
export interface TranscriptBuilder {
  user(text: string, ts: string): void
  text(key: string, text: string, ts: string): void
  thinking(key: string, text: string, ts: string): void
  call(key: string, call: LogCall, ts: string): void
  result(result: LogResult, ts: string): void
  interrupted(ts: string): void
  /** Sets the receipt of an answer; a later one replaces it. */
  receipt(key: string, receipt: LogReceipt, ts: string): void
  /** Counts a record or a part of one that a conversation has no place for. */
  unmapped(kind: string): void
}
