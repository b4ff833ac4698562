// Isolates the runner of an attempt, and the verifiers that run its code, from the rest of the machine.
// An isolation that is not available is a typed failure, never a silent `none`.
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'
import { randomHex } from '@zee/core/ids'
import { runProcess } from '@zee/core/process'
import type { Exam } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import type { Launcher } from '../../programs/programs.ts'
import { availableTool, requireImage, type IsolationTool } from './available.ts'
import { bubblewrapCommand } from './bubblewrap.ts'
import { containerCommand } from './container.ts'
import { unshareCommand } from './unshare.ts'
import { viewOf, type Mount, type View } from './view.ts'

export type { IsolationTool } from './available.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Sandbox {
  /** The command as it runs inside, in the folder of the workspace, with these folders writable too. */
  wrap(command: readonly string[], env: Environment, folders?: readonly string[]): string[]
  close(): Promise<void>
}

export interface SandboxRequest {
  exam: Exam
  tool: IsolationTool | undefined
  /** Absolute folders of the attempt; the first is its workspace. */
  writable: readonly [workspace: string, ...others: string[]]
  scratch: string
  hidden: readonly string[]
  private: readonly string[]
  baseFolder: string
  /** Files of the harness that the attempt may read. */
  readable: readonly string[]
  launcher: Launcher
  /** The environment of the harness. */
  env: Environment
}

const withoutIsolation: Sandbox = {
  wrap: (command) => [...command],
  close: async () => undefined,
}

/** The tool for the isolation of the exam; undefined for `none`. Throws if none works here. */
export async function isolationTool(
  { isolation = 'none', container }: Exam,
  env: Environment,
): Promise<IsolationTool | undefined> {
  if (isolation === 'none') return undefined
  const tool = await availableTool(isolation, env, container?.engine)
  if (isolation === 'container') await requireImage(tool, container?.image ?? '', env)
  return tool
}

export async function openSandbox(request: SandboxRequest): Promise<Sandbox> {
  const { tool, exam, scratch } = request
  if (tool === undefined) return withoutIsolation
  const { network = 'host' } = exam
  const [cwd] = request.writable
  if (tool === 'docker' || tool === 'podman') return openContainer(request, tool)
  const root = path.join(scratch, 'root')
  ensureFolder(root)
  const wrap: Sandbox['wrap'] = (command, _env, folders = []) => {
    const view = viewFor(request, command, folders)
    return tool === 'bwrap'
      ? bubblewrapCommand(command, { view, cwd, network })
      : unshareCommand(command, { view, root, cwd, network })
  }
  return { wrap, close: async () => undefined }
}

function openContainer(request: SandboxRequest, engine: 'docker' | 'podman'): Sandbox {
  const { exam, env: outside } = request
  const { network = 'host', container } = exam
  const [cwd] = request.writable
  const names: string[] = []
  return {
    wrap: (command, env, folders = []) => {
      const name = `zcl-${randomHex(6)}`
      names.push(name)
      const mounts = withoutSystem(viewFor(request, command, folders))
      const image = container?.image ?? ''
      const settings = { engine, image, mounts, cwd, network, name, env }
      return containerCommand(command, settings)
    },
    close: async () => {
      // The engine keeps a container alive when its client is killed.
      for (const name of names) {
        await runProcess({ command: engine, args: ['rm', '--force', name], env: { ...outside } })
      }
    },
  }
}

function viewFor(
  request: SandboxRequest,
  command: readonly string[],
  folders: readonly string[],
): View {
  const { exam, baseFolder, hidden, launcher, env } = request
  const writable = [...request.writable, ...folders]
  const expose = (exam.expose ?? []).map((name) => path.resolve(baseFolder, name))
  const shown = expose.find((each) => hidden.some((file) => `${file}/`.startsWith(`${each}/`)))
  if (shown !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `expose: ${shown} contains files of a verifier`)
  }
  const exposed = [...expose, ...request.readable]
  return viewOf({
    writable,
    expose: exposed,
    hidden,
    command,
    launcher,
    env,
    private: request.private,
  })
}

function withoutSystem({ mounts }: View): Mount[] {
  const system = /^\/(?:usr|bin|sbin|lib\w*|etc|opt|nix|run)(?:\/|$)/
  return mounts.filter(({ path: file, isWritable }) => isWritable || !system.test(file))
}
