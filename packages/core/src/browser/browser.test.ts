// The browser that is started, and the answers of the callback server.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { listenForCallback, openInBrowser, type Callback } from './browser.ts'

describe('a browser', () => {
  const script = (folder: string, name: string, code: number) => {
    const file = path.join(folder, name)
    writeFileSync(file, `#!/bin/sh\nprintf '%s|' "$X" "$@" >'${folder}/seen'\nexit ${code}\n`, {
      mode: 0o755,
    })
    return file
  }

  it('is that of $BROWSER, with the address and the environment', async () => {
    const folder = tempFolder()
    const env = { BROWSER: script(folder, 'b', 0), X: 'y' }
    expect(await openInBrowser('http://a/?b c', env)).toBe(true)
    expect(readFileSync(path.join(folder, 'seen'), 'utf8')).toBe('y|http://a/?b c|')
  })

  it.runIf(process.platform === 'linux')('is xdg-open without $BROWSER', async () => {
    const folder = tempFolder()
    script(folder, 'xdg-open', 0)
    for (const env of [{ PATH: folder }, { PATH: folder, BROWSER: '' }]) {
      writeFileSync(path.join(folder, 'seen'), '')
      expect(await openInBrowser('x', env)).toBe(true)
      expect(readFileSync(path.join(folder, 'seen'), 'utf8')).toBe('|x|')
    }
  })

  it('that fails or does not exist is no browser', async () => {
    const folder = tempFolder()
    expect(await openInBrowser('x', { BROWSER: script(folder, 'b', 3) })).toBe(false)
    expect(await openInBrowser('x', { BROWSER: path.join(folder, 'none') })).toBe(false)
    expect(await openInBrowser('x', { PATH: folder })).toBe(false)
  })
})

describe('a callback server', () => {
  let callback: Callback | undefined
  afterEach(() => callback?.close())

  const get = async (target: string) => {
    const response = await fetch(`http://127.0.0.1:${callback?.port}${target}`)
    const { status, headers } = response
    return [status, headers.get('content-type'), headers.get('connection'), await response.text()]
  }
  const listen = (signal: AbortSignal) =>
    listenForCallback((pathname, query) => pathname === '/cb' && query.has('state'), signal)

  it('ends its wait with the query of the expected request only', async () => {
    callback = await listen(new AbortController().signal)
    expect(await get('/other?state=1')).toEqual([404, 'text/plain', 'close', 'Not found.\n'])
    expect(await get('/cb')).toEqual([404, 'text/plain', 'close', 'Not found.\n'])
    expect(await get('/cb?error=x')).toEqual([404, 'text/plain', 'close', 'Not found.\n'])
    expect(await get('/cb?state=2&code=3')).toEqual([
      ...[200, 'text/plain', 'close', 'You are logged in. You can close this page.\n'],
    ])
    expect([...(await callback.query)]).toEqual([
      ['state', '2'],
      ['code', '3'],
    ])
  })

  it('says that a login was refused', async () => {
    callback = await listen(new AbortController().signal)
    expect(await get('/cb?state=2&error=denied')).toEqual([
      ...[200, 'text/plain', 'close', 'The login was refused. You can close this page.\n'],
    ])
    expect((await callback.query).get('error')).toBe('denied')
  })

  it('rejects when its signal aborts, before or after the start', async () => {
    const reason = new Error('enough')
    callback = await listen(AbortSignal.abort(reason))
    await expect(callback.query).rejects.toBe(reason)
    callback.close()
    const controller = new AbortController()
    callback = await listen(controller.signal)
    controller.abort(reason)
    await expect(callback.query).rejects.toBe(reason)
  })
})
