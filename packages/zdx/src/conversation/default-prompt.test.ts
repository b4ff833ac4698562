import { expect, it } from 'vitest'
import { defaultPrompt } from './default-prompt.ts'

const now = new Date('2026-11-16T12:00:00Z')

it('the default system prompt names folder, operating system and date, and has four rules', () => {
  const prompt = defaultPrompt('/home/me/project', now)
  expect(prompt).toContain('/home/me/project')
  expect(prompt).toContain(process.platform)
  expect(prompt).toContain('2026-11-16')
  expect(prompt.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(4)
})

it('the default system prompt stays within 480 bytes for every folder', () => {
  for (const folder of ['/a', `/${'long-name/'.repeat(90)}end`, `/${'é'.repeat(300)}`]) {
    expect(Buffer.byteLength(defaultPrompt(folder, now))).toBeLessThanOrEqual(480)
  }
  expect(defaultPrompt(`/${'long-name/'.repeat(90)}end`, now)).toContain('.../')
})
