// Sends one frame to the daemon and prints the answer on stdout as it arrives.
import { terminalSafeText } from '@zee/core/colour'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import {
  askService,
  callService,
  interruptedCode,
  lostCode,
  restartWaitMs,
  withStartAdvice,
} from '../client/client.ts'
import type { Message } from '../wire/wire.ts'
import type { AnswerWriter } from './answer-writer.ts'
import { openAnswerWriter } from './answer-writer.ts'

export interface ChatRequest {
  socket: string
  /** Known to the client before the first frame, so that it can resume the turn. */
  turn: string
  /** Continues the turn instead of sending a message. */
  resumes: boolean
  message: string
  channel: string | undefined
  stream: boolean
  /** Prints which tools run. */
  showsTools?: boolean | undefined
  /** Asks the user about a call; undefined leaves the call waiting. */
  onApproval?: ((call: Message) => Promise<boolean | undefined>) | undefined
  signal?: AbortSignal | undefined
  /** The text that an earlier attempt of this turn has printed. */
  writer?: AnswerWriter | undefined
}

const approveDeadlineMs = 3000

/** Prints the answer and a line break; an error frame or a lost connection throws. */
export async function printAnswer(request: ChatRequest, host: Host): Promise<void> {
  const { socket, signal } = request
  const writer = request.writer ?? (await openAnswerWriter(host))
  try {
    const options = { signal, waitMs: restartWaitMs }
    for await (const frame of callService(socket, packetOf(request), options)) {
      if (frame.type === 'approval') {
        await writer.endLine()
        askApproval(request, frame, host)
      } else if (await printFrame(frame, writer, host)) return
    }
    throw new ZeeError(lostCode, `no answer from ${socket}`)
  } catch (error) {
    await writer.endLine()
    throw withStartAdvice(error)
  }
}

/** Whether the turn can be resumed after this error. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof ZeeError && (error.code === lostCode || error.code === interruptedCode)
}

/** Answers for the user, without holding up the frames that follow a decision of another client. */
function askApproval({ socket, onApproval }: ChatRequest, frame: Message, host: Host): void {
  const id = String(frame.id)
  const hint = `[${String(frame.tool)} waits for approval: zino approve ${id}]`
  if (onApproval === undefined) {
    host.stderr.write(`${terminalSafeText(host.stderr)(hint)}\n`)
    return
  }
  void onApproval(frame)
    .then(async (allow) => {
      if (allow === undefined) return
      const decision = { type: 'approve', id, allow, by: 'zino chat' }
      await askService(socket, decision, { deadlineMs: approveDeadlineMs })
    })
    .catch(() => {})
}

function packetOf({ turn, resumes, message, channel, stream, showsTools }: ChatRequest): object {
  const events = showsTools === true ? true : undefined
  const asked = { stream, events, approvals: true }
  if (resumes) return { resume: turn, ...asked }
  return { message, channel_id: channel, turn, ...asked }
}

/** Returns whether the frame was the last one. */
async function printFrame(frame: Message, writer: AnswerWriter, host: Host): Promise<boolean> {
  switch (frame.type) {
    case 'chunk':
      await writer.write(String(frame.delta))
      return false
    case 'tool_start':
      await writer.endLine()
      host.stderr.write(toolLine(host, `running ${String(frame.tool)}`))
      return false
    case 'tool_done':
      if (typeof frame.exit_code !== 'number' || frame.exit_code === 0) return false
      host.stderr.write(toolLine(host, `${String(frame.tool)}: exit code ${frame.exit_code}`))
      return false
    case 'response':
    case 'done':
      await writer.end(frame.type === 'response' ? String(frame.content) : '')
      if (frame.truncated === true) host.stderr.write('[cut at the token limit]\n')
      return true
    default:
      throw answerError(frame)
  }
}

function toolLine(host: Host, text: string): string {
  return `${terminalSafeText(host.stderr)(`[${text}]`)}\n`
}

function answerError({ type, message, code }: Message): ZeeError {
  const text = String(message ?? `unexpected packet ${String(type)}`)
  return new ZeeError(code === interruptedCode ? interruptedCode : 'answer', text)
}
