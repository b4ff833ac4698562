import { describe, expect, it } from 'vitest'
import { failure, success } from '../envelope/envelope.ts'
import { openSecrets } from './secrets.ts'

const password = 'correct-horse-battery'
const ownKey = 'own-key-0123456789'
const open = (history: Parameters<typeof openSecrets>[0]['history'] = []) =>
  openSecrets({ env: { DB_PASSWORD: password, HOME: '/home/ada' }, ownKeys: [ownKey], history })

describe('hide', () => {
  it('replaces values of variables with a secret name, and own keys', async () => {
    const { hide } = open()
    expect(await hide(`a ${password} b`)).toMatch(/^a ⟦secret:[a-z0-9-]+:1⟧ b$/)
    expect(await hide(`${ownKey}, ${password}`)).toMatch(
      /^⟦secret:own-key:2⟧, ⟦secret:[a-z0-9-]+:1⟧$/,
    )
    expect(await hide('short words only')).toBe('short words only')
  })

  it.each(['password: hunter-two!', 'token=tok-1234-abcd-5678', 'pg://ada:pa55word@host/db'])(
    'replaces a value in %j',
    async (text) => {
      expect(await open().hide(text)).toContain('⟦secret:')
    },
  )

  it('continues the numbers of an earlier process', async () => {
    const text = 'see ⟦secret:env:41⟧'
    const { hide } = open([{ role: 'user', parts: [{ type: 'text', text }] }])
    expect(await hide(password)).toMatch(/:42⟧$/)
  })
})

describe('hideResult', () => {
  it('replaces values in data and messages, and keeps the rest', async () => {
    const { hideResult } = open()
    const mark = await open().hide(password)
    expect(await hideResult(success({ a: [password], n: 1, content: password }))).toEqual(
      success({ a: [mark], n: 1, content: mark }),
    )
    expect(await hideResult(failure('not_found', `no ${password}`))).toEqual(
      failure('not_found', `no ${mark}`),
    )
  })

  it('replaces the start of a value at the end of a cut text', async () => {
    const { hideResult } = open()
    const cut = password.slice(0, -2)
    const hidden = await hideResult(success({ content: cut, truncated: true }))
    expect(JSON.stringify(hidden)).not.toContain(cut)
    for (const data of [
      { content: cut, truncated: false },
      { content: cut },
      { content: 1, truncated: true },
      { truncated: true },
    ]) {
      expect(await hideResult(success(data))).toEqual(success(data))
    }
  })
})

describe('reveal', () => {
  it('puts values back, except own keys and values of earlier processes', async () => {
    const { hide, reveal } = open()
    const mark = await hide(password)
    const own = await hide(ownKey)
    expect(await reveal({ command: `echo ${mark}`, n: 1 })).toEqual({
      input: { command: `echo ${password}`, n: 1 },
    })
    for (const unknown of [own, '⟦secret:env:99⟧']) {
      expect(await reveal({ command: unknown })).toEqual({
        failure: failure(
          'secret_unknown',
          `The value of ${unknown} is no longer in memory: read the file again`,
        ),
      })
    }
  })
})

describe('outputFilter', () => {
  const filtered = async (...chunks: (string | Uint8Array)[]) => {
    const secrets = open()
    await secrets.reveal({})
    const filter = secrets.outputFilter()
    return chunks.map((chunk) => Buffer.from(filter(Buffer.from(chunk))).toString())
  }

  it('passes complete lines on', async () => {
    expect(await filtered('one', ' two\nthree', '\r', 'four\nfive\n', '', 'x')).toEqual([
      '',
      'one two\n',
      'three\r',
      'four\nfive\n',
      '',
      '',
    ])
  })

  it('joins the bytes of a character', async () => {
    const bytes = Buffer.from('ü\n')
    expect(await filtered(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['', 'ü\n'])
  })

  it('replaces a value that two chunks contain', async () => {
    const [first, second] = await filtered(`a ${password.slice(0, 5)}`, `${password.slice(5)} b\n`)
    expect(first).toBe('')
    expect(second).toMatch(/^a ⟦secret:[a-z0-9-]+:1⟧ b\n$/)
  })

  it('replaces a key at the start of the first line', async () => {
    const key = `sk-ant-${'a1B2'.repeat(12)}`
    expect(await filtered(`${key}\n`)).toEqual(['⟦secret:anthropic-key:1⟧\n'])
  })

  it('replaces the lines of a key that began in an earlier chunk', async () => {
    const line = `${'QUJDREVGR0hJSktMTU5PUA'.repeat(2)}\n`
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} PRIVATE KEY-----\n`)
    const shown = (await filtered('start\n', `${begin}${line}`, line, `${end}`, 'done\n')).join('')
    expect(shown).toMatch(/^start\n/)
    expect(shown).toMatch(/done\n$/)
    expect(shown).not.toContain(line.trim())
  })

  it('passes nothing on before the rules are loaded', () => {
    expect(open().outputFilter()(Buffer.from('one\n'))).toEqual(new Uint8Array(0))
  })
})
