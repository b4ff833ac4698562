// Tells whether a mutant compiles. `npm run check` refuses a mutant that does not, so it is not counted.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** @typedef {import('./changes.mjs').Mutant} Mutant */

export class Compiler {
  #service
  /** @type {Map<string, string>} */
  #changed = new Map()
  #version = 0

  /** @param {string} folder of the package, with its tsconfig.json */
  constructor(folder) {
    const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), ts.sys.readFile)
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, noEmit: true, composite: false }),
      getScriptFileNames: () => fileNames,
      // A file that is restored must not have the version of its mutant.
      getScriptVersion: (file) => (this.#changed.has(file) ? String(this.#version) : '0'),
      getScriptSnapshot: (file) => {
        const text = this.#changed.get(file) ?? ts.sys.readFile(file)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
    })
  }

  /** @param {Mutant} mutant */
  compiles({ file, start, end, text }) {
    const code = readFileSync(file, 'utf8')
    this.#version += 1
    this.#changed.set(file, code.slice(0, start) + text + code.slice(end))
    const errors = this.#service.getSemanticDiagnostics(file)
    this.#changed.delete(file)
    return errors.length === 0
  }
}
