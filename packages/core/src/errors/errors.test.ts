import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errnoOf, fileError, oneLine, reasonOf, usageError, ZeeError } from './errors.ts'

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
    expect(reasonOf(system('EWEIRD'))).toBe("EWEIRD: bad, open 'x'")
    expect(fileError('read', '/a/b', system('EACCES'))).toMatchObject({
      code: 'eacces',
      message: 'cannot read /a/b: permission denied',
    })
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
