import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRedactor } from '@zee/core/redact'
import { feedback, Lab } from '../../test/lab.ts'
import { junitText } from './junit.ts'
import { openExport } from './source.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

test('a JUnit export leaves out tags and a result that are no text', async () => {
  const attempt = lab.complete()
  const strange = { toString: 1, valueOf: 2 }
  const damaged = { ok: false, result: strange, decisionTags: ['blocked', strange, null] }
  attempt.write('feedback.json', { ...feedback(attempt), ...damaged })
  const source = await openExport(
    { kind: 'run', folder: attempt.runFolder, name: attempt.ids.runId },
    createRedactor({}),
    'refuse',
  )
  let xml = ''
  for await (const part of junitText(source)) xml += part
  expect(xml).toContain('<failure type="blocked" message="blocked">null</failure>')
})
