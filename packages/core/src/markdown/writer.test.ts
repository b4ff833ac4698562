import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { MarkdownWriter } from './writer.ts'

function openWriter(columns = 80) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 24 })
  const writer = new MarkdownWriter(stream as unknown as NodeJS.WriteStream, { NO_COLOR: '1' })
  return { writer, written: () => String(stream.read() ?? '') }
}

it('shows the end of the text as it arrives and replaces it when it is complete', async () => {
  const { writer, written } = openWriter()
  await writer.write('half of')
  expect(written()).toBe('half of')
  await writer.write(' a line\nnext')
  expect(written()).toBe('\r\u001b[Jhalf of a line\nnext')
  await writer.end()
  expect(written()).toBe('\r\u001b[Jnext\n')
})

it('moves up over all rows of a wrapped end', async () => {
  const { writer, written } = openWriter(21)
  await writer.write('one two three four five six seven')
  expect(written()).toBe('one two three four\nfive six seven')
  await writer.write('\n')
  expect(written()).toBe('\r\u001b[1A\u001b[Jone two three four\nfive six seven\n')
})

it('writes nothing for an empty text', async () => {
  const { writer, written } = openWriter()
  await writer.end()
  expect(written()).toBe('')
})
