import { expect, it } from 'vitest'
import { allocateTextMemory } from './memory.ts'

it('memory from the pool is as large as the text, also when only smaller memory is idle', () => {
  const held = Array.from({ length: 8 }, () => allocateTextMemory(1))
  for (const memory of held) memory.release()
  const size = 6_000_000
  const memory = allocateTextMemory(size)
  expect(memory.buffer.length).toBeGreaterThanOrEqual(size)
  memory.buffer.fill('é\n')
  expect(memory.count(size)).toEqual({ lineEnds: 2_000_000, chars: 4_000_000 })
  memory.release()
})
