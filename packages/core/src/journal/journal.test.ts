import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ZeeError } from '../errors/errors.ts'
import { positionByReading } from '../files/append-file.ts'
import { acquireLock } from '../lock/lock.ts'
import { lockedAppend, openJournal } from './journal.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-journal-'))
  file = path.join(folder, 'j.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a new journal', () => {
  test('is created by the first append, readable by its owner only', () => {
    const journal = openJournal(file)
    expect(existsSync(file)).toBe(false)
    journal.append({ a: 1 })
    journal.append({ text: 'two\nlines \u2028' })
    journal.close()
    expect(content()).toBe('{"a":1}\n{"text":"two\\nlines \u2028"}\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('starts with one header', () => {
    let made = 0
    const header = (): object => ({ header: ++made })
    const first = openJournal(file, { header, mode: 0o640, durability: 'durable' })
    first.append({ a: 1 })
    first.append({ a: 2 })
    const second = openJournal(file, { header })
    second.append({ a: 3 })
    expect(content()).toBe('{"header":1}\n{"a":1}\n{"a":2}\n{"a":3}\n')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['j.jsonl'])
    first.close()
    second.close()
  })

  test('with a new name does not look for leftovers of killed writers', () => {
    const leftover = path.join(folder, '.j.jsonl.000000000000-1-1-000000000000.tmp')
    writeFileSync(leftover, '')
    utimesSync(leftover, 0, 0)
    appendOnce(file, { header: () => ({ h: 1 }), isNewName: true })
    expect(content()).toBe('{"h":1}\n{"a":1}\n')
    expect(readdirSync(folder)).toEqual([path.basename(leftover), 'j.jsonl'])
    rmSync(file)
    appendOnce(file, { header: () => ({ h: 2 }) })
    expect(readdirSync(folder)).toEqual(['j.jsonl'])
  })

  test('gets its header when the file is empty or the target of a dangling link', () => {
    writeFileSync(file, '')
    appendOnce(file, { header: () => ({ h: 1 }) })
    expect(content()).toBe('{"h":1}\n{"a":1}\n')
    const link = path.join(folder, 'link.jsonl')
    symlinkSync('target.jsonl', link)
    appendOnce(link, { header: () => ({ h: 2 }) })
    expect(readFileSync(path.join(folder, 'target.jsonl'), 'utf8')).toBe('{"h":2}\n{"a":1}\n')
    expect(readdirSync(folder).sort()).toEqual(['j.jsonl', 'link.jsonl', 'target.jsonl'])
  })

  test('gets no header when the file has content', () => {
    writeFileSync(file, '{"old":1}')
    appendOnce(file, { header: () => ({ h: 1 }) })
    expect(content()).toBe('{"old":1}\n{"a":1}\n')
  })

  test('has an absolute path, so that a later chdir does not change it', () => {
    expect(openJournal(path.relative(process.cwd(), file)).path).toBe(file)
  })
})

describe('a torn tail', () => {
  test('is terminated before the first append', () => {
    writeFileSync(file, '{"a":1}\n{"torn":"ab')
    appendOnce(file)
    expect(content()).toBe('{"a":1}\n{"torn":"ab\n{"a":1}\n')
  })

  test('of another writer does not damage a record of an open journal', () => {
    const journal = openJournal(file)
    journal.append({ n: 1 })
    appendFileSync(file, '{"torn":"\u00fc')
    journal.append({ n: 2 })
    journal.append({ n: 3 })
    journal.close()
    expect(content()).toBe('{"n":1}\n{"torn":"\u00fc{"n":2}\n{"n":2}\n{"n":3}\n')
  })

  test('is not suspected after complete lines of another writer', () => {
    const [one, other] = [openJournal(file), openJournal(file)]
    for (let n = 0; n < 5; n++) {
      one.append({ n })
      other.append({ n })
    }
    one.close()
    other.close()
    const lines = [0, 1, 2, 3, 4].map((n) => `{"n":${n}}\n{"n":${n}}\n`)
    expect(content()).toBe(lines.join(''))
  })

  test('is detected without /proc', () => {
    const descriptor = openSync(file, 'a+')
    writeFileSync(descriptor, 'ours\n')
    appendFileSync(file, 'theirs\n')
    expect(positionByReading(descriptor)).toBe(5)
    closeSync(descriptor)
  })
})

describe('a journal whose flush failed', () => {
  test('never reports a successful flush again', () => {
    const journal = openJournal(file)
    journal.append({ n: 1 })
    const opened = readdirSync('/proc/self/fd').find((fd) => linkOf(fd) === file)
    closeSync(Number(opened))
    expect(() => journal.sync()).toThrow(`cannot flush ${file}`)
    // Reuses the number of the closed descriptor: a second flush of it would succeed.
    const other = openSync(`${file}.other`, 'w')
    expect(other).toBe(Number(opened))
    expect(() => journal.sync()).toThrow(`cannot flush ${file}`)
    closeSync(other)
  })

  function linkOf(fd: string): string | undefined {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return undefined
    }
  }
})

