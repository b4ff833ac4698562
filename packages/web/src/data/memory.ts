// The data of the page of one memory of zino.
import type { PageHead } from './head.ts'

export interface MemoryPage extends PageHead {
  kind: 'memory'
  id: string
  /** The messages of a memory, or one text without a speaker. */
  messages: { role: string; text: string }[]
  /** Further fields: tag, source, time. */
  facts: { name: string; value: string }[]
}
