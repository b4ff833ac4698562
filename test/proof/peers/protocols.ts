// The bytes that a hostile peer sends at a boundary: a valid message to repeat or to drip, a request whose
// answer is large, a message of 100,000 levels, and one whose length is wrong.

export interface Protocol {
  /** Precedes every message of a connection, such as the head of an HTTP answer. */
  opening: string
  /** One complete message; a flood repeats it. */
  message: string
  /** A request that the program answers; absent where only the program asks. */
  request?: string
  nested: string
  /** A message that announces more bytes than follow; absent where messages have no length. */
  wrongLength?: string
}

const levels = 100_000
const nestedArray = '['.repeat(levels) + ']'.repeat(levels)

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
const shortBody =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 999999999\r\n\r\n'

/** An answer of a provider: the head, the first events, and an event with text to repeat. */
function answer(first: object[], delta: object, deep: string): Protocol {
  const event = (data: object | string) =>
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  const opening = streamHead + first.map(event).join('')
  return {
    opening,
    message: event(delta),
    nested: event(deep.replace('#', nestedArray)),
    wrongLength: `${shortBody}${event(delta)}`,
  }
}

const rpc = (body: string) => `{"jsonrpc":"2.0",${body}}\n`

/** A frame of zino: four bytes of length, then JSON. Its bytes are kept as Latin-1 text. */
function frame(text: string, length = text.length): string {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(length)
  return head.toString('latin1') + text
}

const httpRequest = (path: string, body: string, length = body.length) =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
  `authorization: Bearer {token}\r\naccept: application/json, text/event-stream\r\n` +
  `content-length: ${length}\r\n\r\n${body}`

const grep = '{"id":"1","op":"grep","args":{"pattern":"word"}}\n'
const ping = rpc('"id":1,"method":"ping"')

export const protocols = {
  anthropic: answer(
    [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'word '.repeat(20) },
    },
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":#}}',
  ),
  'openai-chat': answer(
    [],
    { choices: [{ index: 0, delta: { content: 'word '.repeat(20) } }] },
    '{"choices":[{"index":0,"delta":{"content":#}}]}',
  ),
  'openai-responses': answer(
    [{ type: 'response.created', response: { id: 'r' } }],
    {
      type: 'response.output_text.delta',
      item_id: 'i',
      output_index: 0,
      delta: 'word '.repeat(20),
    },
    '{"type":"response.output_text.delta","delta":#}',
  ),
  gemini: answer(
    [],
    { candidates: [{ content: { role: 'model', parts: [{ text: 'word '.repeat(20) }] } }] },
    '{"candidates":[{"content":{"parts":#}}]}',
  ),
  /** The standard input and output of an MCP server or client. */
  mcp: {
    opening: '',
    message: rpc('"method":"notifications/message","params":{"level":"info","data":1}'),
    request: ping,
    nested: rpc(`"id":0,"result":${nestedArray}`),
  },
  'mcp-http-answer': {
    opening: streamHead,
    message: `data: ${rpc('"method":"notifications/message","params":{"level":"info","data":1}')}\n`,
    request: `data: ${ping}\n`,
    nested: `data: ${rpc(`"id":0,"result":${nestedArray}`)}\n`,
    wrongLength: `${shortBody}data: ${ping}\n`,
  },
  'http-answer': {
    opening: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n',
    message: '{"a":1}\n',
    nested: nestedArray,
    wrongLength: `${shortBody}x`,
  },
  'http-request': httpProtocol('/', '{}'),
  'mcp-http-request': httpProtocol('/mcp', ping),
  'jsonl-http-request': httpProtocol('/jsonl', grep),
  'chat-http-request': httpProtocol(
    '/v1/chat/completions',
    '{"model":"zino","messages":[{"role":"user","content":"hi"}]}',
  ),
  /** Requests to `zeno serve`. */
  jsonl: { opening: '', message: grep, request: grep, nested: `${nestedArray}\n` },
  /** Packets of zino's sockets. */
  frames: {
    opening: '',
    message: frame('{"type":"ping"}'),
    request: frame('{"type":"ping"}'),
    nested: frame(nestedArray),
    wrongLength: frame('{"type":"ping"}', 4_000_000_000),
  },
  /** Output of commands, which has no form. */
  plain: { opening: '', message: 'a line of output\n', nested: `${nestedArray}\n` },
  /** Redis: replies that no request asked for. */
  redis: {
    opening: '',
    message: '+OK\r\n',
    nested: '*1\r\n'.repeat(levels),
    wrongLength: '$999999999\r\nabc',
  },
  /** PostgreSQL: AuthenticationOk, then notices. */
  postgres: {
    opening: 'R\0\0\0\x08\0\0\0\0',
    message: 'N\0\0\0\x0eMnotice\0\0\0',
    nested: 'N\0\0\0\x0eMnotice\0\0\0',
    wrongLength: 'T\x7f\xff\xff\xff\0\x01',
  },
} satisfies Record<string, Protocol>

export type ProtocolName = keyof typeof protocols

function httpProtocol(path: string, body: string): Protocol {
  const message = httpRequest(path, body)
  return {
    opening: '',
    message,
    request: message,
    nested: httpRequest(path, nestedArray),
    wrongLength: httpRequest(path, body, 900_000),
  }
}