describe('an open journal', () => {
  test('keeps writing to its file after it was renamed, removed or truncated', () => {
    const journal = openJournal(file)
    journal.append({ n: 1 })
    truncateSync(file, 0)
    journal.append({ n: 2 })
    expect(content()).toBe('{"n":2}\n')
    renameSync(file, `${file}.old`)
    journal.append({ n: 3 })
    expect(readFileSync(`${file}.old`, 'utf8')).toBe('{"n":2}\n{"n":3}\n')
    rmSync(`${file}.old`)
    journal.append({ n: 4 })
    journal.sync()
    journal.close()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a journal rejects', () => {
  test.each([
    ['an array', [1]],
    ['an object whose toJSON returns a string', { toJSON: () => 'text' }],
    ['an object whose toJSON returns undefined', { toJSON: () => undefined }],
    ['a bigint', { n: 1n }],
  ])('%s and writes nothing', (_name, record) => {
    const journal = openJournal(file)
    expect(() => journal.append(record)).toThrow(ZeeError)
    expect(existsSync(file)).toBe(false)
  })

  test.each(['', '[]', '1', '{"a":1', '{"a":\n1}', ' {"a":1}'])('the line %j', (line) => {
    const journal = openJournal(file)
    expect(codeOf(() => journal.appendLine(line))).toBe('not_a_record')
    expect(existsSync(file)).toBe(false)
  })

  test('a missing folder, a folder as its file and a full device, with path and reason', () => {
    const missing = openJournal(path.join(folder, 'no', 'j.jsonl'))
    expect(() => missing.append({})).toThrow(/^cannot open .*no\/j\.jsonl: no such file or folder$/)
    const headed = openJournal(path.join(folder, 'no', 'j.jsonl'), { header: () => ({}) })
    expect(() => headed.append({})).toThrow(/^cannot create .*j\.jsonl: no such file or folder$/)
    mkdirSync(file)
    expect(codeOf(() => openJournal(file).append({}))).toBe('eisdir')
    expect(codeOf(() => openJournal('/dev/full').append({}))).toBe('enospc')
  })

  test('an append after close, which is idempotent', () => {
    const journal = openJournal(file)
    journal.sync()
    journal.append({})
    journal.close()
    journal.close()
    expect(codeOf(() => journal.append({}))).toBe('journal_closed')
  })
})

test('a journal appends to a device', () => {
  const journal = openJournal('/dev/null', { durability: 'durable', header: () => ({ h: 1 }) })
  journal.append({ a: 1 })
  journal.append({ a: 2 })
  journal.close()
})

test.runIf(process.platform === 'linux')('says to which file it cannot append', () => {
  const append = (): void => appendOnce('/dev/full')
  expect(append).toThrow('cannot append to /dev/full: the disk is full')
})

describe('lockedAppend', () => {
  test('passes the last line and cuts off a torn tail that is its own', async () => {
    await lockedAppend(file, () => '{"n":1}')
    appendFileSync(file, '\n{"to')
    let seen: (string | undefined)[] = []
    const take = (last: Buffer | undefined, torn: Buffer | undefined): string => {
      seen = [last?.toString(), torn?.toString()]
      return '{"n":2}'
    }
    await lockedAppend(file, take, { isOwnTail: (torn) => torn.toString() === '{"to' })
    expect(seen).toEqual(['{"n":1}', undefined])
    expect(content()).toBe('{"n":1}\n\n{"n":2}\n')
  })

  test('keeps a record that lacks only its newline', async () => {
    writeFileSync(file, '{"n":1}')
    await lockedAppend(file, () => '{"n":2}')
    expect(content()).toBe('{"n":1}\n{"n":2}\n')
  })

  test('passes any other torn tail, which becomes a separate line', async () => {
    const seen: (string | undefined)[][] = []
    const append = (json: string): Promise<void> =>
      lockedAppend(
        file,
        (last, torn) => {
          seen.push([last?.toString(), torn?.toString()])
          return json
        },
        { isOwnTail: () => false },
      )
    await append('{"n":1}')
    await append('{"n":2}')
    appendFileSync(file, '\n \n{"to')
    await append('{"n":3}')
    expect(seen).toEqual([
      [undefined, undefined],
      ['{"n":1}', undefined],
      ['{"n":2}', '{"to'],
    ])
    expect(content()).toBe('{"n":1}\n{"n":2}\n\n \n{"to\n{"n":3}\n')
    expect(readdirSync(folder)).toEqual(['j.jsonl'])
  })

  test('appends after the header of a new journal', async () => {
    const make = (last: Buffer | undefined): object => ({ after: last?.toString() })
    await lockedAppend(file, make, { header: () => ({ h: 1 }) })
    expect(content()).toBe('{"h":1}\n{"after":"{\\"h\\":1}"}\n')
  })

  test('writes nothing and releases the lock when `make` throws', async () => {
    const failing = lockedAppend(file, () => {
      throw new Error('no record')
    })
    await expect(failing).rejects.toThrow('cannot append to the journal: no record')
    expect(readdirSync(folder)).toEqual([])
  })

  test('waits for the lock until its deadline', async () => {
    const lock = await acquireLock(`${file}.lock`)
    const append = lockedAppend(file, () => ({}), { waitMs: 20 })
    await expect(append).rejects.toMatchObject({ code: 'lock_timeout' })
    await lock.release()
  })
})

function appendOnce(target: string, options?: Parameters<typeof openJournal>[1]): void {
  const journal = openJournal(target, options)
  journal.append({ a: 1 })
  journal.close()
}

function content(): string {
  return readFileSync(file, 'utf8')
}

function codeOf(work: () => void): string | undefined {
  try {
    work()
  } catch (error) {
    return error instanceof ZeeError ? error.code : String(error)
  }
  return undefined
}
