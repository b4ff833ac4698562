// Faults in the messages that a server sends over a WebSocket.
import type { AnswerRewriter } from '../../http/http.ts'
import type { AnswerFaults } from '../faults/faults.ts'
import { FrameReader } from './frame-reader.ts'
import { InOrder } from './in-order.ts'

/** Rewrites one direction of a tunnel; frames of unchanged messages pass as they are. */
export function rewriteFrames(faults: AnswerFaults, emit: (bytes: Buffer) => void): AnswerRewriter {
  const order = new InOrder()
  let frames: Buffer[] = []
  let text: Buffer | undefined
  const reader = new FrameReader(
    (message) => (text = message),
    ({ raw, isControl, isLast }) => {
      if (isControl) return order.add(async () => emit(raw))
      frames.push(raw)
      if (!isLast) return
      const [message, original] = [text, Buffer.concat(frames)]
      frames = []
      text = undefined
      order.add(async () => {
        const faulty = message === undefined ? undefined : await faults.rewrite(message)
        emit(faulty === undefined ? original : textFrame(Buffer.from(faulty)))
      })
    },
  )
  return {
    push: (content) => {
      const isReadable = !reader.isOversized
      if (isReadable) reader.push(content)
      // A message that is too large to be read passes as it is, and so does everything after it.
      if (reader.isOversized) {
        const rest = isReadable ? reader.unread() : content
        order.add(async () => emit(rest))
      }
    },
    end: (then) => order.add(async () => then()),
  }
}

/** One unmasked text frame, as servers send it. */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x81
  if (length < 126) head[1] = length
  else if (length < 65_536) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head, payload])
}
