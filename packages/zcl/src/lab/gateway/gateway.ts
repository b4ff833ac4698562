// The funnels of an attempt, which run outside its isolation. With `network: funnel-only` the attempt
// reaches nothing else: a relay inside its network namespace connects it to them over Unix sockets.
import { existsSync, realpathSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import path from 'node:path'
import type { ZeeError } from '@zee/core/errors'
import type { Exam } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import type { Launcher } from '../../programs/programs.ts'
import { startFunnel, type RunningFunnel } from './funnel.ts'
import { joinSockets } from './join-sockets.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface GatewayRequest {
  exam: Exam
  /** The folder of the attempt; absolute. */
  attemptFolder: string
  /** A folder with a short path that the attempt can reach: it holds the sockets. */
  socketFolder: string
  launcher: Launcher
  /** The environment of the runner. */
  env: Environment
}

export class Gateway {
  readonly #request: GatewayRequest
  readonly #funnels: RunningFunnel[] = []
  readonly #servers: Server[] = []

  private constructor(request: GatewayRequest) {
    this.#request = request
  }

  /** Starts the funnels of the exam. Throws a typed error if one does not start. */
  static async open(request: GatewayRequest): Promise<Gateway> {
    const gateway = new Gateway(request)
    try {
      for (const funnel of request.exam.funnels ?? []) await gateway.#start(funnel)
    } catch (error) {
      await gateway.close()
      throw error
    }
    return gateway
  }

  /** The addresses of the funnels, by variable. They are the same inside and outside. */
  get variables(): Record<string, string> {
    return Object.fromEntries(this.#funnels.map(({ variable, url }) => [variable, url]))
  }

  /** The command line that starts the relay and then becomes the runner, or the runner itself. */
  wrap(command: readonly string[]): string[] {
    if (!this.#isRelayed) return [...command]
    const { socketFolder, launcher, exam } = this.#request
    // A container has the Node of its image, which is rarely at the same path.
    const node = exam.isolation === 'container' ? 'node' : launcher.node
    const script = realpathSync(launcher.script)
    return ['sh', '-c', startScript, 'sh', socketFolder, node, script, ...command]
  }

  /** Ends the funnels, which write their last events. A typed failure if the relay never listened. */
  async end(): Promise<ZeeError | undefined> {
    await this.close()
    const { socketFolder, exam } = this.#request
    if (!this.#isRelayed || existsSync(path.join(socketFolder, 'ready'))) return undefined
    const hint = exam.isolation === 'container' ? ' (it needs Node in the image)' : ''
    return zclError(
      'ZCL_E_ISOLATION_UNAVAILABLE',
      `network: funnel-only is not available: the relay did not start${hint}`,
    )
  }

  /** Safe to call more than once. */
  async close(): Promise<void> {
    for (const server of this.#servers.splice(0)) server.close()
    await Promise.all(this.#funnels.map((funnel) => funnel.close()))
  }

  get #isRelayed(): boolean {
    return this.#request.exam.network === 'funnel-only'
  }

  async #start(spec: NonNullable<Exam['funnels']>[number]): Promise<void> {
    const { attemptFolder, launcher, env } = this.#request
    const funnel = await startFunnel(spec, { attemptFolder, launcher, env })
    this.#funnels.push(funnel)
    if (this.#isRelayed) this.#servers.push(await this.#serveSocket(funnel.port))
  }

  /** A Unix socket is a file, so that it is reachable from another network namespace. */
  async #serveSocket(port: number): Promise<Server> {
    const target = { host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true }
    const server = createServer({ allowHalfOpen: true }, (client) =>
      joinSockets(client, connect(target)),
    )
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path.join(this.#request.socketFolder, `${port}.sock`), resolve)
    })
    return server
  }
}

/**
 * Arguments: the folder of the sockets, Node, the script of zcl, and the command. The relay ends with the
 * last process of the pid namespace.
 */
const startScript = [
  'folder=$1 node=$2 script=$3; shift 3',
  '"$node" "$script" relay "$folder" </dev/null &',
  'relay=$!',
  'until [ -e "$folder/ready" ]; do',
  '  kill -0 $relay 2>/dev/null || exit 126',
  '  sleep 0.02 2>/dev/null || sleep 1',
  'done',
  'exec "$@"',
].join('\n')
