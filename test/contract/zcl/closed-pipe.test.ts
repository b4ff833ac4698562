// A reader that closes the pipe early, as `head` does.
import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Project, type StartedAttempt } from './project.ts'

describe('a zcl command whose reader has closed the pipe', () => {
  let project: Project
  let attempt: StartedAttempt

  beforeAll(async () => {
    project = new Project()
    attempt = await project.start()
    // More output than fits into a pipe, for every command.
    for (let call = 0; call < 8; call++) {
      await project.run(attempt, ['sh', '-c', 'yes | head -c 16000'])
    }
    for (let copy = 0; copy < 300; copy++) {
      cpSync(attempt.file('attempt.json'), `${attempt.folder}-${copy}/attempt.json`)
    }
  })

  afterAll(() => project.remove())

  it.each([
    ['attempt list', () => ['attempt', 'list', '--json']],
    ['runs list', () => ['runs', 'list', '--json']],
    ['report', () => ['report', '--json', attempt.outDir]],
    ['export', () => ['export', '--format', 'jsonl', attempt.outDir]],
  ])('ends silently: %s', async (_name, words) => {
    const ran = await project.zcl(words(), { onStart: (child) => child.stdout?.destroy() })
    expect(ran.err).toBe('')
    expect(ran.signal).toBeNull()
  })
})
