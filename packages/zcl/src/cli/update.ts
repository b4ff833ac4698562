// `zcl update`: what there is to know about newer versions. Nothing here changes an installation.
import { commandFor } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { json } from './options.ts'

const command = commandFor({})

const status = command({
  name: 'status',
  summary: 'Tell the version in use and the newest one; changes nothing',
  description:
    'Looks into the folder or URL of releases (--from, ZCL_RELEASES or `releases` of the ' +
    'configuration). Without one nothing is looked up. Always exits with 0.',
  options: {
    from: { flags: '--from <place>', summary: 'folder or http(s) URL of releases' },
    json,
  },
  examples: [
    { line: 'zcl update status --json', note: 'for scripts' },
    { line: 'zcl update status --from ./release', note: 'a folder made by npm run release' },
  ],
  run: async ({ options, host }) =>
    (await import('../update/command.ts')).runUpdateStatus(options, manifest.version, host),
})

export const update = command({
  name: 'update',
  summary: 'Look for newer versions',
  commands: [status],
})
