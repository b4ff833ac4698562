// Server-sent events out of bytes cut anywhere: LF, CR and CRLF, comments, `data:` without a
// space, several data lines. An event that no blank line has ended is dropped, as the format says:
// whoever reads the stream then sees that it ended early. A wire whose servers forget the line behind
// the last event says which of those count.
import { StringDecoder } from 'node:string_decoder'
import { createParser, type ParseError } from 'eventsource-parser'

interface SseReader {
  feed(bytes: Uint8Array): void
  end(): void
}

/** `data` is the data lines joined; `name` is the event line, when there was one. */
type OnSseEvent = (name: string | undefined, data: string) => void

/** Characters that one event may hold; a server that never ends a line must not fill the memory. */
const maxEventLength = 64 * 1024 * 1024

/** `isWhole` judges the data of a last event that was not ended. */
export function createSseReader(
  onEvent: OnSseEvent,
  isWhole: (data: string) => boolean = () => false,
): SseReader {
  const decoder = new StringDecoder('utf8')
  let isOver = false
  const parser = createParser({
    onEvent: (event) => {
      if (!isOver || isWhole(event.data)) onEvent(event.event, event.data)
    },
    onError: (error) => handleParseError(error, onEvent),
    maxBufferSize: maxEventLength,
  })
  let started = false
  let endsWithCr = false

  function feedText(text: string): void {
    if (text === '') return
    const first = !started && text.charCodeAt(0) === 0xfeff
    // A line that ended in CR ends now, not with the next line: the stream may be over before that.
    if (endsWithCr && !text.startsWith('\n')) parser.feed('\n')
    started = true
    endsWithCr = text.endsWith('\r')
    parser.feed(first ? text.slice(1) : text)
  }

  return {
    feed: (bytes) => feedText(decoder.write(bytes)),
    end() {
      feedText(decoder.end())
      // The parser holds a last CR back, since an LF may follow it.
      if (endsWithCr) parser.feed('\n')
      isOver = true
      parser.feed('\n\n')
    },
  }
}

function handleParseError(error: ParseError, onEvent: OnSseEvent): void {
  if (error.type === 'max-buffer-size-exceeded') throw error
  // llama.cpp reports failures as a field of its own: `error: {...}`.
  if (error.type === 'unknown-field' && error.field === 'error') onEvent('error', error.value ?? '')
}
