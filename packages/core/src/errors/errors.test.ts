import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errnoOf, errnoReason, errorAfter, fileError, flushError, lateFileError } from './errors.ts'
import { messageOf, oneLine, reasonOf, usageError, ZeeError } from './errors.ts'

const system = (code: string) => Object.assign(new Error(`${code}: bad, open 'x'`), { code })

describe('errors', () => {
  it('carry a code, an exit code and a cause', () => {
    const cause = new Error('below')
    const error = new ZeeError('lock_timeout', 'words', { exitCode: 4, cause })
    expect(error).toMatchObject({ code: 'lock_timeout', exitCode: 4, message: 'words', cause })
    expect(new ZeeError('x', 'y').exitCode).toBe(1)
    expect(usageError('z')).toMatchObject({ code: 'usage', exitCode: 2 })
  })

  it('have a system error code only when the system raised them', () => {
    expect(errnoOf(system('ENOENT'))).toBe('ENOENT')
    expect(errnoOf(new Error('x'))).toBeUndefined()
    expect(errnoOf(Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG' }))).toBeUndefined()
    expect(errnoOf('ENOENT')).toBeUndefined()
  })

  it('translate system error codes into words', () => {
    expect(reasonOf(system('ENOSPC'))).toBe('the disk is full')
    expect(reasonOf(system('EXDEV'))).toBe('it is on another disk')
    expect(reasonOf(system('EWEIRD'))).toBe("EWEIRD: bad, open 'x'")
    expect(fileError('read', '/a/b', system('EACCES'))).toMatchObject({
      code: 'eacces',
      message: 'cannot read /a/b: permission denied',
    })
  })

  it('say that a change may be in effect when a flush after it fails', () => {
    const flushed = flushError('/a', system('EIO'))
    const words = 'cannot flush /a: the disk reported an error'
    expect(messageOf(flushed)).toBe(`${words}; it may be recorded`)
    const outer = new ZeeError('x', 'the title may not be recorded', { cause: flushed })
    expect(messageOf(outer)).toBe('the title may not be recorded')
    expect(messageOf(new ZeeError('x', 'save', { cause: flushed }))).toBe(
      'save; it may be recorded',
    )
    const late = lateFileError('flush', '/a', system('EIO'))
    expect(messageOf(late)).toBe(`${words}; the change may have been made`)
    expect(messageOf(fileError('flush', '/a', system('EIO')))).toBe(words)
  })

  it('say what has happened before them, unless they are bugs', () => {
    expect(errorAfter('the report was written', system('EIO'))).toMatchObject({
      code: 'eio',
      message: 'the disk reported an error; the report was written',
      exitCode: 1,
    })
    expect(errorAfter('it was stored', usageError('no'))).toMatchObject({ exitCode: 2 })
    const bug = new TypeError('x')
    expect(errorAfter('it was stored', bug)).toBe(bug)
  })

  it('describe a fault of JSON without the text of JavaScript or of the input', () => {
    const reasonFor = (text: string) => {
      try {
        return JSON.parse(text) as string
      } catch (error) {
        return reasonOf(error)
      }
    }
    expect(reasonFor('{"a": ')).toBe('it ends too early')
    expect(reasonFor('sk-secret')).toBe('a character is out of place')
    expect(reasonFor('{"a": 1,}')).toMatch(/^a character is out of place(?: at position 8)?$/)
  })

  it('describe a fault of a regular expression without its text', () => {
    const reasonFor = (source: string) => {
      try {
        return new RegExp(source).source
      } catch (error) {
        return reasonOf(error)
      }
    }
    expect(reasonFor('sk-secret: (')).toBe('unterminated group')
    expect(reasonFor('[b-a]')).toBe('range out of order in character class')
  })

  it('are one line for any text and path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(oneLine(text)).not.toMatch(/[\n\r\t\u0085\u2028\u2029]/)
        expect(fileError('read', text, new Error(text)).message).not.toContain('\n')
      }),
    )
  })

  it('escape characters that reorder or hide text', () => {
    expect(oneLine('a\u202e\u{e0041}\u001b[2Jb')).toBe(String.raw`a\u202e\udb40\udc41 [2Jb`)
  })
})

