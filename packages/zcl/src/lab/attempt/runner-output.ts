// Writes the output of runners to stderr in complete lines, so that parallel runners do not mix lines.
// On a terminal, control sequences in the output are removed.
import { withoutControls } from '@zee/core/colour'
import type { OutputSink } from './runner.ts'

const maxPendingBytes = 64 * 1024
const newline = 0x0a

export function outputSink(stream: NodeJS.WriteStream): OutputSink {
  let pending: Buffer[] = []
  let size = 0
  // On a terminal, the output overwrites the progress line.
  const render = (text: Buffer): Buffer | string =>
    stream.isTTY === true ? `\r\u001b[K${withoutControls(text.toString())}` : text
  const flush = (last: Buffer): void | Promise<void> => {
    const text = Buffer.concat([...pending, last])
    pending = []
    size = 0
    if (text.length === 0 || stream.write(render(text))) return undefined
    return new Promise((resolve) => stream.once('drain', resolve))
  }
  return {
    write(chunk) {
      const end = chunk.lastIndexOf(newline) + 1
      const written = end > 0 ? flush(chunk.subarray(0, end)) : undefined
      // The caller reuses the chunk's memory after this call.
      const rest = Buffer.from(chunk.subarray(end))
      if (rest.length > 0) {
        pending.push(rest)
        size += rest.length
      }
      return size > maxPendingBytes ? flush(Buffer.alloc(0)) : written
    },
    end() {
      const last = pending.at(-1)
      if (last !== undefined) void flush(Buffer.from('\n'))
    },
  }
}
