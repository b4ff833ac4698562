import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { failNextFlush } from '../../../../../../test/support/replace-write.ts'
import { append, history, start, store } from '../../../../test/mem.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'
import { RecordFile } from './record-file.ts'

it('a record whose flush failed is refused, and the next ones go into a new file without it', async () => {
  const file = path.join(tempFolder(), 'records.jsonl')
  const records = new RecordFile(file)
  await records.add({ name: 'one' })
  const inode = statSync(file).ino
  failNextFlush()
  await expect(records.add({ name: 'two' })).rejects.toThrow('the disk reported an error')
  await Promise.all(['three', 'four'].map((name) => records.add({ name })))
  expect(statSync(file).ino).not.toBe(inode)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe('{"name":"one"}\n{"name":"three"}\n{"name":"four"}\n')
  records.close()
  expect(new RecordFile(file).records).toEqual(records.records)
})

it('mem forgets memories and begins channels again after a failed flush', async () => {
  const { ask } = await start()
  await ask(store('the quay is flooded'))
  failNextFlush()
  expect(await ask({ type: 'forget', id: 0 })).toMatchObject({ type: 'error' })
  expect(await ask({ type: 'forget', id: 0 })).toEqual({ type: 'ok' })
  failNextFlush()
  expect(await ask(append('a/b', 'one'))).toMatchObject({ type: 'error' })
  expect(await ask(append('a/b', 'two'))).toEqual({ type: 'ok' })
  expect((await ask(history('a/b'))).messages).toMatchObject([{ content: 'two' }])
})
