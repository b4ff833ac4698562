// `zcl update`: looks for newer versions. It never changes the installation.
import { commandFor } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { json } from './options.ts'

const command = commandFor({})

const status = command({
  name: 'status',
  summary: 'Print the installed and the newest version; changes nothing',
  description:
    'Reads the folder or URL of releases (--from, ZCL_RELEASES or `releases` in the ' +
    'configuration). Without one, it looks nothing up. Always exits 0.',
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
