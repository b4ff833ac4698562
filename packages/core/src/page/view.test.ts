import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Host } from '../exit/exit.ts'
import { showPage, type PageViewOptions } from './view.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-view-'))
afterAll(() => rmSync(folder, { recursive: true }))

const browser = path.join(folder, 'browser')
writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${folder}/opened'\n`)
chmodSync(browser, 0o755)

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const viewer = '@@zee:title@@ @@zee:data@@ @@zee:parts@@'

async function show(options: Partial<PageViewOptions>, env: Record<string, string> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const host = { env, cwd: folder, stdout, stderr } as unknown as Host
  const reports: unknown[] = []
  const view = {
    viewer,
    read: async () => ({ title: 'T', json: '{}' }),
    fingerprint: () => '',
    defaultFile: () => 'page.html',
    reportFile: (file: string, bytes: number) => reports.push([file, bytes]),
    reportUrl: (url: string) => reports.push(url),
  }
  await showPage(view, { out: undefined, serve: false, open: false, ...options }, host)
  return { reports, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
}

describe('the page options of a view command', () => {
  it('write the page to the default file, to --out or to stdout', async () => {
    expect((await show({})).reports).toEqual([['page.html', 5]])
    expect(readFileSync(path.join(folder, 'page.html'), 'utf8')).toBe('T {} ')
    expect((await show({ out: 'other.html' })).reports).toEqual([['other.html', 5]])
    expect(await show({ out: '-' })).toMatchObject({ out: 'T {} ', reports: [] })
  })

  it('open the written file with --open', async () => {
    await show({ open: true }, { BROWSER: browser })
    expect(readFileSync(path.join(folder, 'opened'), 'utf8')).toBe(path.join(folder, 'page.html'))
  })

  it('say so when no browser opens, without failing', async () => {
    const { err } = await show({ open: true }, { BROWSER: '/nonexistent/browser' })
    expect(err).toBe('no browser opened; open the page yourself\n')
  })

  it('refuse --serve with --out, and --open with stdout', async () => {
    const usage = { code: 'usage', exitCode: 2 }
    await expect(show({ serve: true, out: 'x' })).rejects.toMatchObject({
      ...usage,
      message: '--serve and --out exclude each other',
    })
    await expect(show({ open: true, out: '-' })).rejects.toMatchObject({
      ...usage,
      message: '--open needs a file; --out - writes to standard output',
    })
  })

  it('say nothing when a browser opens, and open none without --open', async () => {
    writeFileSync(path.join(folder, 'opened'), '')
    expect((await show({ open: true }, { BROWSER: browser })).err).toBe('')
    writeFileSync(path.join(folder, 'opened'), '')
    expect((await show({}, { BROWSER: browser })).err).toBe('')
    expect(readFileSync(path.join(folder, 'opened'), 'utf8')).toBe('')
  })

  it('serve the page until a signal, and open its address', async () => {
    const stderr = new PassThrough()
    const host = { env: { BROWSER: browser }, cwd: folder, stderr } as unknown as Host
    const before = signals.map((signal) => process.listenerCount(signal))
    for (const signal of signals) {
      writeFileSync(path.join(folder, 'opened'), '')
      let reads = 0
      const urls: string[] = []
      let announced = (): void => {}
      const isAnnounced = new Promise<void>((resolve) => (announced = resolve))
      const view = {
        viewer,
        read: async () => ({ title: String(++reads), json: '{}' }),
        fingerprint: () => '',
        defaultFile: () => 'page.html',
        reportFile: () => expect.unreachable(),
        reportUrl: (url: string) => {
          urls.push(url)
          announced()
        },
      }
      const showing = showPage(view, { out: undefined, serve: true, open: true }, host)
      await isAnnounced
      expect(reads).toBe(1)
      expect(urls).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/)])
      await vi.waitFor(() => {
        expect(readFileSync(path.join(folder, 'opened'), 'utf8')).toBe(urls[0])
      })
      process.emit(signal)
      await showing
    }
    expect(signals.map((signal) => process.listenerCount(signal))).toEqual(before)
  })
})
