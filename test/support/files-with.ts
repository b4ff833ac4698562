// Finds the files below a folder that contain a text.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').includes(text))
}
