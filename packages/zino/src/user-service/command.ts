// `zino service install|remove`: lets the user's session manager (systemd or launchd) run `zino up`.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { fileError, oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { askService, controlSocketBeside } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import { findConfig } from '../config/config.ts'
import type { Manager, ManagerName, ServiceSpec } from './user-service.ts'
import { configFolder, managerFor, mark } from './user-service.ts'

export interface ServiceCall {
  config: string | undefined
  manager: ManagerName | undefined
}

export interface InstallCall extends ServiceCall {
  /** Prints the file instead. */
  print: boolean
  launcher: readonly string[]
}

type Steps = ReturnType<Manager['install']>

const stepDeadlineMs = 30_000

export async function installService(call: InstallCall, host: Host): Promise<number> {
  const manager = managerFor(call.manager)
  const file = manager.file(host.env)
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd, use: 'service' } as const
  const found = await findConfig(lookup)
  if (found.isUntrusted === true) {
    throw new ZeeError(
      'untrusted',
      `${found.file} is not trusted: run 'zino trust', or use --config`,
    )
  }
  const content = manager.content(serviceSpec(call.launcher, found.file, host))
  if (call.print) {
    host.stdout.write(content)
    return 0
  }
  assertOurs(file)
  await assertDown(found.config)
  try {
    ensureFolder(path.dirname(file), 0o755)
  } catch (error) {
    throw fileError('make the folder', path.dirname(file), error)
  }
  await writeFileAtomic(file, content, { mode: 0o644 })
  host.stdout.write(`wrote ${file}\n`)
  await runSteps(manager.install(file), host)
  host.stdout.write(`zino is running and starts when you log in\n${manager.hint}`)
  return 0
}

export async function removeService(call: ServiceCall, host: Host): Promise<number> {
  const manager = managerFor(call.manager)
  const file = manager.file(host.env)
  if (!existsSync(file)) {
    host.stdout.write('zino is not installed as a service\n')
    return 0
  }
  assertOurs(file)
  await runSteps(manager.stop(), host)
  try {
    rmSync(file)
  } catch (error) {
    throw fileError('remove', file, error)
  }
  await runSteps(manager.forget(), host)
  host.stdout.write(`removed ${file}\n`)
  return 0
}

function serviceSpec(launcher: readonly string[], configFile: string, host: Host): ServiceSpec {
  const program = [...launcher, 'up', '--config', configFile]
  const folder = path.join(configFolder(host.env), 'zino')
  const spec = {
    program,
    workingFolder: path.dirname(configFile),
    envFile: path.join(folder, 'env'),
    path: host.env.PATH,
    logFile: path.join(folder, 'zino.log'),
    mark,
  }
  const texts = [...program, spec.workingFolder, spec.envFile, spec.path ?? '']
  // Neither format can hold them.
  if (texts.some((text) => /[\0-\x08\n\r]/.test(text))) {
    throw new ZeeError('no_manager', 'a path or PATH contains a line break or control character')
  }
  return spec
}

function assertOurs(file: string): void {
  if (!existsSync(file) || readBoundedText(file).includes(mark)) return
  const message = `${file} was not written by zino: move it away, or change it yourself`
  throw new ZeeError('foreign_unit', message)
}

/** The manager could not start a second zino on the same data. */
async function assertDown(config: ZinoConfig): Promise<void> {
  const control = controlSocketBeside(config.daemon.socket)
  const isUp = await askService(control, { type: 'ping' }, { deadlineMs: 2000 }).then(
    () => true,
    () => false,
  )
  if (isUp) throw new ZeeError('already_running', "zino is up: stop it first with 'zino stop'")
}

async function runSteps(steps: Steps, host: Host): Promise<void> {
  const { runProcess } = await import('@zee/core/process')
  for (const { command, args, mayFail } of steps) {
    const result = await runProcess({
      command,
      args,
      cwd: host.cwd,
      env: { ...host.env },
      captureBytes: 4096,
      deadlineMs: stepDeadlineMs,
    })
    if (result.outcome === 'exited' && result.exitCode === 0) continue
    const line = [command, ...args].join(' ')
    const said = oneLine(result.stderr.text().trim()) || result.error || `exit ${result.exitCode}`
    if (mayFail !== true) throw new ZeeError('manager_failed', `'${line}' failed: ${said}`)
    host.stderr.write(`zino: '${line}' failed: ${said}\n`)
  }
}
