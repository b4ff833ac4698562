// Swaps names in a root between ordinary entries and links out of the root, until stdin ends.
// node flip-names.cjs <root> <outside>
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const [root = '', outside = ''] = process.argv.slice(2)
const at = (name: string): string => path.join(root, name)
let ended = false
process.stdin.on('end', () => {
  ended = true
})
process.stdin.resume()

mkdirSync(at('folder'))
writeFileSync(at('folder/secret.txt'), 'harmless\n')
symlinkSync(outside, at('.folder-link'))
process.stdout.write('ready\n')

function flipFile(): void {
  symlinkSync(path.join(outside, 'secret.txt'), at('.next'))
  renameSync(at('.next'), at('file.txt'))
  writeFileSync(at('.next'), 'harmless\n')
  renameSync(at('.next'), at('file.txt'))
}

function flipFolder(): void {
  renameSync(at('folder'), at('.folder-real'))
  renameSync(at('.folder-link'), at('folder'))
  renameSync(at('folder'), at('.folder-link'))
  renameSync(at('.folder-real'), at('folder'))
}

function round(): void {
  for (let count = 0; count < 50; count++) {
    flipFile()
    flipFolder()
  }
  if (!ended) setImmediate(round)
  else rmSync(at('.folder-link'), { force: true })
}
round()
