// Decodes the bytes of a response into events, for any wire format, streamed or as one document.
// Events before a failure are delivered before it, wherever the bytes are cut.
import { ModelError, parseError, tooLargeError } from '../errors/errors.ts'
import { jsonErrorReason } from '../json/json.ts'
import type { ModelEvent } from '../request/request.ts'
import { createSseReader } from './sse.ts'
import type { Wire, WireContext, WireDecoder } from './wire.ts'

interface StreamDecoder {
  feed(bytes: Uint8Array): ModelEvent[]
  end(): ModelEvent[]
  /** Whether the decoder ignores all further bytes. */
  done(): boolean
  /** The caller throws it after it has delivered the events of the same call. */
  failure(): ModelError | undefined
}

/** Maximum size of a response that is one JSON document. */
const maxAnswerBytes = 64 * 1024 * 1024

/** First character of an event stream: of a field name, a comment or a byte order mark. */
const streamStart = /[deir:\u00ef]/

/** `contentType` selects event stream or JSON document; for other types the first byte does. */
export function createStreamDecoder(
  wire: Wire,
  context: WireContext,
  contentType: string | undefined,
): StreamDecoder {
  let events: ModelEvent[] = []
  let failure: ModelError | undefined
  const decoder = wire.createDecoder(context, (event) => events.push(event))
  let reader = inputForType(contentType, decoder)

  function run(work: () => void): ModelEvent[] {
    events = []
    try {
      if (failure === undefined) work()
    } catch (error) {
      failure = asModelError(error)
    }
    return events
  }

  return {
    feed: (bytes) =>
      run(() => {
        const first = reader === undefined ? firstCharacter(bytes) : ''
        // Some servers send blanks first to keep the connection open.
        if (first === undefined) return
        reader ??= streamStart.test(first) ? sseInput(decoder) : jsonInput(decoder, contentType)
        reader.feed(bytes)
      }),
    end: () =>
      run(() => {
        reader?.end()
        if (!decoder.done()) decoder.end()
      }),
    done: () => failure !== undefined || decoder.done(),
    failure: () => failure,
  }
}

interface Input {
  feed(bytes: Uint8Array): void
  end(): void
}

function inputForType(contentType: string | undefined, decoder: WireDecoder): Input | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'text/event-stream') return sseInput(decoder)
  if (type === 'application/json') return jsonInput(decoder, contentType)
  return undefined
}

function sseInput(decoder: WireDecoder): Input {
  const onEvent = (name: string | undefined, data: string): void => {
    if (!decoder.done()) decoder.event(name, data)
  }
  return createSseReader(onEvent, decoder.isCompleteEvent)
}

function jsonInput(decoder: WireDecoder, contentType: string | undefined): Input {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    feed(bytes) {
      size += bytes.length
      if (size > maxAnswerBytes) throw tooLargeError(maxAnswerBytes)
      chunks.push(bytes)
    },
    end() {
      const text = Buffer.concat(chunks).toString('utf8')
      decoder.answer(parseAnswer(text, contentType))
    },
  }
}

function parseAnswer(text: string, contentType: string | undefined): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const type = contentType === undefined || /json/i.test(contentType) ? '' : ` (${contentType})`
    throw parseError(
      `The answer is not JSON${type}, is the base URL right? ${jsonErrorReason(error)}`,
      text,
    )
  }
}

function firstCharacter(bytes: Uint8Array): string | undefined {
  const first = bytes.find((byte) => byte > 0x20)
  return first === undefined ? undefined : String.fromCharCode(first)
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  return new ModelError('parse', `The answer cannot be read: ${jsonErrorReason(error)}`)
}
