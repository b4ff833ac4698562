// `zee ui`: serves the dashboard until Ctrl+C and opens it in a browser.
import { openInBrowser } from '@zee/core/browser'
import { errnoOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { serveDashboard, type Dashboard } from './server.ts'

export interface UiOptions {
  port: number
  noOpen: boolean
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export async function runUi({ port, noOpen }: UiOptions, host: Host): Promise<number> {
  let stop = (): void => {}
  const ended = new Promise<void>((resolve) => {
    stop = resolve
  })
  for (const signal of signals) process.on(signal, stop)
  try {
    const dashboard = await start(port, host)
    host.stdout.write(`${dashboard.url} (Ctrl+C ends it)\n`)
    if (!noOpen && !(await openInBrowser(dashboard.url, host.env))) {
      host.stderr.write('zee: no browser opened; open the address yourself\n')
    }
    await ended
    dashboard.close()
    return 0
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

async function start(port: number, host: Host): Promise<Dashboard> {
  try {
    return await serveDashboard(port, host)
  } catch (error) {
    if (errnoOf(error) !== 'EADDRINUSE') throw error
    throw new ZeeError('port_in_use', `port ${port} is in use; choose another with --port`)
  }
}
