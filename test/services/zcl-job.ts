// Runs a scripted job with a real agent and measures it at every boundary. One attempt per boundary: shims
// and the MCP proxy record into attempts of `zcl suite run`, each HTTP proxy into an attempt of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommand } from '../contract/run-here.ts'
import { builtProgram } from '../support/paths.ts'
import { onLoopback, type Loopback } from '../support/loopback.ts'
import { scriptedModel, type ScriptedModel } from './scripted-model.ts'
import { agentProfiles, type AgentProfile } from './zcl-agents.ts'

type Json = Record<string, unknown>

/** What a report says about an attempt. */
export interface Counted {
  calls: unknown
  failures: unknown
  retries: unknown
  /** Undefined if they are estimated. */
  tokens: unknown
}

interface Mission {
  /** The attempt of the funnel, and its HOME. */
  attempt: string
  home: string
  /** The last lines that the agent printed. */
  output: string
}

/** The words of the job: the last call repeats a failed one. */
const job = ['one', 'two', 'broken', 'broken']

export class Job {
  readonly #root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zcl-agents-')))
  readonly #children = new Set<ChildProcess>()
  readonly #model: ScriptedModel
  readonly #service: Loopback

  private constructor(model: ScriptedModel, service: Loopback) {
    this.#model = model
    this.#service = service
  }

