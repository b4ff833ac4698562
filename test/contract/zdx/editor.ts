// A test editor: the official Agent Client Protocol client connected to zdx.
import type { ClientContext, SessionNotification } from '@agentclientprotocol/sdk'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { afterEach } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import type { Place } from './with-server.ts'

export type Update = SessionNotification['update']

export interface Editor {
  agent: ClientContext
  child: ChildProcess
  updates: Update[]
  stderr(): string
  /** The tool calls of the received permission requests. */
  asked: unknown[]
  begin(): Promise<string>
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>
  close(): Promise<number | null>
}

export interface EditorOptions {
  /** The option chosen for every permission request; undefined cancels it. */
  permit?: string
  /** Whether the editor advertises that it shows notices. */
  notices?: boolean
  /** Files that the editor reads and writes, by path. */
  files?: Map<string, string>
}

/** Opens editors inside the tests of a file; the last one is closed after each test. */
export function withEditor(
  place: Pick<Place, 'box'>,
): (options?: EditorOptions) => Promise<Editor> {
  let editor: Editor | undefined
  afterEach(async () => {
    await editor?.close()
    editor = undefined
  })
  return async (options) => (editor = await openEditor(place.box, options))
}

async function openEditor(box: Sandbox, options: EditorOptions = {}): Promise<Editor> {
  const child = box.start(['acp'])
  const updates: Update[] = []
  const asked: unknown[] = []
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const exited = once(child, 'close')
  const connection = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params.toolCall)
      return options.permit === undefined
        ? { outcome: { outcome: 'cancelled' } }
        : { outcome: { outcome: 'selected', optionId: options.permit } }
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const content = options.files?.get(params.path)
      if (content === undefined) throw new Error('not open')
      return { content }
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      options.files?.set(params.path, params.content)
      return {}
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin as Writable),
        Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
      ),
    )
  const { agent } = connection
  const clientCapabilities = {
    ...(options.notices === true ? { session: { notices: {} } } : {}),
    ...(options.files === undefined ? {} : { fs: { readTextFile: true, writeTextFile: true } }),
  }
  await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities })
  return {
    agent,
    child,
    updates,
    asked,
    stderr: () => stderr,
    begin: async () =>
      (await agent.request('session/new', { cwd: box.root, mcpServers: [] })).sessionId,
    prompt: (sessionId, text) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    close: async () => {
      child.stdin?.end()
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}
