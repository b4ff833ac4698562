// `zino init`: creates everything `zino up` needs: a commented ZINO.toml with absolute paths, the
// system prompt template, tools and skills. Existing files are kept.
import path from 'node:path'
import { createFileExclusive, writeFileAtomic } from '@zee/core/atomic-file'
import { configTemplate } from '@zee/core/config-template'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { ConfigDefaults } from '../config/config.ts'
import { defineZinoConfig, readContent, userFolder } from '../config/config.ts'
import { makeFolder } from '../make-folder.ts'
import { allServiceNames } from '../services/services.ts'
import { checkSocketPath } from '../wire/wire.ts'
import type { InitCall } from './config-defaults.ts'
import { configDefaults } from './config-defaults.ts'
import { skillFiles } from './skill-files.ts'
import { systemTemplate } from './system-template.ts'
import { toolFiles } from './tool-files.ts'

export async function runInit(call: InitCall, host: Host): Promise<number> {
  const requested = call.folder ?? userFolder(host.env)
  if (requested === undefined) throw usageError('HOME is not set: name the folder (zino init DIR)')
  if (call.provider !== undefined) await checkProvider(call.provider)
  const folder = path.resolve(host.cwd, requested)
  const defaults = configDefaults(folder, call, host)
  for (const name of [...allServiceNames, 'control']) {
    checkSocketPath(`${defaults.sockets}/${name}.sock`)
  }
  for (const name of ['', 'tools', 'skills', 'data']) {
    makeFolder(path.join(folder, name), 0o700, 'the folder')
  }
  const write = async (file: string, content: string, mode = 0o644) => {
    const isNew = await writeUnlessPresent(path.join(folder, file), content, mode, call.force)
    host.stdout.write(`${isNew ? 'wrote' : 'kept '} ${path.join(folder, file)}\n`)
    return isNew
  }
  // Private, because it may hold an API key.
  const isNewFile = await write('ZINO.toml', configTemplate(defineZinoConfig(defaults)), 0o600)
  if (isNewFile) await trustOwn(path.join(folder, 'ZINO.toml'), host)
  await write('SYSTEM.md', systemTemplate)
  for (const [name, tool] of Object.entries(toolFiles))
    await write(`tools/${name}.json`, formatJson(tool))
  for (const [name, skill] of Object.entries(skillFiles))
    await write(`skills/${name}.json`, formatJson(skill))
  host.stdout.write(nextSteps(folder, defaults, host))
  return 0
}

/** The user has just made this file: `zino up` in its folder may use it. */
async function trustOwn(file: string, host: Host): Promise<void> {
  const records = userFolder(host.env)
  if (records === undefined || path.dirname(file) === records) return
  const { trust } = await import('@zee/core/trust')
  await trust(records, file, readContent(file), host.clock)
}

/** Fails here, instead of at every start of rtr. */
async function checkProvider(name: string): Promise<void> {
  const { findProvider, providers } = await import('@zee/llm')
  if (findProvider(name) !== undefined) return
  const names = providers.map((row) => row.name).join(', ')
  throw usageError(`unknown provider '${name}' (known: ${names})`)
}

/** Returns false when the file exists and is kept. A file is whole or missing: a half one would be kept. */
async function writeUnlessPresent(
  file: string,
  content: string,
  mode: number,
  force: boolean,
): Promise<boolean> {
  try {
    await (force ? writeFileAtomic : createFileExclusive)(file, content, { mode })
    return true
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'eexist') return false
    throw error
  }
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function nextSteps(folder: string, defaults: ConfigDefaults, host: Host): string {
  const isDefault = userFolder(host.env) === folder
  const config = isDefault ? '' : ` --config ${path.join(folder, 'ZINO.toml')}`
  const address = defaults.script || defaults.baseUrl || defaults.provider
  return [
    '',
    `Model:  ${defaults.model || '(not set)'} at ${address} (change it in [api] and [service])`,
    `Start:  zino up${config}`,
    `Talk:   zino chat${config} --stream "hello"`,
    '',
  ].join('\n')
}
