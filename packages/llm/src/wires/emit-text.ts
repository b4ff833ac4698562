// Text and thinking of an answer, for wires that may also send none: an event is never empty.
import type { Emit } from './wire.ts'

export function emitText(type: 'text' | 'thinking', text: unknown, emit: Emit): void {
  if (typeof text === 'string' && text !== '') emit({ type, text })
}
