// Replaces a name in a loop until it is killed:
//   node flip-names.cjs file|folder <root> <outside>
// `file`:   <root>/name alternates between a file and a link to <outside>/secret.txt
// `folder`: <root>/folder alternates between a folder and a link to <outside>
import { renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'

const [mode, root = '', outside = ''] = process.argv.slice(2)

function flipFile(): void {
  writeFileSync(`${root}/.next`, 'inside')
  renameSync(`${root}/.next`, `${root}/name`)
  symlinkSync(`${outside}/secret.txt`, `${root}/.next`)
  renameSync(`${root}/.next`, `${root}/name`)
}

function flipFolder(): void {
  renameSync(`${root}/folder`, `${root}/.away`)
  symlinkSync(outside, `${root}/folder`)
  unlinkSync(`${root}/folder`)
  renameSync(`${root}/.away`, `${root}/folder`)
}

process.stdout.write('flipping\n')
for (;;) {
  if (mode === 'file') flipFile()
  else flipFolder()
}
