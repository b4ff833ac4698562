// `zdx acp`: serves the Agent Client Protocol on standard input and output. It only adapts: turns run as
// in every other command, with the editor as their renderer.
import type { AgentApp } from '@agentclientprotocol/sdk'
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk'
import { isObject } from '@zee/core/json'
import type { Call } from '@zee/core/command-line'
import type { Globals } from '../cli/cli.ts'
import { listenForInterrupts } from '../interrupt/interrupt.ts'
import { clientInfo } from '../mcp/mcp.ts'
import { EditorSessions } from './editor-sessions.ts'
import { openEditorStreams } from './editor-streams.ts'

export interface AcpCall extends Pick<Call, 'host'> {
  globals: Globals
}

export async function runAcp({ host, globals }: AcpCall): Promise<number> {
  const interrupts = listenForInterrupts()
  const sessions = new EditorSessions({ host, globals, interrupts })
  const { input, output } = openEditorStreams(host)
  const stream = ndJsonStream(output, input)
  const connection = createAgent(sessions).connect(stream)
  const interrupted = new Promise<void>((resolve) => {
    interrupts.signal.addEventListener('abort', () => resolve())
  })
  try {
    await Promise.race([connection.closed, interrupted])
  } finally {
    await sessions.closeAll()
    connection.close()
    host.stdin.destroy()
    interrupts.stop()
  }
  return interrupts.exitCode() ?? 0
}

function createAgent(sessions: EditorSessions): AgentApp {
  return (
    agent({ name: clientInfo.name })
      .onRequest(methods.agent.initialize, ({ params }) => {
        sessions.canShowNotices = params.clientCapabilities?.session?.notices != null
        sessions.files = params.clientCapabilities?.fs ?? {}
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: clientInfo,
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { embeddedContext: true, image: true },
            mcpCapabilities: { http: true },
            sessionCapabilities: { list: {}, resume: {}, close: {} },
          },
          // Keys come from the environment or `zdx auth login`, so there is nothing to offer.
          authMethods: [],
        }
      })
      .onRequest(methods.agent.session.new, ({ params }) => sessions.start(params))
      .onRequest(methods.agent.session.load, ({ params, client }) => sessions.load(params, client))
      .onRequest(methods.agent.session.resume, ({ params }) => sessions.resume(params))
      .onRequest(methods.agent.session.list, ({ params }) => sessions.list(params))
      .onRequest(methods.agent.session.setMode, ({ params }) => sessions.setMode(params))
      .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
        sessions.setConfigOption(params),
      )
      // For clients that know models as a list of their own.
      .onRequest('session/set_model', parseModelChoice, ({ params }) =>
        sessions.setModel(params.sessionId, params.modelId),
      )
      .onRequest(methods.agent.session.close, ({ params }) => sessions.close(params.sessionId))
      .onRequest(methods.agent.session.prompt, ({ params, client, signal }) =>
        sessions.prompt(params, client, signal),
      )
      .onNotification(methods.agent.session.cancel, ({ params }) =>
        sessions.cancel(params.sessionId),
      )
  )
}

function parseModelChoice(params: unknown): { sessionId: string; modelId: string } {
  const { sessionId, modelId } = isObject(params) ? params : {}
  if (typeof sessionId === 'string' && typeof modelId === 'string') return { sessionId, modelId }
  throw RequestError.invalidParams(undefined, 'sessionId and modelId must be texts')
}
