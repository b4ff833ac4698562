// Files of channels that go or shrink while mem works on them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { recordingLog } from '../../../../test/log.ts'
import { user } from '../../../../test/mem.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'
import { makeDataFolder, openStorage } from '../storage/storage.ts'
import { Channels } from './channels.ts'

async function channelsIn(folder: string) {
  makeDataFolder(folder)
  const log = recordingLog()
  const storage = await openStorage({ folder, log, signal: new AbortController().signal })
  onTestFinished(() => storage.close())
  const channels = new Channels({ lists: storage.lists, ranking: 'recall', log })
  onTestFinished(() => channels.close())
  return { channels, log }
}

const said = (content: string) => ({ ...user(content), ts: '2026-01-01T10:00:00Z' })

it('a channel that is cleared before the first search is no failure of the search', async () => {
  const { channels, log } = await channelsIn(tempFolder())
  await channels.append('c', [said('boat')])
  await channels.clear('c')
  expect(await channels.search('boat', 3, {})).toEqual([])
  expect(log.lines).toEqual([])
})

it('a message that another program removes while it is forgotten stays away', async () => {
  const folder = tempFolder()
  const { channels } = await channelsIn(folder)
  await channels.append('c', [said('one'), said('two')])
  const onForget = (): Promise<void> => {
    const list = JSON.stringify([said('one')], undefined, 2)
    writeFileSync(path.join(folder, 'channels/c.json'), list)
    return Promise.resolve()
  }
  await channels.forgetMessage('c', 1, onForget)
  expect(await channels.history('c', 0)).toEqual([said('one')])
})

it('a search names the file of a channel that cannot be opened any more', async () => {
  const folder = tempFolder()
  const { channels } = await channelsIn(folder)
  await channels.append('c', [said('boat')])
  expect(await channels.search('boat', 3, {})).toHaveLength(1)
  const file = path.join(folder, 'channels/c.json')
  rmSync(file)
  mkdirSync(file)
  await expect(channels.search('boat', 3, {})).rejects.toThrow(
    `cannot read ${file}: it is a folder`,
  )
})
