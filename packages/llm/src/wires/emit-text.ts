// Emits a text or thinking delta, unless it is empty.
import type { Emit } from './wire.ts'

export function emitText(type: 'text' | 'thinking', text: unknown, emit: Emit): void {
  if (typeof text === 'string' && text !== '') emit({ type, text })
}
