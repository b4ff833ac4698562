// A reader that leaves early, as `head` does.
import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Project, type StartedAttempt } from './project.ts'

describe('a command whose reader has left', () => {
  let project: Project
  let attempt: StartedAttempt

  beforeAll(async () => {
    project = new Project()
    attempt = await project.start()
    // More than a pipe takes at once, of every kind.
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
  ])('%s ends without a word', async (_name, words) => {
    const ran = await project.zcl(words(), { onStart: (child) => child.stdout?.destroy() })
    expect(ran.err).toBe('')
    expect(ran.signal).toBeNull()
  })
})
