// What a hostile peer does with a connection or a pair of pipes.
import net from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Protocol } from './protocols.ts'

export interface Wire {
  /** What the program sends. */
  input: Readable
  /** What the program receives. */
  output: Writable
}

type Act = (wire: Wire, protocol: Protocol) => void

/** Messages that one write of a flood holds. */
const floodBytes = 1 << 16

export const behaviours = {
  'never reads': ({ output }, { request }) => {
    if (request !== undefined) output.write(bytes(request))
  },
  'never writes': ({ input }) => {
    input.resume()
  },
  floods: ({ input, output }, { opening, message }) => {
    input.resume()
    output.write(bytes(opening))
    flood(output, message)
  },
  'sends an endless line': ({ input, output }, { opening }) => {
    input.resume()
    output.write(bytes(opening))
    flood(output, 'x')
  },
  'half-closes': ({ input, output }, { opening, message }) => {
    input.resume()
    output.end(bytes(opening + message.slice(0, message.length / 2)))
  },
  'drips one byte a second': ({ input, output }, { opening, message }) => {
    input.resume()
    output.write(bytes(opening))
    let at = 0
    setInterval(() => output.write(bytes(message.charAt(at++ % message.length))), 1000)
  },
  'drips its head one byte a second': ({ input, output }, { opening }) => {
    input.resume()
    let at = 0
    setInterval(() => output.write(bytes(opening.charAt(at++ % opening.length))), 1000)
  },
  'resets in mid-answer': ({ input, output }, { opening, message }) => {
    input.resume()
    output.write(bytes(opening + message.slice(0, message.length / 2)), () => reset(output))
  },
  'sends requests without reading answers': ({ output }, { opening, request = '' }) => {
    output.write(bytes(opening))
    flood(output, request)
  },
  'nests 100,000 levels': ({ input, output }, { opening, nested }) => {
    input.resume()
    output.write(bytes(opening))
    flood(output, nested)
  },
  'announces a wrong length': ({ input, output }, { wrongLength = '' }) => {
    input.resume()
    output.write(bytes(wrongLength))
  },
} satisfies Record<string, Act>

export type Behaviour = keyof typeof behaviours

/** Heads, requests and lengths do not exist in every protocol. */
export function isPossible(behaviour: Behaviour, protocol: Protocol): boolean {
  if (behaviour === 'sends requests without reading answers') return protocol.request !== undefined
  if (behaviour === 'drips its head one byte a second') return protocol.opening !== ''
  return behaviour !== 'announces a wrong length' || protocol.wrongLength !== undefined
}

/** Closes a connection with RST; a pipe is closed. */
function reset(output: Writable): void {
  if (output instanceof net.Socket && output.remotePort !== undefined) output.resetAndDestroy()
  else output.destroy()
}

/** Writes the text for ever, as fast as the program reads. */
function flood(output: Writable, text: string): void {
  const block = bytes(text.repeat(Math.max(1, Math.floor(floodBytes / text.length))))
  const fill = () => {
    while (output.writable && output.write(block));
    output.once('drain', fill)
  }
  fill()
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
