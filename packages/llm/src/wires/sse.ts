// Parses server-sent events from bytes that are cut anywhere. As the format requires, an event
// without its final blank line is dropped, so that the decoder notices a stream that ended early.
// A wire may accept such an event if its servers omit the last blank line.
import { StringDecoder } from 'node:string_decoder'
import { createParser, type ParseError } from 'eventsource-parser'

interface SseReader {
  feed(bytes: Uint8Array): void
  end(): void
}

/** `data` is the joined data lines; `name` is the value of the event line, if there is one. */
type OnSseEvent = (name: string | undefined, data: string) => void

/** Maximum length of an event; bounds memory if a server never ends a line. */
const maxEventLength = 32 * 1024 * 1024

/** `isComplete` decides whether to accept a last event without its blank line. */
export function createSseReader(
  onEvent: OnSseEvent,
  isComplete: (data: string) => boolean = () => false,
): SseReader {
  const decoder = new StringDecoder('utf8')
  let isEnded = false
  const parser = createParser({
    onEvent: (event) => {
      if (!isEnded || isComplete(event.data)) onEvent(event.event, event.data)
    },
    onError: (error) => handleParseError(error, onEvent),
    maxBufferSize: maxEventLength,
  })
  let isStarted = false
  let endsWithCr = false

  function feedText(text: string): void {
    if (text === '') return
    const hasByteOrderMark = !isStarted && text.charCodeAt(0) === 0xfeff
    // The parser holds back a last CR, since an LF may follow. This text does not start with one.
    if (endsWithCr && !text.startsWith('\n')) parser.feed('\n')
    isStarted = true
    endsWithCr = text.endsWith('\r')
    parser.feed(hasByteOrderMark ? text.slice(1) : text)
  }

  return {
    feed: (bytes) => feedText(decoder.write(bytes)),
    end() {
      feedText(decoder.end())
      if (endsWithCr) parser.feed('\n')
      isEnded = true
      parser.feed('\n\n')
    },
  }
}

function handleParseError(error: ParseError, onEvent: OnSseEvent): void {
  if (error.type === 'max-buffer-size-exceeded') throw error
  // llama.cpp reports failures in a nonstandard field: `error: {...}`.
  if (error.type === 'unknown-field' && error.field === 'error') onEvent('error', error.value ?? '')
}