  static async open(): Promise<Job> {
    // The path of a request names the agent and the mission.
    const model = await scriptedModel((results, { path: url }) => {
      const [, name, mission] = url.split('/')
      const agent = agentProfiles.find((each) => each.name === name)
      const word = job[results]
      if (agent === undefined || word === undefined) return { text: 'All counted.' }
      const call = mission === 'mcp' ? agent.mcp?.(word) : agent.shell(`tally ${word}`)
      return call === undefined ? { text: 'There is no such tool.' } : { calls: [call] }
    })
    const service = await onLoopback((request, _body, response) => {
      response.writeHead(request.url?.endsWith('/broken') === true ? 500 : 200)
      response.end(`counted ${request.url}\n`)
    })
    return new Job(model, service)
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGTERM')
    await Promise.all([...this.#children].map((child) => once(child, 'exit')))
    await this.#model.close()
    await this.#service.close()
    rmSync(this.#root, { recursive: true, force: true })
  }

  /** A folder for the files of a test. */
  folder(name: string): string {
    const folder = path.join(this.#root, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** An HTTP proxy in front of the service, with the attempt that it records into. */
  serviceProxy(name: string): Promise<{ attempt: string; url: string }> {
    return this.#httpProxy(`${name}-http`, this.#service.url)
  }

  /** An HTTP proxy in front of the model. */
  modelProxy(agent: string, mission: string): Promise<{ attempt: string; url: string }> {
    return this.#httpProxy(`${agent}-${mission}-model`, `${this.#model.url}/${agent}/${mission}`)
  }

  /** The tool `tally`, which asks the service for a word and fails where the service does. */
  writeTally(folder: string, serviceUrl: string): void {
    const source = `#!${process.execPath}
require('http').get('${serviceUrl}/' + process.argv[2], (response) => {
  response.pipe(process.stdout)
  process.exitCode = response.statusCode < 400 ? 0 : 22
})
`
    write(path.join(folder, 'bin/tally'), source, 0o755)
  }

  /** Runs a mission with `zcl suite run`, with shims for the tools. */
  async run(
    agent: AgentProfile,
    mission: 'shell' | 'mcp',
    { folder, modelUrl }: { folder: string; modelUrl: string },
  ): Promise<Mission> {
    const server = write(path.join(folder, 'server.cjs'), serverSource)
    const mcp = [builtProgram('zcl'), 'mcp', 'proxy', '--', process.execPath, server]
    const setup = { modelUrl, mcp }
    const template = path.join(folder, `${mission}-home`)
    for (const [name, content] of Object.entries(agent.files(setup))) {
      write(path.join(template, name), content)
    }
    const suite = {
      suiteId: `${agent.name}-${mission}`,
      verify: [{ command: 'true' }],
      missions: [{ missionId: mission, prompt: 'Count one, two and broken.' }],
    }
    const script = `#!/bin/sh\n${agent.script(setup)}\n`
    const runner = write(path.join(folder, `${mission}.sh`), script, 0o755)
    const flags = ['--shim', 'tally', '--shim', 'git', '--ignore-preset', agent.name]
    const files = ['--file', write(path.join(folder, `${mission}.json`), suite)]
    const places = ['--out-root', this.#outRoot, '--home-template', template]
    const args = ['suite', 'run', ...files, ...places, ...flags, '--timeout-ms', '200000']
    const { TMPDIR = '/tmp', PATH = '/usr/bin:/bin' } = process.env
    const bin = path.join(folder, 'bin')
    const env = { ...agent.env(setup), PATH: `${bin}:${PATH}`, HOME: folder, TMPDIR }
    const summary = await this.#suite([...args, '--json', '--', runner], env)
    return this.#missionOf(summary)
  }

  /** The counts of a report of the attempt. */
  async counts(attempt: string): Promise<Counted & { ignored: unknown; report: Json }> {
    const report = await this.zcl(['report', attempt])
    const metrics = report.metrics as Json
    const tokens = report.tokenEstimates as Json
    return {
      calls: metrics.toolCallsTotal,
      failures: metrics.failuresTotal,
      retries: metrics.retriesTotal,
      tokens: tokens.basis === 'reported' ? tokens.totalTokens : undefined,
      ignored: metrics.ignoredCallsTotal,
      report,
    }
  }

  /** Imports the agent's own log; returns the attempt. */
  async importLog(agent: AgentProfile, { home }: Mission): Promise<string> {
    const log = path.join(home, agent.log)
    const { attempts } = await this.zcl(['import', agent.name, log, '--out-root', this.#outRoot])
    const [attempt, ...others] = attempts as { attemptDir: string }[]
    if (attempt === undefined || others.length > 0) throw new Error('the log is not one session')
    return path.resolve(this.#root, attempt.attemptDir)
  }

  /** The numbers of the log of a mission. */
  async enrich(agent: AgentProfile, { attempt, home }: Mission): Promise<Json> {
    const isFile = agent.log.endsWith('.json')
    const place = isFile ? ['--rollout', path.join(home, agent.log)] : ['--home', home]
    return (await this.zcl(['enrich', '--runner', agent.name, ...place, attempt])).metrics as Json
  }

  /** Runs a command of zcl that prints one document. */
  async zcl(args: string[]): Promise<Json> {
    const ran = await runCommand('zcl', [...args, '--json'], { cwd: this.#root })
    return documentOf(ran.stdout, `zcl ${args.join(' ')}: ${ran.stderr}`)
  }

  get #outRoot(): string {
    return path.join(this.#root, 'out')
  }

  async #httpProxy(mission: string, upstream: string): Promise<{ attempt: string; url: string }> {
    const start = ['attempt', 'start', '--suite', 'tally', '--mission', mission]
    const { outDirAbs } = await this.zcl([...start, '--out-root', this.#outRoot])
    const attempt = String(outDirAbs)
    const args = ['http', 'proxy', '--attempt', attempt, '--upstream', upstream]
    const child = this.#spawn(args, process.env)
    let text = ''
    for await (const chunk of child.stdout ?? []) {
      text += String(chunk)
      const url = /"proxyUrl": "([^"]+)"/.exec(text)?.[1]
      if (url !== undefined) return { attempt, url }
    }
    throw new Error(`the proxy for ${upstream} did not start`)
  }

  async #suite(args: string[], env: NodeJS.ProcessEnv): Promise<Json> {
    const child = this.#spawn(args, env)
    const output = { stdout: '', stderr: '' }
    child.stdout?.on('data', (chunk) => (output.stdout += String(chunk)))
    child.stderr?.on('data', (chunk) => (output.stderr += String(chunk)))
    await once(child, 'close')
    return documentOf(output.stdout, output.stderr)
  }

  #spawn(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(builtProgram('zcl'), args, { cwd: this.#root, env, stdio: 'pipe' })
    child.stdin.end()
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }

  #missionOf({ runId, attempts }: Json): Mission {
    const [{ attemptId, attemptDir } = { attemptId: '', attemptDir: '' }] = attempts as {
      attemptId: string
      attemptDir: string
    }[]
    const run = String(runId)
    const log = path.join(this.#outRoot, 'runs', run, 'runner-output', `${attemptId}.log`)
    return {
      attempt: path.resolve(this.#root, attemptDir),
      home: path.join(this.#outRoot, 'tmp', run, attemptId, 'home'),
      output: readText(log).slice(-2000),
    }
  }
}

function write(file: string, content: string | object, mode = 0o644): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode })
  return file
}

function documentOf(text: string, otherwise: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Error(`${otherwise}\n${text}`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** An MCP server over standard streams with one tool. */
const serverSource = `
const lines = require('readline').createInterface({ input: process.stdin })
const schema = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] }
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const send = (answer) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'tally', version: '1' }
    send({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') {
    send({ result: { tools: [{ name: 'count', description: 'Counts.', inputSchema: schema }] } })
  } else if (method === 'tools/call') {
    const { what } = params.arguments
    const content = [{ type: 'text', text: 'counted ' + what }]
    send({ result: { content, isError: what === 'broken' } })
  } else send({ error: { code: -32601, message: 'no such method' } })
})
`
