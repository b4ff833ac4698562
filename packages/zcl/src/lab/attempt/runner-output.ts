// The output of runners on stderr: whole lines, so that those of several at a time do not mix. What an
// agent prints cannot steer the terminal that it is shown on.
import { withoutControls } from '@zee/core/colour'
import type { OutputSink } from './runner.ts'

const longestHeld = 64 * 1024
const newline = 0x0a

export function outputSink(stream: NodeJS.WriteStream): OutputSink {
  let held: Buffer[] = []
  let size = 0
  // On a terminal the line that tells how far the run is makes way.
  const shown = (text: Buffer): Buffer | string =>
    stream.isTTY === true ? `\r\u001b[K${withoutControls(text.toString())}` : text
  const flush = (last: Buffer): void | Promise<void> => {
    const text = Buffer.concat([...held, last])
    held = []
    size = 0
    if (text.length === 0 || stream.write(shown(text))) return undefined
    return new Promise((resolve) => stream.once('drain', resolve))
  }
  return {
    write(chunk) {
      const end = chunk.lastIndexOf(newline) + 1
      const written = end > 0 ? flush(chunk.subarray(0, end)) : undefined
      // The chunk's memory is not ours beyond this call.
      const rest = Buffer.from(chunk.subarray(end))
      if (rest.length > 0) {
        held.push(rest)
        size += rest.length
      }
      return size > longestHeld ? flush(Buffer.alloc(0)) : written
    },
    end() {
      const last = held.at(-1)
      if (last !== undefined) void flush(Buffer.from('\n'))
    },
  }
}
