import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openEditorStreams } from './editor-streams.ts'

it('reads no more requests while the editor leaves 256 KiB of answers unread', async () => {
  const stdin = new PassThrough()
  const stdout = new PassThrough({ writableHighWaterMark: 1024, readableHighWaterMark: 1024 })
  const { input, output } = openEditorStreams({ stdin, stdout } as never)
  const [reader, writer] = [input.getReader(), output.getWriter()]
  stdin.write('first')
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first')
  for (let count = 0; count < 3; count++) await writer.write(Buffer.alloc(100_000))
  // The stream reads one chunk ahead.
  stdin.write('second')
  await reader.read()
  const third = reader.read()
  stdin.write('third')
  const isRead = await Promise.race([
    third.then(() => true),
    new Promise((resolve) => setImmediate(resolve)).then(() => false),
  ])
  expect(isRead).toBe(false)
  stdout.resume()
  expect(Buffer.from((await third).value ?? []).toString()).toBe('third')
  stdin.end()
  expect(await reader.read()).toMatchObject({ done: true })
})
