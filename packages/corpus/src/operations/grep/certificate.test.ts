import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { corpusOf, tree } from '../../../test/support/trees.ts'

test('a match that appears during a search is found, or the certificate is of the text before it', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`f${at}.txt`, 'text\n'.repeat(500)]),
  )
  for (let round = 0; round < 4; round++) {
    const root = tree(files)
    const corpus = corpusOf(root)
    const running = corpus.grep({ pattern: 'needle', certify: true })
    for (let turn = 0; turn < round; turn++) await new Promise(setImmediate)
    writeFileSync(path.join(root, 'f0.txt'), 'needle\n')
    const during = await running
    const after = await corpus.grep({ pattern: 'needle', certify: true })
    expect(after.hits).toHaveLength(1)
    const isAfter = during.certificate?.root === after.certificate?.root
    expect(during.hits).toHaveLength(isAfter ? 1 : 0)
  }
})
