import { constants } from 'node:buffer'
import { truncateSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { folder, removeLogs, sourceOf, write } from '../../test/imported-log.ts'
import { ImportSource } from './source.ts'

afterAll(removeLogs)

function refusal(of: () => unknown) {
  try {
    of()
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return [code, message.replaceAll(folder, '')]
  }
  return undefined
}

/** A source of bytes that are not written to a file. */
function sourceOfBytes(bytes: Buffer): ImportSource {
  return Object.defineProperty(sourceOf('bytes', ''), 'bytes', { value: () => bytes })
}

describe('ImportSource', () => {
  it('reads the bytes and the JSON of its file or of another', () => {
    const source = sourceOf('a.json', { a: 1 })
    const other = write('b.json', '[2]')
    expect([source.json(), source.json(other)]).toEqual([{ a: 1 }, [2]])
    expect([source.bytes().toString(), source.bytes(other).toString()]).toEqual(['{"a":1}', '[2]'])
  })

  it('tells a folder from a file', () => {
    const isFolder = (name: string) => new ImportSource(path.join(folder, name), {}).isFolder
    write('dir/x', '')
    expect(['dir', 'dir/x', 'missing'].map(isFolder)).toEqual([true, false, false])
  })

  it('refuses what is not a file, not JSON or larger than 1 GiB', () => {
    const source = sourceOf('c.json', '{')
    expect(refusal(() => source.json())).toEqual(['ZCL_E_INVALID_JSON', '/c.json is not JSON'])
    const dir = path.dirname(write('dir/x', ''))
    expect(refusal(() => source.bytes(dir))).toEqual(['ZCL_E_USAGE', '/dir is not a file'])
    const large = write('large', '')
    truncateSync(large, 1024 ** 3 + 1)
    expect(refusal(() => source.bytes(large))).toEqual(['ZCL_E_BOUNDS', '/large is over 1 GiB'])
    truncateSync(large, 0)
    expect(refusal(() => source.json(path.join(folder, 'none')))).toEqual([
      'enoent',
      'cannot read /none: no such file or folder',
    ])
  })

  it('parses a document of the longest text of Node, and refuses a longer one', () => {
    const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH + 1)
    const codeOf = (each: Buffer) => refusal(() => sourceOfBytes(each).json())?.[0]
    expect(codeOf(bytes.subarray(1))).toBe('ZCL_E_INVALID_JSON')
    expect(codeOf(bytes)).toBe('ZCL_E_BOUNDS')
  })

  it('counts a line above the longest text of Node as damaged', () => {
    const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH + 9)
    bytes.write('{"a":1}\n')
    const source = sourceOfBytes(bytes)
    const run = { unmapped: {} }
    expect([...source.objects(run)]).toEqual([{ a: 1 }])
    expect(run.unmapped).toEqual({ 'damaged line': 1 })
  })
})