describe('the words for a failure', () => {
  it.each([
    ['EACCES', 'permission denied'],
    ['EBUSY', 'it is in use'],
    ['ECONNREFUSED', 'nothing is listening there'],
    ['EDQUOT', 'the disk quota is used up'],
    ['EEXIST', 'it already exists'],
    ['EFBIG', 'the file would be larger than allowed'],
    ['EIO', 'the disk reported an error'],
    ['EISDIR', 'it is a folder'],
    ['ELOOP', 'too many levels of symbolic links'],
    ['EMFILE', 'too many open files'],
    ['ENAMETOOLONG', 'the name is too long'],
    ['ENOENT', 'no such file or folder'],
    ['ENOSPC', 'the disk is full'],
    ['ENOTDIR', 'a part of the path is not a folder'],
    ['ENOTEMPTY', 'the folder is not empty'],
    ['EPERM', 'operation not permitted'],
    ['EROFS', 'the disk is read-only'],
    ['ETXTBSY', 'the program is being written'],
    ['EXDEV', 'it is on another disk'],
    ['EWEIRD', 'EWEIRD'],
  ])('of the system with %s are %j', (errno, words) => {
    expect(errnoReason(errno)).toBe(words)
  })

  it.each<[unknown, string]>([
    [new Error(''), 'unknown error'],
    ['', 'unknown error'],
    [undefined, 'undefined'],
    ['a\n b', 'a b'],
    [new Error(' a\tb '), 'a b'],
    [new RangeError('Maximum call stack size exceeded'), 'it nests too deep'],
    [new RangeError('other'), 'other'],
    [new Error('call stack'), 'call stack'],
    [new SyntaxError('odd\nmessage'), 'odd message'],
    [new SyntaxError('Unexpected end of JSON input'), 'it ends too early'],
    [new SyntaxError('JSON at position 12'), 'a character is out of place at position 12'],
    [new SyntaxError('JSON token'), 'a character is out of place'],
    [
      new SyntaxError('Invalid regular expression: /a: b/: Nothing To\nRepeat'),
      'nothing to repeat',
    ],
  ])('%o are %j', (error, words) => {
    expect(reasonOf(error)).toBe(words)
  })

  it.each<[unknown, string | undefined]>([
    [Object.assign(new Error('x'), { code: 'E2BIG' }), 'E2BIG'],
    [Object.assign(new Error('x'), { code: 'E' }), undefined],
    [Object.assign(new Error('x'), { code: 'XENOENT' }), undefined],
    [Object.assign(new Error('x'), { code: 5 }), undefined],
    [{ code: 'ENOENT' }, undefined],
    [undefined, undefined],
  ])('%o have the code %s', (error, code) => {
    expect(errnoOf(error)).toBe(code)
  })
})

describe('an error of zee', () => {
  const plain = new ZeeError('x', 'words')
  const flushed = flushError('/a\nb', system('EIO'))

  it('has its name, and a cause only if there is one', () => {
    expect(plain.name).toBe('ZeeError')
    expect('cause' in plain).toBe(false)
    expect(new ZeeError('x', 'y', { cause: null }).cause).toBeNull()
    expect(new ZeeError('x', 'y', { exitCode: 0 }).exitCode).toBe(0)
  })

  it('about a file has the code and the cause of the system', () => {
    const cause = system('EIO')
    const error = fileError('read', '/a\nb', cause)
    const { code, message, exitCode } = error
    expect({ code, message, exitCode, cause: error.cause }).toEqual({
      ...{ code: 'eio', message: 'cannot read /a b: the disk reported an error', exitCode: 1 },
      cause,
    })
    expect(fileError('read', 'x', new Error('odd'))).toMatchObject({
      code: 'io',
      message: 'cannot read x: odd',
    })
    expect(flushed).toMatchObject({ code: 'eio', exitCode: 1, cause: { code: 'EIO' } })
    expect(lateFileError('move', '/a', cause)).toMatchObject({ code: 'eio', cause })
  })

  it('says that it may be recorded only if it is uncertain', () => {
    expect(messageOf(plain)).toBe('words')
    expect(messageOf(new ZeeError('x', 'words', { cause: plain }))).toBe('words')
    expect(messageOf(new ZeeError('x', 'mayor', { cause: flushed }))).toBe(
      'mayor; it may be recorded',
    )
    expect(messageOf(new ZeeError('x', 'it may', { cause: flushed }))).toBe('it may')
  })

  it('after a success keeps the code, the exit code and the cause', () => {
    const cause = usageError('no')
    const after = errorAfter('it was stored', cause) as ZeeError
    expect(after).toMatchObject({ code: 'usage', message: 'no; it was stored', exitCode: 2, cause })
    const failed = errorAfter('it was stored', system('EIO')) as ZeeError
    expect(failed).toMatchObject({ code: 'eio', exitCode: 1, cause: { code: 'EIO' } })
  })
})

it.each([
  ['a \r\n\t b', 'a b'],
  [' \u0000a\u001f\u007f\u009fb\u00a0', 'a b'],
  ['\u2028a\u2029b\u0085', 'a b'],
  ['\u202aa\u202e\u2066b\u2069', String.raw`\u202aa\u202e\u2066b\u2069`],
  ['\u{e0000}\u{e007f}', String.raw`\udb40\udc00\udb40\udc7f`],
  ['\u202f\u206a', '\u206a'],
])('%j on one line is %j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})
