// Requests of the chat page to its server. The token is kept until the tab is closed.

export class RequestError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Sent {
  method?: string
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal
}

const storageKey = 'zino-token'
let token = readStored()

export function hasToken(): boolean {
  return token !== ''
}

export function useToken(given: string): void {
  token = given.trim()
  try {
    sessionStorage.setItem(storageKey, token)
  } catch {
    // Without storage the token lasts until the page is closed.
  }
}

export function forgetToken(): void {
  useToken('')
}

/** Throws a RequestError with the server's message. */
export async function send(path: string, sent: Sent = {}): Promise<Response> {
  const { method = sent.body === undefined ? 'GET' : 'POST', body, headers, signal } = sent
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  })
  if (response.ok) return response
  throw new RequestError(response.status, await reasonOf(response))
}

export async function getJson<Value>(path: string, sent: Sent = {}): Promise<Value> {
  return (await (await send(path, sent)).json()) as Value
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: { message?: string } }
    return error?.message ?? response.statusText
  } catch {
    return response.statusText
  }
}

function readStored(): string {
  try {
    return sessionStorage.getItem(storageKey) ?? ''
  } catch {
    return ''
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
