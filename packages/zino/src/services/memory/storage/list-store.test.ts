import {
  chmodSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { decodeRecords } from '@zee/core/wal'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diskFull, replaceWrite } from '../../../../../../test/support/replace-write.ts'
import { recordingLog } from '../../../../test/log.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'
import { until } from '../../../../test/until.ts'
import { elementText, listText } from './list-text.ts'
import type { Storage } from './storage.ts'
import { makeDataFolder, openStorage } from './storage.ts'

const file = 'channels/a.json'

async function open(folder = tempFolder()): Promise<{ folder: string; storage: Storage }> {
  makeDataFolder(folder)
  const signal = new AbortController().signal
  const storage = await openStorage({ folder, log: recordingLog(), signal })
  let isOpen = true
  const { close } = storage
  storage.close = async () => {
    if (isOpen) await close()
    isOpen = false
  }
  onTestFinished(() => storage.close())
  return { folder, storage }
}

function read(folder: string, name = file): string {
  return readFileSync(path.join(folder, name), 'utf8')
}

function recordsIn(folder: string) {
  const journal = readFileSync(path.join(folder, 'mem.journal'))
  return decodeRecords(journal, 'zino mem journal 1\n').records
}

/** The next writes to the file fail half-way: the disk is full. */
function failWritesTo(target: string, times: number): void {
  const { ino } = statSync(target)
  let failed = 0
  replaceWrite((write) => (descriptor, bytes, offset, length, position) => {
    if (failed === times || fstatSync(descriptor).ino !== ino) {
      return write(descriptor, bytes, offset, length, position)
    }
    failed += 1
    write(descriptor, bytes, offset, length >> 1, position)
    throw diskFull()
  })
}

const message = (content: string) => ({ role: 'user', content })
const texts = (...contents: string[]) => contents.map((content) => elementText(message(content)))

