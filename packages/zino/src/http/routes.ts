// The resources of the bridge. Adding one is a row here and a handler.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import type { ZinoConfig } from '../config/config.ts'
import { completeChat } from './chat-completions/chat-completions.ts'
import type { Counters } from './counters.ts'
import { addMemory, forgetMemory, searchMemory, showMemory } from './memory.ts'
import { listChannels, showChannel } from './channels.ts'
import { showMetrics } from './metrics.ts'
import {
  addTimer,
  changeTimer,
  decideApproval,
  listApprovals,
  listTimers,
  removeInboxEntry,
  removeTimer,
  showInbox,
} from './timers.ts'
import { pageFile } from './page.ts'
import { listModels, showHealth, showModel, showStatus } from './status.ts'

/** One request with everything that its handler may use. */
export interface Call {
  config: ZinoConfig
  clock: Clock
  log: Logger
  counters: Counters
  request: IncomingMessage
  response: ServerResponse
  url: URL
  /** The values of the path's placeholders, decoded. */
  params: readonly string[]
  /** Fires when the client leaves or the bridge stops. */
  signal: AbortSignal
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** Segments; `:name` matches one. */
  path: string
  /** Needs no token: it shows nothing private. */
  isOpen?: true
  handle(call: Call): Promise<void>
}

export const routes: readonly Route[] = [
  { method: 'GET', path: '/', isOpen: true, handle: pageFile('index.html') },
  { method: 'GET', path: '/app.js', isOpen: true, handle: pageFile('app.js') },
  { method: 'GET', path: '/app.css', isOpen: true, handle: pageFile('app.css') },
  { method: 'POST', path: '/v1/chat/completions', handle: completeChat },
  { method: 'GET', path: '/v1/models', handle: listModels },
  { method: 'GET', path: '/v1/models/:id', handle: showModel },
  { method: 'GET', path: '/v1/memory', handle: searchMemory },
  { method: 'POST', path: '/v1/memory', handle: addMemory },
  { method: 'GET', path: '/v1/memory/:id', handle: showMemory },
  { method: 'DELETE', path: '/v1/memory/:id', handle: forgetMemory },
  { method: 'GET', path: '/v1/channels', handle: listChannels },
  { method: 'GET', path: '/v1/channels/:id', handle: showChannel },
  { method: 'GET', path: '/v1/inbox', handle: showInbox },
  { method: 'DELETE', path: '/v1/inbox/:id', handle: removeInboxEntry },
  { method: 'GET', path: '/v1/timers', handle: listTimers },
  { method: 'POST', path: '/v1/timers', handle: addTimer },
  { method: 'POST', path: '/v1/timers/:id', handle: changeTimer },
  { method: 'DELETE', path: '/v1/timers/:id', handle: removeTimer },
  { method: 'GET', path: '/v1/approvals', handle: listApprovals },
  { method: 'POST', path: '/v1/approvals/:id', handle: decideApproval },
  { method: 'GET', path: '/v1/status', handle: showStatus },
  { method: 'GET', path: '/healthz', isOpen: true, handle: showHealth },
  { method: 'GET', path: '/metrics', handle: showMetrics },
]

/** The values of the placeholders; undefined when the path does not match. */
export function matchPath(pattern: string, path: string): string[] | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: string[] = []
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== value) return undefined
      continue
    }
    const decoded = decodeSegment(value)
    if (decoded === undefined || decoded === '') return undefined
    params.push(decoded)
  }
  return params
}

function decodeSegment(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
