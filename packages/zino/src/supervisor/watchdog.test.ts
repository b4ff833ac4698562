import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serveHere } from '../../test/host.ts'
import { recordingLog } from '../../test/log.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { until } from '../../test/until.ts'
import { Watchdog } from './watchdog.ts'

async function watch(socket: string): Promise<{ hung: () => number; lines: string[] }> {
  const log = recordingLog()
  let hung = 0
  let isUp = true
  const watchdog = new Watchdog({
    ...{ name: 'ctx', socket, log, intervalMs: 10, pingDeadlineMs: 300 },
    isUp: () => isUp,
    onHung: () => {
      hung += 1
      isUp = false
    },
  })
  onTestFinished(() => watchdog.stop())
  return { hung: () => hung, lines: log.lines }
}

it('a service that accepts connections and answers no two pings is reported once', async () => {
  const socket = path.join(tempFolder(), 's')
  const silent = createServer(() => {}).listen(socket)
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { hung, lines } = await watch(socket)
  await until(() => hung() === 1, 30_000)
  expect(lines).toEqual(['ERROR ctx does not answer: killing it'])
})

it('a service that answers, or has ended, is left alone', async () => {
  const folder = tempFolder()
  let pings = 0
  const handlers = new Map()
  await serveHere({ handlers, onPing: () => (pings += 1) }, path.join(folder, 'up'))
  const up = await watch(path.join(folder, 'up'))
  const gone = await watch(path.join(folder, 'gone'))
  await until(() => pings > 5, 30_000)
  expect([up.hung(), gone.hung()]).toEqual([0, 0])
})
