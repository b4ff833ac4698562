import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { MarkdownWriter } from './writer.ts'

function openWriter(columns: number | undefined = 80, rows: number | undefined = 24) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, rows })
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

const x = (count: number) => 'x'.repeat(count)

it.each([
  [24, 8],
  [10, 8],
  [9, 7],
  [4, 2],
  [3, 1],
  [2, 1],
  [1, 1],
  [0, 8],
])('in a terminal of %i rows the unfinished end has %i', async (rows, count) => {
  const { writer, written } = openWriter(21, rows)
  await writer.write(Array.from({ length: 20 }, () => x(15)).join(' '))
  expect(written()).toBe(Array.from({ length: count }, () => x(15)).join('\n'))
  await writer.end()
  expect(written().startsWith(count === 1 ? '\r\u001b[J' : `\r\u001b[${count - 1}A\u001b[J`)).toBe(
    true,
  )
})

it('moves up over rows that a narrower terminal wraps', async () => {
  const { writer, written } = openWriter(10)
  await writer.write(x(10))
  written()
  await writer.write('x')
  expect(written()).toBe(`\r\u001b[J${x(11)}`)
  await writer.write(x(9))
  expect(written()).toBe(`\r\u001b[1A\u001b[J${x(20)}`)
  await writer.end()
  expect(written()).toBe(`\r\u001b[1A\u001b[J${x(20)}\n`)
})

it('takes 80 columns where the terminal has none', async () => {
  const { writer, written } = openWriter(0)
  await writer.write(`${x(77)} y`)
  expect(written()).toBe(`${x(77)} y`)
  await writer.write('z')
  expect(written()).toBe(`\r\u001b[J${x(77)}\nyz`)
})

it('shows the emphasis of a terminal with colour, and none without one', async () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  const shown = async (env: Record<string, string>) => {
    await new MarkdownWriter(stream as unknown as NodeJS.WriteStream, env).write('*a*\n')
    return String(stream.read())
  }
  expect(await shown({})).toBe('\u001b[3ma\u001b[23m\n')
  expect(await shown({ NO_COLOR: '1' })).toBe('*a*\n')
})