describe('the list store', () => {
  it('has a complete, well-formed and private file when an append resolves', async () => {
    const { folder, storage } = await open()
    const list: object[] = []
    for (const content of ['one', 'zwei ☃', 'drei\nvier', 'x'.repeat(70_000), '', 'last']) {
      list.push(message(content))
      await storage.lists.append(file, texts(content))
      expect(read(folder)).toBe(listText(list))
      expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600)
    }
    expect(await storage.lists.all(file)).toEqual(list)
    expect(await storage.lists.last(file, 2)).toEqual(list.slice(-2))
  })

  it('loses none of many concurrent appends and keeps those of one caller together', async () => {
    const { folder, storage } = await open()
    const names = Array.from({ length: 60 }, (_, at) => `m${at}`)
    await Promise.all(
      names.map((name) => storage.lists.append(file, texts(name, `${name} ${'y'.repeat(3000)}`))),
    )
    const contents = (JSON.parse(read(folder)) as { content: string }[]).map(
      ({ content }) => content,
    )
    expect(contents.filter((_, at) => at % 2 === 0).sort()).toEqual([...names].sort())
    for (const [at, content] of contents.entries()) {
      if (at % 2 === 1) expect(content.startsWith(`${contents[at - 1]} `)).toBe(true)
    }
  })

  it('resolves to the offset of each element', async () => {
    const { folder, storage } = await open()
    const starts = [
      ...(await storage.lists.append(file, texts('a', 'é'))),
      ...(await storage.lists.append(file, texts('b'))),
      ...(await storage.lists.append(file, texts('x'.repeat(80_000), 'c'))),
      ...(await storage.lists.append(file, texts('d'))),
    ]
    const bytes = readFileSync(path.join(folder, file))
    const expected = texts('a', 'é', 'b', 'x'.repeat(80_000), 'c', 'd')
    expect(starts.map((start, at) => bytes.indexOf(expected[at] as string, start))).toEqual(starts)
  })

  it('empties its journal when idle and on close', async () => {
    const { folder, storage } = await open()
    await storage.lists.append(file, texts('a'))
    expect(recordsIn(folder).length).toBe(1)
    await until(() => recordsIn(folder).length === 0)
    await storage.lists.append(file, texts('b'))
    await storage.close()
    expect(recordsIn(folder)).toEqual([])
    expect(read(folder)).toBe(listText([message('a'), message('b')]))
  })

  it('keeps its journal small under steady load', async () => {
    const { folder, storage } = await open()
    const size = () => statSync(path.join(folder, 'mem.journal')).size
    let largest = 0
    for (let round = 0; round < 60; round += 1) {
      const names = Array.from({ length: 8 }, (_, at) => `channels/c${at}.json`)
      await Promise.all(names.map((name) => storage.lists.append(name, texts('z'.repeat(20_000)))))
      largest = Math.max(largest, size())
    }
    expect(largest).toBeLessThan(9_000_000)
    expect((await storage.lists.all('channels/c3.json')).length).toBe(60)
  })

  it('removes a list and starts a new one under its name', async () => {
    const { folder, storage } = await open()
    await storage.lists.append(file, texts('old'))
    await storage.lists.remove(file)
    expect(readdirSync(path.join(folder, 'channels'))).toEqual([])
    await storage.lists.remove(file)
    await storage.lists.append(file, texts('new'))
    expect(read(folder)).toBe(listText([message('new')]))
  })

  it.each([
    ['another indent', JSON.stringify([message('a'), message('b')], undefined, 4)],
    ['no indent', JSON.stringify([message('a'), message('b')])],
    ['a line break at the end', `${listText([message('a'), message('b')])}\n`],
    [
      'elements on one line',
      `[\n${JSON.stringify(message('a'))},\n${JSON.stringify(message('b'))}\n]`,
    ],
  ])('appends to a list with %s', async (_name, content) => {
    const { folder, storage } = await open()
    writeFileSync(path.join(folder, file), content)
    await storage.lists.append(file, texts('c'))
    await storage.lists.append(file, texts('d'))
    const list = ['a', 'b', 'c', 'd'].map(message)
    expect(JSON.parse(read(folder))).toEqual(list)
    expect(await storage.lists.last(file, 3)).toEqual(list.slice(-3))
  })

  it.each(['[]', '[\n]', ' [ ] \n'])('appends to the empty list %j', async (content) => {
    const { folder, storage } = await open()
    writeFileSync(path.join(folder, file), content)
    expect(await storage.lists.all(file)).toEqual([])
    await storage.lists.append(file, texts('c'))
    expect(read(folder)).toBe(listText([message('c')]))
  })

  it.each(['', '{', '[{"role":"user"', '{"a":1}', 'garbage\n]', '[1]'])(
    'refuses a file that holds %j, moves it aside and continues without it',
    async (content) => {
      for (const use of ['all', 'last', 'append'] as const) {
        const { folder, storage } = await open()
        writeFileSync(path.join(folder, file), content)
        const ask = () => {
          if (use === 'all') return storage.lists.all(file)
          return use === 'last'
            ? storage.lists.last(file, 3)
            : storage.lists.append(file, texts('x'))
        }
        await expect(ask()).rejects.toThrow(/damaged.*kept as a\.json\.damaged-1/)
        expect(read(folder, `${file}.damaged-1`)).toBe(content)
        await storage.lists.append(file, texts('fresh'))
        expect(read(folder)).toBe(listText([message('fresh')]))
        writeFileSync(path.join(folder, file), content)
        await expect(storage.lists.all(file)).rejects.toThrow(/damaged-2/)
      }
    },
  )

  it.each([
    [1024 * 1024, true],
    [1024 * 1024 + 1, false],
  ])('of %i bytes from another program, damage at the start is found: %s', async (size, found) => {
    const { folder, storage } = await open()
    const start = '[\n  {damaged},\n  {"role": "user", "content": "'
    const end = '"},\n  {"role": "user", "content": "y"}\n]'
    const damaged = `${start}${'x'.repeat(size - start.length - end.length)}${end}`
    writeFileSync(path.join(folder, file), damaged)
    const added = storage.lists.append(file, texts('new'))
    if (found) await expect(added).rejects.toMatchObject({ code: 'damaged' })
    else expect(await added).toEqual([size - '\n]'.length + ',\n  '.length])
  })

  it('detects that another program has damaged a file between two appends', async () => {
    const { folder, storage } = await open()
    await storage.lists.append(file, texts('a'))
    writeFileSync(path.join(folder, file), 'broken by another program\n]')
    await expect(storage.lists.append(file, texts('b'))).rejects.toThrow(/damaged/)
    expect(read(folder, `${file}.damaged-1`)).toBe('broken by another program\n]')
  })

  it('appends to a list that another program has changed', async () => {
    const { folder, storage } = await open()
    await storage.lists.append(file, texts('a'))
    writeFileSync(path.join(folder, file), listText([message('edited')]))
    await storage.lists.append(file, texts('b'))
    expect(read(folder)).toBe(listText([message('edited'), message('b')]))
  })

  it('overwrites few or many bytes in the middle of a file', async () => {
    const { folder, storage } = await open()
    const long = 'x'.repeat(90_000)
    await storage.lists.append(file, texts('a'))
    const [, start = 0] = await storage.lists.append(file, texts('b', long, 'c'))
    const before = readFileSync(path.join(folder, file))
    for (const bytes of [Buffer.from('{"n":1}'), Buffer.from('{"n":2}'.padEnd(70_000))]) {
      await storage.lists.patch(file, start, bytes)
      bytes.copy(before, start)
      expect(readFileSync(path.join(folder, file)).equals(before)).toBe(true)
    }
  })

  it('writes 65,536 bytes in place, and replaces the file for one more', async () => {
    const { folder, storage } = await open()
    const inode = () => statSync(path.join(folder, file)).ino
    await storage.lists.append(file, texts('a'))
    const atStart = inode()
    // The comma, the line break, the indentation and the end of the list are written, too.
    const around = Buffer.byteLength(elementText(message(''))) + ',\n  \n]'.length
    await storage.lists.append(file, texts('x'.repeat(65_536 - around)))
    expect(inode()).toBe(atStart)
    await storage.lists.patch(file, 4, Buffer.alloc(65_536, ' '))
    expect(inode()).toBe(atStart)
    await storage.lists.append(file, [elementText(message('b'))])
    const [changed, patched] = [inode(), readFileSync(path.join(folder, file)).length]
    expect(patched).toBeGreaterThan(65_536)
    await storage.lists.patch(file, 4, Buffer.alloc(65_537, ' '))
    expect(inode()).not.toBe(changed)
  })

  it('replaces the file for an append of 65,537 bytes', async () => {
    const { folder, storage } = await open()
    const inode = () => statSync(path.join(folder, file)).ino
    await storage.lists.append(file, texts('a'))
    const atStart = inode()
    const around = Buffer.byteLength(elementText(message(''))) + ',\n  \n]'.length
    await storage.lists.append(file, texts('x'.repeat(65_537 - around)))
    expect(inode()).not.toBe(atStart)
  })

  it('restores all files from the journal alone', async () => {
    const { folder, storage } = await open()
    const other = 'channels/b.json'
    await storage.lists.append(other, texts('gone'))
    const [start = 0] = await storage.lists.append(file, texts('a', 'b'))
    await storage.lists.remove(other)
    await storage.lists.append(file, texts('c'))
    await storage.lists.append(other, texts('d'))
    await storage.lists.patch(file, start, Buffer.from('{"n":1}'.padEnd(20)))
    await storage.lists.append(other, texts('e'))
    const bare = tempFolder()
    makeDataFolder(bare)
    copyFileSync(path.join(folder, 'mem.journal'), path.join(bare, 'mem.journal'))
    await open(bare)
    for (const name of [file, other]) expect(read(bare, name)).toBe(read(folder, name))
  })

  it.each(['append', 'patch'] as const)(
    'does not restore a refused %s from the journal after a crash',
    async (kind) => {
      const { folder, storage } = await open()
      const [start = 0] = await storage.lists.append(file, texts('a'))
      failWritesTo(path.join(folder, file), 1)
      const refused =
        kind === 'append'
          ? storage.lists.append(file, texts('refused'))
          : storage.lists.patch(file, start, Buffer.from('{"refused":1}'))
      await expect(refused).rejects.toMatchObject({ code: 'enospc' })
      const crashed = tempFolder()
      makeDataFolder(crashed)
      for (const name of ['mem.journal', file]) {
        copyFileSync(path.join(folder, name), path.join(crashed, name))
      }
      await open(crashed)
      expect(read(crashed)).toBe(listText([message('a')]))
    },
  )

  it('writes the old content anew when a refused patch cannot be rolled back', async () => {
    const { folder, storage } = await open()
    const [start = 0] = await storage.lists.append(file, texts('a', 'b'))
    const before = read(folder)
    failWritesTo(path.join(folder, file), 2)
    const refused = storage.lists.patch(file, start, Buffer.from('{"refused":1}'))
    await expect(refused).rejects.toMatchObject({ code: 'enospc' })
    expect(read(folder)).toBe(before)
    await storage.lists.append(file, texts('c'))
    expect(read(folder)).toBe(listText([message('a'), message('b'), message('c')]))
  })

  it('does not let two processes open one folder', async () => {
    const { folder } = await open()
    const over = new AbortController()
    const second = openStorage({ folder, log: recordingLog(), signal: over.signal })
    over.abort()
    await expect(second).rejects.toThrow()
  })

  it('reports why a file cannot be written and keeps working', async () => {
    const { folder, storage } = await open()
    mkdirSync(path.join(folder, 'channels/taken.json'))
    await expect(storage.lists.append('channels/taken.json', texts('a'))).rejects.toThrow(
      /taken\.json/,
    )
    await expect(storage.lists.all('channels/taken.json')).rejects.toThrow(/taken\.json/)
    await storage.lists.append(file, texts('a'))
    expect(read(folder)).toBe(listText([message('a')]))
    chmodSync(path.join(folder, file), 0o644)
    await storage.lists.append(file, texts('b'))
    expect(JSON.parse(read(folder))).toHaveLength(2)
  })
})

describe('an update of a list', () => {
  it('loses no append that arrives while it reads and writes', async () => {
    const { storage } = await open()
    const { lists } = storage
    await lists.append(file, [elementText(message('first'))])
    const numbers = Array.from({ length: 30 }, (_, at) => String(at))
    await Promise.all(
      numbers.flatMap((number) => [
        lists.append(file, [elementText(message(number))]),
        lists.update(file, (list) => [message('inserted'), ...list.slice(1)]),
      ]),
    )
    const contents = (await lists.all(file)) as { content: string }[]
    expect(contents.map(({ content }) => content).toSorted()).toEqual(
      ['inserted', ...numbers].toSorted(),
    )
  })

  it('does not create a missing file', async () => {
    const { folder, storage } = await open()
    await storage.lists.update(file, () => [message('x')])
    expect(readdirSync(path.join(folder, 'channels'))).toEqual([])
  })
})
