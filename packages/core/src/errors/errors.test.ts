import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errnoOf, errorAfter, fileError, flushError, lateFileError } from './errors.ts'
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
