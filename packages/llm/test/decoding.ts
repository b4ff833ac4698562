// Decodes responses with a wire format, cut into reads at given positions.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { ModelError } from '../src/errors/errors.ts'
import type { ModelEvent } from '../src/request/request.ts'
import { createStreamDecoder } from '../src/wires/stream-decoder.ts'
import type { Wire, WireContext } from '../src/wires/wire.ts'

export interface Decoded {
  events: ModelEvent[]
  failure: { kind: string; message: string; details: string | undefined } | undefined
}

export function fixture(name: string): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'fixtures', name))
}

export function context(provider: string): WireContext {
  let count = 0
  return { provider, quirks: {}, newId: () => `made_${++count}` }
}

/** `cuts` are the byte positions at which a read ends. */
export function decode(
  wire: Wire,
  provider: string,
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  contentType: string | undefined = 'text/event-stream',
): Decoded {
  const decoder = createStreamDecoder(wire, context(provider), contentType)
  const events: ModelEvent[] = []
  const bounds = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
  for (let n = 1; n < bounds.length && !decoder.done(); n++) {
    events.push(...decoder.feed(bytes.subarray(bounds[n - 1], bounds[n])))
  }
  if (!decoder.done()) events.push(...decoder.end())
  return { events: events.filter(isFinalUsage), failure: plain(decoder.failure()) }
}

/** Drops token counts that a later event replaces. */
function isFinalUsage(event: ModelEvent, index: number, events: readonly ModelEvent[]): boolean {
  if (event.type !== 'usage') return true
  return !events.slice(index + 1).some(({ type }) => type === 'usage')
}

/** Decodes in one read, then with one cut at every position, then byte by byte. */
export function decodeEverywhere(wire: Wire, provider: string, bytes: Uint8Array): Decoded {
  const uncut = decode(wire, provider, bytes)
  for (let cut = 1; cut < bytes.length; cut++) {
    expect(decode(wire, provider, bytes, [cut]), `cut at byte ${cut}`).toEqual(uncut)
  }
  const everyByte = Array.from({ length: bytes.length }, (_, index) => index)
  expect(decode(wire, provider, bytes, everyByte), 'byte by byte').toEqual(uncut)
  return uncut
}

function plain(error: ModelError | undefined): Decoded['failure'] {
  return error && { kind: error.kind, message: error.message, details: error.details }
}

/**
 * The values of all events of a stream, token counts that are replaced later included; an error is the last.
 * A chunk is the data of an event without a name, as an object or as text.
 */
export function eventValues(wire: Wire, chunks: readonly unknown[]): unknown[][] {
  const found: unknown[][] = []
  const decoder = wire.createDecoder(context('p'), (event) => found.push(Object.values(event)))
  try {
    for (const chunk of chunks) {
      decoder.event(undefined, typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
    }
    if (!decoder.done()) decoder.end()
  } catch (error) {
    const { kind, message } = error as ModelError
    found.push(['error', kind, message])
  }
  return found
}

/** The values of all events of a response that is one JSON document; an error is the last. */
export function answerValues(wire: Wire, answer: unknown): unknown[][] {
  const found: unknown[][] = []
  const decoder = wire.createDecoder(context('p'), (event) => found.push(Object.values(event)))
  try {
    decoder.answer(answer)
    expect(decoder.done()).toBe(true)
  } catch (error) {
    const { kind, message, details } = error as ModelError
    found.push(['error', kind, message, details])
  }
  return found
}
