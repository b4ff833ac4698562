// `zcl http proxy`: a transparent reverse proxy that records every exchange.
import type { Host } from '@zee/core/exit'
import { printJson } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { openFunnelAttempt, timedOutExitCode } from '../attempt.ts'
import { serveUntilEnd } from '../serve-until-end.ts'
import { openTraceRecorder, type TraceRecorder } from '../trace/trace.ts'
import { faultsFor, seededRandom, type InjectRule } from '../faults.ts'
import { listenText, proxyUrl, type ListenAddress, type Upstream } from '../funnels.ts'
import { ProxyServer } from './http.ts'

export interface HttpProxyOptions {
  upstream: Upstream
  listen: ListenAddress
  maxRequests: number | undefined
  inject: readonly InjectRule[]
  injectSeed: number | undefined
  /** The folder of the attempt; the environment names it by default. */
  attempt: string | undefined
}

/** Time for active exchanges to finish after a signal. */
const signalGraceMs = 1000

export async function runHttpProxy(options: HttpProxyOptions, host: Host): Promise<number> {
  const { context, leftMs } = await openFunnelAttempt(host, options.attempt)
  if (leftMs !== undefined && leftMs <= 0) {
    throw zclError('ZCL_E_TIMEOUT', 'the deadline of the attempt has passed; nothing was started')
  }
  const recorder = await openTraceRecorder(context, host)
  try {
    return await serve(options, host, recorder, leftMs)
  } finally {
    await recorder.close()
  }
}

async function serve(
  options: HttpProxyOptions,
  host: Host,
  recorder: TraceRecorder,
  leftMs: number | undefined,
): Promise<number> {
  const random = options.injectSeed === undefined ? Math.random : seededRandom(options.injectSeed)
  const ending = serveUntilEnd(leftMs)
  const server = new ProxyServer({
    upstream: options.upstream,
    listen: options.listen,
    clock: host.clock,
    maxRequests: options.maxRequests,
    begin: () => ({
      faults: faultsFor(options.inject, random),
      onEnd: (call) => recorder.record(call),
    }),
    onLast: () => ending.end('done'),
  })
  try {
    const address = await server.listen()
    printJson(host, {
      ok: true,
      listenAddr: listenText(address),
      proxyUrl: proxyUrl(address),
      upstream: options.upstream.origin + options.upstream.basePath,
    })
    if (options.maxRequests === 0) ending.end('done')
    const why = await ending.ended
    const code = why === 'deadline' ? 'ZCL_E_TIMEOUT' : 'HTTP_PROXY_ERROR'
    await server.close(why === 'signal' ? signalGraceMs : 0, code)
    if (why !== 'deadline') return 0
    host.stderr.write('ZCL_E_TIMEOUT: the deadline of the attempt ended the proxy\n')
    return timedOutExitCode
  } finally {
    ending.release()
  }
}
