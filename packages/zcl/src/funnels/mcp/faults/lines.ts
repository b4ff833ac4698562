// Faults in messages that are lines: standard streams and TCP.
import { Transform, type Readable, type TransformCallback } from 'node:stream'
import { maxFaultyBytes, type AnswerFaults } from './answer-faults.ts'

const newline = 10

/** The server's output with faults. */
export function withFaults(source: Readable, faults: AnswerFaults): Readable {
  let rest: Buffer = Buffer.alloc(0)
  const pass = async (stream: Transform, chunk: Buffer): Promise<void> => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      const line = rest.subarray(0, end + 1)
      const faulty = await faults.rewrite(line)
      stream.push(faulty === undefined ? line : `${faulty}\n`)
      rest = rest.subarray(end + 1)
    }
    if (rest.length <= maxFaultyBytes) return
    stream.push(rest)
    rest = Buffer.alloc(0)
  }
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      pass(this, chunk).then(() => done(), done)
    },
    flush(done) {
      if (rest.length > 0) this.push(rest)
      done()
    },
  })
  source.on('error', () => lines.end())
  return source.pipe(lines)
}
