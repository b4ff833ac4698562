// The segments of a request in the order in which providers cache them: tools, parts of the system
// prompt, parts of the messages. Every request stores the hashes of its segments, as the difference to
// the request before, so that a reader can tell which segment ended a cached prefix.
import { fingerprint } from '@zee/core/ids'
import type { ModelRequest, Part } from '@zee/llm'

export interface Segment {
  /** `tools`, a name from `systemParts`, `prompt`, `answer`, `call:<id>`, `result:<id>`, ... */
  name: string
  hash: string
  /** Size as JSON, for attributing tokens. */
  bytes: number
}

/** The segments from number `from` on; those before it are unchanged. */
export interface PrefixDelta {
  from: number
  segments: readonly Segment[]
}

export interface SystemPart {
  name: string
  text: string
}

type SentRequest = Pick<ModelRequest, 'system' | 'messages' | 'tools'>

/** Describes each request as a difference to the last request that was stored. */
export class PrefixTracker {
  readonly #systemParts: readonly SystemPart[]
  readonly #known = new WeakMap<Part, Segment>()
  #last: readonly Segment[] = []

  constructor(systemParts: readonly SystemPart[]) {
    this.#systemParts = systemParts
  }

  /** `store` returns the difference; the caller writes it to the session. */
  describe(request: SentRequest): { store(): PrefixDelta } {
    const segments = this.#segmentsOf(request)
    return {
      store: () => {
        const from = sharedCount(this.#last, segments)
        this.#last = segments
        return { from, segments: segments.slice(from) }
      },
    }
  }

  #segmentsOf({ system, messages, tools }: SentRequest): Segment[] {
    const isSplit = system === this.#systemParts.map(({ text }) => text).join('\n\n')
    const parts = isSplit ? this.#systemParts : [{ name: 'system prompt', text: system ?? '' }]
    return [
      ...((tools?.length ?? 0) === 0 ? [] : [segmentOf('tools', JSON.stringify(tools))]),
      ...parts.filter(({ text }) => text !== '').map(({ name, text }) => segmentOf(name, text)),
      ...messages.flatMap(({ role, parts }) => parts.map((part) => this.#partSegment(role, part))),
    ]
  }

  /** Parts are not changed once they are sent, so each is hashed once. */
  #partSegment(role: string, part: Part): Segment {
    const known = this.#known.get(part)
    if (known !== undefined) return known
    const segment = segmentOf(partName(role, part), JSON.stringify(part))
    this.#known.set(part, segment)
    return segment
  }
}

/** Rebuilds the segments of a request from those of the request before. */
export function applyDelta(last: readonly Segment[], { from, segments }: PrefixDelta): Segment[] {
  return [...last.slice(0, from), ...segments]
}

/** The number of segments at the start that are equal. */
export function sharedCount(one: readonly Segment[], other: readonly Segment[]): number {
  const end = Math.min(one.length, other.length)
  let count = 0
  while (count < end && one[count]?.hash === other[count]?.hash) count++
  return count
}

function segmentOf(name: string, text: string): Segment {
  return { name, hash: fingerprint(`${name}\n${text}`), bytes: Buffer.byteLength(text) }
}

function partName(role: string, part: Part): string {
  switch (part.type) {
    case 'tool_call':
      return `call:${part.id}`
    case 'tool_result':
      return `result:${part.id}`
    case 'text':
      return role === 'user' ? 'prompt' : 'answer'
    default:
      return part.type
  }
}
