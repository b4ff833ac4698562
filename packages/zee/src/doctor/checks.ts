// The checks of `zee doctor`. Each returns what it found and, if it is not in order, what to do.
import { folderCheck, type Check } from '@zee/core/checks'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { absolutePath, runProcess } from '@zee/core/process'
import { modelsAvailable } from '../models/models.ts'
import type { Places } from '../places/places.ts'
import { programNames, runProgram, type ProgramName } from '../programs/programs.ts'
import { listIn, zinoState } from '../zino/zino.ts'

const minNode = [20, 19] as const

export async function runChecks(places: Places, host: Host): Promise<Check[]> {
  const groups = await Promise.all([
    [nodeCheck()],
    Promise.all(programNames.map((name) => programCheck(name, host))),
    settingsChecks(host),
    modelChecks(host),
    zinoCheck(host),
    folderChecks(places, host),
    sandboxCheck(host),
    [terminalCheck(host)],
  ])
  return groups.flat()
}

function nodeCheck(): Check {
  const version = process.versions.node
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major > minNode[0] || (major === minNode[0] && minor >= minNode[1])
  if (isSupported) return { id: 'node', status: 'ok', message: version }
  const advice = `install Node ${minNode.join('.')} or later`
  return { id: 'node', status: 'blocked', message: version, advice }
}

async function programCheck(name: ProgramName, host: Host): Promise<Check> {
  try {
    const { code, stdout, stderr } = await runProgram(name, ['--version'], host, 10_000)
    if (code === 0) return { id: name, status: 'ok', message: oneLine(stdout.trim()) }
    const message = `exits with ${code}: ${oneLine(stderr.trim())}`
    return { id: name, status: 'blocked', message, advice: 'install zee again' }
  } catch (error) {
    return { id: name, status: 'blocked', message: reasonOf(error), advice: 'install zee again' }
  }
}

/** Settings that cannot be read stop their program. Others need no line. */
async function settingsChecks(host: Host): Promise<Check[]> {
  const [zdx, zcl] = await Promise.all([
    runProgram('zdx', ['config', 'show'], host, 10_000).catch(() => undefined),
    runProgram('zcl', ['doctor', '--json'], host, 10_000).catch(() => undefined),
  ])
  const ofZcl = listIn(parseObject(zcl?.stdout ?? ''), 'checks').find(
    ({ id, ok }) => ok === false && String(id).endsWith('_config'),
  )
  const faults = {
    'zdx settings': zdx === undefined || zdx.code === 0 ? undefined : zdx.stderr.trim(),
    'zcl settings': ofZcl === undefined ? undefined : String(ofZcl.message),
  }
  return Object.entries(faults).flatMap(([id, fault]) =>
    fault === undefined
      ? []
      : [{ id, status: 'blocked', message: oneLine(fault), advice: 'correct the file' }],
  )
}

async function modelChecks(host: Host): Promise<Check[]> {
  const { keys, servers } = await modelsAvailable(host)
  const keyCheck: Check = {
    id: 'keys',
    status: 'ok',
    message: keys.length === 0 ? 'none' : `present for ${keys.join(', ')}`,
  }
  const serverCheck: Check = {
    id: 'local servers',
    status: 'ok',
    message: servers.length === 0 ? 'none runs' : servers.join(', '),
  }
  if (keys.length + servers.length > 0) return [keyCheck, serverCheck]
  const advice =
    'set ANTHROPIC_API_KEY or run: zdx auth login; or start a local server such as Ollama'
  return [{ ...keyCheck, status: 'todo', advice }, serverCheck]
}

async function zinoCheck(host: Host): Promise<Check[]> {
  const id = 'zino services'
  const state = await zinoState(host)
  switch (state.state) {
    case 'absent':
      return [{ id, status: 'ok', message: 'not set up (zino init creates a configuration)' }]
    case 'broken':
      return [{ id, status: 'blocked', message: state.reason, advice: 'correct the file' }]
    case 'running':
      return [{ id, status: 'ok', message: `running, ${state.services} services` }]
    default:
      return [{ id, status: 'todo', message: 'not running', advice: 'start it: zino up --detach' }]
  }
}

async function folderChecks({ base, outRoots }: Places, host: Host): Promise<Check[]> {
  return Promise.all([
    folderCheck('sessions folder', base, { showsUse: true }),
    ...outRoots.map((outRoot) => folderCheck('runs folder', outRoot, { showsUse: true })),
    folderCheck('this folder', host.cwd),
  ])
}

/** Commands of zino and attempts of zcl can run in namespaces if one of these works. */
async function sandboxCheck({ env, cwd }: Host): Promise<Check[]> {
  const id = 'sandbox'
  const tries = [
    { name: 'bubblewrap', command: 'bwrap', args: ['--ro-bind', '/', '/', '--', 'true'] },
    { name: 'user namespaces', command: 'unshare', args: ['--user', '--map-root-user', 'true'] },
  ]
  for (const { name, command, args } of tries) {
    const child = { command, args, cwd, env: { PATH: absolutePath(env.PATH) }, deadlineMs: 5000 }
    const { exitCode } = await runProcess(child)
    if (exitCode === 0) return [{ id, status: 'ok', message: name }]
  }
  const advice = 'install bubblewrap, or allow unprivileged user namespaces'
  return [{ id, status: 'todo', message: 'commands cannot be isolated here', advice }]
}

function terminalCheck({ env, stdout }: Host): Check {
  const id = 'terminal'
  if (stdout.isTTY !== true) return { id, status: 'ok', message: 'output goes to a file or pipe' }
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  const message = `${env.TERM || 'no TERM'}, ${stdout.columns} columns, ${locale || 'no locale'}`
  if (/utf-?8/i.test(locale)) return { id, status: 'ok', message }
  return { id, status: 'todo', message, advice: 'set LANG to a UTF-8 locale such as C.UTF-8' }
}
